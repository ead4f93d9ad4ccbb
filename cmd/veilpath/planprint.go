package main

import (
	"encoding/json"
	"fmt"
	"math"

	"veilpath/cmd/internal/terminal"
	"veilpath/planner"
	"veilpath/planner/problem"
)

// named are entries of a policy: names, or numbers where actions are numbers.
type named struct {
	names   problem.Names
	entries []int32
}

// MarshalJSON writes a list.
func (n named) MarshalJSON() ([]byte, error) {
	list := []byte{'['}
	for i, entry := range n.entries {
		if i > 0 {
			list = append(list, ',')
		}
		if n.names.Numeric() {
			list = n.names.Append(list, int(entry))
			continue
		}
		text, err := json.Marshal(n.names.Of(int(entry)))
		if err != nil {
			return nil, err
		}
		list = append(list, text...)
	}
	return append(list, ']'), nil
}

// planJSON is a plan for programs. Lists have an entry a state, in the order of the file.
type planJSON struct {
	Problem      string        `json:"problem"`
	States       int           `json:"states"`
	Actions      int           `json:"actions"`
	Agents       int           `json:"agents"`
	Discount     float64       `json:"discount"`
	Start        any           `json:"start"`
	StartValue   float64       `json:"start_value"`
	Bound        float64       `json:"bound"`
	StateNames   *named        `json:"state_names,omitempty"`
	Value        []float64     `json:"value"`
	Policy       named         `json:"policy"`
	PrivatePlans []privateJSON `json:"private,omitempty"`
}

type privateJSON struct {
	Epsilon       float64        `json:"epsilon"`
	Delta         float64        `json:"delta"`
	Adjacency     float64        `json:"adjacency"`
	Sigma         float64        `json:"sigma"`
	Policy        named          `json:"policy"`
	Regret        []float64      `json:"regret"`
	RegretBound   float64        `json:"regret_bound"`
	CostOfPrivacy terminal.Maybe `json:"cost_of_privacy"`
}

// nameOf is a name for JSON: a number where names are numbers.
func nameOf(names problem.Names, i int) any {
	if names.Numeric() {
		return names.Number(i)
	}
	return names.Of(i)
}

func (a *app) printPlan(m *made) error {
	switch a.format {
	case "json":
		return json.NewEncoder(a.stdout).Encode(m.json())
	case "csv":
		return m.writePolicy(a.stdout)
	}
	return a.printPlanTable(m)
}

func (m *made) json() planJSON {
	optimal := m.solved.Optimal
	out := planJSON{
		Problem: m.name, States: m.listed, Actions: m.solved.Law.Actions(), Agents: m.solved.Rewards.Agents(), Discount: m.solved.Discount,
		Start: nameOf(m.states, m.solved.Start), StartValue: optimal.Value[m.solved.Start], Bound: optimal.Bound,
		Value: optimal.Value[:m.listed], Policy: named{m.actions, optimal.Policy[:m.listed]},
	}
	if !m.states.Numeric() || m.listed > 0 && m.states.Number(m.listed-1) != m.listed-1 {
		all := make([]int32, m.listed)
		for i := range all {
			all[i] = int32(i)
		}
		out.StateNames = &named{m.states, all}
	}
	for _, p := range m.private {
		out.PrivatePlans = append(out.PrivatePlans, privateJSON{
			Epsilon: p.epsilon, Delta: m.loaded.Privacy.Delta, Adjacency: m.loaded.Privacy.Adjacency, Sigma: p.sigma, Policy: named{m.actions, p.policy[:m.listed]},
			Regret: p.regret[:m.listed], RegretBound: p.regretBound, CostOfPrivacy: terminal.Maybe(p.cost.Relative),
		})
	}
	return out
}

// printedStates is how many states the table shows.
const printedStates = 20

func (a *app) printPlanTable(m *made) error {
	optimal := m.solved.Optimal
	fmt.Fprintf(a.stdout, "%s: %s, %s, discount %g\n", m.name, terminal.Count(m.listed, "state"), terminal.Count(m.solved.Law.Actions(), "action"), m.solved.Discount)
	fmt.Fprintf(a.stdout, "value from state %s: %.10g, within %.2g in every state\n", m.states.Of(m.solved.Start), optimal.Value[m.solved.Start], optimal.Bound)
	for _, p := range m.private {
		fmt.Fprintf(a.stdout, "epsilon %g (sigma %.4g): value %.10g, cost of privacy %s, largest regret %.4g\n", p.epsilon, p.sigma, p.cost.Private, costText(p.cost), largest(p.regret[:m.listed]))
	}
	fmt.Fprintln(a.stdout)
	rows := make([]int, min(m.listed, printedStates))
	for i := range rows {
		rows[i] = i
	}
	lead := []terminal.Column[int]{{Heading: "state", Cell: func(s *int) string { return m.states.Of(*s) }}}
	columns := []terminal.Column[int]{
		{Heading: "action", Cell: func(s *int) string { return m.actions.Of(int(optimal.Policy[*s])) }},
		{Heading: "value", Cell: func(s *int) string { return fmt.Sprintf("%.6g", optimal.Value[*s]) }},
	}
	for _, p := range m.private {
		columns = append(columns,
			terminal.Column[int]{Heading: fmt.Sprintf("private at %g", p.epsilon), Cell: func(s *int) string { return m.actions.Of(int(p.policy[*s])) }},
			terminal.Column[int]{Heading: "regret", Beside: true, Cell: func(s *int) string { return fmt.Sprintf("%.4g", p.regret[*s]) }})
	}
	if err := terminal.WriteTable(a.stdout, lead, columns, rows); err != nil {
		return err
	}
	if more := m.listed - len(rows); more > 0 {
		fmt.Fprintf(a.stdout, "and %s more, in %s\n", terminal.Count(more, "state"), policyName)
	}
	return nil
}

func costText(c planner.Cost) string {
	if math.IsInf(c.Relative, 0) {
		return fmt.Sprintf("%.4g of a value of 0", c.Absolute)
	}
	return terminal.Percent(c.Relative)
}

func largest(list []float64) float64 {
	most := 0.0
	for _, x := range list {
		most = max(most, x)
	}
	return most
}
