package campaign

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/phrase"
	"veilpath/internal/pool"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/sim/cost"
)

// The files of plans.
const (
	PolicyName = "policy.csv"
	RewardName = "reward.csv" // includes the true rewards, so it is not private
	routeName  = "route.csv"  // only for missions
)

// PlanSet are the optimal plan and private plans of a problem.
type PlanSet struct {
	*planner.Solved
	Name            string
	Settings        *configs.Loaded
	States, Actions problem.Names
	Listed          int // number of states in the file
	Private         []cost.Plan
	Grid            *planner.Grid // of a mission, nil for other problems

	mechanism string // of the private plans
	delta     string // of their guarantee, before a comma; empty for a mechanism that promises nothing
}

// purposePlan separates the random numbers of plans from all others.
const purposePlan = 300

// NewPlans solves a problem and plans for the private rewards of one draw of noise at some epsilons.
func NewPlans(g *setup.Input, mechanism planner.Mechanism, epsilons []float64) (*PlanSet, error) {
	solved, err := g.Solve(g.Tolerance, g.Tolerance)
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	p := &PlanSet{Solved: solved, Name: g.Name, Settings: g.Settings, States: g.States, Actions: g.Actions,
		Listed: g.Listed}
	if g.Mission != nil {
		p.Grid = g.Mission.Mission.Grid
	}
	if len(epsilons) == 0 {
		return p, nil
	}
	if err := cost.CheckValue(solved); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	p.mechanism = mechanism.Name()
	noise := privacy.Address{Seed: g.Settings.Study.Seed, Purpose: purposePlan}
	if promise := planner.PromiseOf(mechanism); promise != privacy.None {
		p.delta = fmt.Sprintf("delta %g, ", promise.Delta(g.Guarantee().Delta))
	}
	if p.Private, err = cost.Plans(solved, mechanism, g.Guarantee(), epsilons, noise,
		g.Tolerance); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	return p, nil
}

// mostStates is the number of states on a screen that does not have all of them.
const mostStates = 8

// Answer returns the plans: the optimal value and what privacy loses of it, in words and in a table by epsilon, and the
// actions of all states. Without private plans these are the table.
func (p *PlanSet) Answer() *answer.Answer {
	states := table.Table[int]{Columns: p.stateColumns(), Rows: slices.Collect(pool.Numbers(0, p.Listed)),
		Main: table.Spread(p.Listed, mostStates)}
	a := &answer.Answer{Words: []string{p.words()}, Table: states,
		CSV:   answer.File{Name: PolicyName, Write: p.WriteCSV},
		JSON:  answer.File{Write: func(w io.Writer) error { return json.NewEncoder(w).Encode(p.json()) }}, // on one line
		Files: map[string]func(io.Writer) error{RewardName: p.writeRewards}}
	if p.Grid != nil {
		a.Files[routeName] = p.writeRoute
	}
	if len(p.Private) == 0 {
		return a
	}
	losses := table.Plain{Lead: 1, Headings: []string{"epsilon", "sigma", "value", "value lost", "largest regret"}}
	for _, own := range p.Private {
		sigma := "-"
		if own.Sigma > 0 {
			sigma = fmt.Sprintf("%.4g", own.Sigma)
		}
		losses.Rows = append(losses.Rows, []string{configs.EpsilonText(own.Epsilon), sigma,
			fmt.Sprintf("%.6g", own.Cost.Private), p.lost(&own),
			fmt.Sprintf("%.4g", certain(slices.Max(own.Regret[:p.Listed]), own.RegretBound))})
	}
	a.Table, a.More = losses, []table.Section{{Text: "\n", Table: states, Full: true}}
	a.Notes = []string{fmt.Sprintf("One draw of noise, %sadjacency %g, mechanism %s.", p.delta,
		p.Settings.Privacy.Adjacency, p.mechanism)}
	return a
}

// words returns the value of the optimal policy, and what privacy costs at the first and at the last epsilon.
func (p *PlanSet) words() string {
	text := fmt.Sprintf("The optimal policy of %s is worth %.10g from state %s, certified to %.2g (%s, %s, discount %g).",
		p.Name, p.Optimal.Value[p.Start], p.States.Of(p.Start), p.Optimal.Bound, table.Count(p.Listed, "state"),
		table.Count(p.Law.Actions(), "action"), p.Discount)
	if len(p.Private) == 0 {
		return text
	}
	at := func(own *cost.Plan) string { return p.lost(own) + " at epsilon " + configs.EpsilonText(own.Epsilon) }
	text += " The value lost to privacy is " + at(&p.Private[0])
	if last := len(p.Private) - 1; last > 0 {
		text += " and " + at(&p.Private[last])
	}
	return text + " in this draw of noise."
}

// lost returns the share of the value at the start that a private plan loses.
func (p *PlanSet) lost(own *cost.Plan) string {
	return phrase.Percent(certain(own.Cost.Absolute, own.RegretBound) / math.Abs(p.Optimal.Value[p.Start]))
}

