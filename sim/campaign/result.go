package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// SensitivityName is the file of a sweep's Sobol indices.
const SensitivityName = "sensitivity.csv"

// Result is the result of a study.
type Result struct {
	Settings      *configs.Loaded     // of the first point
	Points        []study.Study       // one for each observer of each point
	Tallies       []*study.Tally      // one for each of Points
	Summaries     [][]study.Summary   // of each of Points, by epsilon
	Sensitivities []study.Sensitivity // of a sweep
	Insensitive   error               // why a sweep has no sensitivities
	Manifest      record.Manifest
	Complete      bool         // false after an interruption
	Resumed       int          // flights of earlier sessions
	Pieces        int          // number of pieces of a range of epsilon, 0 without a range
	Curve         *study.Curve // mean along the range, nil without a range
	Wall          time.Duration

	program *Program
}

// result returns the result of the flights so far.
func (s *Session) result(complete bool) *Result {
	r := &Result{
		Settings: s.plan.Points[0], Points: s.seen, Tallies: s.tallies, Summaries: s.summaries(),
		Manifest: s.manifest,
		Complete: complete, Resumed: s.resumed, Pieces: s.pieces, Wall: s.program.Time().Sub(s.started), program: s.program,
	}
	if s.curve != nil && s.pieces > 0 {
		curve := s.curve.Curve(study.Confidence)
		r.Curve = &curve
	}
	if s.precision != nil {
		r.Manifest.Unmet = s.precision.Unmet()
	}
	r.Sensitivities, r.Insensitive = r.sobol()
	return r
}

// summaries returns the summaries of every point. In a study with UntilKm the intervals are those of the stopping
// rule.
func (s *Session) summaries() [][]study.Summary {
	out := make([][]study.Summary, len(s.tallies))
	for i, t := range s.tallies {
		out[i] = t.Summaries()
		for k := range out[i] {
			if s.precision != nil {
				watching := s.plan.Sweep.Watching()
				low, high := s.precision.Interval(i/watching, i%watching, k)
				t.SetInterval(&out[i][k], k, low, high)
			}
		}
	}
	return out
}

// Runs returns the smallest number of runs at any epsilon of any point.
func (r *Result) Runs() int {
	runs := r.Tallies[0].Runs()
	for _, t := range r.Tallies {
		runs = min(runs, t.Runs())
	}
	return runs
}

// Flights returns the total number of flights.
func (r *Result) Flights() int {
	flights := 0
	for _, t := range r.Tallies {
		flights += t.Flights()
	}
	return flights
}

// BaselineSentence returns a sentence on where the baselines of the first point are recognised. A part of a sweep
// may have no flight at that point.
func (r *Result) BaselineSentence() string {
	s := &r.Summaries[0][0]
	if s.Runs == 0 {
		return "There are no flights of the first point, and so no baselines."
	}
	return BaselineSentence(r.Settings.Config, s.PlannedKm, s.DirectKm)
}

// BaselineSentence returns a sentence on where the planned and the direct flight are recognised, km. directKm is
// NaN if there is no direct flight.
func BaselineSentence(c configs.Config, plannedKm, directKm float64) string {
	flight := directFlight(c, "that plan")
	direct := fmt.Sprintf("a %s is %s", flight, RecognisedAt(directKm))
	switch {
	case math.IsNaN(directKm) && c.Vehicle.Heading.Random:
		direct = fmt.Sprintf("not every run has a %s, because a cell in planner.keep_out may be in the way", flight)
	case math.IsNaN(directKm):
		direct = fmt.Sprintf("there is no %s, because a cell in planner.keep_out is in the way", flight)
	}
	return fmt.Sprintf("The plan without noise is %s; %s.", RecognisedAt(plannedKm), direct)
}

// Turns reports whether the direct flight of an experiment turns from its first heading to the target.
func Turns(e *study.Experiment) bool {
	return e.Scenario.RandomHeading || !math.IsNaN(e.Scenario.HeadingRad)
}

// settingsAt returns the settings of a point for sentences on its direct flight.
func (r *Result) settingsAt(point int) configs.Config {
	c := r.Settings.Config
	c.Vehicle.Heading.LineOfSight = !Turns(r.Points[point].Experiment)
	return c
}

// directFlight describes the direct flight, to follow an article. With several goals it ends at the one of the plan
// without noise, which plan names.
func directFlight(c configs.Config, plan string) string {
	flight := "flight straight to "
	if !c.Vehicle.Heading.LineOfSight {
		flight = "flight that turns from its first heading to "
	}
	if len(c.Planner.Goals) > 1 {
		return flight + "the goal of " + plan
	}
	return flight + "the target"
}

