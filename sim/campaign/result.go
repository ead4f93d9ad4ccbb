package campaign

import (
	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Result is the result of a study.
type Result struct {
	Settings  *configs.Loaded   // of the first point
	Points    []study.Study     // one for each observer of each point
	Tallies   []*study.Tally    // one for each of Points
	Summaries [][]study.Summary // of each of Points, by epsilon
	Manifest  record.Manifest
	Complete  bool         // false after an interruption
	Resumed   int          // flights of earlier sessions
	Pieces    int          // number of pieces of a range of epsilon, 0 without a range
	Curve     *study.Curve // mean along the range, nil without a range

	program *Program
	unmet   error // an UnmetError, or nil
}

// result returns the result of the flights so far.
func (s *Study) result(complete bool) *Result {
	r := &Result{
		Settings: s.Points[0], Points: s.seen, Tallies: s.tallies, Summaries: s.summaries(),
		Manifest: s.manifest,
		Complete: complete, Resumed: max(0, s.flights-int(s.computed.Load())),
		Pieces: s.pieces, program: s.program,
	}
	if s.curve != nil && s.pieces > 0 {
		curve := s.curve.Curve(study.Confidence)
		r.Curve = &curve
	}
	if s.precision != nil {
		r.Manifest.Unmet, r.unmet = s.precision.Unmet(), s.unmet()
	}
	return r
}

// summaries returns the summaries of every point. In a study with UntilKm the intervals are those of the stopping
// rule.
func (s *Study) summaries() [][]study.Summary {
	out := make([][]study.Summary, len(s.tallies))
	for i, t := range s.tallies {
		out[i] = t.Summaries()
		for k := range out[i] {
			if s.precision != nil {
				watching := s.swept.Watching()
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

// Flights returns the total number of records: of flights, and of observers of each.
func (r *Result) Flights() int {
	flights := 0
	for _, t := range r.Tallies {
		flights += t.Flights()
	}
	return flights
}

// FlightsText returns the number of flights, and of the observers of each, as text.
func (r *Result) FlightsText() string { return r.Manifest.Sweep.FlightsText(r.Flights()) }

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

// facts returns what the manifest says of the result.
func (r *Result) facts() record.Facts {
	return record.Facts{Runs: r.Runs(), Flights: r.Flights(), Pieces: r.Pieces, EpsilonResolution: r.epsilonResolution(),
		Unmet: r.Manifest.Unmet, NominalDetectionKm: r.baselines().Direct, PlannedDetectionKm: r.baselines().Planned}
}

// Effort returns the number of runs, or of flights, as text.
func (r *Result) Effort() string {
	cells := len(r.Tallies) * len(r.Points[0].Epsilons)
	if runs := r.Runs(); runs*cells == r.Flights() {
		return table.Count(runs, "run") + " per epsilon"
	}
	return r.FlightsText()
}