// stateColumns returns the columns of the actions and values in every state.
func (p *PlanSet) stateColumns() []table.Column[int] {
	columns := []table.Column[int]{
		{Heading: "state", Lead: true, Text: func(s *int) string { return p.States.Of(*s) }},
		{Heading: "action", Text: func(s *int) string { return p.Actions.Of(int(p.Optimal.Policy[*s])) }},
		{Heading: "value", Format: "%.6g", Value: func(s *int) float64 {
			return certain(p.Optimal.Value[*s], p.Optimal.Bound)
		}},
	}
	for _, own := range p.Private {
		columns = append(columns,
			table.Column[int]{Heading: fmt.Sprintf("private at %g", own.Epsilon),
				Text: func(s *int) string { return p.Actions.Of(int(own.Policy[*s])) }},
			table.Column[int]{Heading: "regret", Beside: true, Format: "%.4g",
				Value: func(s *int) float64 { return certain(own.Regret[*s], own.RegretBound) }})
	}
	return columns
}

// certain returns a number, or 0 if its certified error allows that: people read 0, files have the number.
func certain(x, bound float64) float64 {
	if math.Abs(x) <= bound {
		return 0
	}
	return x
}

// suffix returns the end of the name of a column of a private plan, if there are several.
func (p *PlanSet) suffix(own *cost.Plan) string {
	if len(p.Private) == 1 {
		return ""
	}
	return fmt.Sprintf("_%g", own.Epsilon)
}

// writeRows writes a file as CSV. With private plans it has a last column, in whose first row stands that the noise is
// for simulation.
func (p *PlanSet) writeRows(to io.Writer, header []string, rows iter.Seq[[]string]) error {
	w := csv.NewWriter(to)
	notices := []string{"notice", privacy.SimulationNotice, ""} // of the header, of the first row and of all further ones
	write := func(row []string) {
		if len(p.Private) > 0 {
			row = append(row, notices[0])
			notices = notices[min(1, len(notices)-1):]
		}
		w.Write(row) // Error reports its errors
	}
	write(header)
	for row := range rows {
		write(row)
	}
	w.Flush()
	return w.Error()
}

// number writes a number with all its digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteCSV writes a row per state: state, action, value, and the action and regret of every private plan.
func (p *PlanSet) WriteCSV(to io.Writer) error {
	header := []string{"state", "action", "value"}
	for i := range p.Private {
		end := p.suffix(&p.Private[i])
		header = append(header, "private_action"+end, "regret"+end)
	}
	return p.writeRows(to, header, func(yield func([]string) bool) {
		var row []string
		for s := range p.Listed {
			row = append(row[:0], p.States.Of(s), p.Actions.Of(int(p.Optimal.Policy[s])), number(p.Optimal.Value[s]))
			for _, own := range p.Private {
				row = append(row, p.Actions.Of(int(own.Policy[s])), number(own.Regret[s]))
			}
			if !yield(row) {
				return
			}
		}
	})
}

// writeRewards writes a row for every state and each of its actions: the reward, and for every private plan the private
// reward, or the probability of the action in a stochastic plan. A plan with neither has no column.
func (p *PlanSet) writeRewards(to io.Writer) error {
	header, columns := []string{"state", "action", "reward"}, [][]float64{p.Rewards.Joint}
	for i := range p.Private {
		own := &p.Private[i]
		if len(own.Reward) > 0 {
			header, columns = append(header, "private_reward"+p.suffix(own)), append(columns, own.Reward)
		}
		if len(own.Stochastic) > 0 {
			header, columns = append(header, "private_probability"+p.suffix(own)), append(columns, own.Stochastic)
		}
	}
	return p.writeRows(to, header, func(yield func([]string) bool) {
		var row []string
		actions := p.Law.Actions()
		for at := range p.Listed * actions {
			if math.IsInf(p.Rewards.Joint[at], -1) {
				continue
			}
			row = append(row[:0], p.States.Of(at/actions), p.Actions.Of(at%actions))
			for _, values := range columns {
				row = append(row, number(values[at]))
			}
			if !yield(row) {
				return
			}
		}
	})
}

// writeRoute writes the waypoints of the policies from the start until a policy stays or returns to a waypoint.
func (p *PlanSet) writeRoute(to io.Writer) error {
	names, policies := []string{"optimal"}, [][]int32{p.Optimal.Policy}
	for _, own := range p.Private {
		names, policies = append(names, fmt.Sprintf("epsilon %g", own.Epsilon)), append(policies, own.Policy)
	}
	header := strings.Split("policy,step,state,column,row,east_km,north_km,action", ",")
	return p.writeRows(to, header, func(yield func([]string) bool) {
		for i, policy := range policies {
			route := planner.Route{Grid: p.Grid, Policy: policy}
			seen := map[int]bool{}
			at := route.First()
			for step := 0; ; step++ {
				cell, position := p.Grid.Cell(at), route.Position(at)
				if !yield([]string{names[i], fmt.Sprint(step), fmt.Sprint(at), fmt.Sprint(cell.Column), fmt.Sprint(cell.Row),
					number(position.X), number(position.Y), p.Actions.Of(int(policy[at]))}) {
					return
				}
				next := route.Next(step, at)
				if seen[at] || next == at {
					break
				}
				seen[at], at = true, next
			}
		}
	})
}