// noiseSentence returns a sentence on the smallest and the largest change that noise makes, and whether they are
// significant. They are not if the plan without noise is one of several that are equally good (tied): the change
// depends on which of them it is. The sentence is empty if no flight has noise.
func noiseSentence(cause string, summaries []study.Summary, tied bool) string {
	least, most := noiseExtremes(summaries)
	if least == nil {
		return ""
	}
	nearer, farther, noisy := 0, 0, 0
	for i := range summaries {
		s := &summaries[i]
		if s.Epsilon == study.None() || s.Runs == 0 {
			continue
		}
		noisy++
		if s.NoiseHighKm < 0 {
			nearer++
		}
		if s.NoiseLowKm > 0 {
			farther++
		}
	}
	text := report.Sentence(cause) + " alone changes the distance by " + noiseText(least)
	if most != least {
		text += " and by " + noiseText(most)
	}
	if tied {
		return text + ": this depends on which of several equally good plans is taken for the plan without noise, so it " +
			"does not show what noise does."
	}
	text += ": " + noiseVerdict(nearer, farther, noisy)
	if turned := noiseTurns(cause, summaries); turned != "" {
		text += "; " + turned
	}
	return text + "."
}

// noiseTurns says at which epsilons the effect of noise has another sign without the flights that a limit ended, and
// what it is without them. It is empty if there are none.
func noiseTurns(cause string, summaries []study.Summary) string {
	var turned [study.AllLimits + 1][]string
	for i := range summaries {
		s := &summaries[i]
		if limits := s.NoiseTurns(); limits != 0 && s.Epsilon != study.None() && s.Runs > 0 {
			turned[limits] = append(turned[limits], EffectText(s.Without[limits])+" at epsilon "+
				configs.EpsilonText(s.Epsilon))
		}
	}
	return TurnedText("the effect of "+cause, turned)
}

