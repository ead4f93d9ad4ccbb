package mdp

import (
	"fmt"
	"math"
)

// SoftSolution is the entropy-regularised optimum of a problem.
type SoftSolution struct {
	Policy []float64 // probability of every action, states x actions
	Value  []float64 // by state, the entropy of the policy at the temperature included
	Bound  float64   // largest error of Value by iteration, without rounding
}

// softSweeps limits the sweeps of Soft: contraction by a discount of 0.9999 takes a third of them to 1e-12.
const softSweeps = 1 << 20

// Soft solves the Bellman equation with a softened maximum over actions,
//
//	V(s) = T log sum_a exp(Q(s, a)/T), Q(s, a) = r(s, a) + discount sum_s' P(s' | s, a) V(s'),
//
// Its policy exp((Q(s, a) - V(s))/T) maximises the discounted rewards plus T times the entropy of its actions
// (Ziebart, Modeling purposeful adaptive behavior with the principle of maximum causal entropy, 2010; Haarnoja
// et al. 2017). As the temperature T falls to 0 it tends to an optimal policy; as T grows, to the policy of the
// largest entropy for any rewards. Actions that a state lacks, whose rewards are -Inf, have probability 0.
// States in which all agents have ended have value 0 and equal probabilities. It sweeps in place, which
// contracts at least by the discount, until no value changes by more than tolerance*(1 - discount).
func Soft(law Law, rewards []float64, discount, temperature, tolerance float64, ended []int) (SoftSolution, error) {
	if err := CheckRewards(law, rewards); err != nil {
		return SoftSolution{}, err
	}
	model, err := Expand(law)
	if err != nil {
		return SoftSolution{}, err
	}
	solver, err := NewSoftSolver(model, discount, temperature, tolerance, ended)
	if err != nil {
		return SoftSolution{}, err
	}
	return solver.Solve(rewards)
}

// SoftSolver solves as [Soft] does, for one table of rewards after another. It starts from the values of the last one
// and writes to its own buffers. It serves one goroutine.
type SoftSolver struct {
	model                            *Model
	rewards                          []float64
	discount, temperature, tolerance float64
	ended                            []bool
	value, policy                    []float64
	q                                []float64 // of one state
}

// NewSoftSolver returns a solver; [Soft] has the meaning of the parameters. The discount is below 1, temperature and
// tolerance are finite and above 0.
func NewSoftSolver(model *Model, discount, temperature, tolerance float64, ended []int) (*SoftSolver, error) {
	if err := CheckDiscount(discount); err != nil {
		return nil, err
	}
	if !(temperature > 0) || math.IsInf(temperature, 0) || !(tolerance > 0) {
		return nil, fmt.Errorf("mdp: temperature %v and tolerance %v; want finite numbers above 0", temperature, tolerance)
	}
	v := &SoftSolver{model: model, discount: discount, temperature: temperature, tolerance: tolerance,
		value: make([]float64, model.states), policy: make([]float64, model.states*model.actions),
		ended: make([]bool, model.states), q: make([]float64, model.actions)}
	for _, state := range ended {
		v.ended[state] = true
	}
	return v, nil
}

// Solve returns the optimum for rewards, states x actions. Its slices are good until the next call.
func (v *SoftSolver) Solve(rewards []float64) (SoftSolution, error) {
	v.rewards = rewards
	small := v.tolerance * (1 - v.discount)
	for sweeps := 0; ; sweeps++ {
		change, largest := 0.0, 0.0
		for state, old := range v.value {
			if !v.ended[state] {
				value := v.backup(state)
				change, largest = max(change, math.Abs(value-old)), max(largest, math.Abs(value))
				v.value[state] = value
			}
		}
		// Values this large change by rounding in every sweep.
		if change <= max(small, 8*0x1p-52*largest) {
			v.fillPolicy()
			return SoftSolution{Policy: v.policy, Value: v.value, Bound: change * v.discount / (1 - v.discount)}, nil
		}
		if sweeps == softSweeps {
			return SoftSolution{}, fmt.Errorf("mdp: the soft values still change by %g after %d sweeps; "+
				"want a smaller discount or a larger tolerance", change, sweeps)
		}
	}
}

// backup sets q to the action values of a state and returns the softened maximum.
func (v *SoftSolver) backup(state int) float64 {
	best := math.Inf(-1)
	for action := range v.q {
		next, probability := v.model.Transition(state, action)
		expected := 0.0
		for i, to := range next {
			expected += probability[i] * v.value[to]
		}
		v.q[action] = v.rewards[state*len(v.q)+action] + v.discount*expected
		best = max(best, v.q[action])
	}
	sum := 0.0
	for _, q := range v.q {
		sum += math.Exp((q - best) / v.temperature)
	}
	return best + v.temperature*math.Log(sum)
}

// fillPolicy sets the probabilities of all actions.
func (v *SoftSolver) fillPolicy() {
	for state := range v.value {
		value, sum := v.backup(state), 0.0
		row := v.policy[state*len(v.q) : (state+1)*len(v.q)]
		for action, q := range v.q {
			row[action] = math.Exp((q - value) / v.temperature)
			if v.ended[state] {
				row[action] = 1
				if math.IsInf(v.rewards[state*len(v.q)+action], -1) {
					row[action] = 0
				}
			}
			sum += row[action]
		}
		for action := range row {
			row[action] /= sum // the sum is 1 up to rounding, or the number of actions in an ended state
		}
	}
}
