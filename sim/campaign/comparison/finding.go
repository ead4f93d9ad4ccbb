package comparison

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// Finding returns a sentence that counts the places where the main quantity differs significantly: where the
// interval of the difference excludes 0, at one confidence for all places together. Places where the difference is
// known, such as those of the plan without noise, are said apart.
func (c *Comparison) Finding() string {
	main := &c.Places[0].Contrasts[0]
	name := cmp.Or(main.Meaning, strings.ReplaceAll(main.Name, "_", " "))
	var drawn, known []*Place
	for i := range c.Places {
		if p := &c.Places[i]; p.Contrasts[0].Low == p.Contrasts[0].High {
			known = append(known, p)
		} else {
			drawn = append(drawn, p)
		}
	}
	if !anyDiffers(c.Places) {
		at := "all of " + table.Count(len(c.Places), "place")
		if len(c.Places) == 1 {
			at = c.Places[0].Name()
		}
		return fmt.Sprintf("The %s is the same in A and B at %s", name, at)
	}
	if len(drawn) == 0 {
		return fmt.Sprintf("The %s of B is known: %s", name, knownText(known))
	}
	text := fmt.Sprintf("The %s of B is %s", name, drawnText(drawn))
	for _, more := range []string{signsTurned(c.decimals, drawn), knownText(known)} {
		if more != "" {
			text += "; " + more
		}
	}
	return text
}

// anyDiffers reports whether the main quantity differs at any place.
func anyDiffers(places []Place) bool {
	for i := range places {
		if places[i].Contrasts[0].Difference != 0 {
			return true
		}
	}
	return false
}

// drawnText says of places whose runs are random what is shown of the difference, to follow "is".
func drawnText(places []*Place) string {
	wider := widening(len(places))
	up, down, differ := 0, 0, 0
	var largest *Place // of the significant differences
	for _, p := range places {
		d := &p.Contrasts[0]
		switch shown := widened(effectOf(d), wider); {
		case shown.LowKm > 0:
			up++
		case shown.HighKm < 0:
			down++
		default:
			if d.Difference != 0 {
				differ++
			}
			continue
		}
		if largest == nil || math.Abs(d.Difference) > math.Abs(largest.Contrasts[0].Difference) {
			largest = p
		}
	}
	of := table.Count(len(places), "place")
	shown := ""
	switch {
	case len(places) == 1 && largest == nil:
		return "not shown to differ from that of A at " + places[0].Name()
	case len(places) == 1:
		return fmt.Sprintf("shown to be %s that of A at %s, by %s%s", aboveOrBelow(&largest.Contrasts[0]),
			largest.Name(), size(&largest.Contrasts[0]), largest.withoutMany())
	case largest == nil:
		return "not shown to differ from that of A at any of " + of
	case down == 0:
		shown = fmt.Sprintf("above that of A at %d of %s", up, of)
	case up == 0:
		shown = fmt.Sprintf("below that of A at %d of %s", down, of)
	default:
		shown = fmt.Sprintf("above that of A at %d of %s and below at %d", up, of, down)
	}
	text := fmt.Sprintf("shown to be %s, by up to %s at %s%s, with 95 %% confidence for all together", shown,
		size(&largest.Contrasts[0]), largest.Name(), largest.withoutMany())
	if differ > 0 {
		text += fmt.Sprintf("; at %d more the difference may be chance", differ)
	}
	return text
}

// withoutMany says how large the difference is without the flights that a limit ended, if they are many and do not
// decide its sign, in brackets.
func (p *Place) withoutMany() string {
	d, without := &p.Contrasts[0], p.without[p.many]
	if d.Name != "mean_km" || p.many == 0 || !(d.Difference*without.Km > 0) {
		return ""
	}
	return fmt.Sprintf(" (%.3g km without the flights that %s)", math.Abs(without.Km), campaign.LimitText[p.many])
}

// knownText says how much the quantity differs at places where the difference is known. It is empty without them.
func knownText(places []*Place) string {
	var parts, same []string
	for _, p := range places {
		if d := &p.Contrasts[0]; d.Difference != 0 {
			parts = append(parts, fmt.Sprintf("at %s it is %s %s", p.Name(), size(d), aboveOrBelow(d)))
		} else {
			same = append(same, p.Name())
		}
	}
	if len(parts) > campaign.MostListed {
		parts = append(parts[:campaign.MostListed], fmt.Sprintf("it differs at %d more", len(parts)-campaign.MostListed))
	}
	switch {
	case len(same) == 1:
		parts = append(parts, "at "+same[0]+" it is the same")
	case len(same) > 1:
		parts = append(parts, fmt.Sprintf("at %s it is the same", table.Count(len(same), "place")))
	}
	return strings.Join(parts, ", ")
}

// signsTurned says at which places the difference of the mean detection distances has another sign without the flights
// that a limit ended. It is empty if there are none.
func signsTurned(decimals int, places []*Place) string {
	wider := widening(len(places))
	var turned []campaign.Turned
	for _, p := range places {
		d, without := &p.Contrasts[0], p.without
		for limits := range without {
			without[limits] = widened(without[limits], wider)
		}
		all := widened(effectOf(d), wider)
		if limits := all.TurnsWithout(without); d.Name == "mean_km" && limits != 0 {
			turned = append(turned, campaign.Turned{Shown: all.Shown(), Limits: limits, Without: without[limits],
				Place: p.Name()})
		}
	}
	return campaign.TurnedText(decimals, "the difference", turned)
}

// effectOf returns a difference with its interval.
func effectOf(d *study.Contrast) study.Effect {
	return study.Effect{Km: d.Difference, LowKm: d.Low, HighKm: d.High}
}

// widened returns an effect whose interval is wider by a factor.
func widened(e study.Effect, factor float64) study.Effect {
	return study.Effect{Km: e.Km, LowKm: e.Km - factor*(e.Km-e.LowKm), HighKm: e.Km + factor*(e.HighKm-e.Km)}
}

// aboveOrBelow says on which side of A the quantity of B is.
func aboveOrBelow(d *study.Contrast) string {
	if d.Difference > 0 {
		return "above"
	}
	return "below"
}

// size returns the size of a difference with its unit, that of a cost in percent of the value.
func size(d *study.Contrast) string {
	switch {
	case d.Unit == "km":
		return fmt.Sprintf("%.3g km", math.Abs(d.Difference))
	case strings.HasPrefix(d.Name, "cost_of_privacy"):
		return fmt.Sprintf("%.3g %% of the value", 100*math.Abs(d.Difference))
	}
	return fmt.Sprintf("%.3g", math.Abs(d.Difference))
}

// widening returns the factor by which intervals must widen to hold for all places together at study.Confidence:
// the Bonferroni correction for normal intervals.
func widening(places int) float64 {
	z := func(alone float64) float64 { return distuv.UnitNormal.Quantile(1 - (1-study.Confidence)/2/alone) }
	return z(float64(places)) / z(1)
}
