package configs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"veilpath/planner"
)

// Names of the sets of cells that an observer of the goal considers possible.
const (
	allCells = "all"
	farCells = "far" // at least the hand-over distance from the start
)

// Candidates are the goals that an observer considers possible: a list of cells, or all cells of a ring.
type Candidates struct {
	Cells []planner.Cell // listed; nil for a ring

	FromStartKm float64 // of a ring: smallest distance from the start; NaN for the hand-over distance
	OfTargetKm  float64 // of a ring: largest distance from the target; +Inf for any
}

// ParseCandidates reads all, far, "beyond KM" (of the start), "within KM" (of the target), or cells as in 16:11,3:4.
func ParseCandidates(text string) (Candidates, error) {
	c := Candidates{OfTargetKm: math.Inf(1)}
	var err error
	switch {
	case text == allCells:
	case text == farCells:
		c.FromStartKm = math.NaN()
	case strings.HasPrefix(text, "beyond "):
		c.FromStartKm, err = kilometres(text[len("beyond "):])
	case strings.HasPrefix(text, "within "):
		c.OfTargetKm, err = kilometres(text[len("within "):])
	default:
		c.Cells, err = parseCells(text)
	}
	return c, err
}

// kilometres reads a distance, with or without its unit.
func kilometres(text string) (float64, error) {
	km, err := ParseNumber(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "km")))
	if err != nil || !(km >= 0 && km <= maxKm) {
		return 0, fmt.Errorf("%s is not a distance from 0 to %s km", strings.TrimSpace(text), plainNumber(maxKm))
	}
	return km, nil
}

// parseCells reads column:row,column:row.
func parseCells(text string) ([]planner.Cell, error) {
	var cells []planner.Cell
	for item := range strings.SplitSeq(strings.Trim(text, "[]"), ",") {
		column, row, _ := strings.Cut(strings.TrimSpace(item), ":")
		c, errColumn := strconv.ParseUint(column, 10, 15)
		r, errRow := strconv.ParseUint(row, 10, 15)
		if errColumn != nil || errRow != nil {
			return nil, fmt.Errorf("%q is not a cell column:row", item)
		}
		cell := planner.Cell{Column: int(c), Row: int(r)}
		if slices.Contains(cells, cell) {
			return nil, fmt.Errorf("cell %d:%d occurs twice", c, r)
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// ParseWeights reads uniform, which returns nil, or the weights of the candidates in their order.
func ParseWeights(text string) ([]float64, error) {
	if text == Uniform {
		return nil, nil
	}
	var weights []float64
	for item := range strings.SplitSeq(strings.Trim(text, "[]"), ",") {
		w, err := ParseNumber(strings.TrimSpace(item))
		if err != nil || !(w >= 0) {
			return nil, fmt.Errorf("%q is not a weight of 0 or more", item)
		}
		weights = append(weights, w)
	}
	return weights, nil
}

// textOf accepts the texts that read accepts.
func textOf[T any](allowed string, read func(string) (T, error)) domain {
	return domain{allowed: allowed, parse: func(n *yaml.Node) (any, string) {
		text := nodeText(n)
		if n.Kind == yaml.ScalarNode {
			var problem string
			if text, problem = wordText(n); problem != "" {
				return nil, problem
			}
		} else if n.Kind != yaml.SequenceNode {
			return nil, "not text"
		}
		text = strings.ReplaceAll(strings.Trim(text, "[]"), ", ", ",")
		if _, err := read(text); err != nil {
			return nil, err.Error()
		}
		return text, ""
	}}
}

// The domains of the candidates and of their weights.
var (
	candidates = textOf("all, far, beyond KM (of the start), within KM (of the target), or at least two "+
		"cells as in 16:11,3:4", func(text string) (Candidates, error) {
		c, err := ParseCandidates(text)
		if err == nil && len(c.Cells) == 1 {
			err = fmt.Errorf("a single goal is no secret")
		}
		return c, err
	})
	weights = textOf("uniform, or weights of 0 or more as in 3,0,1, one for each candidate", ParseWeights)
)
