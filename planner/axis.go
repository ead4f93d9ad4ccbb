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
// already known there is a corner, another splits the interval. k routes take about 2k - 1 solves. Only some at knots,
// a few sigmas of equal ratio, are of the whole problem, each from the optimum of the one before: between two of them
// few states and actions are left that can matter, see mdp.Reduced.
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

	optima  [2]mdp.Optimum // of the last two knots
	reduced []*mdp.Reduced // the whole problem, then what is left of it in intervals within each other

	// Of the piece that is open: where it begins, and by how much its route's actions lead there.
	corner, lead float64
}

// Piece is a range of sigma on which one route is optimal.
type Piece struct {
	Low, High float64 // sigma, [Low, High); the last piece of a range includes its end
	// BlurLow and BlurHigh are how close to each end, at most, a direct plan may take another route, since the
	// values of two routes differ by less there than a plan may lose.
	BlurLow, BlurHigh float64
	// Policy is an action for every state, of which those on its route from the start are optimal, and Route the
	// numbers state*actions+action of those.
	Policy, Route []int32
	Found         float64 // the sigma at which the route was found
	Cost          Cost    // of the route, on the true reward
	// Noise is the value of the route at the start under the mechanism's image of z: its private value is
	// Cost.Private + sigma Noise.
	Noise float64
}

// ManyPlans is how many plans on one noise take about as long as all of its axis (BenchmarkAxis).
const ManyPlans = 7

// sigmaRounding is how far, relative to it, a sigma may be off when it is turned into epsilon and back.
const sigmaRounding = 1e-12

