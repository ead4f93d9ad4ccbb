package campaign

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Heading returns the finding, the baselines, the effect of noise, and the size of the study.
func (r *Result) Heading() string {
	text := r.answer() + "\n"
	if r.Manifest.Sweep.IsZero() {
		e := r.Points[0].Experiment
		text += fmt.Sprintf("%s\n%s\n%s%s, radius %g km, 95 %% intervals.", r.BaselineSentence(),
			noiseSentence(r.decimals(), r.cause(), r.Summaries[0], r.tied() != ""), r.Effort(), atDelta(e),
			e.Adversary.RadiusKm)
	} else {
		text += fmt.Sprintf("%s\n%s%s, 95 %% intervals.", strings.Join(r.pointWords(mostPrinted), "\n"), r.Effort(),
			r.common())
	}
	wide := slices.ContainsFunc(r.Summaries[0], func(s study.Summary) bool { return s.CIHighKm > s.CILowKm })
	few := ""
	switch runs := r.Runs(); {
	case runs == 1:
		few = "1 run: an interval needs two; ? means unknown"
	case runs < fewRuns && wide:
		few = fmt.Sprintf("%s: intervals are wide because flights that have not occurred yet may be far off",
			table.Count(runs, "run"))
	}
	return text + Bracketed(append([]string{few}, r.notes()...)...)
}

// notes returns the notes on the flights of the first point; some are empty. With several points, goals and fall-backs
// are left out.
func (r *Result) notes() (notes []string) {
	if r.Manifest.Sweep.IsZero() {
		notes = append(notes, r.otherGoals(), fallingBack(r.decimals(), r.Summaries[0]))
	}
	return append(notes, circling(r.decimals(), r.Summaries[0]), r.tied())
}

// answer returns the finding at the listed epsilons and, if the means along a range of epsilon go beyond it, a
// sentence on them.
func (r *Result) answer() string {
	if whole := r.rangeSentence(); whole != "" {
		return "At the listed epsilons " + lowerFirst(r.finding()) + whole
	}
	return r.finding()
}

// rangeSentence returns a sentence on the smallest and the largest mean along a range of epsilon. It is empty if
// the means at listed epsilons are as small and as large.
func (r *Result) rangeSentence() string {
	if r.Curve == nil {
		return ""
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range r.Summaries[0] {
		if s.Epsilon != study.None() {
			least, most = min(least, s.MeanKm), max(most, s.MeanKm)
		}
	}
	axis, c := r.Points[0].Axis, r.Curve
	at := [2]int{floats.MinIdx(c.Mean), floats.MaxIdx(c.Mean)}
	low, high := report.KmText(min(least, c.Mean[at[0]])), report.KmText(max(most, c.Mean[at[1]]))
	if low == report.KmText(least) && high == report.KmText(most) {
		return ""
	}
	joint := ""
	if c.Low != nil {
		joint = ", with intervals for all epsilons at once"
	}
	return fmt.Sprintf(" On all of %g..%g the smallest mean is %s%s, near epsilon %.2g, and the largest %s%s, "+
		"near epsilon %.2g%s.", axis.Low, axis.High,
		low, bandText(r.decimals(), c.Low, c.High, slices.Min), c.Epsilons[at[0]],
		high, bandText(r.decimals(), c.Low, c.High, slices.Max), c.Epsilons[at[1]], joint)
}

// bandText returns the interval of an extreme of the true mean along a range of epsilon: the same extreme of both ends
// of a band that holds the mean at all epsilons together. It is empty without a band.
func bandText(decimals int, low, high []float64, extreme func([]float64) float64) string {
	if low == nil {
		return ""
	}
	return intervalText(decimals, extreme(low), extreme(high))
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
	case nearest == nil && r.cause() != causeOf(nil):
		return "No flight takes " + r.cause() + ", because epsilon none is the plan without it."
	case nearest == nil:
		return "No flight has noise."
	case farthest.MeanKm == 0 && nearest == farthest:
		return "The destination is never recognised, " + far + "."
	case farthest.MeanKm == 0:
		return "The destination is never recognised with " + r.cause() + "."
	case nearest.MeanKm == farthest.MeanKm && nearest != farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, at every epsilon with %s.",
			meanText(r.decimals(), nearest), r.cause())
	case nearest == farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, %s.",
			meanText(r.decimals(), nearest), near)
	}
	return fmt.Sprintf("The destination is recognised on average %s from the target %s, and %s %s%s.",
		meanText(r.decimals(), nearest), near, meanText(r.decimals(), farthest), far, r.extremesText(nearest, farthest))
}

