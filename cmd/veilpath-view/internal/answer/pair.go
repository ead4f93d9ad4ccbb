package answer

import (
	"fmt"
	"strings"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/model"
)

// Difference is the paired difference of the flights on show.
func (a *Answers) Difference() model.Difference {
	p, e := a.Model.Pair, &a.Model.Ensemble
	return a.compared.Get([3]uint64{e.Version, p.Ensemble.Version, a.Selection.Version}, func() model.Difference {
		return p.Difference(&a.Model.World, a.IsSelected)
	})
}

// PairText is the paired difference in words, and ShortPairText is that where there is little room.
func (a *Answers) PairText() string {
	return a.pairText(" (95 %% %s to %s)", "crossed "+chart.Fixed(a.Difference().BetweenKm, 0)+" km: ")
}

func (a *Answers) ShortPairText() string { return a.pairText(" (%s to %s)", "") }

// pairText is the paired difference, its interval as a format has it, and how many flights crossed.
func (a *Answers) pairText(interval, crossed string) string {
	d := a.Difference()
	if d.Runs == 0 {
		return "flying the kept settings …"
	}
	if a.sameSettings() {
		return "the same settings: change one to compare"
	}
	text := Signed(d.MeanKm, 1) + " km"
	if d.Runs > 1 {
		text += fmt.Sprintf(interval, Signed(d.LowKm, 1), Signed(d.HighKm, 1))
	}
	if n := len(d.Nearer) + len(d.Farther); n > 0 {
		text += fmt.Sprintf("; %s%d nearer, %d farther", crossed, len(d.Nearer), len(d.Farther))
	}
	return text
}

// pairDiffers returns what tells the kept settings from those in force, and those in force from the kept.
func (a *Answers) pairDiffers() [2]string {
	return a.differs.Get(a.Model.Version, func() [2]string {
		kept, now := a.Model.Pair.Config, a.Model.Config
		return [2]string{model.Differs(kept, now), model.Differs(now, kept)}
	})
}

// sameSettings reports whether nothing has been changed since settings were kept to compare with.
func (a *Answers) sameSettings() bool {
	return a.Model.Pair.Config.Study.Seed == a.Model.Config.Study.Seed && a.pairDiffers() == [2]string{}
}

// Signed writes a difference with its sign, of which what is rounded to nothing has none.
func Signed(v float64, decimals int) string {
	text := chart.Fixed(v, decimals)
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
