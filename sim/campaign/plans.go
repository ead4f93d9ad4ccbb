package campaign

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

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

// cells returns the names of states and actions as cells of CSV.
func (p *PlanSet) cells() (states, actions problem.Names) {
	const special = ",\"\n\r"
	return p.States.Quoted(special), p.Actions.Quoted(special)
}

// notices returns the last cells of the lines of a file, each after a comma: a heading, the notice that the noise is
// for simulation, and then nothing. Without private plans a file has no such cells.
func (p *PlanSet) notices() func() string {
	cells := []string{",notice", "," + privacy.SimulationNotice}
	return func() string {
		switch {
		case len(p.Private) == 0:
			return ""
		case len(cells) == 0:
			return ","
		}
		cell := cells[0]
		cells = cells[1:]
		return cell
	}
}

func appendNumber(to []byte, x float64) []byte { return strconv.AppendFloat(to, x, 'g', -1, 64) }

// WriteCSV writes a row per state: state, action, value, and the action and regret of every private plan.
func (p *PlanSet) WriteCSV(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	w.WriteString("state,action,value")
	for _, own := range p.Private {
		of := ""
		if len(p.Private) > 1 {
			of = fmt.Sprintf("_%g", own.Epsilon)
		}
		fmt.Fprintf(w, ",private_action%s,regret%s", of, of)
	}
	notice := p.notices()
	w.WriteString(notice() + "\n")
	var line []byte
	states, actions := p.cells()
	for s := range p.Listed {
		line = append(states.Append(line[:0], s), ',')
		line = append(actions.Append(line, int(p.Optimal.Policy[s])), ',')
		line = appendNumber(line, p.Optimal.Value[s])
		for _, own := range p.Private {
			line = append(actions.Append(append(line, ','), int(own.Policy[s])), ',')
			line = appendNumber(line, own.Regret[s])
		}
		w.Write(append(append(line, notice()...), '\n'))
	}
	return w.Flush()
}

// writeRewards writes a row for every state and each of its actions: the reward, and for every private plan the private
// reward, or the probability of the action in a stochastic plan. A plan with neither has no column.
func (p *PlanSet) writeRewards(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	w.WriteString("state,action,reward")
	var columns [][]float64
	for _, own := range p.Private {
		for _, c := range []struct {
			name   string
			values []float64
		}{{"reward", own.Reward}, {"probability", own.Stochastic}} {
			if len(c.values) == 0 {
				continue
			}
			columns = append(columns, c.values)
			w.WriteString(",private_" + c.name)
			if len(p.Private) > 1 {
				fmt.Fprintf(w, "_%g", own.Epsilon)
			}
		}
	}
	notice := p.notices()
	w.WriteString(notice() + "\n")
	joint, actions := p.Rewards.Joint, p.Law.Actions()
	var line []byte
	states, names := p.cells()
	for s := range p.Listed {
		for action := range actions {
			at := s*actions + action
			if math.IsInf(joint[at], -1) {
				continue
			}
			line = append(states.Append(line[:0], s), ',')
			line = append(names.Append(line, action), ',')
			line = appendNumber(line, joint[at])
			for _, values := range columns {
				line = appendNumber(append(line, ','), values[at])
			}
			w.Write(append(append(line, notice()...), '\n'))
		}
	}
	return w.Flush()
}

// writeRoute writes the waypoints of the policies from the start until a policy stays or returns to a waypoint.
func (p *PlanSet) writeRoute(to io.Writer) error {
	w := bufio.NewWriter(to)
	notice := p.notices()
	fmt.Fprintln(w, "policy,step,state,column,row,east_km,north_km,action"+notice())
	write := func(name string, policy []int32) {
		route := planner.Route{Grid: p.Grid, Policy: policy}
		seen := map[int]bool{}
		at := route.First()
		for step := 0; ; step++ {
			cell, position := p.Grid.Cell(at), route.Position(at)
			fmt.Fprintf(w, "%s,%d,%d,%d,%d,%g,%g,%s%s\n", name, step, at, cell.Column, cell.Row, position.X, position.Y,
				p.Actions.Of(int(policy[at])), notice())
			if seen[at] {
				return
			}
			seen[at] = true
			next := route.Next(step, at)
			if next == at {
				return
			}
			at = next
		}
	}
	write("optimal", p.Optimal.Policy)
	for _, own := range p.Private {
		write(fmt.Sprintf("epsilon %g", own.Epsilon), own.Policy)
	}
	return w.Flush()
}