// TurnedText says that an effect has another sign without the flights that some limits ended, and where and how large
// it is without them, by limits. It is empty if it has another sign nowhere.
func TurnedText(what string, turned [study.AllLimits + 1][]string) string {
	var parts []string
	for limits, places := range turned {
		if len(places) > 0 {
			parts = append(parts, fmt.Sprintf("without the flights that %s, %s has the other sign: %s",
				LimitText[limits], what, Listed(places, MostListed)))
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
	for i := range summaries {
		s := &summaries[i]
		if s.Epsilon == study.None() || s.Runs == 0 {
			continue
		}
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
func noiseText(s *study.Summary) string {
	return EffectText(s.Noise()) + " at epsilon " + configs.EpsilonText(s.Epsilon)
}

// EffectText returns a change with its interval, if it has one.
func EffectText(e study.Effect) string {
	text := fmt.Sprintf("%+.2f km", e.Km)
	if !math.IsNaN(e.LowKm) && !math.IsNaN(e.HighKm) {
		text += fmt.Sprintf(" (%.2f .. %.2f)", e.LowKm, e.HighKm)
	}
	return text
}

// noiseVerdict returns the numbers of epsilons at which noise significantly hides or reveals the destination, as
// text.
func noiseVerdict(nearer, farther, noisy int) string {
	switch {
	case nearer == 0 && farther == 0:
		return "it is not shown to matter"
	case nearer == noisy:
		return "it hides the destination"
	case farther == noisy:
		return "it gives the destination away"
	case farther == 0:
		return fmt.Sprintf("it is shown to hide the destination at %d of %d epsilons", nearer, noisy)
	case nearer == 0:
		return fmt.Sprintf("it is shown to give the destination away at %d of %d epsilons", farther, noisy)
	}
	return fmt.Sprintf("it hides the destination at %d of %d epsilons and gives it away at %d", nearer, noisy, farther)
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
	return fmt.Sprintf(" On all of %g..%g the mean lies between about %s, near epsilon %.2g, and %s, near epsilon %.2g.",
		axis.Low, axis.High, low, c.Epsilons[at[0]], high, c.Epsilons[at[1]])
}

// Heading returns the finding, the baselines of the first point, and the size of the study.
func (r *Result) Heading() string {
	text := r.answer() + "\n"
	if r.Manifest.Sweep.IsZero() {
		e := r.Points[0].Experiment
		text += fmt.Sprintf("%s\n%s\n%s, delta %g, radius %g km, 95 %% intervals.", r.BaselineSentence(),
			noiseSentence(r.cause(), r.Summaries[0], r.tied() != ""), r.Effort(), e.Delta(), e.Adversary.RadiusKm)
	} else {
		text += fmt.Sprintf("With %s: %s\n%s, 95 %% intervals.", r.pointName(0), lowerFirst(r.BaselineSentence()), r.Effort())
	}
	wide := slices.ContainsFunc(r.Summaries[0], func(s study.Summary) bool { return s.CIHighKm > s.CILowKm })
	if r.Runs() == 1 {
		text += "\n(1 run: an interval needs two; ? means unknown)"
	} else if runs := r.Runs(); runs < fewRuns && wide {
		text += fmt.Sprintf("\n(%s: intervals are wide because flights that have not occurred yet may be far off)",
			table.Count(runs, "run"))
	}
	if r.Manifest.Sweep.IsZero() {
		text += fallingBack(r.Summaries[0])
	}
	return text + circling(r.Summaries[0]) + r.tied()
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
	return "\n(the plan without noise is one of several that are equally good; private flights choose among them even " +
		"if there is hardly any noise, so what noise alone changes, and the detour, include that choice)"
}

// finding returns a sentence on the smallest and the largest mean detection distance of flights with noise.
func (r *Result) finding() string {
	var nearest, farthest *study.Summary
	var near, far string
	for point, summaries := range r.Summaries {
		for i := range summaries {
			s := &summaries[i]
			if s.Epsilon == study.None() || s.Runs == 0 {
				continue
			}
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
			meanText(nearest), r.cause())
	case nearest == farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, %s.", meanText(nearest), near)
	}
	return fmt.Sprintf("The destination is recognised on average between %s from the target, %s, and %s, %s%s.",
		meanText(nearest), near, meanText(farthest), far, r.extremesText(nearest, farthest))
}

// extremesText says which of the smallest and the largest mean with noise the intervals do not show to be that, after a
// semicolon. It is empty if they show both, and without intervals.
func (r *Result) extremesText(least, most *study.Summary) string {
	var open []string
	for _, extreme := range []struct {
		name   string
		beside func(s *study.Summary) bool // the interval of another mean is on the right side
	}{{"smallest", func(s *study.Summary) bool { return s.CILowKm > least.CIHighKm || s.MeanKm == least.MeanKm }},
		{"largest", func(s *study.Summary) bool { return s.CIHighKm < most.CILowKm || s.MeanKm == most.MeanKm }}} {
		for _, summaries := range r.Summaries {
			for i := range summaries {
				s := &summaries[i]
				if s.Epsilon == study.None() || s.Runs == 0 || slices.Contains(open, extreme.name) {
					continue
				}
				if math.IsNaN(s.CILowKm) {
					return ""
				}
				if !extreme.beside(s) {
					open = append(open, extreme.name)
				}
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	return "; the intervals do not show which mean is the " + strings.Join(open, " or the ")
}

// meanText returns a mean detection distance with its interval, if it has one.
func meanText(s *study.Summary) string {
	if math.IsNaN(s.CILowKm) {
		return fmt.Sprintf("%.2f km", s.MeanKm)
	}
	return fmt.Sprintf("%.2f km (%.2f .. %.2f)", s.MeanKm, s.CILowKm, s.CIHighKm)
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

// ManyFallbacks is the share of flights that gave up their waypoints from which on their straight flights, and not
// where the others fly, may decide the mean.
const ManyFallbacks = 0.1

// fallingBack returns a note on the epsilons at which most flights gave up their waypoints. It is empty if they are few
// everywhere.
func fallingBack(summaries []study.Summary) string {
	var many []*study.Summary
	for i := range summaries {
		if s := &summaries[i]; s.Epsilon != study.None() && s.Fallback >= ManyFallbacks {
			many = append(many, s)
		}
	}
	slices.SortStableFunc(many, func(a, b *study.Summary) int { return cmp.Compare(b.Fallback, a.Fallback) })
	var parts []string
	for _, s := range many {
		others := "there are no others"
		if !math.IsNaN(s.MeanWithoutFallbackKm) {
			others = fmt.Sprintf("the others are recognised on average %.2f km from it", s.MeanWithoutFallbackKm)
		}
		parts = append(parts, fmt.Sprintf("at epsilon %s %.3g %%, and %s", configs.EpsilonText(s.Epsilon), 100*s.Fallback,
			others))
	}
	if len(parts) == 0 {
		return ""
	}
	more := ""
	if n := len(parts) - MostListed; n > 0 {
		parts, more = parts[:MostListed], fmt.Sprintf("; %d more epsilons have fewer", n)
	}
	return fmt.Sprintf("\n(flights fell back: after planner.max_transitions waypoints they flew straight to the target: "+
		"%s%s)", strings.Join(parts, "; "), more)
}

// circling returns a note on flights that did not reach the target. It is empty if all did.
func circling(summaries []study.Summary) string {
	most := slices.MaxFunc(summaries, func(a, b study.Summary) int { return cmp.Compare(a.TimedOut, b.TimedOut) })
	if !(most.TimedOut > 0) {
		return ""
	}
	others := ""
	if !math.IsNaN(most.MeanWithoutTimeoutKm) {
		others = fmt.Sprintf("; where they were not recognised by then they count as 0 km, and without them the mean is "+
			"%.2f km", most.MeanWithoutTimeoutKm)
	}
	return fmt.Sprintf("\n(the time limit, sim.max_time_s, ended %.3g %% of the flights at epsilon %s before they "+
		"reached the target: it is too short, or they circle%s)", 100*most.TimedOut, configs.EpsilonText(most.Epsilon),
		others)
}

// fewRuns is the number of runs below which an interval may extend far beyond the observed distances.
const fewRuns = 30

// Attribution returns a table of the effects of the hand-over, the waypoints and the noise on the detection
// distance, at every point and epsilon. Each effect is the change when it is added to the ones before.
func (r *Result) Attribution() *table.Sheet {
	distance := func(name, meaning, heading string) table.Column[table.Row] {
		return table.Column[table.Row]{Name: name, Unit: "km", Meaning: meaning, Heading: heading, Format: "%.2f"}
	}
	sheet := &table.Sheet{
		Name: "attribution", Title: "What changes the detection distance",
		Text: "The detection distance of the direct flight, and its changes when first the hand-over, then the waypoints " +
			"and then the noise are added, up to the mean of the flights. Flights that a cell in planner.keep_out makes " +
			"impossible are left out.",
	}
	swept := r.Manifest.Sweep.Keys()
	for _, s := range swept {
		sheet.Columns = append(sheet.Columns, table.Column[table.Row]{Name: s.Key, Unit: s.Unit, Heading: s.Key,
			Lead: true})
	}
	sheet.Columns = append(sheet.Columns,
		table.Column[table.Row]{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Heading: "epsilon", Lead: true},
		distance("direct_km", "the direct flight", "direct km"),
		distance("handover_effect_km", "what the hand-over changes", "hand-over"),
		distance("waypoints_effect_km", "what the waypoints change", "waypoints"),
		distance("planned_km", "the planned flight", "planned km"),
		distance("noise_km", "what the noise changes, the mean over the runs", "noise"),
		table.Column[table.Row]{Name: "interval", Unit: "km", Meaning: "its 95 % interval", Heading: "95 % interval",
			Beside: true},
		distance("mean_km", "the mean of the flights", "mean km"))
	for point, summaries := range r.Summaries {
		for i := range summaries {
			s := &summaries[i]
			row := slices.Clone(record.PointValues(swept, point))
			// a single flight has no interval
			interval := strings.ReplaceAll(fmt.Sprintf("%.2f .. %.2f", s.NoiseLowKm, s.NoiseHighKm), "NaN", "?")
			sheet.Rows = append(sheet.Rows, append(row, configs.EpsilonText(s.Epsilon), s.DirectKm,
				s.HandoverOnlyKm-s.DirectKm,
				s.PlannedKm-s.HandoverOnlyKm, s.PlannedKm, s.NoiseKm, interval, s.MeanKm))
		}
	}
	return sheet
}

// Effort returns the number of runs, or of flights, as text.
func (r *Result) Effort() string {
	cells := len(r.Tallies) * len(r.Points[0].Epsilons)
	if runs := r.Runs(); runs*cells == r.Flights() {
		return table.Count(runs, "run") + " per epsilon"
	}
	return table.Count(r.Flights(), "flight")
}

// epsilonResolution returns the relative accuracy of the ends of pieces, 0 if they are exact or if there are none.
func (r *Result) epsilonResolution() float64 {
	coarsest := 0.0
	for i := range r.Points {
		if r.Points[i].Axis.Whole() {
			coarsest = max(coarsest, r.Points[i].Experiment.Resolution())
		}
	}
	return coarsest
}

// write writes the files of the study except its runs, the manifest last.
func (r *Result) write(folder *record.Folder) error {
	if err := folder.Write(flightfile.SummaryName, r.WriteCSV); err != nil {
		return err
	}
	if err := r.writeExtras(folder); err != nil {
		return err
	}
	m := r.Manifest
	m.Complete, m.Runs, m.Flights, m.Pieces = r.Complete, r.Runs(), r.Flights(), r.Pieces
	m.NominalDetectionKm, m.PlannedDetectionKm = r.baselines().Direct, r.baselines().Planned
	m.EpsilonResolution = r.epsilonResolution()
	m.WallTimeS, m.Workers = r.Wall.Seconds(), pool.Workers(r.Points[0].Workers)
	if err := writePage(folder, m, pageParts{words: r.pageWords()}); err != nil {
		return err
	}
	return folder.Finish(m)
}

// writeExtras writes the figures, and the sensitivities of a sweep. A part of a study has neither; merging the
// parts writes them.
func (r *Result) writeExtras(folder *record.Folder) error {
	if r.Manifest.Shard != nil {
		return nil
	}
	if err := r.drawAttribution(folder); err != nil {
		return err
	}
	if r.Manifest.Sweep.IsZero() {
		return r.draw(folder)
	}
	if len(r.Sensitivities) > 0 {
		if err := folder.Write(SensitivityName, func(w io.Writer) error {
			return r.Indices().WriteCSV(w)
		}); err != nil {
			return err
		}
	}
	if len(r.Manifest.Sweep.Settings) == 0 {
		return r.drawObservers(folder)
	}
	return r.drawSweep(folder)
}

// mostOnPage is the maximum number of observers, or of points of a sweep, with sentences on a page.
const mostOnPage = 6

// pageWords returns the answer and sentences on the baselines and the effect of noise. Of several observers or points
// of a sweep every sentence names its own.
func (r *Result) pageWords() []string {
	if r.Manifest.Sweep.IsZero() {
		words := []string{r.answer(), r.BaselineSentence(), noiseSentence(r.cause(), r.Summaries[0], r.tied() != "")}
		if notes := noted("", fallingBack(r.Summaries[0]), circling(r.Summaries[0]), r.tied()); notes != "" {
			words = append(words, notes)
		}
		return words
	}
	words := []string{r.answer()}
	for point, summaries := range r.Summaries[:min(len(r.Summaries), mostOnPage)] {
		if summaries[0].Runs == 0 {
			continue // a part of a sweep
		}
		words = append(words, fmt.Sprintf("With %s: %s %s", r.pointName(point),
			lowerFirst(BaselineSentence(r.settingsAt(point), summaries[0].PlannedKm, summaries[0].DirectKm)),
			noiseSentence(r.cause(), summaries, r.tiedAt(point) != "")))
	}
	if more := len(r.Summaries) - mostOnPage; more > 0 {
		words = append(words, fmt.Sprintf("%d more points are in the table.", more))
	}
	return words
}

// sobol returns the Sobol indices of the swept settings and of epsilon for the first observer, nil without swept
// settings. The error is the reason why a sweep has none.
func (r *Result) sobol() ([]study.Sensitivity, error) {
	settings := r.Manifest.Sweep.Settings
	if len(settings) == 0 {
		return nil, nil
	}
	epsilons := r.Points[0].Epsilons
	var factors []study.Factor
	for _, s := range settings {
		factors = append(factors, study.Factor{Name: s.Key, Levels: len(s.Values)})
	}
	factors = append(factors, study.Factor{Name: "epsilon", Levels: len(epsilons)})
	var cells []study.Dealt
	for k := 0; k < len(r.Tallies); k += r.Manifest.Sweep.Watching() {
		for i := range epsilons {
			cells = append(cells, r.Tallies[k].Dealt(i))
		}
	}
	indices, err := study.Sensitivities(factors, cells, study.Confidence)
	if observer := r.sensitivityObserver(); errors.Is(err, study.ErrNoVariance) && observer != "" {
		err = fmt.Errorf("for observer %s, %w", observer, err)
	}
	return indices, err
}

// sensitivityObserver returns the observer of the Sobol indices, empty if the study has one observer.
func (r *Result) sensitivityObserver() string {
	if observers := r.Manifest.Sweep.Observers; len(observers) > 0 {
		return observers[0]
	}
	return ""
}

// Indices returns the indices as a table.
func (r *Result) Indices() table.Table[study.Sensitivity] {
	return table.Table[study.Sensitivity]{Columns: study.SensitivityColumns(), Rows: r.Sensitivities}
}
