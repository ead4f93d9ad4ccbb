package main

import (
	"fmt"
	"math"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/sim/campaign"
)

func (a *app) printPlan(m *campaign.Policies) error {
	switch a.format {
	case "json":
		return m.WriteJSON(a.stdout)
	case "csv":
		return m.WritePolicy(a.stdout)
	}
	return a.printPlanTable(m)
}

func (a *app) printPlanTable(m *campaign.Policies) error {
	optimal := m.Optimal
	text := fmt.Sprintf("%s: %s, %s, discount %g\nvalue from state %s: %.10g, within %.2g in every state\n", m.Name,
		terminal.Count(m.Listed, "state"), terminal.Count(m.Law.Actions(), "action"), m.Discount, m.States.Of(m.Start),
		optimal.Value[m.Start], optimal.Bound)
	for _, p := range m.Private {
		text += fmt.Sprintf("epsilon %g (sigma %.4g): value %.10g, cost of privacy %s, largest regret %.4g\n", p.Epsilon,
			p.Sigma, p.Cost.Private, costText(p.Cost), slices.Max(p.Regret[:m.Listed]))
	}
	if err := a.printer().Say("%s\n", text); err != nil {
		return err
	}
	rows := make([]int, m.Listed)
	for i := range rows {
		rows[i] = i
	}
	columns := []table.Column[int]{
		{Heading: "state", Lead: true, Text: func(s *int) string { return m.States.Of(*s) }},
		{Heading: "action", Text: func(s *int) string { return m.Actions.Of(int(optimal.Policy[*s])) }},
		{Heading: "value", Text: func(s *int) string { return fmt.Sprintf("%.6g", optimal.Value[*s]) }},
	}
	for _, p := range m.Private {
		columns = append(columns,
			table.Column[int]{Heading: fmt.Sprintf("private at %g", p.Epsilon),
				Text: func(s *int) string { return m.Actions.Of(int(p.Policy[*s])) }},
			table.Column[int]{Heading: "regret", Beside: true,
				Text: func(s *int) string { return fmt.Sprintf("%.4g", p.Regret[*s]) }})
	}
	if err := terminal.Table(a.printer(), columns, rows); err != nil {
		return err
	}
	a.remarkLeft()
	return nil
}

func costText(c planner.Cost) string {
	if math.IsInf(c.Relative, 0) {
		return fmt.Sprintf("%.4g of a value of 0", c.Absolute)
	}
	return terminal.Percent(c.Relative)
}
