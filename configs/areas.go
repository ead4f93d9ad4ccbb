package configs

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// areas holds the lists of cells, [column, row], and of rectangles, [column, row, column, row].
type areas struct{}

// mostAreas is how many areas may be kept out of.
const mostAreas = 10_000

var corners = list{form: "[column, row] or [column, row, column, row]", each: whole{0, 999}, low: 2, high: 4}

func (areas) name() string { return "list" }

func (areas) String() string {
	return fmt.Sprintf("[], or cells and rectangles as [[3, 4], [5, 0, 6, 9]], each %s", corners)
}

func (areas) parse(n *yaml.Node) (any, string) {
	value, problem := list{each: corners, high: mostAreas}.parse(n)
	if problem != "" {
		return nil, problem
	}
	i := slices.IndexFunc(value.([]any), func(area any) bool { return len(area.([]any)) == 3 })
	if i >= 0 {
		return nil, element(i, nodeText(n.Content[i]), "neither a cell nor two corners")
	}
	return value, ""
}

// misplacedAreas finds areas and goals outside the grid, and goals and starts that are kept out of.
func (c Config) misplacedAreas() []finding {
	p := c.Planner
	found := finding{
		allowed: fmt.Sprintf("columns 0 to %d, rows 0 to %d", p.Columns-1, p.Rows-1),
		fix:     "move it, or enlarge planner.columns and planner.rows",
	}
	outside := func(column, row int) bool { return column >= p.Columns || row >= p.Rows }
	for _, a := range p.KeepOut {
		if outside(a[0], a[1]) || outside(a[len(a)-2], a[len(a)-1]) {
			found.keys = []string{"planner.keep_out", "planner.columns", "planner.rows"}
			found.problem = fmt.Sprintf("the area %v reaches outside the grid", a)
			return []finding{found}
		}
	}
	for _, g := range p.Goals {
		if g == p.StartCell {
			return []finding{{keys: []string{"planner.goals", "planner.start_cell"},
				problem: fmt.Sprintf("the goal %v is the start, so there is nothing to plan", g),
				allowed: "cells other than planner.start_cell", fix: "move the goal"}}
		}
		if outside(g[0], g[1]) {
			found.keys = []string{"planner.goals", "planner.columns", "planner.rows"}
			found.problem = fmt.Sprintf("the goal %v is outside the grid", g)
			return []finding{found}
		}
	}
	return nil
}
