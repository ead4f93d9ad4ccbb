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

	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// SensitivityName is the file of a sweep's Sobol indices.
const SensitivityName = "sensitivity.csv"

// Result is what a study came to.
type Result struct {
	Settings      *configs.Loaded     // of the first point
	Points        []study.Study       // as flown, once for every observer
	Tallies       []*study.Tally      // of every point, as every observer saw it
	Summaries     [][]study.Summary   // of the same, by epsilon
	Sensitivities []study.Sensitivity // of a sweep
	Insensitive   error               // why a sweep has none
	Manifest      record.Manifest
	Complete      bool         // false when the session was interrupted
	Resumed       int          // flights of earlier sessions
	Pieces        int          // of a range of epsilon, 0 without one
	Curve         *study.Curve // mean along it, nil without one
	Wall          time.Duration

	program *Program
}

// result condenses what was flown.
func (s *Session) result(complete bool) *Result {
	r := &Result{
		Settings: s.plan.Points[0], Points: s.seen, Tallies: s.tallies, Summaries: s.summaries(),
		Manifest: s.manifest,
		Complete: complete, Resumed: s.resumed, Pieces: s.pieces, Wall: s.program.now().Sub(s.started), program: s.program,
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

// summaries condenses every point. Where a precision ended the study, the intervals are those that did.
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

// Runs returns how many runs every epsilon of every point has at least.
func (r *Result) Runs() int {
	runs := r.Tallies[0].Runs()
	for _, t := range r.Tallies {
		runs = min(runs, t.Runs())
	}
	return runs
}

// Flights returns how many flights there are in all.
func (r *Result) Flights() int {
	flights := 0
	for _, t := range r.Tallies {
		flights += t.Flights()
	}
	return flights
}

// BaselineSentence says where the baselines of the first point are recognised. A part of a sweep may have no flight
// there.
func (r *Result) BaselineSentence() string {
	s := &r.Summaries[0][0]
	if s.Runs == 0 {
		return "No flight of the first point is here, and so none of its baselines."
	}
	return baselineSentence(s.PlannedKm, s.DirectKm)
}

// baselineSentence says where the planned and the direct flight are recognised, km; NaN for a direct one that is not
// given.
func baselineSentence(plannedKm, directKm float64) string {
	direct := "a flight straight to the target is " + recognisedAt(directKm)
	if math.IsNaN(directKm) {
		direct = "no flight straight to the target is given, because a cell that is kept out of lies in its way"
	}
	return fmt.Sprintf("The plan without noise is %s; %s.", recognisedAt(plannedKm), direct)
}

// noiseSentence says what noise changes at the epsilons where it changes least and most, and whether that is shown;
// empty where no flight has noise.
func noiseSentence(summaries []study.Summary) string {
	var least, most *study.Summary
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
		if least == nil || s.NoiseKm < least.NoiseKm {
			least = s
		}
		if most == nil || s.NoiseKm > most.NoiseKm {
			most = s
		}
	}
	if noisy == 0 {
		return ""
	}
	text := "Noise alone changes the distance by " + noiseText(least)
	if most != least {
		text += " and by " + noiseText(most)
	}
	return text + ": " + noiseVerdict(nearer, farther, noisy) + "."
}

// noiseText writes what noise changes at an epsilon, with its interval if it has one.
func noiseText(s *study.Summary) string {
	text := fmt.Sprintf("%+.2f km", s.NoiseKm)
	if !math.IsNaN(s.NoiseLowKm) {
		text += fmt.Sprintf(" (%.2f .. %.2f)", s.NoiseLowKm, s.NoiseHighKm)
	}
	return text + " at epsilon " + configs.EpsilonText(s.Epsilon)
}

// noiseVerdict says at how many of some epsilons noise is shown to hide the destination, and at how many to give it
// away.
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

// rangeSentence says between which distances the mean lies along a range of epsilon that reaches beyond the listed
// ones; empty where it does not.
func (r *Result) rangeSentence() string {
	if r.Curve == nil {
		return ""
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range r.Summaries[0] {
		if s.Epsilon != study.None() {
			least, most = min(least, s.Epsilon), max(most, s.Epsilon)
		}
	}
	axis, c := r.Points[0].Axis, r.Curve
	if least <= axis.Low && most >= axis.High {
		return ""
	}
	low, high := floats.MinIdx(c.Mean), floats.MaxIdx(c.Mean)
	return fmt.Sprintf(" On all of %g..%g the mean lies between %.2f km, at epsilon %.4g, and %.2f km, at epsilon %.4g.",
		axis.Low, axis.High, c.Mean[low], c.Epsilons[low], c.Mean[high], c.Epsilons[high])
}

// Heading says what came out, where the baselines of the first point are recognised, and what the study is of.
func (r *Result) Heading() string {
	text := r.finding() + r.rangeSentence() + "\n"
	if r.Manifest.Sweep.IsZero() {
		e := r.Points[0].Experiment
		text += fmt.Sprintf("%s\n%s\n%s, delta %g, radius %g km, 95 %% intervals.", r.BaselineSentence(),
			noiseSentence(r.Summaries[0]), r.Effort(), e.Delta(), e.Adversary.RadiusKm)
	} else {
		text += fmt.Sprintf("%s (The first of %s.)\n%s, 95 %% intervals.", r.BaselineSentence(),
			count(len(r.Points), "point"), r.Effort())
	}
	wide := slices.ContainsFunc(r.Summaries[0], func(s study.Summary) bool { return s.CIHighKm > s.CILowKm })
	if r.Runs() == 1 {
		text += "\n(1 run: an interval takes two, and ? stands for what is not known)"
	} else if runs := r.Runs(); runs < fewRuns && wide {
		text += fmt.Sprintf("\n(%s: intervals leave room for flights not seen yet, which may lie far off)",
			count(runs, "run"))
	}
	return text + circling(r.Summaries[0]) + tied(r.Points[0].Experiment)
}

// tied says what to make of noise alone where the plan without noise is not the only best one; nothing where it is.
func tied(e *study.Experiment) string {
	if !e.Mission.Ties() {
		return ""
	}
	return "\n(the plan without noise is one of several that are equally good; private flights choose among them even " +
		"if there is hardly any noise, so what noise alone changes, and the detour, include that choice)"
}

// finding says where the flights with noise are recognised on average: at the place where that is nearest to the
// target and at the one where it is farthest.
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
	case nearest == nil:
		return "Every flight is that of the plan without noise."
	case farthest.MeanKm == 0 && nearest == farthest:
		return "The destination is never recognised, " + far + "."
	case farthest.MeanKm == 0:
		return "The destination is never recognised with noise."
	case nearest.MeanKm == farthest.MeanKm && nearest != farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, at every epsilon with noise.",
			meanText(nearest))
	case nearest == farthest:
		return fmt.Sprintf("The destination is recognised on average %s from the target, %s.", meanText(nearest), near)
	}
	return fmt.Sprintf("The destination is recognised on average between %s from the target, %s, and %s, %s.",
		meanText(nearest), near, meanText(farthest), far)
}

