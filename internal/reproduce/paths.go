package reproduce

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// The random grids on which deceptive paths are checked, and the share of their cells that are walls.
const (
	pathGrids = 100
	pathSide  = 14
	pathWalls = 0.15
	pathBogus = 3
)

// pathShares are the shares of a path at which the program of Masters and Sardina says whether it deceives, in percent.
var pathShares = []int{10, 25, 50, 75, 90, 99}

// strategies are the deceptive paths of the paper.
var strategies = []string{"pi_d1", "pi_d2", "pi_d3", "pi_d4"}

// pathCounts is what was found on the grids.
type pathCounts struct {
	held          int         // grids in which no waypoint deceives within the radius of maximum probability
	reached       int         // in which the last deceptive point lies less than a diagonal move farther out
	larger        int         // in which the radius from the nearest bogus goal is larger
	contradicted  int         // in which a waypoint deceives within that
	dense         [2]int      // by pi_d1 and pi_d4: in which all waypoints up to the last deceptive point deceive
	dearer        int         // in which pi_d4 costs more than pi_d1
	deceive       [][]int     // by strategy and share: paths that deceive there
	costs, points [][]float64 // by strategy: cost over that of the cheapest path, share of the path up to the last point
}

// deceptivePaths checks what can be read of Masters and Sardina on random grids, and measures their strategies as their
// program does.
func (b *bench) deceptivePaths(result *Result) (Finding, error) {
	f := newFinding("others.paths", "strategy", "cost over the cheapest", "last deceptive point at (%)")
	for _, share := range pathShares {
		f.Header = append(f.Header, fmt.Sprintf("at %d %%", share))
	}
	c := pathCounts{deceive: make([][]int, len(strategies)), costs: make([][]float64, len(strategies)),
		points: make([][]float64, len(strategies))}
	for i := range strategies {
		c.deceive[i] = make([]int, len(pathShares))
	}
	noise := b.noise(purposePaths, 0)
	for made := 0; made < pathGrids; {
		g, err := newPathGrid(noise)
		if err != nil {
			return f, err
		}
		if g == nil {
			continue
		}
		made++
		if err := c.add(g); err != nil {
			return f, err
		}
	}
	for i, name := range strategies {
		row := []string{name, fmt.Sprintf("%.3f", meanOf(c.costs[i]).Mean), fmt.Sprintf("%.1f", 100*meanOf(c.points[i]).Mean)}
		for k := range pathShares {
			row = append(row, fmt.Sprintf("%d %%", c.deceive[i][k]*100/pathGrids))
		}
		f.Rows = append(f.Rows, row)
	}
	c.judge(result)
	return f, nil
}

// judge adds the verdicts.
func (c *pathCounts) judge(result *Result) {
	result.state("Masters and Sardina 2017",
		Statement{Says: "A formula gives the optimal last deceptive point (abstract): the radius of maximum probability.",
			Verdict: verdictOf(c.held == pathGrids && c.reached == pathGrids),
			Why: fmt.Sprintf("On %d of %d random grids no waypoint within the radius deceives, and on %d the last one that "+
				"deceives is at most one move farther out.", c.held, pathGrids, c.reached)},
		Statement{Says: "The radius is that of the bogus goal that is nearest to the true one (their program).",
			Verdict: verdictOf(c.larger == 0),
			Why: fmt.Sprintf("On %d of %d grids another bogus goal has a smaller radius, and on %d a waypoint within theirs "+
				"deceives.", c.larger, pathGrids, c.contradicted)},
		Statement{Says: "pi_d1 and pi_d4 have the maximum deceptive density (caption of figure 3, as a review quotes it).",
			Verdict: verdictOf(c.dense[0] == pathGrids && c.dense[1] == pathGrids),
			Why: fmt.Sprintf("All waypoints up to the last deceptive point deceive on %d and %d of %d grids.", c.dense[0],
				c.dense[1], pathGrids)},
		Statement{Says: "Of the two, pi_d4 costs the least (the same caption).", Verdict: verdictOf(c.dearer == 0),
			Why: fmt.Sprintf("It costs more than pi_d1 on %d of %d grids.", c.dearer, pathGrids)},
		Statement{Says: "All numbers of its tables.", Verdict: Unknown,
			Why: "The copy that could be read ends in the introduction, and the problems of its tables are not published: " +
				"their program comes with eight samples."})
}

// pathGrid is a grid with bogus goals.
type pathGrid struct {
	mission     *planner.Mission
	bogus       []planner.Cell
	states      []int // of those
	recognition *deception.Recognition
	left        []float64 // cost of the cheapest path to the true goal, by state
}

