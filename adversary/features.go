package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// features are those of the flight so far and every goal, in the horizontal plane. They count the moves on the first
// visit of a state by sectors of the angle between the move and the bearing of the goal, separately for moves along the
// axes of the grid and along its diagonals. Later visits repeat a policy: the cosines of their angles are summed. The
// other features are the distances covered, the heading, and whether the flight headed for the goal at the start.
type features struct {
	knowledge *Knowledge
	first     sim.Sample
	seen      int // samples
	flownKm   float64
	values    []float64 // by goal: featureCount
}

// sectors is how many ranges the angle between a move and the bearing of a goal is divided into, from 0 to pi.
const sectors = 12

// firstWithin are the angles, rad, within which a flight may head for a goal at the start.
var firstWithin = [...]float64{1e-6, 1e-4, 1e-2, 1e-1}

// The features of a flight and a goal.
const (
	straightMoves = 0                       // by sector
	diagonalMoves = straightMoves + sectors // by sector
	stays         = diagonalMoves + sectors // moves that stay
	laterMoves    = stays + 1               // cosines of the moves of later visits
	detour        = laterMoves + 1          // path flown plus straight distance left, minus that from the start
	nearer        = detour + 1              // straight distance from the start minus that left
	headingCosine = nearer + 1              // cosine of the heading
	firstHeading  = headingCosine + 1       // whether it headed for the goal at the start, by firstWithin
	featureCount  = firstHeading + len(firstWithin)
	unitKm        = 100 // unit of detour and nearer
)

// Features is how many features a flight and a goal have: so many weights are in Knowledge.Learned.
const Features = featureCount

func newFeatures(k *Knowledge) *features {
	return &features{knowledge: k, values: make([]float64, len(k.Candidates)*featureCount)}
}

// row returns the features of the flight and a goal.
func (f *features) row(goal int) []float64 {
	return f.values[goal*featureCount : (goal+1)*featureCount]
}

func (f *features) Reset() {
	f.seen, f.flownKm = 0, 0
	clear(f.values)
}

// LogLikelihoods implements GoalObserver for an observer who has learned nothing yet.
func (f *features) LogLikelihoods(to []float64) { clear(to) }

func (f *features) See(state, next int, again bool) {
	from := f.knowledge.Waypoint(state)
	move := r3.Sub(f.knowledge.Waypoint(next), from)
	for goal, c := range f.knowledge.Candidates {
		x := f.row(goal)
		off := angle(move, r3.Sub(c.TargetKm, from))
		switch {
		case again:
			x[laterMoves] += math.Cos(off)
		case next == state:
			x[stays]++
		case move.X != 0 && move.Y != 0:
			x[diagonalMoves+sector(off)]++
		default:
			x[straightMoves+sector(off)]++
		}
	}
}

// angle returns the angle between two vectors in the horizontal plane, 0 to pi.
func angle(a, b r3.Vec) float64 { return math.Atan2(math.Abs(a.X*b.Y-a.Y*b.X), a.X*b.X+a.Y*b.Y) }

// sector returns the range that an angle lies in. A boundary of two ranges belongs to the greater, up to rounding.
func sector(angle float64) int {
	const rounding = 1e-9 // rad
	return min(int((angle+rounding)*sectors/math.Pi), sectors-1)
}

func (f *features) SeePath(flown []sim.Sample) {
	if f.seen == 0 {
		f.first = flown[0]
	}
	for i := max(f.seen, 1); i < len(flown); i++ {
		f.flownKm += r3.Norm(r3.Sub(flown[i].R, flown[i-1].R))
	}
	now := &flown[len(flown)-1]
	for goal, c := range f.knowledge.Candidates {
		x := f.row(goal)
		direct, left := r3.Sub(c.TargetKm, f.first.R), r3.Sub(c.TargetKm, now.R)
		directKm, leftKm := math.Hypot(direct.X, direct.Y), math.Hypot(left.X, left.Y)
		x[detour] = (f.flownKm + leftKm - directKm) / unitKm
		x[nearer] = (directKm - leftKm) / unitKm
		x[headingCosine] = math.Cos(angle(now.V, left))
		if f.seen == 0 {
			off := angle(f.first.V, direct)
			for i, within := range firstWithin {
				if off < within {
					x[firstHeading+i] = 1
				}
			}
		}
	}
	f.seen = len(flown)
}
