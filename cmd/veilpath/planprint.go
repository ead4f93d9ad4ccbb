package main

import (
	"encoding/json"
	"fmt"
	"math"

	"veilpath/cmd/internal/terminal"
	"veilpath/planner"
	"veilpath/planner/problem"
	"veilpath/sim/campaign"
	"veilpath/sim/setup"
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

// planOutput is what plan has found, to be printed.
type planOutput struct {
	given *setup.Given
	*campaign.Policies
}

func (a *app) printPlan(m *planOutput) error {
	switch a.format {
	case "json":
		return json.NewEncoder(a.stdout).Encode(m.json())
	case "csv":
		return m.WritePolicy(a.stdout)
	}
	return a.printPlanTable(m)
}

func (m *planOutput) json() planJSON {
	optimal := m.Optimal
	out := planJSON{
		Problem: m.given.Name, States: m.Listed, Actions: m.Law.Actions(), Agents: m.Rewards.Agents(), Discount: m.Discount,
		Start: m.States.Value(m.Start), StartValue: optimal.Value[m.Start], Bound: optimal.Bound,
		Value: optimal.Value[:m.Listed], Policy: named{m.Actions, optimal.Policy[:m.Listed]},
	}
	if !m.States.Numeric() || m.Listed > 0 && m.States.Number(m.Listed-1) != m.Listed-1 {
		all := make([]int32, m.Listed)
		for i := range all {
			all[i] = int32(i)
		}
		out.StateNames = &named{m.States, all}
	}
	for _, p := range m.Private {
		out.PrivatePlans = append(out.PrivatePlans, privateJSON{
			Epsilon: p.Epsilon, Delta: m.given.Settings.Privacy.Delta, Adjacency: m.given.Settings.Privacy.Adjacency, Sigma: p.Sigma, Policy: named{m.Actions, p.Policy[:m.Listed]},
			Regret: p.Regret[:m.Listed], RegretBound: p.RegretBound, CostOfPrivacy: terminal.Maybe(p.Cost.Relative),
		})
	}
	return out
}

// printedStates is how many states the table shows.
const printedStates = 20

func (a *app) printPlanTable(m *planOutput) error {
	optimal := m.Optimal
	fmt.Fprintf(a.stdout, "%s: %s, %s, discount %g\n", m.given.Name, terminal.Count(m.Listed, "state"), terminal.Count(m.Law.Actions(), "action"), m.Discount)
	fmt.Fprintf(a.stdout, "value from state %s: %.10g, within %.2g in every state\n", m.States.Of(m.Start), optimal.Value[m.Start], optimal.Bound)
	for _, p := range m.Private {
		fmt.Fprintf(a.stdout, "epsilon %g (sigma %.4g): value %.10g, cost of privacy %s, largest regret %.4g\n", p.Epsilon, p.Sigma, p.Cost.Private, costText(p.Cost), largest(p.Regret[:m.Listed]))
	}
	fmt.Fprintln(a.stdout)
	rows := make([]int, min(m.Listed, printedStates))
	for i := range rows {
		rows[i] = i
	}
	lead := []terminal.Column[int]{{Heading: "state", Cell: func(s *int) string { return m.States.Of(*s) }}}
	columns := []terminal.Column[int]{
		{Heading: "action", Cell: func(s *int) string { return m.Actions.Of(int(optimal.Policy[*s])) }},
		{Heading: "value", Cell: func(s *int) string { return fmt.Sprintf("%.6g", optimal.Value[*s]) }},
	}
	for _, p := range m.Private {
		columns = append(columns,
			terminal.Column[int]{Heading: fmt.Sprintf("private at %g", p.Epsilon), Cell: func(s *int) string { return m.Actions.Of(int(p.Policy[*s])) }},
			terminal.Column[int]{Heading: "regret", Beside: true, Cell: func(s *int) string { return fmt.Sprintf("%.4g", p.Regret[*s]) }})
	}
	if err := terminal.WriteTable(a.stdout, lead, columns, rows); err != nil {
		return err
	}
	if more := m.Listed - len(rows); more > 0 {
		fmt.Fprintf(a.stdout, "and %s more, in %s\n", terminal.Count(more, "state"), campaign.PolicyName)
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
