package campaign

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/phrase"
	"veilpath/internal/record"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// words returns the answer in sentences. With several observers or points of a sweep it names the places with the
// smallest and the largest mean.
func (r *Result) words() []string {
	if r.Manifest.Sweep.IsZero() {
		if f := r.findingAt(0); f != nil {
			return []string{f.sentence()}
		}
	}
	return []string{r.extremes()}
}

// sizeNote says how many flights there are and under what guarantee, and names two kinds of flight.
func (r *Result) sizeNote() string {
	note := r.Effort() + r.common() + "."
	if r.Manifest.Sweep.IsZero() {
		note = strings.TrimSpace(note + " " + r.kindsNote(0))
	}
	return note
}

// notes returns sentences without which the numbers of the first point would be read wrongly, mostly none.
func (r *Result) notes() string {
	var notes []string
	if len(r.Points[0].Experiment.Scenario.Others) > 0 {
		notes = append(notes, "Distances are to the goal at which a flight ends.")
	}
	most := slices.MaxFunc(r.Summaries[0], func(a, b study.Summary) int {
		return int(math.Copysign(1, a.TimedOut-b.TimedOut))
	})
	if most.TimedOut > 0 {
		notes = append(notes, fmt.Sprintf("At epsilon %s the time limit, sim.max_time_s, ended %.3g %% of the flights "+
			"before they reached the target; those that were not recognised by then count as 0 km.",
			configs.EpsilonText(most.Epsilon), 100*most.TimedOut))
	}
	return strings.Join(notes, " ")
}

// extremes returns a sentence on the smallest and the largest mean detection distance of flights with noise.
func (r *Result) extremes() string {
	var nearest, farthest *study.Summary
	var near, far string
	for point, summaries := range r.Summaries {
		for s := range withNoise(summaries) {
			if nearest == nil || s.MeanKm < nearest.MeanKm {
				nearest, near = s, r.placeName(point, s.Epsilon)
			}
			if farthest == nil || s.MeanKm >= farthest.MeanKm {
				farthest, far = s, r.placeName(point, s.Epsilon)
			}
		}
	}
	mean := func(s *study.Summary) string { return phrase.Km(s.MeanKm, s.CILowKm, s.CIHighKm) }
	switch {
	case nearest == nil:
		return "No flight has " + causeOf(r.Settings) + "."
	case farthest.MeanKm == 0:
		return "The destination is never recognised with " + causeOf(r.Settings) + "."
	case nearest == farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, %s.", mean(nearest), near)
	}
	return fmt.Sprintf("The destination is recognised on average %s from the target %s, and %s %s.", mean(nearest), near,
		mean(farthest), far)
}

// withNoise yields the summaries of flights with noise.
func withNoise(summaries []study.Summary) iter.Seq[*study.Summary] {
	return func(yield func(*study.Summary) bool) {
		for i := range summaries {
			if s := &summaries[i]; s.Epsilon != study.None() && s.Runs > 0 && !yield(s) {
				return
			}
		}
	}
}

// causeOf names what hides the destination: noise, or a way without a guarantee.
func causeOf(settings *configs.Loaded) string {
	if settings != nil && settings.Privacy.Deceives() {
		return "the way " + settings.Privacy.Mechanism
	}
	return "noise"
}

// placeName returns an epsilon and a point of the sweep as text.
func (r *Result) placeName(point int, epsilon float64) string {
	name := []string{"at epsilon " + configs.EpsilonText(epsilon)}
	for _, n := range record.PointNames(r.Manifest.Sweep.Keys(), point, " ") {
		name = append(name, n[strings.Index(n, ".")+1:])
	}
	return strings.Join(name, ", ")
}

// common returns the delta and the radius of all points, after a comma. What differs between points is left out, and
// the delta of a mechanism that guarantees nothing.
func (r *Result) common() (text string) {
	first := r.Points[0].Experiment
	differ := func(of func(*study.Experiment) float64) bool {
		return slices.ContainsFunc(r.Points, func(p study.Study) bool { return of(p.Experiment) != of(first) })
	}
	promises := first.Decoys != nil || planner.PromiseOf(first.Mechanism) != privacy.None
	if promises && !differ((*study.Experiment).Delta) {
		text += fmt.Sprintf(", delta %g", first.Delta())
	}
	if !differ((*study.Experiment).RadiusKm) {
		text += fmt.Sprintf(", radius %g km", first.Adversary.RadiusKm)
	}
	return text
}
