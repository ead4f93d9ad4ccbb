package planner

import (
	"fmt"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Transitions draws every row of the transition law, the next states of an action, from a Dirichlet distribution
// around it, and plans for the law that it has drawn (Gohari, Hale and Topcu, arXiv 2004.07778). See
// [privacy.Dirichlet] for the guarantee and its proof: what is computed from a private law, such as a policy, has
// it too. It protects one row of one agent. Rewards, and which states an action may lead to, are public.
type Transitions struct{}

// Name implements Mechanism.
func (Transitions) Name() string { return "transitions" }

// Meaning implements Mechanism.
func (Transitions) Meaning() string {
	return "draws every row of the transition law from a Dirichlet distribution around it and plans for that law"
}

// Promise implements privacy.Promising.
func (Transitions) Promise() privacy.Promise {
	return privacy.Promise{Protects: "one row of the transition law", Neighbours: "transition laws that differ in one " +
		"row, by at most half of privacy.row_adjacency moved from one next state to another", Guarantee: "(epsilon, delta)",
		Source: "Gohari, Hale and Topcu 2020, arXiv 2004.07778; calibrated exactly"}
}

// Rows implements RowMechanism: those of every state and action, agent by agent.
func (Transitions) Rows(problem *Solved) (rows []Row) {
	joint, team := problem.Law.(*mdp.Joint)
	if !team {
		return rowsOf(problem.Law, 0, nil)
	}
	for i := range joint.Agents() {
		rows = rowsOf(joint.Agent(i), i, rows)
	}
	return rows
}

// rowsOf appends the rows of an agent's law.
func rowsOf(law mdp.Law, agent int, to []Row) []Row {
	var outcomes []mdp.Outcome
	for state := range law.States() {
		for action := range law.Actions() {
			outcomes = law.AppendOutcomes(outcomes[:0], state, action)
			slices.SortStableFunc(outcomes, func(a, b mdp.Outcome) int { return a.State - b.State })
			row := Row{Agent: agent, State: state, Action: action}
			for _, o := range outcomes {
				if n := len(row.Of); n > 0 && row.Of[n-1] == o.State {
					row.Probabilities[n-1] += o.Probability
				} else if o.Probability > 0 {
					row.Of, row.Probabilities = append(row.Of, o.State), append(row.Probabilities, o.Probability)
				}
			}
			to = append(to, row)
		}
	}
	return to
}

// Plan implements Mechanism. The plan's value under the private law is none of the problem, and is left out.
func (m Transitions) Plan(p *Planner, g privacy.Guarantee, noise *privacy.Noise) (Plan, error) {
	rows := m.Rows(p.problem)
	private, err := PrivateRows(rows, g, noise, &p.rows)
	if err != nil {
		return Plan{}, err
	}
	return m.PlanFor(p, rows, private)
}

// PlanFor returns the plan for the law of a planner's problem with private probabilities of all of its rows, those of
// Rows. An error says which probabilities are none.
func (Transitions) PlanFor(p *Planner, rows []Row, private [][]float64) (Plan, error) {
	law, err := lawOf(p.problem.Law, rows, private)
	if err != nil {
		return Plan{}, err
	}
	solver, err := mdp.NewSolver(law, p.problem.Discount)
	if err != nil {
		return Plan{}, err
	}
	if s, ok := solver.(interface{ LimitCores(int) }); ok && p.cores > 0 {
		s.LimitCores(p.cores)
	}
	s := solver.Solve(p.problem.Rewards.Joint, p.problem.Optimal.Value, p.problem.Tolerance)
	return Plan{Policy: s.Policy}, nil
}

// lawOf returns a law of the form of another with the private probabilities of all of its rows.
func lawOf(law mdp.Law, rows []Row, private [][]float64) (mdp.Law, error) {
	next := 0
	model := func(states, actions int) (*mdp.Model, error) {
		return mdp.NewModel(states, actions, func(int, int) (outcomes []mdp.Outcome) {
			for i, state := range rows[next].Of {
				outcomes = append(outcomes, mdp.Outcome{State: state, Probability: private[next][i]})
			}
			next++
			return outcomes
		})
	}
	joint, team := law.(*mdp.Joint)
	if !team {
		return model(law.States(), law.Actions())
	}
	agents := make([]*mdp.Model, joint.Agents())
	for i := range agents {
		var err error
		if agents[i], err = model(joint.Agent(i).States(), joint.Agent(i).Actions()); err != nil {
			return nil, fmt.Errorf("agent %d: %w", i, err)
		}
	}
	return mdp.NewJoint(agents, 0)
}
