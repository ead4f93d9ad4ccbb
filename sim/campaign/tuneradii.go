package campaign

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// RadiusAnswer is the answer for the observers of one radius.
type RadiusAnswer struct {
	RadiusKm  float64
	Sets      study.Sets
	Epsilon   float64             // chosen, NaN for none
	Undecided study.Range         // directly above the chosen epsilon; 0 for none
	There     study.SurfaceCell   // of the search's flights at the chosen epsilon; its values are NaN for none
	Ends      []study.SurfaceCell // the same at both ends of every set
	Hidden    float64             // share of these flights that stay hidden until the demanded distance
	Useless   bool                // only epsilons at which flights are of no use may meet the demand
}

// newRadiusAnswer returns what a search found for a radius.
func newRadiusAnswer(found *study.Found, radiusKm float64, r *Requirement) (RadiusAnswer, error) {
	a := RadiusAnswer{RadiusKm: radiusKm, Sets: found.Sets(), Epsilon: found.Chosen(), Hidden: math.NaN(),
		Useless: found.Impractical != (study.Range{})}
	var ends []float64
	for _, set := range slices.Concat(a.Sets.Met, a.Sets.NotMet, a.Sets.Undecided) {
		ends = append(ends, set.Low, set.High)
	}
	slices.Sort(ends)
	for _, epsilon := range slices.Compact(ends) {
		cell, err := found.At(epsilon, r.Confidence)
		if err != nil {
			return a, err
		}
		if a.Ends = append(a.Ends, cell); epsilon == a.Epsilon {
			a.There = cell
		}
	}
	if unknown := (study.Estimate{Value: a.Epsilon}); math.IsNaN(a.Epsilon) {
		a.There = study.SurfaceCell{Mean: unknown, CostOfPrivacy: unknown, Fallback: unknown}
		return a, nil
	}
	if i := slices.IndexFunc(a.Sets.Undecided, func(u study.Range) bool { return u.Low == a.Epsilon }); i >= 0 {
		a.Undecided = a.Sets.Undecided[i]
	}
	if r.Hidden() {
		beyond := study.QuantileDistance(r.HiddenUntilKm, 0.5)
		a.Hidden = 1 - found.Means(&beyond, []float64{a.Epsilon})[0]
	}
	return a, nil
}

// practical reports whether an epsilon is chosen at which the flights are of use.
func (a *RadiusAnswer) practical() bool {
	return !math.IsNaN(a.Epsilon) && phrase.Practical(a.There.Fallback.Value, a.There.CostOfPrivacy.Value)
}

// MarshalJSON writes the answer. What comes of the chosen epsilon is null without one.
func (a RadiusAnswer) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		RadiusKm  float64     `json:"radius_km"`
		Epsilon   table.Maybe `json:"epsilon"`   // null for none
		Practical bool        `json:"practical"` // the flights at the epsilon are of use
		Runs      int         `json:"runs"`      // at the epsilon
		MeanKm    table.Maybe `json:"mean_km"`
		Hidden    table.Maybe `json:"hidden_until"`
		Cost      table.Maybe `json:"cost_of_privacy"`
		Fallback  table.Maybe `json:"fallback"`
		setsJSON
	}{a.RadiusKm, table.Maybe(a.Epsilon), a.practical(), a.There.Runs, table.Maybe(a.There.Mean.Value),
		table.Maybe(a.Hidden), table.Maybe(a.There.CostOfPrivacy.Value), table.Maybe(a.There.Fallback.Value),
		setsOf(a.Sets)})
}

// RadiusColumns returns the columns of the table of radii for a demand on a distance: 0 for any, NaN for a demand on
// the cost alone.
func RadiusColumns(hiddenUntilKm float64) []table.Column[RadiusAnswer] {
	until, heading, rounded := "hidden until D", "largest epsilon", phrase.EpsilonAtMost
	if math.IsNaN(hiddenUntilKm) { // larger epsilons cost less
		heading, rounded = "least epsilon", phrase.EpsilonAtLeast
	}
	if hiddenUntilKm > 0 {
		until = fmt.Sprintf("hidden until %g km", hiddenUntilKm)
	}
	return []table.Column[RadiusAnswer]{
		{Heading: "radius km", Meaning: "radius of the observer", Lead: true, Format: "%g",
			Value: func(a *RadiusAnswer) float64 { return a.RadiusKm }},
		{Heading: heading, Meaning: "that is shown to meet the demand", Text: func(a *RadiusAnswer) string {
			switch {
			case math.IsNaN(a.Epsilon) && a.Useless:
				return "not practical"
			case math.IsNaN(a.Epsilon):
				return "none"
			case !a.practical():
				return rounded(a.Epsilon) + " *"
			}
			return rounded(a.Epsilon)
		}},
		{Heading: "undecided", Meaning: "the epsilons above it that more flights would decide",
			Text: func(a *RadiusAnswer) string {
				if a.Undecided == (study.Range{}) {
					return "-"
				}
				return epsilons(a.Undecided)
			}},
		{Heading: "mean km", Meaning: "distance from the target at which the destination is recognised there; nearer is " +
			"better hidden", Text: func(a *RadiusAnswer) string {
			m := a.There.Mean
			return phrase.Number(m.Value, m.Low, m.High)
		}},
		{Heading: until, Meaning: "share of the flights there",
			Text: func(a *RadiusAnswer) string { return phrase.Percent(a.Hidden) }},
		{Heading: "value lost", Meaning: "share of the best value that privacy costs there",
			Text: func(a *RadiusAnswer) string { return phrase.Percent(a.There.CostOfPrivacy.Value) }},
	}
}

// epsilons writes a range of epsilons that are not decided, rounded outwards.
func epsilons(r study.Range) string {
	return phrase.EpsilonAtMost(r.Low) + " .. " + phrase.EpsilonAtLeast(r.High)
}

// mostTried is the number of epsilons of the plane on a screen.
const mostTried = 5

// plane returns the table of the mean distances at the listed epsilons, by radius.
func (t *Tuning) plane() table.Plain {
	listed := slices.SortedFunc(slices.Values(t.cells),
		func(a, b []study.SurfaceCell) int { return byEpsilon(a[0], b[0]) })
	plane := table.Plain{Headings: []string{"radius km"}, Lead: 1}
	for _, radius := range t.RadiiKm {
		plane.Rows = append(plane.Rows, []string{fmt.Sprintf("%g", radius)})
	}
	for _, i := range table.Spread(len(listed), mostTried) {
		plane.Headings = append(plane.Headings, "epsilon "+phrase.Epsilon(listed[i][0].Epsilon))
		for k, radius := range t.RadiiKm {
			m := listed[i][slices.Index(t.survey.RadiiKm, radius)].Mean
			plane.Rows[k] = append(plane.Rows[k], phrase.Number(m.Value, m.Low, m.High))
		}
	}
	return plane
}
