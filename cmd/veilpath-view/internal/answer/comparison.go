package answer

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/internal/phrase"
)

// Comparison is the numbers of the settings in force, A, and where others are kept of these, B, on the same noise.
type Comparison struct {
	Head []string   `json:"head"`
	Rows [][]string `json:"rows"`
	Text string     `json:"text"` // B less A
}

// Comparison returns the numbers on show.
func (a *Answers) Comparison() Comparison {
	m := a.Model
	until := either(a.DemandKm > 0, a.DemandKm, m.Ensemble.Summary().HiddenUntilKm)
	row := func(name string, epsilon float64, n *model.Ensemble) []string {
		s := n.Summary()
		percent := func(x float64) string { return phrase.Fixed(100*x, 0) + " %" }
		if s.Runs == 0 {
			return []string{name + "  ε " + Number(epsilon), "…", "", "", ""}
		}
		return []string{name + "  ε " + Number(epsilon), phrase.Fixed(s.MeanKm, 1) + " km", percent(n.HiddenUntil(until)),
			percent(s.CostOfPrivacy), percent(s.Fallback)}
	}
	c := Comparison{Head: []string{"", "mean", "hidden to " + Number(until), "value lost", "give up"},
		Rows: [][]string{row("A", m.Config.Privacy.Epsilon, &m.Ensemble)}}
	if m.Pair != nil {
		c.Rows = append(c.Rows, row("B", m.Pair.Config.Privacy.Epsilon, &m.Pair.Ensemble))
		c.Text = a.pairText()
	}
	return c
}

// pairText says how much nearer to the target, or farther, flights of the kept settings, B, are recognised than those
// in force, run by run.
func (a *Answers) pairText() string {
	p, e := a.Model.Pair, &a.Model.Ensemble
	d := a.compared.Get([2]uint64{e.Version, p.Ensemble.Version}, func() model.Difference {
		return p.Difference(&a.Model.World)
	})
	if d.Runs == 0 {
		return "flying the kept settings …"
	}
	km, low, high := -d.MeanKm, -d.HighKm, -d.LowKm
	interval := func(low, high float64, write func(float64, int) string) string {
		return either(d.Runs > 1, fmt.Sprintf(" (95 %% %s to %s)", write(low, 1), write(high, 1)), "")
	}
	switch {
	case high < 0:
		return "B is recognised " + phrase.Fixed(-km, 1) + " km nearer" + interval(-high, -low, phrase.Fixed)
	case low > 0:
		return "B is recognised " + phrase.Fixed(km, 1) + " km farther" + interval(low, high, phrase.Fixed)
	}
	return "B − A: " + Signed(km, 1) + " km" + interval(low, high, Signed) + ", no difference is shown"
}

// KeptVersion changes with the flights that are compared with.
func (a *Answers) KeptVersion() uint64 {
	if a.Model.Pair == nil {
		return 0
	}
	return a.Model.Pair.Ensemble.Version
}
