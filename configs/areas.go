package configs

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// maxAreas is the largest number of keep-out areas.
const maxAreas = 10_000

// areas accepts lists of cells, [column, row], and of rectangles, [column, row, column, row].
var areas = func() domain {
	corners := list("[column, row] or [column, row, column, row]", whole(0, 999), 2, 4)
	d := list("[], or cells and rectangles as [[3, 4], [5, 0, 6, 9]]", corners, 0, maxAreas)
	parse := d.parse
	d.parse = func(n *yaml.Node) (any, string) {
		value, problem := parse(n)
		if problem != "" {
			return nil, problem
		}
		i := slices.IndexFunc(value.([]any), func(area any) bool { return len(area.([]any)) == 3 })
		if i >= 0 {
			return nil, element(i, nodeText(n.Content[i]), "neither a cell nor two corners")
		}
		return value, ""
	}
	return d
}()

// areasOffGrid finds areas and goals outside the grid, and goals at the start.
func (c Config) areasOffGrid() []finding {
	p := c.Planner
	outside := func(cells []int, key, name string) []finding {
		for i := 0; i < len(cells); i += 2 {
			if cells[i] >= p.Columns || cells[i+1] >= p.Rows {
				return conflict(fmt.Sprintf(name, cells), p.cells(), "move it, or enlarge planner.columns and planner.rows",
					key, "planner.columns", "planner.rows")
			}
		}
		return nil
	}
	for _, a := range p.KeepOut {
		if found := outside(a, "planner.keep_out", "the area %v reaches outside the grid"); found != nil {
			return found
		}
	}
	for _, g := range p.Goals {
		if g == p.StartCell {
			return conflict(fmt.Sprintf("the goal %v is the start, so there is nothing to plan", g),
				"cells other than planner.start_cell", "move the goal", "planner.goals", "planner.start_cell")
		}
		if found := outside(g[:], "planner.goals", "the goal %v is outside the grid"); found != nil {
			return found
		}
	}
	for _, g := range c.Deception.Bogus {
		if found := outside(g[:], "deception.bogus", "the bogus goal %v is outside the grid"); found != nil {
			return found
		}
	}
	return nil
}
