package campaign

import (
	"encoding/json"

	"veilpath/internal/table"
	"veilpath/planner/problem"
)

// named is a list of states or actions, written by name, or as numbers if all names are numbers.
type named struct {
	names   problem.Names
	entries []int32
}

// MarshalJSON writes the list.
func (n named) MarshalJSON() ([]byte, error) {
	list := make([]any, len(n.entries))
	for i, entry := range n.entries {
		list[i] = n.names.Value(int(entry))
	}
	return json.Marshal(list)
}

// planJSON is a plan as JSON. Lists have an entry per state, in the order of the file.
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
	Epsilon       float64     `json:"epsilon"`
	Delta         float64     `json:"delta"`
	Adjacency     float64     `json:"adjacency"`
	Sigma         float64     `json:"sigma"`
	Policy        named       `json:"policy"`
	Regret        []float64   `json:"regret"`
	RegretBound   float64     `json:"regret_bound"`
	CostOfPrivacy table.Maybe `json:"cost_of_privacy"`
}

func (m *PlanSet) json() planJSON {
	optimal := m.Optimal
	out := planJSON{
		Problem: m.Name, States: m.Listed, Actions: m.Law.Actions(), Agents: m.Rewards.Agents(), Discount: m.Discount,
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
			Epsilon: p.Epsilon, Delta: m.Settings.Privacy.Delta, Adjacency: m.Settings.Privacy.Adjacency, Sigma: p.Sigma,
			Policy: named{m.Actions, p.Policy[:m.Listed]},
			Regret: p.Regret[:m.Listed], RegretBound: p.RegretBound, CostOfPrivacy: table.Maybe(p.Cost.Relative),
		})
	}
	return out
}
