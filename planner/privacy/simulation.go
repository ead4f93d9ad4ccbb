package privacy

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Simulation of the joint reward under input perturbation, where entries that share a local action share its
// noise and no closed form is known. The joint reward is a mean over agents, so its extremes within a state are
// the means of the agents' own extremes: a draw costs n sum m_i numbers, never n prod m_i. All functions stop
// with the context's error when the context ends.

// leastDraws is the least number of draws that gives a standard error.
const leastDraws = 2

// SimulatedMaxError estimates the expected largest error of the joint reward in units of sigma with its true
// correlations, from at least 2 draws. It calls drawn, which may be nil, after each draw.
func (s Shape) SimulatedMaxError(ctx context.Context, draws int, noise *Noise, drawn func()) (SampleMean, error) {
	return s.simulatedMaxError(ctx, draws, noise, func(int, []float64) {}, drawn)
}

// simulatedMaxError is SimulatedMaxError where mask may remove noise of a state.
func (s Shape) simulatedMaxError(ctx context.Context, draws int, noise *Noise, mask func(state int, z []float64),
	drawn func()) (SampleMean, error) {
	if err := checkAtLeast("number of draws", draws, leastDraws); err != nil {
		return SampleMean{}, err
	}
	var e Sample
	z := make([]float64, s.sumActions())
	for range draws {
		largest := 0.0
		for state := range s.states {
			if err := ctx.Err(); err != nil {
				return SampleMean{}, err
			}
			noise.Normals(z)
			mask(state, z)
			low, high := s.extremeSums(z)
			largest = max(largest, high, -low)
		}
		e.Add(largest / float64(s.Agents()))
		if drawn != nil {
			drawn()
		}
	}
	return e.Mean(), nil
}

// simulateLargest calls look with max_{s,a} |r~(s,a)|, the largest magnitude of the joint reward, for every
// draw of the agents' private tables.
func (s Shape) simulateLargest(ctx context.Context, rewards [][]float64, sigma float64, draws int, noise *Noise,
	look func(largest float64)) error {
	if err := s.checkRewards(rewards); err != nil {
		return err
	}
	if err := checkPositive("sigma", sigma); err != nil {
		return err
	}
	if err := checkAtLeast("number of draws", draws, leastDraws); err != nil {
		return err
	}
	private := make([][]float64, len(rewards))
	for i, r := range rewards {
		private[i] = make([]float64, len(r))
	}
	local := make([]float64, s.sumActions())
	for range draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, r := range rewards {
			perturb(private[i], r, sigma, noise)
		}
		largest := 0.0
		for state := range s.states {
			low, high := s.extremeSums(s.gather(local, private, state))
			largest = max(largest, high, -low)
		}
		look(largest / float64(s.Agents()))
	}
	return nil
}

func (s Shape) sumActions() int {
	sum := 0
	for _, m := range s.actions {
		sum += m
	}
	return sum
}

// gather collects the agents' local values in a state one after the other.
func (s Shape) gather(dst []float64, tables [][]float64, state int) []float64 {
	at := 0
	for i, m := range s.actions {
		at += copy(dst[at:], tables[i][state*m:(state+1)*m])
	}
	return dst
}

// extremeSums is the smallest and the largest sum of one local value per agent.
func (s Shape) extremeSums(local []float64) (low, high float64) {
	for _, m := range s.actions {
		smallest, largest := local[0], local[0]
		for _, x := range local[1:m] {
			smallest, largest = min(smallest, x), max(largest, x)
		}
		low, high = low+smallest, high+largest
		local = local[m:]
	}
	return low, high
}

// SampleMean is a Monte Carlo mean, of draws or of flights, with its standard error.
type SampleMean struct {
	Mean, StandardError float64
	Draws               int // or flights
}

// HalfWidth returns half the width of Student's t interval at a confidence in (0, 1), infinite below two draws.
func (m SampleMean) HalfWidth(confidence float64) float64 {
	if m.Draws < leastDraws {
		return math.Inf(1)
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(m.Draws - 1)}
	return student.Quantile((1+confidence)/2) * m.StandardError
}

// Sample accumulates a SampleMean (Welford 1962). The zero value has no draws.
type Sample struct {
	draws        int
	mean, spread float64 // spread is the sum of squared distances from the mean
}

// Add counts a draw.
func (s *Sample) Add(x float64) {
	s.draws++
	d := x - s.mean
	s.mean += d / float64(s.draws)
	s.spread += d * (x - s.mean)
}

// Mean returns the mean of the draws, NaN without any. Its standard error is NaN below two draws.
func (s *Sample) Mean() SampleMean {
	n := float64(s.draws)
	if s.draws == 0 {
		return SampleMean{Mean: math.NaN(), StandardError: math.NaN()}
	}
	return SampleMean{Mean: s.mean, StandardError: math.Sqrt(s.spread / (n * (n - 1))), Draws: s.draws}
}
