package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/planner"
	"veilpath/planner/paper"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Settings is what the paper leaves open, at the values that configs gives, and how much to sample.
type Settings struct {
	Seed    uint64
	Workers int // goroutines; 0 for as many as there are cores

	Example1 TeamSettings
	Example2 WorldSettings
	Example3 study.Study
}

// TeamSettings is Example 1.
type TeamSettings struct {
	Team      func(agents int) paper.TwoStateTeam
	Agents    []int
	Discount  float64
	Guarantee privacy.Guarantee
	Samples   int
}

// WorldSettings is Example 2.
type WorldSettings struct {
	World       func(goalReward float64) paper.Gridworld
	GoalRewards []float64
	Discount    float64
	StartCells  []int
	Guarantee   privacy.Guarantee // its epsilon is unused
	Epsilons    []float64
	Samples     int
}

// SettingError is a setting that leaves nothing to compare.
type SettingError struct{ error }

func settingError(format string, args ...any) error { return SettingError{fmt.Errorf(format, args...)} }

// bench is where items work.
type bench struct {
	*Settings
	advance func(int)
	keeper  pool.Keeper
	part    bool // only a part of the samples was drawn
	mu      sync.Mutex
}

func (b *bench) done(units int) {
	if b.advance == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(units)
}

// The purposes of the streams of noise that items draw from.
const (
	purposeMaxError = 100 + iota
	purposeSweeps
	purposeTeam
	purposeWorld
	purposeIterations
	purposeBeyond
)

// purposeOutput is added to a team's purpose for output perturbation, and worldOutput to the cell of Example 2.
const (
	purposeOutput = 1
	worldOutput   = 1 << 32
)

// Noise returns where the reproduction draws the runs of a mechanism from, for the example that settings name; nil for
// what it does not draw. agents is the size of Example 1's team, and goal the reward at Example 2's goal.
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

// teamNoise returns where the normals of a sample of Example 1 are drawn from: of input or of output perturbation.
func teamNoise(seed uint64, agents, sample int, output bool) privacy.Address {
	at := privacy.Address{Seed: seed, Cell: uint64(agents), Run: uint64(sample), Purpose: purposeTeam}
	if output {
		at.Purpose += purposeOutput
	}
	return at
}

// worldNoise returns where the normals of a sample of Example 2 are drawn from: of input or of output perturbation.
func worldNoise(seed uint64, goal float64, sample int, output bool) privacy.Address {
	at := privacy.Address{Seed: seed, Cell: uint64(goal), Run: uint64(sample), Purpose: purposeWorld}
	if output {
		at.Cell += worldOutput
	}
	return at
}

// noise returns the stream of a purpose.
func (b *bench) noise(purpose, cell uint64) *privacy.Noise {
	n := &privacy.Noise{}
	n.Seek(privacy.Address{Seed: b.Seed, Purpose: purpose, Cell: cell})
	return n
}

// samplesAtOnce is how many samples are handed over, and kept, together.
const samplesAtOnce = 8

// sample fills values with what draw returns for every index, on all workers; each has a draw of its own from newDraw.
// What draw returns depends on the index alone, and is a value for encoding/gob.
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
	pieces := pool.Numbers(0, (len(values)+samplesAtOnce-1)/samplesAtOnce)
	next := 0
	for r, err := range pool.Resumed(ctx, b.Workers, pieces, newWork, b.keeper) {
		if errors.Is(err, pool.ErrPart) { // the others stay zero, and no result is made of them
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

// deviation returns the standard deviation of a single draw.
func deviation(e privacy.SampleMean) float64 { return e.StandardError * math.Sqrt(float64(e.Draws)) }

// sampled returns an estimate as a value, the published number being a mean of the given number of samples.
func sampled(e privacy.SampleMean, publishedSamples int) Value {
	return Value{Mean: e.Mean, SE: e.StandardError, PublishedSE: deviation(e) / math.Sqrt(float64(publishedSamples))}
}