// Certain returns the one of adjoining pieces whose route a plan at a sigma takes for certain, nil when there is none:
// it is not on them, or in the blur of an end.
func Certain(pieces []Piece, sigma float64) *Piece {
	i, _ := slices.BinarySearchFunc(pieces, sigma, func(p Piece, sigma float64) int {
		if p.High < sigma {
			return -1
		}
		return 1
	})
	i = min(i, len(pieces)-1)
	if i < 0 {
		return nil
	}
	p, low, high := &pieces[i], sigmaRounding*sigma, sigmaRounding*sigma
	if i == 0 {
		low = 0
	}
	if i == len(pieces)-1 {
		high = 0
	}
	if sigma-p.Low < p.BlurLow+low || p.High-sigma < p.BlurHigh+high {
		return nil
	}
	return p
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

// NewAxis returns an axis of a problem whose moves are certain and whose rewards a linear mechanism makes private.
// It is an error where moves are uncertain, or the mechanism is nil.
func NewAxis(problem *Solved, linear privacy.Linear) (*Axis, error) {
	if linear == nil {
		return nil, errors.New("planner: the axis of sigma needs a linear mechanism; plan at each epsilon instead")
	}
	p, err := NewPlanner(problem, linear)
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
	silence, err := privacy.NewRewards(problem.Rewards.Shape, tables, problem.Rewards.Ended)
	if err != nil {
		return nil, err
	}
	return &Axis{
		planner: p, solver: solver, silence: silence, noise: make([]float64, len(problem.Rewards.Joint)),
		reduced: []*mdp.Reduced{solver.NewReduced(problem.Start, problem.Tolerance)},
	}, nil
}

// Solves returns how many problems the last call of Pieces solved.
func (x *Axis) Solves() int { return x.solves }

// Pieces returns the pieces of [low, high], 0 <= low <= high, in the order of sigma, for the normals z. The
// pieces are the axis's and hold until the next call. The same arguments always give the same pieces.
//
// At any sigma of a piece, but within BlurLow and BlurHigh of its ends, a plan takes the piece's route: the lead of the
// route's actions over the others in its states is concave in sigma, so that it is at least linear from what it is at
// an end to what it is where the route was found.
func (x *Axis) Pieces(z []float64, low, high float64) []Piece {
	x.planner.linear.Perturb(x.noise, x.silence, 1, z)
	x.used, x.solves, x.pieces = 0, 0, x.pieces[:0]
	problem := x.planner.problem
	last, end := x.complete(x.solve(z, low, nil)), 0.0
	x.corner, x.lead = low, x.lines[last].lead()
	if low == high {
		x.point(last)
		return x.pieces
	}
	before, after := &x.optima[0], &x.optima[1]
	before.Keep(x.solver, low, x.noise)
	for i, count := 1, knots(low, high); i <= count; i++ {
		sigma := high
		if i < count {
			sigma = low * math.Pow(high/low, float64(i)/float64(count))
		}
		l := x.solve(z, sigma, before)
		end = l.lead()
		same := slices.Equal(l.route, x.lines[last].route)
		if !same || i < count {
			after.Keep(x.solver, sigma, x.noise)
		}
		if !same {
			next := x.complete(l)
			x.reduced[0].Between(problem.Rewards.Joint, x.noise, before, after)
			x.reduced[0].Rest(x.part(1))
			x.between(z, 1, last, next, before.Sigma, sigma)
			last = next
		}
		before, after = after, before
	}
	x.cut(z, last, high, end)
	return x.pieces
}

// knots returns in how many parts of equal ratio a range is cut, at whose ends the whole problem is solved: the closer
// they are the fewer passes a solve takes that starts from the one before, and the less is left between.
func knots(low, high float64) int {
	if !(low > 0) {
		return 1
	}
	return max(1, int(math.Ceil(math.Log(high/low)/math.Log(knotRatio))))
}

// knotRatio is the largest ratio of two sigmas next to each other at which the whole problem is solved (BenchmarkAxis).
const knotRatio = 3

// point makes the line of a single sigma its piece.
func (x *Axis) point(number int) {
	l, blur := &x.lines[number], 0.0
	if l.lead() < l.margin {
		blur = math.Inf(1)
	}
	x.add(number, l.sigma, [2]float64{blur, blur})
}

// part returns the buffers of an interval at a depth, the whole problem at 0.
func (x *Axis) part(depth int) *mdp.Reduced {
	if depth == len(x.reduced) {
		x.reduced = append(x.reduced, new(mdp.Reduced))
	}
	return x.reduced[depth]
}

// solve finds the route at a sigma and returns its line, the next one, to be completed. The search starts from an
// optimum at another sigma, nil for none.
func (x *Axis) solve(z []float64, sigma float64, near *mdp.Optimum) *line {
	x.solves++
	problem := x.planner.problem
	rewards := x.planner.Privatize(sigma, z)
	if near == nil {
		x.solver.SolveNear(problem.Optimal.Value, rewards, problem.Tolerance)
	} else {
		x.solver.SolveAlong(near, sigma, rewards, problem.Tolerance)
	}
	l := x.newLine(sigma)
	l.take(x.solver.Route(problem.Start, rewards, l.route[:0]))
	return l
}

// newLine returns the next line, which is not used before it is complete.
func (x *Axis) newLine(sigma float64) *line {
	if x.used == len(x.lines) {
		x.lines = append(x.lines, line{})
	}
	l := &x.lines[x.used]
	l.sigma = sigma
	return l
}

func (l *line) take(r mdp.Route) { l.route, l.gap, l.margin = r.Pairs, r.Gap, r.Margin }

// complete adds to the next line what its route is worth and returns its number.
func (x *Axis) complete(l *line) int {
	problem := x.planner.problem
	l.policy = problem.PolicyOn(l.route, l.policy)
	l.cost = x.planner.Cost(l.policy)
	l.noise, _ = x.solver.ValueFrom(problem.Start, l.policy, x.noise, 0)
	x.used++
	return x.used - 1
}

// PolicyOn returns a policy with the actions of a route, and the optimal ones in other states. It is written to a slice
// that is reused.
func (s *Solved) PolicyOn(route, policy []int32) []int32 {
	actions := int32(s.Law.Actions())
	policy = append(policy[:0], s.Optimal.Policy...)
	for _, pair := range route {
		policy[pair/actions] = pair % actions
	}
	return policy
}

// same reports whether two lines are of one route.
func (x *Axis) same(a, b int) bool { return slices.Equal(x.lines[a].route, x.lines[b].route) }

// between cuts [low, high] at its corners, from left to right; a is the line at low and b the one at high, and what is
// left of the problem between stands at a depth.
func (x *Axis) between(z []float64, depth, a, b int, low, high float64) {
	p, q := &x.lines[a], &x.lines[b]
	cross := (p.cost.Private - q.cost.Private) / (q.noise - p.noise)
	inside, corner := cross > low && cross < high, cross
	if !inside {
		// Rounding decides: the lines are all but one on the whole interval, or cross at its end.
		if cross = max(low, cross); !(cross < high) {
			cross = high
		}
		if !(math.Abs(corner-cross) <= cornerRounding*cross) {
			corner = cross
		}
	}
	x.solves++
	part := x.part(depth)
	part.Solve(cross)
	l := x.newLine(cross)
	l.take(part.Route(l.route[:0]))
	left, right := part.Shortfalls()
	if inside && max(left, right) > l.margin && !x.same(x.used, a) && !x.same(x.used, b) {
		n := x.complete(l)
		part.Left(x.part(depth + 1))
		x.between(z, depth+1, a, n, low, cross)
		part.Right(x.part(depth + 1))
		x.between(z, depth+1, n, b, cross, high)
		return
	}
	margin := l.margin
	x.cut(z, a, corner, -left-margin)
	x.lead = -right - margin
}

// cornerRounding is how far, relative to it, a corner may be off. Two routes may be worth the same where two others
// cross; the corner is the crossing of its own two then too, whichever of them was found first.
const cornerRounding = 1e-9

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
		n := x.complete(x.solve(z, x.corner+width/2, nil))
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
	x.pieces = append(x.pieces, Piece{Low: x.corner, High: at, BlurLow: blur[0], BlurHigh: blur[1], Policy: l.policy,
		Route: l.route, Found: l.sigma, Cost: l.cost, Noise: l.noise})
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
