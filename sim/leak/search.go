package leak

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/adversary"
	"veilpath/internal/pool"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Demand is what an epsilon is to meet: what an observer of the goal learns after some km flown is at most so many
// bits, or, where HiddenUntilKm is above 0, the mission's own goal is recognised on average no farther from the target
// than that.
type Demand struct {
	Bits, FlownKm           float64        // >= 0 each
	HiddenUntilKm, RadiusKm float64        // of recognition
	Rule                    adversary.Rule // that recognises
}

// hidden reports whether the demand is on recognition.
func (d *Demand) hidden() bool { return d.HiddenUntilKm > 0 }

// Limit returns what the quantity demanded is limited to.
func (d *Demand) Limit() float64 {
	if d.hidden() {
		return d.HiddenUntilKm
	}
	return d.Bits
}

// Quantity names what is demanded.
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
	Low, High  float64 // epsilons between which to look, 0 < Low < High
	Resolution float64 // of the answer, relative, above 0
	Confidence float64 // that the answer meets the demand, in (0, 1)
	Flights    int     // of a trial at first, and at least FewestFlights; as many again until it is decided
	MostRuns   int     // flights after which it is left undecided, at least FewestFlights
	Policies   int
	Seed       uint64
	Workers    int
	Progress   func(done int) // told of policies and flights that are made
	Keeper     pool.Keeper    // keeps what is made, see Study; nil for nobody

	inferences Inferences
}

// FewestFlights is how many flights decide on an epsilon at least. The spread of a few flights says little of how sure
// their mean is: two that happen to be alike would seem to know it exactly.
const FewestFlights = 100

// Trial is an epsilon put to the demand.
type Trial struct {
	Epsilon float64
	Runs    int
	privacy.SampleMean
	Decision study.Decision
}

// Answer is what a search found.
type Answer struct {
	Epsilon float64 // the largest that is shown to meet the demand; NaN when none is
	Next    float64 // the next one, which is not; NaN when all meet it
	Trials  []Trial
}

// Find halves a bracket of epsilons on a logarithmic grid of the resolution; it supposes that more epsilon tells more.
// All trials have the same goals and noise. A trial meets the demand where its mean and so many standard errors lie
// below the limit that, where means are normal, all trials together are wrong with a probability of at most 1 less the
// confidence; each looks again after twice as many flights. How often they are wrong is measured in the package's doc.
func (s *Search) Find(ctx context.Context) (Answer, error) {
	grid := study.NewGrid(study.Range{Low: s.Low, High: s.High}, s.Resolution)
	looks := 1 + math.Ceil(math.Log2(max(1, float64(s.MostRuns)/float64(s.first()))))
	alpha := (1 - s.Confidence) / (looks * grid.Trials())
	var answer Answer
	last, next, err := grid.Halve(false, func(i int) (bool, error) {
		t, err := s.try(ctx, grid.At(i), alpha)
		if err != nil {
			return false, err
		}
		answer.Trials = append(answer.Trials, t)
		return t.Decision == study.Met, nil
	})
	answer.Epsilon, answer.Next = grid.At(last), grid.At(next)
	return answer, err
}

// first returns how many flights decide on an epsilon at first.
func (s *Search) first() int { return max(s.Flights, FewestFlights) }

// margin returns how far a mean may be off with an error probability of alpha to either side. The errors of flights and
// of private policies are those of so many flights and groups of policies, each of which Student's law allows for.
func margin(m Mean, alpha float64) float64 {
	quantile := func(draws int) float64 { return distuv.StudentsT{Sigma: 1, Nu: float64(draws - 1)}.Quantile(1 - alpha) }
	flights := math.Sqrt(max(0, m.StandardError*m.StandardError-m.PoliciesError*m.PoliciesError))
	return math.Hypot(quantile(m.Draws)*flights, quantile(groups)*m.PoliciesError)
}

// try puts an epsilon to the demand, with an error probability of alpha at every look.
func (s *Search) try(ctx context.Context, epsilon, alpha float64) (Trial, error) {
	way := s.Way
	way.Epsilon = epsilon
	t := Trial{Epsilon: epsilon, Runs: s.first()}
	for ; ; t.Runs *= 2 {
		flights := &Study{Ways: []Way{way}, Observers: []adversary.GoalModel{s.Observer}, Flights: t.Runs,
			OwnGoal: s.Demand.hidden(), InARow: max(1, s.Demand.Rule.Steps()),
			FlownKm: []float64{s.Demand.FlownKm}, RadiiKm: []float64{s.Demand.RadiusKm}, Policies: s.Policies, Seed: s.Seed,
			Workers: s.Workers, Inferences: &s.inferences, Keeper: s.Keeper}
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

// quantity returns what is demanded of a study.
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