// meanText writes a mean detection distance with its interval, if it has one.
func meanText(s *study.Summary) string {
	if math.IsNaN(s.CILowKm) {
		return fmt.Sprintf("%.2f km", s.MeanKm)
	}
	return fmt.Sprintf("%.2f km (%.2f .. %.2f)", s.MeanKm, s.CILowKm, s.CIHighKm)
}

// placeName names an epsilon at a point of the sweep.
func (r *Result) placeName(point int, epsilon float64) string {
	name := "at epsilon " + configs.EpsilonText(epsilon)
	swept := r.Manifest.Sweep.Keys()
	for i, v := range record.PointValues(swept, point) {
		name += fmt.Sprintf(", %s %s", swept[i].Key, table.Text(v))
	}
	return name
}

// circling says where flights did not come to the target; nothing where all did.
func circling(summaries []study.Summary) string {
	most := slices.MaxFunc(summaries, func(a, b study.Summary) int { return cmp.Compare(a.TimedOut, b.TimedOut) })
	if !(most.TimedOut > 0) {
		return ""
	}
	return fmt.Sprintf("\n(the time limit, sim.max_time_s, ended %.3g %% of the flights at epsilon %s before they came "+
		"to the target: it is too short, or they circle)", 100*most.TimedOut, configs.EpsilonText(most.Epsilon))
}

// fewRuns is the number of runs below which an interval may reach far beyond the distances that were seen.
const fewRuns = 30

// Attribution says what moves where the destination is recognised, at every point and epsilon: each thing that is
// added to the direct flight, in the order in which it is added.
func (r *Result) Attribution() *table.Sheet {
	distance := func(name, meaning, heading string) table.Column[table.Row] {
		return table.Column[table.Row]{Name: name, Unit: "km", Meaning: meaning, Heading: heading, Format: "%.2f"}
	}
	sheet := &table.Sheet{
		Name: "attribution", Title: "What moves recognition",
		Text: "Distances to the target at which the destination is recognised: of the direct flight, and how the " +
			"hand-over, the waypoints and the noise change it, one after the other, up to the mean of the flights. What a " +
			"cell that is kept out of makes impossible is not given.",
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
			// One flight has no interval.
			interval := strings.ReplaceAll(fmt.Sprintf("%.2f .. %.2f", s.NoiseLowKm, s.NoiseHighKm), "NaN", "?")
			sheet.Rows = append(sheet.Rows, append(row, configs.EpsilonText(s.Epsilon), s.DirectKm, s.HandoverOnlyKm-s.DirectKm,
				s.PlannedKm-s.HandoverOnlyKm, s.PlannedKm, s.NoiseKm, interval, s.MeanKm))
		}
	}
	return sheet
}

// Effort says how many runs there are.
func (r *Result) Effort() string {
	cells := len(r.Tallies) * len(r.Points[0].Epsilons)
	if runs := r.Runs(); runs*cells == r.Flights() {
		return count(runs, "run") + " per epsilon"
	}
	return count(r.Flights(), "flight")
}

// epsilonResolution is to which the ends of pieces were bisected, relative; 0 where they are exact, or there are
// none.
func (r *Result) epsilonResolution() float64 {
	coarsest := 0.0
	for i := range r.Points {
		if r.Points[i].Axis.Whole() {
			coarsest = max(coarsest, r.Points[i].Experiment.Resolution())
		}
	}
	return coarsest
}

// write writes the files of the study but that of its runs, the manifest last.
func (r *Result) write(folder *record.Folder) error {
	if err := folder.Write(flightfile.SummaryName, func(w io.Writer) error {
		return flightfile.WriteSummaries(w, r.Manifest.Sweep, r.Summaries)
	}); err != nil {
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
	if err := writePage(folder, m, r.finding()+r.rangeSentence(), r.BaselineSentence(),
		noiseSentence(r.Summaries[0])); err != nil {
		return err
	}
	return folder.Finish(m)
}

// writeExtras writes what depends on whether the study is a sweep: its figure, and the sensitivities. A part of
// a study has neither; the whole will.
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
	return r.drawSweep(folder)
}

// sobol returns the Sobol indices of the swept settings and of epsilon, as the first observer saw the flights; none
// without swept settings. The error says why a sweep has none.
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
		err = fmt.Errorf("as %s saw the flights, %w", observer, err)
	}
	return indices, err
}

// sensitivityObserver returns the one of several observers that the Sobol indices are of; empty for one observer.
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
