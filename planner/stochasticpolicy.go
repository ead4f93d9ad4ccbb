package planner

import "veilpath/planner/privacy"

// StochasticPolicy draws the probabilities of every state's actions from a Dirichlet distribution around the
// optimal policy's (Gohari, Wu, Hale and Topcu, arXiv 1910.00043), and follows the stochastic policy that comes
// of it. See [privacy.Dirichlet] for the guarantee and its proof. It protects the policy in one state: with a
// row_adjacency of 2, which action is optimal there. It does not protect the reward that the policy is of, since
// another reward may change the policy in many states. Which actions a state has is public.
type StochasticPolicy struct{}

func (StochasticPolicy) Name() string { return "policy" }

func (StochasticPolicy) Meaning() string {
	return "draws the probabilities of every state's actions from a Dirichlet distribution around the optimal policy"
}

func (StochasticPolicy) Promise() privacy.Promise {
	return privacy.Promise{Protects: "one state's row of the policy", Neighbours: "policies that differ in one state, " +
		"by at most half of privacy.row_adjacency moved from one action to another", Guarantee: "(epsilon, delta)",
		Source: "Gohari, Wu, Hale and Topcu 2019, arXiv 1910.00043; calibrated exactly"}
}

// Rows implements RowMechanism: that of the optimal policy in every state.
func (StochasticPolicy) Rows(problem *Solved) (rows []Row) {
	actions := problem.Law.Actions()
	for state, optimal := range problem.Optimal.Policy {
		row := Row{State: state, Action: -1, Of: make([]int, 0, actions), Probabilities: make([]float64, 0, actions)}
		for action := range actions {
			if problem.lacks(state, action) {
				continue
			}
			p := 0.0
			if action == int(optimal) {
				p = 1
			}
			row.Of, row.Probabilities = append(row.Of, action), append(row.Probabilities, p)
		}
		rows = append(rows, row)
	}
	return rows
}

func (m StochasticPolicy) Plan(p *Planner, g privacy.Guarantee, noise *privacy.Noise) (Plan, error) {
	rows := m.Rows(p.problem)
	private, err := PrivateRows(rows, g, noise, &p.rows)
	if err != nil {
		return Plan{}, err
	}
	actions := p.problem.Law.Actions()
	policy := make([]float64, len(rows)*actions)
	for i, row := range rows {
		for k, action := range row.Of {
			policy[row.State*actions+action] = private[i][k]
		}
	}
	return Plan{Stochastic: policy}, nil
}
