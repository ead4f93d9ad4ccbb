package planner

import (
	"errors"
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

func (Transitions) Name() string { return "transitions" }

func (Transitions) Meaning() string {
	return "draws every row of the transition law from a Dirichlet distribution around it and plans for that law"
}

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

// Plan leaves out the value of the plan: under the private law it says nothing about the problem.
func (m Transitions) Plan(p *Planner, g privacy.Guarantee, noise *privacy.Noise) (Plan, error) {
	rows := m.Rows(p.problem)
	private, err := PrivateRows(rows, g, noise, &p.rows)
	if err != nil {
		return Plan{}, err
	}
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
	row := 0
	model := func(states, actions int) (*mdp.Model, error) {
		return mdp.NewModel(states, actions, func(int, int) (outcomes []mdp.Outcome) {
			for i, state := range rows[row].Of {
				outcomes = append(outcomes, mdp.Outcome{State: state, Probability: private[row][i]})
			}
			row++
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

// RowMechanism is a mechanism that makes rows of probabilities private by privacy.RowCalibration.Privatize, and
// plans with those. Its rows are the private ones of PrivateRows.
type RowMechanism interface {
	Mechanism
	// Rows returns the rows of a problem that it makes private. One of a single component is public.
	Rows(problem *Solved) []Row
}

// Row is a row of probabilities of a problem.
type Row struct {
	Agent, State, Action int   // Action is -1 for a row of a policy
	Of                   []int // next states, or actions, each once and ascending
	Probabilities        []float64
}

// PrivateRows returns private probabilities of rows. It is an error if there is no row of several components,
// since nothing is hidden then. The calibration remembers mechanisms between calls.
func PrivateRows(rows []Row, g privacy.Guarantee, noise *privacy.Noise, c *privacy.RowCalibration) ([][]float64,
	error) {
	if !slices.ContainsFunc(rows, func(r Row) bool { return len(r.Of) > 1 }) {
		return nil, errors.New("every row of probabilities has a single component, which is public, so nothing is " +
			"hidden; take a problem whose actions may lead to several states, as with planner.slip")
	}
	given, private := make([][]float64, len(rows)), make([][]float64, len(rows))
	for i, r := range rows {
		given[i], private[i] = r.Probabilities, make([]float64, len(r.Of))
	}
	return private, c.Privatize(private, given, g, noise)
}
