package campaign

import (
	"fmt"
	"math"
	"strings"

	"veilpath/configs"
	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Finding returns the answer: at how many epsilons B is shown to be recognised nearer to the target than A, or farther
// from it, at one confidence for all of them together, and the largest difference that is shown.
func (c *Comparison) Finding() string {
	wider := study.Widening(len(c.Places))
	shown := map[phrase.Effect]int{}
	neverA, neverB, same := 0, 0, 0
	var most *Place // the largest difference that is shown
	for i := range c.Places {
		d := c.Places[i].mean()
		switch {
		case d.A == 0 && d.B > 0:
			neverA++
			continue
		case d.B == 0 && d.A > 0:
			neverB++
			continue
		case d.Difference == 0:
			same++
		}
		effect := phrase.EffectOf(d.Difference, d.Difference-wider*(d.Difference-d.Low),
			d.Difference+wider*(d.High-d.Difference), math.NaN())
		shown[effect]++
		if effect != phrase.NotShown && (most == nil || math.Abs(d.Difference) > math.Abs(most.mean().Difference)) {
			most = &c.Places[i]
		}
	}
	by := ""
	if c.observer != "" {
		by = " by " + phrase.Observer(c.observer, c.radiusKm)
	}
	text := fmt.Sprintf("B is not shown to be recognised nearer to the target than A%s, or farther from it, at %s.", by,
		strings.Replace(c.count(0), "0 of", "any of", 1))
	switch {
	case same == len(c.Places):
		text = fmt.Sprintf("B is recognised%s as far from the target as A at %s.", by, c.count(same))
	case most != nil:
		var where []string
		if n := shown[phrase.Hides]; n > 0 {
			where = append(where, "nearer to the target than A at "+c.count(n))
		}
		if n := shown[phrase.GivesAway]; n > 0 {
			where = append(where, "farther from the target than A at "+c.count(n))
		}
		d := most.mean()
		text = fmt.Sprintf("B is recognised%s %s: %s (%s) at %s.", by, strings.Join(where, " and "),
			phrase.Change(d.Difference, d.Low, d.High), phrase.ChangeInterval(d.Low, d.High), most.Name())
	}
	if neverA > 0 {
		text += " A alone is never recognised at " + c.count(neverA) + "."
	}
	if neverB > 0 {
		text += " B alone is never recognised at " + c.count(neverB) + "."
	}
	return text
}

// mean returns the contrast of the mean detection distance, 0 for one that is never recognised.
func (p *Place) mean() *study.Contrast { return &p.Contrasts[0] }

// count writes a number of the compared epsilons, or of the points of a sweep or several observers; a single one by its
// name.
func (c *Comparison) count(n int) string {
	if len(c.Places) == 1 {
		return c.Places[0].Name()
	}
	return fmt.Sprintf("%d of %s", n, table.Count(len(c.Places), c.noun()))
}

// noun names a place of the comparison.
func (c *Comparison) noun() string {
	if len(c.Places[0].Labels) > 0 {
		return "point"
	}
	return "epsilon"
}

// screenTable is the table that people read: the distances in A and in B, and the difference.
func (c *Comparison) screenTable() table.Plain {
	var out table.Plain
	for _, l := range c.Places[0].Labels {
		out.Headings = append(out.Headings, l.Key[strings.Index(l.Key, ".")+1:])
	}
	out.Lead = len(out.Headings) + 1
	out.Headings = append(out.Headings, "epsilon", "A km", "B km", "B against A", "95 % interval",
		"value lost")
	for i := range c.Places {
		out.Rows = append(out.Rows, c.Places[i].screenRow())
	}
	return out
}

// screenRow is the row of a place. There is no difference of distances from a study that is never recognised.
func (p *Place) screenRow() (row []string) {
	for _, l := range p.Labels {
		row = append(row, l.Value)
	}
	d := p.mean()
	// The mean of one side has about the digits of their difference.
	decimals := phrase.Decimals(max(d.A, d.B), d.Low, d.High)
	km := func(x float64) string {
		if x == 0 {
			return "never"
		}
		return phrase.Fixed(x, decimals)
	}
	change, interval := phrase.Change(d.Difference, d.Low, d.High), phrase.ChangeInterval(d.Low, d.High)
	switch {
	case d.A == 0 || d.B == 0:
		change, interval = "-", "-"
	case d.Difference == 0:
		change = "same"
	}
	lost := ""
	for _, other := range p.Contrasts {
		if other.Name != "cost_of_privacy" {
			continue
		}
		if lost = phrase.Percent(other.A); phrase.Percent(other.B) != lost {
			lost = "A " + lost + ", B " + phrase.Percent(other.B)
		}
	}
	return append(row, configs.EpsilonText(p.Epsilon), km(d.A), km(d.B), change, interval, lost)
}

// notes are what the sentence and the table would be read wrongly without: what differs between A and B, and what
// intervals hold for.
func (c *Comparison) notes() []string {
	var differ []string
	for _, s := range c.Settings {
		a, b := s.Brief()
		differ = append(differ, fmt.Sprintf("%s (%s in A, %s in B)", s.Key, a, b))
	}
	p := c.Places[0]
	runs := table.Count(p.RunsA, "run")
	if p.RunsB != p.RunsA {
		runs = fmt.Sprintf("%d and %d runs", p.RunsA, p.RunsB)
	}
	runs += ", " + c.Pairing()
	if n := len(c.Places); n > 1 {
		runs += fmt.Sprintf("; the sentence holds for all %d together", n)
	}
	return []string{"Settings that differ: " + Listed(differ, 2) + ".", runs + "."}
}
