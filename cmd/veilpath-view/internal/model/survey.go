package model

import (
	"slices"

	"veilpath/adversary"
	"veilpath/sim/study"
)

// Survey is the mean detection distance over a grid of epsilons and radii. One set of flights an epsilon
// serves all radii; runs come in one by one for all epsilons alike, so every column is equally sharp.
type Survey struct {
	Epsilons, RadiiKm []float64 // ascending
	Version           uint64
	Recorded          bool   // taken from a record, not flown here
	Problem           string // why there is none; empty where there is one

	counts []int
	sums   []float64 // epsilon-major
}

// chosenSurvey is the survey of some of the runs, worked out once for every change.
type chosenSurvey struct {
	axis, chosen uint64 // versions
	Survey
}

// SurveyOf returns the survey of the chosen runs. It is of all runs where it was recorded or runs have no axis: nothing
// is known there of single runs.
func (m *Model) SurveyOf(chosen Chosen) *Survey {
	if chosen.Runs == nil || m.Survey.Recorded || !m.HasAxis() {
		return &m.Survey
	}
	if c := &m.Axis.survey; c.counts == nil || c.axis != m.Axis.Version || c.chosen != chosen.Version {
		*c = chosenSurvey{m.Axis.Version, chosen.Version, newSurvey(surveyEpsilons)}
		for run := range m.surveyRuns {
			if pieces := m.Axis.pieces(run); pieces != nil && chosen.holds(run) {
				c.putAxis(pieces)
			}
		}
	}
	return &m.Axis.survey.Survey
}

// The grid of the survey: steps of a tenth power, where things change.
var (
	surveyEpsilons = []float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 4, 6, 8, 10}
	surveyRadiiKm  = []float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 10}
)

// newSurvey returns a survey without flights over some epsilons.
func newSurvey(epsilons []float64) Survey {
	return Survey{Epsilons: epsilons, RadiiKm: surveyRadiiKm, counts: make([]int, len(epsilons)),
		sums: make([]float64, len(epsilons)*len(surveyRadiiKm))}
}

// surveyOf returns a survey that holds the rows of a recorded surface, without those of no noise, and false unless they
// fill a grid.
func surveyOf(rows []Recorded) (Survey, bool) {
	var s Survey
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Recorded) bool { return r.Epsilon == study.None() })
	for _, r := range rows {
		s.Epsilons, s.RadiiKm = append(s.Epsilons, r.Epsilon), append(s.RadiiKm, r.radiusKm)
	}
	slices.Sort(s.Epsilons)
	slices.Sort(s.RadiiKm)
	s.Epsilons, s.RadiiKm = slices.Compact(s.Epsilons), slices.Compact(s.RadiiKm)
	if len(s.Epsilons) < 2 || len(s.RadiiKm) < 2 || len(rows) != len(s.Epsilons)*len(s.RadiiKm) {
		return Survey{}, false
	}
	s.counts, s.sums = make([]int, len(s.Epsilons)), make([]float64, len(rows))
	for _, r := range rows {
		column, _ := slices.BinarySearch(s.Epsilons, r.Epsilon)
		row, _ := slices.BinarySearch(s.RadiiKm, r.radiusKm)
		s.counts[column] = r.Runs
		s.sums[column*len(s.RadiiKm)+row] = r.MeanKm * float64(r.Runs)
	}
	s.Recorded = true
	return s, true
}

// MeanKm returns the mean of a cell and how many flights it is of.
func (s *Survey) MeanKm(epsilon, radius int) (mean float64, flights int) {
	n := s.counts[epsilon]
	return s.sums[epsilon*len(s.RadiiKm)+radius] / float64(max(1, n)), n
}

// Flights returns how many flights the least known column is of.
func (s *Survey) Flights() int { return slices.Min(s.counts) }

// Begun reports whether any column has flights.
func (s *Survey) Begun() bool { return slices.Max(s.counts) > 0 }

// put adds a flight's detection distance at every radius.
func (s *Survey) put(column int, distances []float64) {
	for i, d := range distances {
		s.sums[column*len(s.RadiiKm)+i] += d
	}
	s.counts[column]++
	s.Version++
}

// putAxis adds the flights of a run, which are the same for all epsilons of a piece.
func (s *Survey) putAxis(pieces []Piece) {
	at := -1
	var distances []float64
	for column, epsilon := range s.Epsilons {
		if piece := pieceAt(pieces, epsilon); piece != at {
			at, distances = piece, distancesOf(&pieces[piece].curve, s.RadiiKm)
		}
		s.put(column, distances)
	}
}

// distancesOf returns the detection distances of a flight at radii.
func distancesOf(c *adversary.Curve, radii []float64) []float64 {
	distances := make([]float64, len(radii))
	for i, r := range radii {
		distances[i] = c.Detect(r).DistanceKm
	}
	return distances
}
