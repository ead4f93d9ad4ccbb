package planner

import (
	"errors"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Axis finds how the optimal route from the start depends on the standard deviation sigma of the noise, for one
// draw z of the noise: it returns every route that is optimal for some sigma, with its range of sigma. It has
// its own buffers and serves one goroutine.
//
// The private reward is linear in sigma, and so is the value of any route at the start: V = u + sigma w, where
// u is the route's value under the true reward and w its value under the noise. The optimal value is the
// maximum of these lines, a convex piecewise linear function. A route that is optimal at two sigmas is optimal
// between them, because its line touches a convex function at both ends. So the axis solves the problem only
// near the corners (Eisner and Severance 1976): where the routes at the ends of an interval differ, it solves
// at the crossing of their lines. If the solution is a known line, the crossing is a corner; otherwise the new
// line splits the interval. k routes take about 2k - 1 solves. The whole problem is solved only at knots, a few
// sigmas of equal ratio, and each solve starts from the optimum of the one before. Between two knots only a few
// states and actions can matter; mdp.Reduced solves for these.
//
// With random transitions a line belongs to the policy on all states that it can reach, and there are many more
// such policies; NewAxis refuses these problems.
type Axis struct {
	planner     *Planner
	solver      *mdp.Functional
	noise       []float64 // the mechanism's image of z
	zeroRewards *privacy.Rewards
	lines       []line
	used        int // number of lines in use
	pieces      []Piece
	solves      int

	optima  [2]mdp.Optimum // of the last two knots
	reduced []*mdp.Reduced // the whole problem, then the reduced problems of nested intervals

	// The open piece: where it begins, and the lead of its route's actions there.
	corner, lead float64
}

// Piece is a range of sigma on which one route is optimal.
type Piece struct {
	Low, High float64 // sigma, [Low, High); the last piece of a range includes its end
	// BlurLow and BlurHigh are the widths at each end within which a direct plan may take another route, because
	// the values of two routes differ by less there than the solver's tolerance.
	BlurLow, BlurHigh float64
	// Policy has an action for every state; the actions on its route from the start are optimal. Route lists
	// these as numbers state*actions+action.
	Policy, Route []int32
	Found         float64 // the sigma at which the route was found
	Cost          Cost    // of the route, on the true reward
	// Noise is the value of the route at the start under the mechanism's image of z: the route's value under the
	// private reward is Cost.Private + sigma Noise.
	Noise float64
}

// ManyPlans is the number of plans on one noise that take about as long as its whole axis (BenchmarkAxis).
const ManyPlans = 7

// sigmaRounding is the relative error of a sigma that is turned into epsilon and back.
const sigmaRounding = 1e-12

// PieceAt returns the piece whose route every plan at a sigma takes. It returns nil where the route is not
// determined: sigma lies outside the adjoining pieces, or within the blur of an end.
func PieceAt(pieces []Piece, sigma float64) *Piece {
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

// line is the value of a route as a function of sigma.
type line struct {
	route  []int32 // state-action pairs
	policy []int32
	cost   Cost
	noise  float64
	sigma  float64 // sigma at which it was found
	// At sigma its actions beat all others by gap; a plan may lose margin.
	gap, margin float64
}

// NewAxis returns an axis of a problem with deterministic transitions whose rewards a linear mechanism makes
// private. It returns an error if transitions are random or the mechanism is nil.
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
		return nil, errors.New("planner: the axis of sigma needs deterministic transitions; plan at each sigma instead")
	}
	tables := make([][]float64, len(problem.Rewards.Tables))
	for i, table := range problem.Rewards.Tables {
		tables[i] = make([]float64, len(table))
	}
	zeroRewards, err := privacy.NewRewards(problem.Rewards.Shape, tables, problem.Rewards.Ended)
	if err != nil {
		return nil, err
	}
	return &Axis{
		planner: p, solver: solver, zeroRewards: zeroRewards, noise: make([]float64, len(problem.Rewards.Joint)),
		reduced: []*mdp.Reduced{solver.NewReduced(problem.Start, problem.Tolerance)},
	}, nil
}

// Pieces returns the pieces of [low, high], 0 <= low <= high, in the order of sigma, for the normals z. The
// axis reuses the slice at the next call. The same arguments always give the same pieces.
//
// At any sigma of a piece, except within BlurLow and BlurHigh of its ends, a plan takes the piece's route: the
// lead of the route's actions over the other actions is concave in sigma, so between an end and the sigma where
// the route was found it is at least the linear interpolation.
func (x *Axis) Pieces(z []float64, low, high float64) []Piece {
	x.planner.linear.Perturb(x.noise, x.zeroRewards, 1, z)
	x.used, x.solves, x.pieces = 0, 0, x.pieces[:0]
	problem := x.planner.problem
	last, end := x.complete(x.solve(z, low, nil)), 0.0
	x.corner, x.lead = low, x.lines[last].lead()
	if low == high {
		l, blur := &x.lines[last], 0.0
		if l.lead() < l.margin {
			blur = math.Inf(1)
		}
		x.add(last, low, [2]float64{blur, blur})
		return x.pieces
	}
	// The range is cut into parts of equal ratio. With closer knots a solve takes fewer passes from the optimum before it,
	// and the reduced problems are smaller.
	count := 1
	if low > 0 {
		count = max(1, int(math.Ceil(math.Log(high/low)/math.Log(knotRatio))))
	}
	before, after := &x.optima[0], &x.optima[1]
	before.Keep(x.solver, low, x.noise)
	for i := 1; i <= count; i++ {
		sigma := high
		if i < count {
			sigma = low * math.Pow(high/low, float64(i)/float64(count))
		}
		l := x.solve(z, sigma, before)
		end = l.lead()
		sameRoute := slices.Equal(l.route, x.lines[last].route)
		if !sameRoute || i < count {
			after.Keep(x.solver, sigma, x.noise)
		}
		if !sameRoute {
			next := x.complete(l)
			x.reduced[0].Between(problem.Rewards.Joint, x.noise, before, after)
			x.reduced[0].Rest(x.reducedAt(1))
			x.splitAtCorners(z, 1, last, next, before.Sigma, sigma)
			last = next
		}
		before, after = after, before
	}
	x.closePiece(z, last, high, end)
	return x.pieces
}

