package mdp

import "fmt"

// Mix returns the Markov reward process of a stochastic policy: a law with a single action, which has the
// outcomes of all actions weighted by their probabilities, and its rewards by state. policy has the
// probabilities of all actions, states x actions. The probabilities of a state sum to 1 up to rounding, which
// is normalised away, and are 0 for actions that it lacks, whose rewards are -Inf.
func Mix(law Law, policy, rewards []float64) (process *Model, gains []float64, err error) {
	states, actions := law.States(), law.Actions()
	if len(policy) != states*actions || len(rewards) != states*actions {
		return nil, nil, fmt.Errorf("mdp: %d probabilities and %d rewards for %d states x %d actions", len(policy),
			len(rewards), states, actions)
	}
	gains = make([]float64, states)
	var row, outcomes []Outcome
	process, err = NewModel(states, 1, func(state, _ int) []Outcome {
		of := policy[state*actions : (state+1)*actions]
		sum := 0.0
		for _, q := range of {
			sum += q
		}
		row = row[:0]
		for action, q := range of {
			if q == 0 {
				continue
			}
			gains[state] += q / sum * rewards[state*actions+action]
			outcomes = law.AppendOutcomes(outcomes[:0], state, action)
			for _, o := range outcomes {
				row = addOutcome(row, 0, Outcome{State: o.State, Probability: q / sum * o.Probability})
			}
		}
		return row
	})
	return process, gains, err
}

// EvaluateStochastic returns the value of a stochastic policy as Evaluate does for a policy; the arguments are
// those of Mix.
func EvaluateStochastic(law Law, policy, rewards []float64, discount, tolerance float64) (Solution, error) {
	process, gains, err := Mix(law, policy, rewards)
	if err != nil {
		return Solution{}, err
	}
	evaluator, err := NewEvaluator(process, discount)
	if err != nil {
		return Solution{}, err
	}
	return evaluator.Evaluate(make([]int32, law.States()), gains, tolerance), nil
}
