package campaign

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

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

// noiseSentence returns a sentence on the smallest and the largest change that noise makes, and whether they are
// significant. They are not if the plan without noise is one of several that are equally good (tied): the change
// depends on which of them it is. The sentence is empty if no flight has noise.
func noiseSentence(decimals int, cause string, summaries []study.Summary, tied bool) string {
	least, most := noiseExtremes(summaries)
	if least == nil {
		return ""
	}
	var nearer, farther []string // epsilons
	all := 0
	for s := range withNoise(summaries) {
		all++
		if s.NoiseHighKm < 0 {
			nearer = append(nearer, configs.EpsilonText(s.Epsilon))
		}
		if s.NoiseLowKm > 0 {
			farther = append(farther, configs.EpsilonText(s.Epsilon))
		}
	}
	text := report.Sentence(cause) + " alone changes the distance by " + noiseText(decimals, least)
	if most != least {
		text += " and by " + noiseText(decimals, most)
	}
	if tied {
		return text + ": this depends on which of several equally good plans is taken for the plan without noise, so it " +
			"does not show what noise does."
	}
	text += ": " + noiseVerdict(nearer, farther, all)
	if turned := noiseTurns(decimals, cause, summaries); turned != "" {
		text += "; " + turned
	}
	return text + "."
}

// noiseTurns says at which epsilons the effect of noise changes without the flights that a limit ended; see
// [TurnedText]. It is empty if there are none.
func noiseTurns(decimals int, cause string, summaries []study.Summary) string {
	var turned []Turned
	for s := range withNoise(summaries) {
		if limits := s.NoiseTurns(); limits != 0 {
			turned = append(turned, Turned{s.Noise().Shown(), limits, s.Without[limits],
				"epsilon " + configs.EpsilonText(s.Epsilon)})
		}
	}
	return TurnedText(decimals, "the effect of "+cause, turned)
}

// Turned is an effect without the flights that some limits ended, at a place where its sign is another one then. Shown
// reports whether the effect with them has an interval that excludes 0.
type Turned struct {
	Shown   bool
	Limits  study.Limits
	Without study.Effect
	Place   string
}

// verb says what becomes of the effect: the intervals show the other sign, a sign for the first time, or none.
func (t Turned) verb() string {
	switch {
	case !t.Without.Shown():
		return "is not shown to differ from 0"
	case !t.Shown:
		return "is shown"
	}
	return "has the other sign"
}

// TurnedText says what an effect is without the flights that some limits ended, where its sign is another one then. It
// is empty if there is no such place.
func TurnedText(decimals int, what string, turned []Turned) string {
	var parts []string
	for limits := study.Fallbacks; limits <= study.AllLimits; limits++ {
		for _, verb := range []string{"has the other sign", "is shown", "is not shown to differ from 0"} {
			var places []string
			for _, t := range turned {
				if t.Limits == limits && t.verb() == verb {
					places = append(places, EffectText(decimals, t.Without)+" at "+t.Place)
				}
			}
			if len(places) > 0 {
				parts = append(parts, fmt.Sprintf("without the flights that %s, %s %s: %s",
					LimitText[limits], what, verb, Listed(places, MostListed)))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// LimitText says how limits end flights.
var LimitText = [study.AllLimits + 1]string{study.Fallbacks: "fell back", study.Timeouts: "timed out",
	study.AllLimits: "fell back or timed out"}

// noiseExtremes returns the summaries of the smallest and the largest change that noise makes, nil if no flight has
// noise.
func noiseExtremes(summaries []study.Summary) (least, most *study.Summary) {
	for s := range withNoise(summaries) {
		if least == nil || s.NoiseKm < least.NoiseKm {
			least = s
		}
		if most == nil || s.NoiseKm > most.NoiseKm {
			most = s
		}
	}
	return least, most
}

// noiseText returns the change by noise at an epsilon.
func noiseText(decimals int, s *study.Summary) string {
	return EffectText(decimals, s.Noise()) + " at epsilon " + configs.EpsilonText(s.Epsilon)
}

// EffectText returns a change with its interval, if it has one.
func EffectText(decimals int, e study.Effect) string {
	text := fmt.Sprintf("%+.*f km", decimals, e.Km)
	if !math.IsNaN(e.LowKm) && !math.IsNaN(e.HighKm) {
		interval := table.Column[study.Effect]{Format: fmt.Sprintf("%%.%df .. %%.%[1]df", decimals),
			Value: func(e *study.Effect) float64 { return e.LowKm },
			End:   func(e *study.Effect) float64 { return e.HighKm }}
		text += " (" + interval.Shown(&e) + ")"
	}
	return text
}

// noiseVerdict returns the epsilons at which noise significantly hides or reveals the destination, of a number of
// epsilons, as text.
func noiseVerdict(nearer, farther []string, noisy int) string {
	at := func(epsilons []string) string {
		return fmt.Sprintf("at %d of %d epsilons (%s)", len(epsilons), noisy, Listed(epsilons, MostListed))
	}
	switch {
	case len(nearer)+len(farther) == 0:
		return "it is not shown to matter"
	case len(nearer) == noisy:
		return "it hides the destination"
	case len(farther) == noisy:
		return "it gives the destination away"
	case len(farther) == 0:
		return "it is shown to hide the destination " + at(nearer)
	case len(nearer) == 0:
		return "it is shown to give the destination away " + at(farther)
	}
	return "it hides the destination " + at(nearer) + " and gives it away " + at(farther)
}

// cause names what hides the destination: noise, or a way without a guarantee.
func (r *Result) cause() string { return causeOf(r.Settings) }

func causeOf(settings *configs.Loaded) string {
	if settings != nil && settings.Privacy.Deceives() {
		return "the way " + settings.Privacy.Mechanism
	}
	return "noise"
}

// tied is tiedAt the first point.
func (r *Result) tied() string { return r.tiedAt(0) }

// tiedAt is [tied] of a point, empty for a way without noise.
func (r *Result) tiedAt(point int) string {
	if r.cause() != "noise" {
		return ""
	}
	return Tied(r.Points[point].Experiment)
}

// Tied returns a note on the effect of noise if several plans without noise are optimal. It is empty otherwise.
func Tied(e *study.Experiment) string {
	if s := &e.Scenario; !e.Mission.Ties(s.HandoverKm, append([]r3.Vec{s.Target}, s.Others...)...) {
		return ""
	}
	return "the plan without noise is one of several that are equally good; private flights choose among them even " +
		"if there is hardly any noise, so what noise alone changes, and the detour, include that choice"
}

// noiseTurns is [noiseTurns] at the first point, empty if the effect of noise is not shown because plans are tied.
func (r *Result) noiseTurns() string {
	if r.tied() != "" {
		return ""
	}
	return noiseTurns(r.decimals(), r.cause(), r.Summaries[0])
}