// newPathGrid draws a grid, nil if its goals are not all apart and connected.
func newPathGrid(noise *privacy.Noise) (*pathGrid, error) {
	cell := func() planner.Cell {
		return planner.Cell{Column: int(pathSide * noise.Uniform()), Row: int(pathSide * noise.Uniform())}
	}
	start, goal := cell(), cell()
	g := &pathGrid{}
	for range pathBogus {
		g.bogus = append(g.bogus, cell())
	}
	ends := append([]planner.Cell{start, goal}, g.bogus...)
	for i, c := range ends {
		if slices.Contains(ends[:i], c) {
			return nil, nil
		}
	}
	spec := planner.Spec{Columns: pathSide, Rows: pathSide, SpacingKm: 1, StartCell: start, Moves: planner.EightMoves,
		RewardWeight: 1, Discount: 0.9, Tolerance: lawTolerance}
	for state := range pathSide * pathSide {
		c := planner.Cell{Column: state % pathSide, Row: state / pathSide}
		if noise.Uniform() < pathWalls && !slices.Contains(ends, c) {
			spec.KeepOut = append(spec.KeepOut, planner.Area{From: c, To: c})
		}
	}
	target := r3.Vec{X: float64(goal.Column - start.Column), Y: float64(goal.Row - start.Row)}
	grid, err := spec.Grid(r3.Vec{}, target)
	var cut *planner.CutOffError
	if errors.As(err, &cut) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	costs := grid.PathCosts(1)
	for _, c := range append(g.bogus, start) {
		if math.IsInf(costs[grid.State(c)], 1) {
			return nil, nil
		}
	}
	if g.mission, err = planner.NewMission(spec, r3.Vec{}, target); err != nil {
		return nil, err
	}
	for _, c := range g.bogus {
		g.states = append(g.states, grid.State(c))
	}
	g.left, g.recognition = costs, deception.NewRecognition(g.mission.Grid, g.states)
	return g, nil
}

// rounding is that of sums of costs.
const rounding = 1e-9

// add adds what is found on a grid.
func (c *pathCounts) add(g *pathGrid) error {
	radius, _ := g.recognition.RadiusOfMaximumProbability(g.states)
	theirs := g.nearestRadius()
	nearest := math.Inf(1)
	for state, left := range g.left {
		if !g.mission.Grid.KeptOut(state) && !math.IsInf(left, 1) && g.recognition.Deceives(state) {
			nearest = min(nearest, left)
		}
	}
	count := func(n *int, holds bool) {
		if holds {
			*n++
		}
	}
	count(&c.held, nearest >= radius-rounding)
	count(&c.reached, nearest <= radius+math.Sqrt2+rounding)
	count(&c.larger, theirs > radius+rounding)
	count(&c.contradicted, nearest < theirs-rounding)
	var lengths []float64
	for i, name := range strategies {
		path, err := g.path(name)
		if err != nil {
			return err
		}
		length, last, dense := g.walk(path)
		lengths = append(lengths, length)
		c.costs[i] = append(c.costs[i], length/g.left[g.mission.Grid.Start])
		c.points[i] = append(c.points[i], float64(last)/float64(len(path)-1))
		for k, share := range pathShares {
			count(&c.deceive[i][k], g.recognition.Deceives(int(path[share*(len(path)-1)/100])))
		}
		if i == 0 || i == len(strategies)-1 {
			count(&c.dense[min(i, 1)], dense)
		}
	}
	count(&c.dearer, lengths[len(lengths)-1] > lengths[0]+rounding)
	return nil
}

// nearestRadius returns the radius of maximum probability of the bogus goal that is nearest to the true one, which the
// authors' program takes.
func (g *pathGrid) nearestRadius() float64 {
	nearest := slices.MinFunc(g.states, func(a, b int) int { return cmp.Compare(g.left[a], g.left[b]) })
	radius, _ := deception.NewRecognition(g.mission.Grid, []int{nearest}).RadiusOfMaximumProbability([]int{nearest})
	return radius
}

// path returns the states of a strategy's path.
func (g *pathGrid) path(name string) ([]int32, error) {
	way, err := deception.New(name, deception.Settings{Bogus: deception.Bogus{Cells: g.bogus}})
	if err != nil {
		return nil, err
	}
	p, err := planner.NewPlanner(g.mission.Solved, nil)
	if err != nil {
		return nil, err
	}
	plan, err := way.Plan(p, privacy.Guarantee{}, nil)
	return plan.Path, err
}

// walk returns the cost of a path, its last waypoint that deceives, and whether all waypoints up to there do.
func (g *pathGrid) walk(path []int32) (length float64, last int, dense bool) {
	for i, state := range path {
		if i > 0 {
			a, b := g.mission.Grid.Cell(int(path[i-1])), g.mission.Grid.Cell(int(state))
			length += math.Hypot(float64(a.Column-b.Column), float64(a.Row-b.Row))
		}
		if g.recognition.Deceives(int(state)) {
			last = i
		}
	}
	return length, last, !slices.ContainsFunc(path[:last], func(s int32) bool { return !g.recognition.Deceives(int(s)) })
}
