package configs

import (
	"fmt"
	"math"

	"veilpath/planner/paper"
)

// teamReward holds the rewards of an example, wider than any sensible one.
var teamReward = from(-1e6, 1e6)

// teams are the rows of the schema for the paper's Examples 1 and 2. No flight depends on them. The paper
// leaves part of them unsaid; the defaults come nearest to its figures.
var teams = []Field{
	{Key: "example1.agents", Unit: "agents", Source: Paper, Indifferent: true,
		domain: list{form: "different numbers as [2, 4], 2,4 or start:stop:step", each: whole{1, 9}, low: 1, high: 9,
			ranges: true},
		Meaning: "Team sizes of Example 1, one point of its figure each. A team of N has 2^N states and 2^N actions."},
	{Key: "example1.obedience", Unit: "probability", Source: Ours, domain: from(0, 1), Indifferent: true,
		Meaning: "Probability p that an action does what it says: a keeps the state, b leaves it. The paper does not state " +
			"it. With the discount it was chosen so that the published cost of input perturbation comes out: 0.91 with 0.99 " +
			"fits as well as 0.92 with 0.95."},
	{Key: "example1.discount", Unit: "1", Source: Ours, domain: inside, Indifferent: true,
		Meaning: "Discount gamma of future rewards in Example 1, which the paper does not state; see example1.obedience."},
	{Key: "example1.goal_reward", Unit: "reward", Source: Paper, domain: teamReward, Indifferent: true,
		Meaning: "What every agent earns when all are in state 1 and it takes action a."},
	{Key: "example1.other_reward", Unit: "reward", Source: Paper, domain: teamReward, Indifferent: true,
		Meaning: "What every agent earns otherwise."},

	{Key: "example2.columns", Unit: "cells", Source: Paper, domain: whole{1, 32}, Indifferent: true,
		Meaning: "Cells of the gridworld from left to right. Cells are numbered row by row from the top left, where the " +
			"goal is."},
	{Key: "example2.rows", Unit: "cells", Source: Paper, domain: whole{1, 32}, Indifferent: true,
		Meaning: "Cells of the gridworld from top to bottom."},
	{Key: "example2.slip_model", Source: Ours, domain: choice(paper.SlipNames()), Indifferent: true,
		Meaning: "Where an agent that slips ends up; the paper only says in a state not commanded by the action. Shared by " +
			"the outcomes of the other-actions, by the other-neighbours of its cell, and so on; each-... gives every one of " +
			"them the whole probability."},
	{Key: "example2.slip", Unit: "probability", Source: Paper, domain: share, Indifferent: true,
		Meaning: "Probability that an agent slips."},
	{Key: "example2.discount", Unit: "1", Source: Ours, domain: inside, Indifferent: true,
		Meaning: "Discount gamma of future rewards in Example 2, which the paper does not state. 0.85 comes nearest to the " +
			"four published curves together; the published number of iterations needs 0.99."},
	{Key: "example2.goal_rewards", Unit: "reward", Source: Paper, Indifferent: true,
		domain:  list{form: "different numbers as [5, 50]", each: teamReward, low: 1, high: 8, ranges: true},
		Meaning: "What every agent earns for staying in cell 0 while all are there: the paper's two cases."},
	{Key: "example2.other_reward", Unit: "reward", Source: Paper, domain: teamReward, Indifferent: true,
		Meaning: "What every agent earns otherwise."},
	{Key: "example2.start_cells", Unit: "1", Source: Ours, Indifferent: true,
		domain: list{form: "the cells as [0, 15], one per agent", each: whole{0, 1023}, low: 1, high: 3},
		Meaning: "Where the agents start, one cell each, which also says how many there are. The paper has two agents and " +
			"does not say where they start; cells 0 and 15 come nearest to its curves."},
}

// mostEntries is how many entries the joint reward of a team may have: a solver visits each in every sweep, and
// a few agents on a large grid would keep it busy for days.
const mostEntries = 2_000_000

// crowdedTeam finds gridworlds whose team has too many joint states and actions.
func (c Config) crowdedTeam() []finding {
	const actions = 5 // of each agent
	entries := math.Pow(float64(actions*c.Example2.Columns*c.Example2.Rows), float64(len(c.Example2.StartCells)))
	if entries <= mostEntries {
		return nil
	}
	return []finding{{
		keys: []string{"example2.start_cells", "example2.columns", "example2.rows"},
		problem: fmt.Sprintf("the joint reward of %d agents on %d cells has %.3g entries", len(c.Example2.StartCells),
			c.Example2.Columns*c.Example2.Rows, entries),
		allowed: fmt.Sprintf("at most %d entries, (5 * cells)^agents", mostEntries),
		fix:     "take fewer agents or a smaller grid",
	}}
}

// misplacedAgents finds start cells outside the gridworld.
func (c Config) misplacedAgents() []finding {
	cells := c.Example2.Columns * c.Example2.Rows
	for _, cell := range c.Example2.StartCells {
		if cell >= cells {
			return []finding{{
				keys:    []string{"example2.start_cells", "example2.columns", "example2.rows"},
				problem: fmt.Sprintf("cell %d is outside the gridworld", cell),
				allowed: fmt.Sprintf("cells 0 to %d", cells-1),
				fix:     "move example2.start_cells or enlarge example2.columns and example2.rows",
			}}
		}
	}
	return nil
}