// extremesText says, after a semicolon, where the intervals do not show that the smallest and the largest mean with
// noise are these. It is empty if they show both, and without intervals.
func (r *Result) extremesText(least, most *study.Summary) string {
	var open []string
	for _, extreme := range []struct {
		than   string
		beside func(s *study.Summary) bool // the interval of another mean is on the right side
	}{{"smaller", func(s *study.Summary) bool { return s.CILowKm > least.CIHighKm || s.MeanKm == least.MeanKm }},
		{"larger", func(s *study.Summary) bool { return s.CIHighKm < most.CILowKm || s.MeanKm == most.MeanKm }}} {
		for _, summaries := range r.Summaries {
			for s := range withNoise(summaries) {
				if slices.Contains(open, extreme.than) {
					break
				}
				if math.IsNaN(s.CILowKm) {
					return ""
				}
				if !extreme.beside(s) {
					open = append(open, extreme.than)
				}
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	return "; the intervals leave open whether another mean is " + strings.Join(open, " or ")
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

// pointName returns the swept settings at a point as text.
func (r *Result) pointName(point int) string {
	return strings.Join(record.PointNames(r.Manifest.Sweep.Keys(), point, " "), ", ")
}

// Maximum numbers of observers, or of points of a sweep, with sentences on a page and in terminals.
const mostOnPage, mostPrinted = 6, 3

// atDelta names the delta of every epsilon after a comma. It is empty for a mechanism that guarantees nothing.
func atDelta(e *study.Experiment) string {
	if e.Decoys == nil && planner.PromiseOf(e.Mechanism) == privacy.None {
		return ""
	}
	return fmt.Sprintf(", delta %g", e.Delta())
}

// common returns the delta and the radius of all points, after a comma. What differs between points is left out.
func (r *Result) common() (text string) {
	first := r.Points[0].Experiment
	differ := func(of func(*study.Experiment) float64) bool {
		return slices.ContainsFunc(r.Points, func(p study.Study) bool { return of(p.Experiment) != of(first) })
	}
	if !differ((*study.Experiment).Delta) {
		text += atDelta(first)
	}
	if !differ(func(e *study.Experiment) float64 { return e.Adversary.RadiusKm }) {
		text += fmt.Sprintf(", radius %g km", first.Adversary.RadiusKm)
	}
	return text
}

// pageWords returns the answer and sentences on the baselines and the effect of noise. Of several observers or points
// of a sweep every sentence names its own.
func (r *Result) pageWords() []string {
	if r.Manifest.Sweep.IsZero() {
		return []string{r.answer(), r.BaselineSentence(),
			noiseSentence(r.decimals(), r.cause(), r.Summaries[0], r.tied() != "")}
	}
	return append([]string{r.answer()}, r.pointWords(mostOnPage)...)
}

// pageRemarks returns the notes on the flights for the page, if there are any and the study has one point.
func (r *Result) pageRemarks() []string {
	if notes := noted("", r.notes()...); notes != "" && r.Manifest.Sweep.IsZero() {
		return []string{notes}
	}
	return nil
}

// pointWords returns sentences on the baselines and on the effect of noise for each of the first points of a sweep: for
// all if they are at most some number, and otherwise for one fewer, with a sentence on the rest.
func (r *Result) pointWords(most int) (words []string) {
	if len(r.Summaries) > most {
		most--
	}
	for point, summaries := range r.Summaries[:min(len(r.Summaries), most)] {
		if summaries[0].Runs == 0 {
			continue // a part of a sweep
		}
		words = append(words, fmt.Sprintf("With %s: %s %s", r.pointName(point),
			lowerFirst(BaselineSentence(r.settingsAt(point), true, summaries[0].PlannedKm, summaries[0].DirectKm)),
			noiseSentence(r.decimals(), r.cause(), summaries, r.tiedAt(point) != "")))
	}
	switch more := len(r.Summaries) - most; {
	case more == 1:
		words = append(words, "1 more point is in the table.")
	case more > 1:
		words = append(words, fmt.Sprintf("%d more points are in the table.", more))
	}
	return words
}

// Effort returns the number of runs, or of flights, as text.
func (r *Result) Effort() string {
	cells := len(r.Tallies) * len(r.Points[0].Epsilons)
	if runs := r.Runs(); runs*cells == r.Flights() {
		return table.Count(runs, "run") + " per epsilon"
	}
	return r.FlightsText()
}
