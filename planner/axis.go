package planner

import (
	"errors"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Axis finds how the route from the start depends on the standard deviation sigma of the noise, for one draw
// z of it: every route that is optimal for some sigma, and between which sigmas. It works in buffers of its
// own and serves one goroutine.
//
// The private reward is a line in sigma, and so is the value at the start of any route: V = u + sigma w, with
// u its value under the true reward and w under the noise. The optimal value is the largest of these lines:
// convex and piecewise linear. A route that is optimal at two sigmas is optimal between them, since its line
// touches a convex function at both ends. So the axis needs solves only near the corners (Eisner and
// Severance 1976): where the routes at the ends of an interval differ, one where their lines cross; a line
// already known there is a corner, another splits the interval. k routes take about 2k - 1 solves.
//
// Where moves are uncertain the line belongs to the policy on all states it can reach, and there are many
// more; NewAxis refuses such problems.
type Axis struct {
	planner *Planner
	solver  *mdp.Functional
	noise   []float64 // the mechanism's image of z
	silence *privacy.Rewards
	lines   []line
	used    int // of lines
	pieces  []Piece
	solves  int

	// Of the piece that is open: where it begins, and by how much its route's actions lead there.
	corner, lead float64
}

// Piece is a range of sigma on which one route is optimal.
type Piece struct {
	Low, High float64 // sigma, [Low, High); the last piece of a range includes its end
	// BlurLow and BlurHigh are how close to each end, at most, a direct plan may take another route, since the
	// values of two routes differ by less there than a plan may lose.
	BlurLow, BlurHigh float64
	// Policy is an action for every state, optimal at Found; what holds on the whole piece is its route from
	// the start.
	Policy []int32
	Found  float64 // the sigma at which it was found
	Cost   Cost    // of the route, on the true reward
	// Noise is the value of the route at the start under the mechanism's image of z: its private value is
	// Cost.Private + sigma Noise.
	Noise float64
}

// line is a route with its value.
type line struct {
	route  []int32 // state-action pairs
	policy []int32
	cost   Cost
	noise  float64
	sigma  float64 // where it was found
	// Its actions beat the others there by gap; a plan may lose a margin.
	gap, margin float64
}

// NewAxis returns an axis of a problem whose moves are certain and whose rewards a mechanism makes private.
func NewAxis(problem *Solved, mechanism privacy.Mechanism) (*Axis, error) {
	p, err := NewPlanner(problem, mechanism)
	if err != nil {
		return nil, err
	}
	solver, ok := p.solver.(*mdp.Functional)
	if !ok {
		return nil, errors.New("planner: the axis of sigma needs certain moves; plan at each sigma instead")
	}
	tables := make([][]float64, len(problem.Rewards.Tables))
	for i, table := range problem.Rewards.Tables {
		tables[i] = make([]float64, len(table))
	}
	silence, err := privacy.NewRewards(problem.Rewards.Shape, tables)
	if err != nil {
		return nil, err
	}
	return &Axis{planner: p, solver: solver, silence: silence, noise: make([]float64, len(problem.Rewards.Joint))}, nil
}

// Solves returns how many problems the last call of Pieces solved.
func (x *Axis) Solves() int { return x.solves }

// Pieces returns the pieces of [low, high], 0 <= low <= high, in the order of sigma, for the normals z. The
// pieces are the axis's and hold until the next call. The same arguments always give the same pieces.
//
// At any sigma of a piece, but within BlurLow and BlurHigh of its ends, a plan takes the piece's route: the lead of the route's
// actions over the others in its states is concave in sigma, so that it is at least linear from what it is at
// an end to what it is where the route was found.
func (x *Axis) Pieces(z []float64, low, high float64) []Piece {
	x.planner.mechanism.Perturb(x.noise, x.silence, 1, z)
	x.planner.problem.quiet(x.noise)
	x.used, x.solves, x.pieces = 0, 0, x.pieces[:0]
	first := x.solve(z, low, nil)
	last := x.solve(z, high, x.lines[first].policy)
	x.corner, x.lead = low, x.lines[first].lead()
	end := x.lines[last].lead()
	if x.same(first, last) {
		last = first
	}
	x.between(z, first, last, low, high)
	x.cut(z, last, high, end)
	if low == high {
		blur := 0.0
		if end < x.lines[last].margin {
			blur = math.Inf(1)
		}
		x.add(last, high, [2]float64{blur, blur})
	}
	return x.pieces
}

// solve finds the route at a sigma and returns the number of its line, a new one. The search starts from a
// policy, nil for none.
func (x *Axis) solve(z []float64, sigma float64, from []int32) int {
	x.solves++
	problem := x.planner.problem
	rewards := x.planner.Privatize(sigma, z)
	var plan mdp.Solution
	if from == nil {
		plan = x.solver.Solve(rewards, problem.Optimal.Value, problem.Tolerance)
	} else {
		plan = x.solver.SolveFrom(from, rewards, problem.Tolerance)
	}
	if x.used == len(x.lines) {
		x.lines = append(x.lines, line{})
	}
	l := &x.lines[x.used]
	route := x.solver.Route(problem.Start, rewards, l.route[:0])
	l.route, l.gap, l.margin, l.sigma = route.Pairs, route.Gap, route.Margin, sigma
	l.policy = append(l.policy[:0], plan.Policy...)
	l.cost = x.planner.Cost(l.policy)
	l.noise, _ = x.solver.ValueFrom(problem.Start, l.policy, x.noise, 0)
	x.used++
	return x.used - 1
}

// same reports whether two lines are of one route.
func (x *Axis) same(a, b int) bool { return slices.Equal(x.lines[a].route, x.lines[b].route) }

// between cuts [low, high] at its corners, from left to right; a is the line at low and b the one at high.
func (x *Axis) between(z []float64, a, b int, low, high float64) {
	if a == b {
		return
	}
	p, q := x.lines[a], x.lines[b]
	cross := (p.cost.Private - q.cost.Private) / (q.noise - p.noise)
	inside := cross > low && cross < high
	if !inside {
		// Rounding decides: the lines are all but one on the whole interval, or cross at its end.
		if cross = max(low, cross); !(cross < high) {
			cross = high
		}
	}
	from := p.policy
	if cross-low > high-cross {
		from = q.policy
	}
	n := x.solve(z, cross, from)
	left, right := x.solver.Shortfall(p.route, x.planner.private), x.solver.Shortfall(q.route, x.planner.private)
	margin := x.lines[n].margin
	if inside && !x.same(n, a) && !x.same(n, b) && max(left, right) > margin {
		x.between(z, a, n, low, cross)
		x.between(z, n, b, cross, high)
		return
	}
	x.used-- // n is the last line and has no piece of its own
	x.cut(z, a, cross, -left-margin)
	x.lead = -right - margin
}

// sharp is how much of a piece may be blurred before it is worth another solve.
const sharp = 1e-6

// cut ends the open piece, which is a line's, at a sigma where its actions have a lead, and opens the next. A
// piece of no width is left out.
func (x *Axis) cut(z []float64, number int, at, lead float64) {
	width := at - x.corner
	if !(width > 0) {
		return
	}
	blur := x.lines[number].blur(x.corner, at, x.lead, lead)
	if max(blur[0], blur[1]) > sharp*width {
		// It was found too close to a corner to tell. In the middle its lead is at least half its largest.
		n := x.solve(z, x.corner+width/2, x.lines[number].policy)
		if x.used--; x.same(n, number) {
			x.lines[number], x.lines[n] = x.lines[n], x.lines[number]
			if other := x.lines[number].blur(x.corner, at, x.lead, lead); max(other[0], other[1]) < max(blur[0], blur[1]) {
				blur = other
			}
		}
	}
	x.add(number, at, blur)
	x.corner = at
}

func (x *Axis) add(number int, at float64, blur [2]float64) {
	l := &x.lines[number]
	x.pieces = append(x.pieces, Piece{Low: x.corner, High: at, BlurLow: blur[0], BlurHigh: blur[1], Policy: l.policy, Found: l.sigma, Cost: l.cost, Noise: l.noise})
}

// lead returns by how much the route's actions are sure to beat the others where it was found: values are known
// to the margin.
func (l *line) lead() float64 { return l.gap - l.margin }

// blur returns how far from either end of its piece, where they have the given leads, the route's actions lead by
// the margin for certain: the lead is concave, hence at least linear from either end to where it was found.
func (l *line) blur(low, high, leadLow, leadHigh float64) [2]float64 {
	width := high - low
	if l.lead() <= l.margin && min(leadLow, leadHigh) < l.margin {
		return [2]float64{width, width}
	}
	from := func(distance, lead float64) float64 {
		if lead >= l.margin {
			return 0
		}
		return min(width, distance*(l.margin-lead)/(l.lead()-lead))
	}
	return [2]float64{from(l.sigma-low, leadLow), from(high-l.sigma, leadHigh)}
}
