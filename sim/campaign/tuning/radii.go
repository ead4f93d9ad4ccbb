package tuning

import (
	"cmp"
	"context"
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
	There     study.SurfaceCell   // of the search's flights at the chosen epsilon
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
	if math.IsNaN(a.Epsilon) {
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

// practical reports whether the flights at the chosen epsilon are of use.
func (a *RadiusAnswer) practical() bool {
	return phrase.Practical(a.There.Fallback.Value, a.There.CostOfPrivacy.Value)
}

// others is how much coarser the searches for the radii other than the observer's are.
const othersCoarser = 2

// searchRadii answers the demand for every radius of the table. The flights are those of the search for the observer:
// the experiment remembers the routes that it flew.
func (t *Tuning) searchRadii(ctx context.Context, s study.Search, demands []study.Demand) error {
	for _, radius := range t.Requirement.RadiiKm {
		found := t.Found
		if own := t.Settings.Adversary.RadiusKm; radius != own {
			s.RadiusKm = radius
			s.Resolution = min(1, othersCoarser*t.Requirement.Resolution)
			var err error
			if found, err = s.Find(ctx, demands...); err != nil {
				return err
			}
			t.Found.Map.Join(found.Map) // more flights where the demand is met and not met at this radius
		}
		a, err := newRadiusAnswer(found, radius, &t.Requirement)
		if err != nil {
			return err
		}
		t.ByRadius = append(t.ByRadius, a)
	}
	return nil
}

// RadiusColumns returns the columns of the table of radii for a demand on a distance: 0 for any, NaN for a demand on
// the cost alone.
func RadiusColumns(hiddenUntilKm float64) []table.Column[RadiusAnswer] {
	where := func(a *RadiusAnswer, text string) string {
		if math.IsNaN(a.Epsilon) {
			return "-"
		}
		return text
	}
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
			return where(a, phrase.Number(m.Value, m.Low, m.High))
		}},
		{Heading: until, Meaning: "share of the flights there",
			Text: func(a *RadiusAnswer) string { return where(a, phrase.Percent(a.Hidden)) }},
		{Heading: "value lost", Meaning: "share of the best value that privacy costs there",
			Text: func(a *RadiusAnswer) string { return where(a, phrase.Percent(a.There.CostOfPrivacy.Value)) }},
	}
}

// epsilons writes a range of epsilons that are not decided, rounded outwards.
func epsilons(r study.Range) string {
	return phrase.EpsilonAtMost(r.Low) + " .. " + phrase.EpsilonAtLeast(r.High)
}

// mostEpsilons is the number of epsilons of the plane on a screen.
const mostEpsilons = 5

// plane returns the table of the mean distances at the listed epsilons, by radius.
func (t *Tuning) plane() *table.Sheet {
	s := &table.Sheet{Name: "plane", Columns: []table.Column[table.Row]{{Name: "radius_km", Heading: "radius km",
		Meaning: "radius of the observer", Format: "%g", Lead: true}}}
	listed := slices.Clone(t.Cells)
	slices.SortFunc(listed, func(a, b []study.SurfaceCell) int { return cmp.Compare(a[0].Epsilon, b[0].Epsilon) })
	var chosen [][]study.SurfaceCell
	for i := range listed {
		most := min(mostEpsilons, len(listed))
		if len(chosen) < most && i == len(chosen)*(len(listed)-1)/max(1, most-1) {
			chosen = append(chosen, listed[i])
			epsilon := phrase.Epsilon(listed[i][0].Epsilon)
			s.Columns = append(s.Columns, table.Column[table.Row]{Name: "epsilon_" + epsilon,
				Heading: "epsilon " + epsilon, Meaning: "mean distance there"})
		}
	}
	for _, radius := range t.Requirement.RadiiKm {
		row := table.Row{radius}
		at := slices.Index(t.Survey.RadiiKm, radius)
		for _, cells := range chosen {
			m := cells[at].Mean
			row = append(row, phrase.Number(m.Value, m.Low, m.High))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
