package privacy

import (
	"context"
	"math"
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

// SimulatedGoal estimates the probability that the joint argmax of the rewards, one table per agent, is still
// the joint argmax after input perturbation with standard deviation sigma, from at least 2 draws. Ties go to
// the lowest state and then to each agent's lowest action, so that one joint entry is the goal.
func (s Shape) SimulatedGoal(ctx context.Context, rewards [][]float64, sigma float64, draws int,
	noise *Noise) (SampleMean, error) {
	private, err := s.startSimulation(rewards, sigma, draws)
	if err != nil {
		return SampleMean{}, err
	}
	local := make([]float64, s.sumActions())
	goalState, goalSum := 0, math.Inf(-1)
	for state := range s.states {
		if _, high := s.extremeSums(s.gather(local, rewards, state)); high > goalSum {
			goalState, goalSum = state, high
		}
	}
	goal := s.firstMaxima(s.gather(local, rewards, goalState))
	var e Sample
	for range draws {
		if err := ctx.Err(); err != nil {
			return SampleMean{}, err
		}
		perturbAll(private, rewards, sigma, noise)
		kept, highest := 0.0, math.Inf(-1)
		for state := range s.states {
			if _, high := s.extremeSums(s.gather(local, private, state)); high > highest {
				highest = high
			}
		}
		for i, m := range s.actions {
			kept += private[i][goalState*m+goal[i]]
		}
		// Both sums add the agents in the same order, so equality is exact.
		if kept == highest {
			e.Add(1)
		} else {
			e.Add(0)
		}
	}
	return e.Mean(), nil
}

// simulateLargest calls look with max_{s,a} |r~(s,a)|, the largest magnitude of the joint reward, for every
// draw of the agents' private tables.
func (s Shape) simulateLargest(ctx context.Context, rewards [][]float64, sigma float64, draws int, noise *Noise,
	look func(largest float64)) error {
	private, err := s.startSimulation(rewards, sigma, draws)
	if err != nil {
		return err
	}
	local := make([]float64, s.sumActions())
	for range draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		perturbAll(private, rewards, sigma, noise)
		largest := 0.0
		for state := range s.states {
			low, high := s.extremeSums(s.gather(local, private, state))
			largest = max(largest, high, -low)
		}
		look(largest / float64(s.Agents()))
	}
	return nil
}

// startSimulation checks the arguments and allocates the private tables.
func (s Shape) startSimulation(rewards [][]float64, sigma float64, draws int) (private [][]float64, err error) {
	if err := s.checkRewards(rewards); err != nil {
		return nil, err
	}
	if err := checkPositive("sigma", sigma); err != nil {
		return nil, err
	}
	if err := checkAtLeast("number of draws", draws, leastDraws); err != nil {
		return nil, err
	}
	for _, r := range rewards {
		private = append(private, make([]float64, len(r)))
	}
	return private, nil
}

// perturbAll is Perturb for every agent, arguments already checked.
func perturbAll(private, rewards [][]float64, sigma float64, noise *Noise) {
	for i := range rewards {
		perturb(private[i], rewards[i], sigma, noise)
	}
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

// firstMaxima is every agent's first largest local action.
func (s Shape) firstMaxima(local []float64) []int {
	first := make([]int, len(s.actions))
	for i, m := range s.actions {
		for a := range m {
			if local[a] > local[first[i]] {
				first[i] = a
			}
		}
		local = local[m:]
	}
	return first
}