// knotRatio is the largest ratio of two neighbouring knots (BenchmarkAxis).
const knotRatio = 3

// reducedAt returns the buffers of an interval at a depth; depth 0 is the whole problem.
func (x *Axis) reducedAt(depth int) *mdp.Reduced {
	if depth == len(x.reduced) {
		x.reduced = append(x.reduced, new(mdp.Reduced))
	}
	return x.reduced[depth]
}

// solve finds the route at a sigma and returns its line, which complete must finish. The search starts from the
// optimum at another sigma; near may be nil.
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
	l.setRoute(x.solver.Route(problem.Start, rewards, l.route[:0]))
	return l
}

// newLine returns the next free line; complete marks it as used.
func (x *Axis) newLine(sigma float64) *line {
	if x.used == len(x.lines) {
		x.lines = append(x.lines, line{})
	}
	l := &x.lines[x.used]
	l.sigma = sigma
	return l
}

func (l *line) setRoute(r mdp.Route) { l.route, l.gap, l.margin = r.Pairs, r.Gap, r.Margin }

// complete computes the values of the next line's route and returns the line's number.
func (x *Axis) complete(l *line) int {
	problem := x.planner.problem
	l.policy = problem.PolicyOn(l.route, l.policy)
	l.cost = x.planner.Cost(l.policy)
	l.noise, _ = x.solver.ValueFrom(problem.Start, l.policy, x.noise, 0)
	x.used++
	return x.used - 1
}

// PolicyOn returns a policy with the actions of a route, and the optimal actions in other states. It reuses the
// slice policy.
func (s *Solved) PolicyOn(route, policy []int32) []int32 {
	actions := int32(s.Law.Actions())
	policy = append(policy[:0], s.Optimal.Policy...)
	for _, pair := range route {
		policy[pair/actions] = pair % actions
	}
	return policy
}

// sameRoute reports whether two lines have the same route.
func (x *Axis) sameRoute(a, b int) bool { return slices.Equal(x.lines[a].route, x.lines[b].route) }

// splitAtCorners cuts [low, high] at its corners, from left to right. a is the line at low and b the line at high; the
// reduced problem of the interval is at the given depth.
func (x *Axis) splitAtCorners(z []float64, depth, a, b int, low, high float64) {
	p, q := &x.lines[a], &x.lines[b]
	cross := (p.cost.Private - q.cost.Private) / (q.noise - p.noise)
	inside, corner := cross > low && cross < high, cross
	if !inside {
		// Rounding decides: the lines almost coincide on the whole interval, or they cross at its end.
		if cross = max(low, cross); !(cross < high) {
			cross = high
		}
		if !(math.Abs(corner-cross) <= cornerRounding*cross) {
			corner = cross
		}
	}
	x.solves++
	part := x.reducedAt(depth)
	part.Solve(cross)
	l := x.newLine(cross)
	l.setRoute(part.Route(l.route[:0]))
	left, right := part.Shortfalls()
	if inside && max(left, right) > l.margin && !x.sameRoute(x.used, a) && !x.sameRoute(x.used, b) {
		n := x.complete(l)
		part.Left(x.reducedAt(depth + 1))
		x.splitAtCorners(z, depth+1, a, n, low, cross)
		part.Right(x.reducedAt(depth + 1))
		x.splitAtCorners(z, depth+1, n, b, cross, high)
		return
	}
	margin := l.margin
	x.closePiece(z, a, corner, -left-margin)
	x.lead = -right - margin
}

// cornerRounding is the relative error of a corner. Two other routes may have the same value where two lines
// cross; the corner is the crossing of its own two lines, whichever route the solver finds first.
const cornerRounding = 1e-9

// maxBlur is the largest blur, as a fraction of a piece, that needs no other solve.
const maxBlur = 1e-6

// closePiece ends the open piece, whose line is given, at a sigma where its actions have a lead, and opens the next
// one. It leaves out a piece of width 0.
func (x *Axis) closePiece(z []float64, number int, at, lead float64) {
	width := at - x.corner
	if !(width > 0) {
		return
	}
	blur := x.lines[number].blur(x.corner, at, x.lead, lead)
	if max(blur[0], blur[1]) > maxBlur*width {
		// The route was found too close to a corner. In the middle its lead is at least half of its largest lead.
		n := x.complete(x.solve(z, x.corner+width/2, nil))
		if x.used--; x.sameRoute(n, number) {
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

// lead returns a lower bound on the gap by which the route's actions beat all others where the route was found:
// values are known to the margin.
func (l *line) lead() float64 { return l.gap - l.margin }

// blur returns the distance from each end of the piece within which the lead may be below the margin. leadLow
// and leadHigh are the leads at the ends; the lead is concave, so it is at least linear between an end and
// l.sigma.
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
