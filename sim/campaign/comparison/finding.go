package comparison

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Finding returns a sentence that counts the places where the main quantity is shown to differ: where the interval of
// the difference excludes 0, at one confidence for all places together.
func (c *Comparison) Finding() string {
	main := &c.Places[0].Contrasts[0]
	name := cmp.Or(main.Meaning, strings.ReplaceAll(main.Name, "_", " "))
	of := table.Count(len(c.Places), "place")
	if !anyDiffers(c.Places) {
		return fmt.Sprintf("The %s is the same in A and B at all of %s", name, of)
	}
	wider := widening(len(c.Places))
	above, below := 0, 0
	var largest *Place // of the differences that are shown
	for i := range c.Places {
		p := &c.Places[i]
		d := &p.Contrasts[0]
		switch {
		case d.Difference-wider*(d.Difference-d.Low) > 0:
			above++
		case d.Difference+wider*(d.High-d.Difference) < 0:
			below++
		default:
			continue
		}
		if largest == nil || math.Abs(d.Difference) > math.Abs(largest.Contrasts[0].Difference) {
			largest = p
		}
	}
	if largest == nil {
		return fmt.Sprintf("The %s of B is not shown to differ from that of A at any of %s", name, of)
	}
	return fmt.Sprintf("The %s of B is shown to be above that of A at %d and below it at %d of %s, by up to %s at %s, "+
		"with 95 %% confidence for all together", name, above, below, of, size(&largest.Contrasts[0]), largest.Name())
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
