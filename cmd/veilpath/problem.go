package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/planner/reward"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// protected is rewards to be protected and the discount they are planned with.
type protected struct {
	name     string
	shape    privacy.Shape
	rewards  [][]float64 // one table per agent
	discount float64     // 0 when unknown
	mission  *mission    // nil unless the rewards are those of a goal
}

// mission is how the rewards follow from a goal.
type mission struct {
	grid       *planner.Grid
	weight     float64 // reward lost per spacing of distance to the goal
	candidates []int   // goals that are possible for an observer of the start
}

// tableHelp explains the files that readTable reads.
const tableHelp = `A reward table is CSV, with commas or semicolons. Either its header names the columns state, action, reward
and, for several agents, agent; or it has one row per state and one column per action, under a header of state
and the names of the actions, or without any. Other columns are refused, and so are headings with digits,
which may be rewards.`

// addHeaderFlag adds the flag that readTable's header is.
func addHeaderFlag(cmd *cobra.Command, header *bool) {
	cmd.Flags().BoolVar(header, "header", false, "the first row of the rewards names the actions, without a column of states")
}

// readTable reads a reward table from a file. The error tells no reward. It gives up when the context is done: a
// pipe may have nothing to read for as long as it likes.
func (a *app) readTable(ctx context.Context, path string, header bool) (*reward.Table, error) {
	var table *reward.Table
	err := terminal.Interruptible(ctx, func() (err error) {
		table, err = a.openTable(path, header)
		return err
	})
	if err != nil && ctx.Err() == nil {
		return nil, usageError{err}
	}
	return table, err
}

func (a *app) openTable(path string, header bool) (*reward.Table, error) {
	file, err := a.disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return nil, fmt.Errorf("%s cannot be read: %w; name a CSV file of rewards", path, err)
	}
	defer file.Close()
	choice := reward.KnownHeader
	if header {
		choice = reward.FirstRowIsHeader
	}
	table, err := reward.Read(file, choice)
	if errors.Is(err, reward.ErrNoHeader) {
		err = fmt.Errorf("%w; if it names actions, add --header", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// tableProblem takes the rewards of a file as the problem.
func (a *app) tableProblem(ctx context.Context, path string, header bool) (*protected, error) {
	table, err := a.readTable(ctx, path, header)
	if err != nil {
		return nil, err
	}
	shape, err := privacy.NewShape(len(table.States), table.Actions())
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return &protected{name: path, shape: shape, rewards: table.Values}, nil
}

// configuredProblem builds the problem that the settings name. agents is the team size of Example 1, and
// goal which of Example 2's rewards at the goal.
func configuredProblem(c configs.Config, agents int, goal float64) (*protected, error) {
	var name string
	var p *planner.Problem
	var m *mission
	var err error
	switch c.Problem {
	case configs.TwoState:
		name = fmt.Sprintf("Example 1, %d agents", agents)
		p, err = setup.TwoStateTeam(c, agents).Problem(c.Example1.Discount)
	case configs.Gridworld:
		name = fmt.Sprintf("Example 2, %d agents, reward %g at the goal", len(c.Example2.StartCells), goal)
		p, err = setup.Gridworld(c, goal).Problem(c.Example2.Discount, c.Example2.StartCells)
	default:
		name = fmt.Sprintf("Example 3, %d x %d waypoints", c.Planner.Columns, c.Planner.Rows)
		var e *study.Experiment
		if e, err = setup.Experiment(c); err == nil {
			p = e.Mission.Problem
			m = &mission{e.Mission.Grid, c.Planner.RewardWeight, e.Mission.Grid.FarFromStart(c.Privacy.HandoverKm)}
		}
	}
	if err != nil {
		return nil, err
	}
	return &protected{name, p.Rewards.Shape, p.Rewards.Tables, p.Discount, m}, nil
}
