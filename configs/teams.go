package configs

import (
	"fmt"
	"math"

	"veilpath/planner/paper"
)

// teamReward accepts the rewards of an example; it is wider than any sensible value.
var teamReward = between(-1e6, 1e6)

// teams are the rows of the schema for the paper's Examples 1 and 2. No flight depends on them. The paper does
// not state all of them; the defaults come nearest to its figures.
var teams = []Field{
	{Key: "example1.agents", Unit: "agents", Source: Paper, Unhashed: true,
		domain: distinct("different numbers as [2, 4], 2,4 or start:stop:step", whole(1, 9), 1, 9)},
	{Key: "example1.obedience", Unit: "probability", Source: Ours, domain: between(0, 1), Unhashed: true},
	{Key: "example1.discount", Unit: "1", Source: Ours, domain: openUnit, Unhashed: true},
	{Key: "example1.goal_reward", Unit: "reward", Source: Paper, domain: teamReward, Unhashed: true},
	{Key: "example1.other_reward", Unit: "reward", Source: Paper, domain: teamReward, Unhashed: true},

	{Key: "example2.columns", Unit: "cells", Source: Paper, domain: whole(1, 32), Unhashed: true},
	{Key: "example2.rows", Unit: "cells", Source: Paper, domain: whole(1, 32), Unhashed: true},
	{Key: "example2.slip_model", Source: Ours, domain: choice(paper.SlipNames()...), Unhashed: true},
	{Key: "example2.slip", Unit: "probability", Source: Paper, domain: probability, Unhashed: true},
	{Key: "example2.discount", Unit: "1", Source: Ours, domain: openUnit, Unhashed: true},
	{Key: "example2.goal_rewards", Unit: "reward", Source: Paper, Unhashed: true,
		domain: distinct("different numbers as [5, 50]", teamReward, 1, 8)},
	{Key: "example2.other_reward", Unit: "reward", Source: Paper, domain: teamReward, Unhashed: true},
	{Key: "example2.start_cells", Unit: "1", Source: Ours, Unhashed: true,
		domain: list("the cells as [0, 15], one per agent", whole(0, 1023), 1, 3)},
}

// maxEntries is the largest number of entries of a team's joint reward: a solver visits each in every sweep, so
// a few agents on a large grid would take days.
const maxEntries = 2_000_000

// oversizedTeam finds gridworlds whose team has too many joint states and actions.
func (c Config) oversizedTeam() []finding {
	const actions = 5 // of each agent
	entries := math.Pow(float64(actions*c.Example2.Columns*c.Example2.Rows), float64(len(c.Example2.StartCells)))
	if entries <= maxEntries {
		return nil
	}
	return conflict(fmt.Sprintf("the joint reward of %d agents on %d cells has %.3g entries", len(c.Example2.StartCells),
		c.Example2.Columns*c.Example2.Rows, entries), fmt.Sprintf("at most %d entries, (5 * cells)^agents", maxEntries),
		"take fewer agents or a smaller grid", "example2.start_cells", "example2.columns", "example2.rows")
}

// agentsOffGrid finds start cells outside the gridworld.
func (c Config) agentsOffGrid() []finding {
	cells := c.Example2.Columns * c.Example2.Rows
	for _, cell := range c.Example2.StartCells {
		if cell >= cells {
			return conflict(fmt.Sprintf("cell %d is outside the gridworld", cell), fmt.Sprintf("cells 0 to %d", cells-1),
				"move example2.start_cells or enlarge example2.columns and example2.rows",
				"example2.start_cells", "example2.columns", "example2.rows")
		}
	}
	return nil
}
