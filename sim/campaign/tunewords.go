package campaign

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// sentence returns the answer to a demand: the epsilons to take, and what comes of it.
func (t *Tuning) sentence() string {
	own := t.own()
	var text string
	switch {
	case !math.IsNaN(own.Epsilon):
		text = fmt.Sprintf("To %s, take %s", t.demanded(), t.taken(own))
		if t.Hidden() {
			text += fmt.Sprintf(" (radius %g km)", own.RadiusKm)
		}
		if !own.practical() {
			text = phrase.NotPractical + text
		}
		text += "." + t.cameOf(own)
	case t.found.Impractical != (study.Range{}):
		text = fmt.Sprintf(phrase.NotPractical+"only an epsilon below about %s may %s (radius %g km).\nThere over a third "+
			"of the flights give up, or over half of the value is lost.", phrase.Epsilon(t.found.Impractical.High),
			t.demanded(), own.RadiusKm)
	default:
		text = fmt.Sprintf("No epsilon from %g to %g is shown to %s.", t.Low, t.High, t.demanded())
	}
	text += t.rest(own)
	for i := range t.found.Answers {
		d := &t.found.Answers[i].Demand
		text += clippedText(t.found.Clipped(d), d.Bound)
	}
	return text
}

// taken returns the epsilons to take: the range of those that meet the demands that the chosen one is in.
func (r *Requirement) taken(a *RadiusAnswer) string {
	in := a.Sets.Met[slices.IndexFunc(a.Sets.Met, func(met study.Range) bool { return met.Contains(a.Epsilon) })]
	low, high := phrase.EpsilonAtLeast(in.Low), phrase.EpsilonAtMost(in.High)
	switch {
	case in.Low == r.Low && in.High == r.High:
		return "any epsilon from " + low + " to " + high
	case in.Low == r.Low:
		return "epsilon " + high + " or less"
	case in.High == r.High:
		return "epsilon " + low + " or more"
	}
	return "an epsilon from " + low + " to " + high
}

// cameOf returns a sentence on the flights at the chosen epsilon, after a space.
func (t *Tuning) cameOf(a *RadiusAnswer) string {
	lost := fmt.Sprintf("loses %s of its value", phrase.Percent(a.There.CostOfPrivacy.Value))
	if share := a.There.Fallback.Value; share >= fewFallbacks {
		lost += fmt.Sprintf("; %s of the flights give up", phrase.Percent(share))
	}
	if !t.Hidden() {
		return fmt.Sprintf(" At epsilon %s it %s.", phrase.EpsilonAtLeast(a.Epsilon), lost)
	}
	return fmt.Sprintf("\nIt then stays hidden in %s of the flights and %s.", phrase.Percent(a.Hidden), lost)
}

// rest returns a sentence on the epsilons besides those to take, after a space.
func (t *Tuning) rest(a *RadiusAnswer) string {
	sets := &a.Sets
	open := a.Undecided
	if n := len(sets.NotMet); len(sets.Met) == 1 && sets.Met[0].Low == t.Low && len(sets.Undecided) == 1 && n == 1 &&
		open.High == sets.NotMet[0].Low && sets.NotMet[0].High == t.High {
		return fmt.Sprintf(" %s is undecided; above, it is not met.", epsilons(open))
	}
	var parts []string
	for _, set := range []struct {
		name   string
		ranges []study.Range
	}{{"met", sets.Met}, {"not met", sets.NotMet}, {"undecided", sets.Undecided}} {
		if len(set.ranges) > 0 {
			parts = append(parts, set.name+": "+rangesText(set.ranges, MostListed))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "; ")
	return " " + strings.ToUpper(text[:1]) + text[1:] + "."
}

// surfaceSentence returns the answer without demands: how the mean and the cost of privacy at the observer's radius
// change from the smallest to the largest listed epsilon.
func (t *Tuning) surfaceSentence() string {
	where := func(c study.SurfaceCell) string {
		return fmt.Sprintf("%s from the target, and privacy costs %s, at epsilon %g",
			phrase.Km(c.Mean.Value, c.Mean.Low, c.Mean.High), phrase.Percent(c.CostOfPrivacy.Value), c.Epsilon)
	}
	listed := t.listed()
	text := "The destination is recognised on average " + where(slices.MinFunc(listed, byEpsilon))
	if len(listed) > 1 {
		text += "; " + where(slices.MaxFunc(listed, byEpsilon))
	}
	return text + ". No demand is given, so no epsilon is chosen."
}

func byEpsilon(a, b study.SurfaceCell) int { return cmp.Compare(a.Epsilon, b.Epsilon) }

// clippedText returns a sentence on the runs with a flight beyond a bound, after a space. It is empty without any.
func clippedText(runs int, boundKm float64) string {
	if runs == 0 {
		return ""
	}
	return fmt.Sprintf(" In %s a flight strayed and was recognised more than %.4g km from the target; it counts as "+
		"%.4g km in this mean.", table.Count(runs, "run"), boundKm, boundKm)
}

func plannedKm(r *study.Run) float64 { return r.PlannedKm }
func directKm(r *study.Run) float64  { return r.DirectKm }

// demanded says what an epsilon that meets the demands is to do, as stay hidden until 56 km on average from
// "ballistic".
func (t *Tuning) demanded() string {
	cheap := fmt.Sprintf("lose at most %g %% of the value", 100*t.MaxCost)
	if !t.Hidden() {
		return cheap
	}
	of := "on average"
	if t.ofShare() {
		of = "in " + phrase.Percent(t.Share) + " of the flights"
	}
	what := fmt.Sprintf("stay hidden until %g km %s from %q", t.HiddenUntilKm, of, t.settings.Adversary.Observer)
	if t.Cheap() {
		what += " and " + cheap
	}
	return what
}

// notes returns lines without which the answer would be read wrongly.
func (t *Tuning) notes() (lines []string) {
	if slices.ContainsFunc(t.byRadius, func(a RadiusAnswer) bool { return !math.IsNaN(a.Epsilon) && !a.practical() }) {
		lines = append(lines, "* Not practical: over a third of the flights give up, or over half of the value is lost.")
	}
	if t.Hidden() && !t.ofShare() {
		lines = append(lines, "For 90 % of the flights instead of the mean: {share} 90%.")
	}
	return lines
}

// fewFallbacks is the share of fallbacks from which on an answer mentions them.
const fewFallbacks = 0.01

// rangesText returns the first ranges of epsilon as text.
func rangesText(ranges []study.Range, most int) string {
	texts := make([]string, len(ranges))
	for i, r := range ranges {
		texts[i] = fmt.Sprintf("%.4g .. %.4g", r.Low, r.High)
		if r.Low == r.High {
			texts[i] = fmt.Sprintf("%.4g", r.Low)
		}
	}
	return Listed(texts, most)
}
