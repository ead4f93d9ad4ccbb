package leak

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/adversary"
	"veilpath/internal/pieces"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Demand is the condition that an epsilon must meet. Either an observer of the goal learns at most Bits after
// FlownKm, or, if HiddenUntilKm is above 0, it recognises the mission's own goal on average no farther from the
// target than HiddenUntilKm.
type Demand struct {
	Bits, FlownKm           float64        // >= 0 each
	HiddenUntilKm, RadiusKm float64        // of recognition
	Rule                    adversary.Rule // by which the goal counts as recognised
}

// hidden reports whether the demand is on recognition.
func (d *Demand) hidden() bool { return d.HiddenUntilKm > 0 }

// Limit returns the limit of the quantity that the demand is about.
func (d *Demand) Limit() float64 {
	if d.hidden() {
		return d.HiddenUntilKm
	}
	return d.Bits
}

// Quantity names the quantity that the demand is about.
func (d *Demand) Quantity() string {
	if d.hidden() {
		return "mean detection distance in km"
	}
	return fmt.Sprintf("bits learned after %g km", d.FlownKm)
}

// Search looks for the largest epsilon that meets a demand.
type Search struct {
	Way        Way // its epsilon is ignored
	Observer   adversary.GoalModel
	Demand     Demand
	Low, High  float64 // ends of the range of epsilon, 0 < Low < High
	Resolution float64 // of the answer, relative, above 0
	Confidence float64 // that the answer meets the demand, in (0, 1)
	Flights    int     // first flights of a trial, at least FewestFlights; they are doubled until the trial is decided
	MostRuns   int     // most flights of a trial, which then stays undecided; at least FewestFlights
	Policies   int
	Training   int // as in Study
	Seed       uint64
	Workers    int
	Progress   func(done int) // called with the number of policies and flights completed
	Kept       *pieces.Work   // stores completed work, see Study; may be nil
	// MostWork ends the search before a trial, or more flights of it, would take more than this in all: private policies
	// counted by the states of the mission over those of the paper's, and flights, each as 15 of them. 0 for no limit.
	MostWork float64

	work       float64 // done
	inferences Inferences
}

// FewestFlights is the least number of flights that decide on an epsilon. A few flights estimate the standard
// error of their mean badly: two flights that happen to be alike would give a standard error of 0.
const FewestFlights = 100

// Trial is the result of testing one epsilon against the demand.
type Trial struct {
	Epsilon float64
	Runs    int
	privacy.SampleMean
	Decision study.Decision
}

// Answer is the result of a search.
type Answer struct {
	Epsilon float64 // the largest epsilon shown to meet the demand; NaN if there is none
	Next    float64 // the next larger epsilon, not shown to meet the demand; NaN if all meet it
	Trials  []Trial
	Ended   bool // MostWork ended the search: Epsilon and Next are what is known so far
}

// Find bisects a bracket of epsilons on a logarithmic grid of the resolution. It assumes that a larger epsilon
// reveals more. All trials have the same goals and noise. A trial meets the demand if its mean plus a number of
// standard errors is below the limit. The number is such that, for normal means, all trials together err with a
// probability of at most 1 - Confidence; this allows for a decision after each doubling of the flights. The
// package's documentation has measured error rates.
func (s *Search) Find(ctx context.Context) (Answer, error) {
	grid := study.NewGrid(study.Range{Low: s.Low, High: s.High}, s.Resolution)
	analyses := 1 + math.Ceil(math.Log2(max(1, float64(s.MostRuns)/float64(s.first()))))
	alpha := (1 - s.Confidence) / (analyses * grid.Trials())
	var answer Answer
	s.work = 0
	last, next, err := grid.Bisect(false, func(i int) (bool, error) {
		t, err := s.test(ctx, grid.At(i), alpha)
		if err == nil || errors.Is(err, errWork) && t.Decision != "" {
			answer.Trials = append(answer.Trials, t)
		}
		return t.Decision == study.Met, err
	})
	answer.Epsilon, answer.Next = grid.At(last), grid.At(next)
	if errors.Is(err, errWork) {
		answer.summarise()
		err = nil
	}
	return answer, err
}

