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
	if err := CheckDiscount(discount); err != nil {
		return SoftSolution{}, err
	}
	if err := CheckRewards(law, rewards); err != nil {
		return SoftSolution{}, err
	}
	if !(temperature > 0) || math.IsInf(temperature, 0) || !(tolerance > 0) {
		return SoftSolution{}, fmt.Errorf("mdp: temperature %v and tolerance %v; want finite numbers above 0", temperature,
			tolerance)
	}
	model, ok := law.(*Model)
	if !ok {
		var err error
		if model, err = Expand(law); err != nil {
			return SoftSolution{}, err
		}
	}
	v := softSweep{model: model, rewards: rewards, discount: discount, temperature: temperature,
		value: make([]float64, model.states), ended: make([]bool, model.states), q: make([]float64, model.actions)}
	for _, state := range ended {
		v.ended[state] = true
	}
	small := tolerance * (1 - discount)
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
			return SoftSolution{Policy: v.policy(), Value: v.value, Bound: change * discount / (1 - discount)}, nil
		}
		if sweeps == softSweeps {
			return SoftSolution{}, fmt.Errorf("mdp: the soft values still change by %g after %d sweeps; "+
				"want a smaller discount or a larger tolerance", change, sweeps)
		}
	}
}

// softSweep is the state of the sweeps of Soft.
type softSweep struct {
	model                 *Model
	rewards, value        []float64
	discount, temperature float64
	ended                 []bool
	q                     []float64 // of one state
}

// backup sets q to the action values of a state and returns the softened maximum.
func (v *softSweep) backup(state int) float64 {
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

// policy returns the probabilities of all actions.
func (v *softSweep) policy() []float64 {
	policy := make([]float64, 0, len(v.rewards))
	for state := range v.value {
		value, sum := v.backup(state), 0.0
		from := len(policy)
		for action, q := range v.q {
			p := math.Exp((q - value) / v.temperature)
			if v.ended[state] {
				p = 1
				if math.IsInf(v.rewards[state*len(v.q)+action], -1) {
					p = 0
				}
			}
			policy, sum = append(policy, p), sum+p
		}
		for i := range policy[from:] {
			policy[from+i] /= sum // the sum is 1 up to rounding, or the number of actions in an ended state
		}
	}
	return policy
}
