package publish

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/release"
)

// policyTolerance bounds two errors of a published policy under the private rewards, each relative to the largest
// possible value: the error of its values, and the loss from choosing the first by name among almost equal
// actions. It is far below the effect of the noise.
const policyTolerance = 1e-9

// Plan returns an optimal policy for released rewards: the last step of Algorithms 1 and 2. The policy depends on
// the rewards only through the release, so it is as private as the release. It does not depend on the order of
// states and actions in a file.
func Plan(n *problem.Instance, o release.Original, r *release.Release) ([]int32, error) {
	joint, err := private(n, o, r.Values())
	if err != nil {
		return nil, err
	}
	return optimal(n, joint)
}

// optimal returns an optimal policy for a joint reward.
func optimal(n *problem.Instance, joint []float64) ([]int32, error) {
	solver, err := mdp.NewSolver(n.Law, n.Discount)
	if err != nil {
		return nil, err
	}
	largest := 0.0
	for _, x := range joint {
		if !math.IsInf(x, -1) {
			largest = max(largest, math.Abs(x))
		}
	}
	tolerance := policyTolerance * max(largest, policyTolerance) / (1 - n.Discount)
	solution := solver.Solve(joint, nil, tolerance)
	if solution.Within(tolerance) != nil { // its error depends on rewards that are not published
		return nil, errors.New("at this discount the policy for the private rewards cannot be computed accurately; use a " +
			"smaller discount")
	}
	return byName(n, joint, solution.Value, tolerance*(1-n.Discount)), nil
}

// byName returns the policy that takes in every state the first action by name among those whose value is within
// tie of the best. After the end of an episode all actions are equally good.
func byName(n *problem.Instance, rewards, values []float64, tie float64) []int32 {
	order := n.Actions.Sorted()
	policy, worth := make([]int32, len(values)), make([]float64, len(order))
	var outcomes []mdp.Outcome
	for s := range policy {
		best := math.Inf(-1)
		for a := range worth {
			if worth[a] = rewards[s*len(worth)+a]; math.IsInf(worth[a], -1) {
				continue
			}
			outcomes = n.Law.AppendOutcomes(outcomes[:0], s, a)
			for _, o := range outcomes {
				worth[a] += n.Discount * o.Probability * values[o.State]
			}
			best = max(best, worth[a])
		}
		first := slices.IndexFunc(order, func(a int) bool { return worth[a] >= best-tie })
		policy[s] = int32(order[first])
	}
	return policy
}

// private returns the joint reward of released rewards. Entries that are not released, such as rewards after the
// end, are 0.
func private(n *problem.Instance, o release.Original, values [][]float64) ([]float64, error) {
	if o.Joint != nil {
		joint := publicOnly(n.Rewards.Joint)
		for k, at := range o.Joint.Entries {
			joint[at] = values[0][k]
		}
		return joint, nil
	}
	var tables [][]float64
	for i, table := range n.Rewards.Tables {
		own := publicOnly(table)
		for k, at := range entriesOf(n, i) {
			own[at] = values[i][k]
		}
		tables = append(tables, own)
	}
	rewards, err := privacy.NewRewards(n.Rewards.Shape, tables, n.Rewards.Ended)
	if err != nil {
		return nil, err
	}
	return rewards.Joint, nil
}

// publicOnly returns the public part of a table of rewards: -Inf for actions that a state lacks, and otherwise 0.
func publicOnly(table []float64) []float64 {
	public := make([]float64, len(table))
	for i, r := range table {
		if math.IsInf(r, -1) {
			public[i] = r
		}
	}
	return public
}

// writePolicy writes a row for every state: its name and its action.
func writePolicy(n *problem.Instance, to io.Writer, policy []int32) error {
	out := csv.NewWriter(to)
	out.Write([]string{"state", "action"}) // Error reports its errors
	for _, s := range n.States.Sorted() {
		if s < n.Listed {
			out.Write([]string{n.States.Of(s), n.Actions.Of(int(policy[s]))})
		}
	}
	out.Flush()
	return out.Error()
}