// errWork ends a search that has done its work.
var errWork = errors.New("leak: a search has done its work")

// summarise sets what is known from the trials so far.
func (a *Answer) summarise() {
	a.Ended, a.Epsilon, a.Next = true, math.NaN(), math.NaN()
	for _, t := range a.Trials {
		switch {
		case t.Decision == study.Met:
			if !(t.Epsilon <= a.Epsilon) {
				a.Epsilon = t.Epsilon
			}
		case !(t.Epsilon >= a.Next):
			a.Next = t.Epsilon
		}
	}
}

// spend reports whether work fits into MostWork, and counts it if it does. The first work always fits.
func (s *Search) spend(policies, flights int) bool {
	const paperStates, flight = 400, 15
	work := float64(policies)*float64(s.Way.World.Goals[0].Mission.Grid.States())/paperStates + flight*float64(flights)
	if s.MostWork > 0 && s.work > 0 && s.work+work > s.MostWork {
		return false
	}
	s.work += work
	return true
}

// first returns the first number of flights of a trial.
func (s *Search) first() int { return max(s.Flights, FewestFlights) }

// margin returns the half-width of an interval of the mean that errs with probability alpha on either side. It
// uses Student's t for the error of the flights and for that of the private policies, with their numbers of
// flights and groups.
func margin(m Mean, alpha float64) float64 {
	quantile := func(draws int) float64 { return distuv.StudentsT{Sigma: 1, Nu: float64(draws - 1)}.Quantile(1 - alpha) }
	flights := math.Sqrt(max(0, m.StandardError*m.StandardError-m.PoliciesError*m.PoliciesError))
	return math.Hypot(quantile(m.Draws)*flights, quantile(groups)*m.PoliciesError)
}

// test tests an epsilon against the demand, with error probability alpha at every decision.
func (s *Search) test(ctx context.Context, epsilon, alpha float64) (Trial, error) {
	way := s.Way
	way.Epsilon = epsilon
	t := Trial{Epsilon: epsilon, Runs: s.first()}
	for ; ; t.Runs *= 2 {
		flights := &Study{Ways: []Way{way}, Observers: []adversary.GoalModel{s.Observer}, Flights: t.Runs,
			OwnGoal: s.Demand.hidden(), InARow: max(1, s.Demand.Rule.Steps()),
			FlownKm: []float64{s.Demand.FlownKm}, RadiiKm: []float64{s.Demand.RadiusKm},
			Policies: s.Policies, Training: s.Training, Seed: s.Seed,
			Workers: s.Workers, Inferences: &s.inferences, Kept: s.Kept}
		switch fits := s.spend(flights.Work()-t.Runs, t.Runs); {
		case !fits && t.Decision == "":
			return t, errWork
		case !fits:
			t.Runs /= 2 // those that were flown
			return t, errWork
		}
		r, err := flights.Fly(ctx, s.Progress)
		if err != nil {
			return t, err
		}
		mean := s.quantity(r)
		t.SampleMean = mean.SampleMean
		off := margin(mean, alpha)
		switch limit := s.Demand.Limit(); {
		case t.Mean+off <= limit:
			t.Decision = study.Met
		case t.Mean-off >= limit:
			t.Decision = study.NotMet
		default:
			t.Decision = study.Undecided
		}
		if t.Decision != study.Undecided || 2*t.Runs > s.MostRuns {
			return t, nil
		}
	}
}

// quantity returns the quantity that the demand is about, from a study.
func (s *Search) quantity(r *Result) Mean {
	if !s.Demand.hidden() {
		row := r.Rows()[0]
		return Mean{SampleMean: privacy.SampleMean{Mean: r.PriorBits() - row.BitsLeft, StandardError: row.StandardError,
			Draws: r.Study.Flights},
			PoliciesError: row.PoliciesError}
	}
	c := r.Recognitions()[0]
	if s.Demand.Rule == adversary.Stays {
		return c.Distance
	}
	return c.InARow
}
