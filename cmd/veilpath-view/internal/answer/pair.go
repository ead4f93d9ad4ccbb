package answer

import (
	"fmt"
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
)

// Difference is the paired difference of the flights on show.
func (a *Answers) Difference() model.Difference {
	p, e := a.Model.Pair, &a.Model.Ensemble
	return a.compared.Get([2]uint64{e.Version, p.Ensemble.Version}, func() model.Difference {
		return p.Difference(&a.Model.World)
	})
}

// PairText says how much nearer to the target, or farther, flights of the kept settings, B, are recognised than those in
// force, run by run.
func (a *Answers) PairText() string {
	d := a.Difference()
	if d.Runs == 0 {
		return "flying the kept settings …"
	}
	km, low, high := -d.MeanKm, -d.HighKm, -d.LowKm
	interval := func(low, high float64, write func(float64, int) string) string {
		return either(d.Runs > 1, fmt.Sprintf(" (95 %% %s to %s)", write(low, 1), write(high, 1)), "")
	}
	switch {
	case high < 0:
		return "B is recognised " + Fixed(-km, 1) + " km nearer" + interval(-high, -low, Fixed)
	case low > 0:
		return "B is recognised " + Fixed(km, 1) + " km farther" + interval(low, high, Fixed)
	}
	return "B − A: " + Signed(km, 1) + " km" + interval(low, high, Signed) + ", no difference is shown"
}

// pairDiffers returns what tells the kept settings from those in force, and those in force from the kept.
func (a *Answers) pairDiffers() [2]string {
	return a.differs.Get(a.Model.Version, func() [2]string {
		kept, now := a.Model.Pair.Config, a.Model.Config
		return [2]string{model.Differs(kept, now), model.Differs(now, kept)}
	})
}

// Signed writes a difference with its sign, of which what is rounded to nothing has none.
func Signed(v float64, decimals int) string {
	text := Fixed(v, decimals)
	if v > 0 && strings.ContainsAny(text, "123456789") {
		return "+" + text
	}
	return text
}

// KeptText names the kept settings.
func (a *Answers) KeptText() string {
	if differs := a.pairDiffers()[0]; differs != "" {
		return "kept: " + differs
	}
	return "kept: the same settings"
}

// KeptVersion changes with the flights that are compared with.
func (a *Answers) KeptVersion() uint64 {
	if a.Model.Pair == nil {
		return 0
	}
	return a.Model.Pair.Ensemble.Version
}
