package campaign

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/report"
	"veilpath/sim/study"
)

// ManyFallbacks is the share of flights that gave up their waypoints from which on their way to the target, and not
// where the others fly, may decide the mean.
const ManyFallbacks = 0.1

// manyAway is the share of flights that flew away from the target from which on their way may decide the mean detour.
const manyAway = 0.005

// fallingBack returns a note on the epsilons at which flights that gave up their waypoints may decide a mean. It is
// empty if they are few everywhere.
func fallingBack(decimals int, summaries []study.Summary) string {
	var many []*study.Summary
	some := 0
	for s := range withNoise(summaries) {
		if s.Fallback >= ManyFallbacks || s.FlewAway >= manyAway {
			many = append(many, s)
		}
		if s.Fallback > 0 {
			some++
		}
	}
	slices.SortStableFunc(many, func(a, b *study.Summary) int { return cmp.Compare(b.Fallback, a.Fallback) })
	var parts []string
	astray := ""
	for _, s := range many {
		others := "there are no others"
		if !math.IsNaN(s.MeanWithoutFallbackKm) {
			others = fmt.Sprintf("the others are recognised on average %.*f km from it", decimals,
				s.MeanWithoutFallbackKm)
		}
		away := ""
		if s.FlewAway > 0 {
			away = fmt.Sprintf(" (%.3g %% while they flew away from it)", 100*s.FlewAway)
			astray = "; those that flew away from it may have strayed far and below the ground before they arrived, " +
				"and a few of them can decide the mean detour"
		}
		parts = append(parts, fmt.Sprintf("at epsilon %s these are %.3g %% of all%s, and %s",
			configs.EpsilonText(s.Epsilon), 100*s.Fallback, away, others))
	}
	if len(parts) == 0 {
		return ""
	}
	parts = parts[:min(len(parts), MostListed)]
	more := ""
	switch n := some - len(parts); {
	case n == 1:
		more = "; at 1 more epsilon fewer fell back"
	case n > 1:
		more = fmt.Sprintf("; at %d more epsilons fewer fell back", n)
	}
	return fmt.Sprintf("flights that reach planner.max_transitions waypoints turn to the target (fall back): %s%s%s",
		strings.Join(parts, "; "), more, astray)
}

// circling returns a note on flights that did not reach the target. It is empty if all did.
func circling(decimals int, summaries []study.Summary) string {
	most := slices.MaxFunc(summaries, func(a, b study.Summary) int { return cmp.Compare(a.TimedOut, b.TimedOut) })
	if !(most.TimedOut > 0) {
		return ""
	}
	others := ""
	if !math.IsNaN(most.MeanWithoutTimeoutKm) {
		others = fmt.Sprintf("; where they were not recognised by then they count as 0 km, and without them the mean is "+
			"%.*f km", decimals, most.MeanWithoutTimeoutKm)
	}
	return fmt.Sprintf("the time limit, sim.max_time_s, ended %.3g %% of the flights at epsilon %s before they "+
		"reached the target: it is too short, or they circle%s", 100*most.TimedOut, configs.EpsilonText(most.Epsilon),
		others)
}

// otherGoals returns a note on how many flights end at another goal than that of the plan without noise. It is empty
// for one goal.
func otherGoals(goals int, summaries []study.Summary) string {
	text := GoalOf(goals)
	if text == "" {
		return ""
	}
	var shares []string
	for s := range withNoise(summaries) {
		if s.OtherGoal > 0 {
			shares = append(shares, fmt.Sprintf("%.3g %% at epsilon %s", 100*s.OtherGoal,
				configs.EpsilonText(s.Epsilon)))
		}
	}
	if len(shares) == 0 {
		return text + ", here always the goal of the plan without noise"
	}
	return fmt.Sprintf("%s; flights that end at another goal than the plan without noise: %s; the effect of noise "+
		"includes this", text, Listed(shares, MostListed))
}

// fewRuns is the number of runs below which an interval may extend far beyond the observed distances.
const fewRuns = 30

// noted adds notes to a text, each as a sentence.
func noted(text string, notes ...string) string {
	for _, note := range notes {
		if note != "" {
			text = strings.TrimSpace(text + " " + report.Sentence(note) + ".")
		}
	}
	return text
}

// Bracketed returns notes in brackets, each in a line of its own after a line break. Empty notes are left out.
func Bracketed(notes ...string) (text string) {
	for _, note := range notes {
		if note != "" {
			text += "\n(" + note + ")"
		}
	}
	return text
}
