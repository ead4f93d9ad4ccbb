package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/paper"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Settings holds what the paper leaves open, and the sample sizes.
type Settings struct {
	Seed    uint64
	Workers int // goroutines; 0 for the number of cores

	Example1 TeamSettings
	Example2 WorldSettings
	Example3 study.Study
}

// TeamSettings are the settings of Example 1.
type TeamSettings struct {
	Team      func(agents int) paper.TwoStateTeam
	Agents    []int
	Discount  float64
	Guarantee privacy.Guarantee
	Samples   int
}

// WorldSettings are the settings of Example 2.
type WorldSettings struct {
	World       func(goalReward float64) paper.Gridworld
	GoalRewards []float64
	Discount    float64
	StartCells  []int
	Guarantee   privacy.Guarantee // its epsilon is unused
	Epsilons    []float64
	Samples     int
}

// NewSettings returns the settings from three configs: waypoints for Example 3, and one and two for Examples 1 and
// 2. Seed and workers are those of waypoints.
func NewSettings(waypoints, one, two configs.Config) (*Settings, error) {
	waypoints.Study.Axis = configs.Axis{} // the paper lists epsilons
	experiment, err := setup.Experiment(waypoints)
	if err != nil {
		return nil, err
	}
	return &Settings{
		Seed: waypoints.Study.Seed, Workers: waypoints.Study.Workers,
		Example1: TeamSettings{
			Team:   func(agents int) paper.TwoStateTeam { return setup.TwoStateTeam(one, agents) },
			Agents: one.Example1.Agents, Discount: one.Example1.Discount,
			Guarantee: one.Guarantee(), Samples: one.Study.Runs,
		},
		Example2: WorldSettings{
			World:       func(goal float64) paper.Gridworld { return setup.Gridworld(two, goal) },
			GoalRewards: two.Example2.GoalRewards, Discount: two.Example2.Discount, StartCells: two.Example2.StartCells,
			Guarantee: two.Guarantee(), Epsilons: two.Study.Epsilons, Samples: two.Study.Runs,
		},
		Example3: setup.Study(waypoints, experiment),
	}, nil
}

// SettingError is the error of settings with which nothing can be compared.
type SettingError struct{ error }

func settingError(format string, args ...any) error { return SettingError{fmt.Errorf(format, args...)} }

// bench holds what the computations of items share.
type bench struct {
	*Settings
	done func(units int)
	kept *pieces.Work
	part bool // only one part of the samples was drawn
}

// Purposes of the random streams of items.
const (
	purposeMaxError = 100 + iota
	purposeSweeps
	purposeTeam
	purposeWorld
	purposeIterations
)

// For output perturbation, purposeOutput is added to a team's purpose, and worldOutput to the cell of Example 2.
const (
	purposeOutput = 1
	worldOutput   = 1 << 32
)

// Noise returns the address of the random stream that the reproduction uses for a mechanism and a run of the
// settings' example; nil if the reproduction has no such example. agents is the size of Example 1's team, and goal
// the reward at Example 2's goal.
func Noise(c configs.Config, agents int, goal float64) func(planner.Mechanism, int) privacy.Address {
	output := func(m planner.Mechanism) bool { return m.Name() != privacy.InputPerturbation{}.Name() }
	switch c.Problem {
	case configs.TwoState:
		return func(m planner.Mechanism, run int) privacy.Address {
			return teamNoise(c.Study.Seed, agents, run, output(m))
		}
	case configs.Gridworld:
		return func(m planner.Mechanism, run int) privacy.Address {
			return worldNoise(c.Study.Seed, goal, run, output(m))
		}
	}
	return nil
}

// teamNoise returns the address of the normals of a sample of Example 1, for input or output perturbation.
func teamNoise(seed uint64, agents, sample int, output bool) privacy.Address {
	at := privacy.Address{Seed: seed, Cell: uint64(agents), Run: uint64(sample), Purpose: purposeTeam}
	if output {
		at.Purpose += purposeOutput
	}
	return at
}

// worldNoise returns the address of the normals of a sample of Example 2, for input or output perturbation.
func worldNoise(seed uint64, goal float64, sample int, output bool) privacy.Address {
	at := privacy.Address{Seed: seed, Cell: uint64(goal), Run: uint64(sample), Purpose: purposeWorld}
	if output {
		at.Cell += worldOutput
	}
	return at
}

// noise returns the random stream of a purpose and cell.
func (b *bench) noise(purpose, cell uint64) *privacy.Noise {
	n := &privacy.Noise{}
	n.Seek(privacy.Address{Seed: b.Seed, Purpose: purpose, Cell: cell})
	return n
}

// samplesAtOnce is the number of samples in a piece of work.
const samplesAtOnce = 8

// sample fills values with draw(i) for every index i, on all workers. Each worker calls newDraw once. draw(i)
// depends only on i, and encoding/gob can encode it.
func sample[T any](ctx context.Context, b *bench, values []T, newDraw func() (func(i int) (T, error), error)) error {
	newWork := func() pool.Work[int, []T] {
		draw, err := newDraw()
		return func(_ context.Context, piece int, drawn []T) ([]T, error) {
			if err != nil {
				return nil, err
			}
			drawn = drawn[:0]
			for i := piece * samplesAtOnce; i < min((piece+1)*samplesAtOnce, len(values)); i++ {
				value, err := draw(i)
				if err != nil {
					return nil, err
				}
				drawn = append(drawn, value)
			}
			return drawn, nil
		}
	}
	batches := pool.Numbers(0, (len(values)+samplesAtOnce-1)/samplesAtOnce)
	next := 0
	for r, err := range pieces.Ordered(ctx, b.kept, b.Workers, batches, newWork) {
		if errors.Is(err, pieces.ErrPart) { // the other values stay zero and are not used
			b.part = true
			return nil
		}
		if err != nil {
			return err
		}
		next += copy(values[next:], r.Value)
		b.done(len(r.Value))
	}
	return nil
}

// meanOf returns the mean of values and its standard error.
func meanOf(values []float64) privacy.SampleMean {
	var sample privacy.Sample
	for _, v := range values {
		sample.Add(v)
	}
	return sample.Mean()
}

// deviation returns the standard deviation of a draw.
func deviation(e privacy.SampleMean) float64 { return e.StandardError * math.Sqrt(float64(e.Draws)) }

// sampled returns the value of an estimate. The published number is a mean of publishedSamples samples.
func sampled(e privacy.SampleMean, publishedSamples int) Value {
	return Value{Mean: e.Mean, SE: e.StandardError, PublishedSE: deviation(e) / math.Sqrt(float64(publishedSamples))}
}
