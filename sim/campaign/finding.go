package campaign

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/report"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Heading returns the finding, the baselines and the effect of noise at a single point, and the size of the study.
func (r *Result) Heading() string {
	text := strings.Join(r.words(), "\n") + "\n" + r.Effort() + r.common() + ", 95 % intervals."
	if notes := r.notes(); notes != "" {
		text += "\n" + notes
	}
	return text
}

// words returns the answer in sentences.
func (r *Result) words() []string {
	words := []string{r.finding()}
	if s := r.Summaries[0]; r.Manifest.Sweep.IsZero() && s[0].Runs > 0 {
		words = append(words, BaselineSentence(r.Settings.Config, s[0].PlannedKm, s[0].DirectKm))
		if noise := noiseSentence(r.decimals(), causeOf(r.Settings), s); noise != "" {
			words = append(words, noise)
		}
	}
	return words
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

// finding returns a sentence on the smallest and the largest mean detection distance of flights with noise.
func (r *Result) finding() string {
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
	switch {
	case nearest == nil:
		return "No flight has " + causeOf(r.Settings) + "."
	case farthest.MeanKm == 0:
		return "The destination is never recognised with " + causeOf(r.Settings) + "."
	case nearest == farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, %s.",
			meanText(r.decimals(), nearest), near)
	}
	return fmt.Sprintf("The destination is recognised on average %s from the target %s, and %s %s.",
		meanText(r.decimals(), nearest), near, meanText(r.decimals(), farthest), far)
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

// noiseSentence returns a sentence on the smallest and the largest change that noise makes, and at how many epsilons
// its interval excludes 0. It is empty if no flight has noise.
func noiseSentence(decimals int, cause string, summaries []study.Summary) string {
	var least, most *study.Summary
	nearer, farther, all := 0, 0, 0
	for s := range withNoise(summaries) {
		if least == nil || s.NoiseKm < least.NoiseKm {
			least = s
		}
		if most == nil || s.NoiseKm > most.NoiseKm {
			most = s
		}
		all++
		if s.NoiseHighKm < 0 {
			nearer++
		}
		if s.NoiseLowKm > 0 {
			farther++
		}
	}
	if least == nil {
		return ""
	}
	text := report.Sentence(cause) + " alone changes the distance by " + noiseText(decimals, least)
	if most != least {
		text += " and by " + noiseText(decimals, most)
	}
	switch {
	case nearer+farther == 0:
		return text + ": it is not shown to matter."
	case nearer == all:
		return text + ": it hides the destination."
	case farther == all:
		return text + ": it gives the destination away."
	}
	return fmt.Sprintf("%s: it is shown to hide the destination at %d of %d epsilons, and to give it away at %d.", text,
		nearer, all, farther)
}

// noiseText returns the change by noise at an epsilon, with its interval if it has one.
func noiseText(decimals int, s *study.Summary) string {
	text := fmt.Sprintf("%+.*f km", decimals, s.NoiseKm)
	if !math.IsNaN(s.NoiseLowKm) && !math.IsNaN(s.NoiseHighKm) {
		text += intervalText(decimals, s.NoiseLowKm, s.NoiseHighKm)
	}
	return text + " at epsilon " + configs.EpsilonText(s.Epsilon)
}

// BaselineSentence returns a sentence on where the planned and the direct flight are recognised, km. directKm is
// NaN if there is no direct flight.
func BaselineSentence(c configs.Config, plannedKm, directKm float64) string {
	direct := fmt.Sprintf("a %s is %s", directFlight(c), RecognisedAt(Decimals(c), directKm))
	if math.IsNaN(directKm) {
		direct = fmt.Sprintf("there is no %s, because a cell in planner.keep_out is in the way", directFlight(c))
	}
	return fmt.Sprintf("The plan without noise is %s; %s.", RecognisedAt(Decimals(c), plannedKm), direct)
}

// directFlight describes the direct flight, to follow an article. With several goals it ends at the one of the plan
// without noise.
func directFlight(c configs.Config) string {
	flight := "flight straight to "
	if !c.Vehicle.Heading.LineOfSight {
		flight = "flight that turns from its first heading to "
	}
	if len(c.Planner.Goals) > 0 { // beside target_km
		return flight + "the goal of the plan without noise"
	}
	return flight + "the target"
}

// meanText returns a mean detection distance with its interval, if it has one.
func meanText(decimals int, s *study.Summary) string {
	return EstimateText(decimals, study.Estimate{Value: s.MeanKm, Low: s.CILowKm, High: s.CIHighKm})
}

// EstimateText returns a distance in km with its interval, if that is known.
func EstimateText(decimals int, e study.Estimate) string {
	text := fmt.Sprintf("%.*f km", decimals, e.Value)
	if e.Known() {
		text += intervalText(decimals, e.Low, e.High)
	}
	return text
}

// intervalText returns an interval in brackets after a space.
func intervalText(decimals int, low, high float64) string {
	return fmt.Sprintf(" (%.*f .. %.*f)", decimals, low, decimals, high)
}

// placeName returns an epsilon and a point of the sweep as text.
func (r *Result) placeName(point int, epsilon float64) string {
	name := []string{"at epsilon " + configs.EpsilonText(epsilon)}
	return strings.Join(append(name, record.PointNames(r.Manifest.Sweep.Keys(), point, " ")...), ", ")
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
	if !differ(func(e *study.Experiment) float64 { return e.Adversary.RadiusKm }) {
		text += fmt.Sprintf(", radius %g km", first.Adversary.RadiusKm)
	}
	return text
}
