package adversary_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// lineKnowledge has goals of equal prior at some places on the x-axis.
func lineKnowledge(handoverKm, spreadKm float64, goalsKm ...float64) *adversary.Knowledge {
	k := &adversary.Knowledge{Actions: 1, HandoverKm: handoverKm}
	if spreadKm > 0 {
		k.HandoverCDF = uniformCDF(handoverKm-spreadKm, handoverKm+spreadKm)
	}
	for _, x := range goalsKm {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: r3.Vec{X: x}, Prior: 1 / float64(len(goalsKm))})
	}
	return k
}

// uniformCDF is that of a uniform distribution.
func uniformCDF(low, high float64) func(float64) float64 {
	return func(x float64) float64 { return min(max((x-low)/(high-low), 0), 1) }
}

// alongX is a flight with samples at some places on the x-axis.
func alongX(handover int, gaveUp bool, xs ...float64) *sim.History {
	h := &sim.History{StepS: 1, Handover: handover, GaveUp: gaveUp}
	for _, x := range xs {
		h.Samples = append(h.Samples, sim.Sample{R: r3.Vec{X: x}})
	}
	return h
}

// believedAt are the posteriors of geometry at every sample, by Watch and by At, which must agree.
func believedAt(t *testing.T, k *adversary.Knowledge, h *sim.History) [][]float64 {
	t.Helper()
	m, err := adversary.FindGoalModel("geometry")
	if err != nil {
		t.Fatal(err)
	}
	b, err := adversary.NewBelief(m, k)
	if err != nil {
		t.Fatal(err)
	}
	watched, asked, at := make([][]float64, len(h.Samples)), make([]int, len(h.Samples)), make([][]float64, len(h.Samples))
	b.Watch(h, func(sample int, p []float64) {
		for i := sample; i < len(watched); i++ {
			watched[i] = slices.Clone(p)
		}
	})
	for i := range asked {
		asked[i] = i
	}
	b.At(h, asked, func(i int, p []float64) { at[i] = slices.Clone(p) })
	for i := range at {
		mustBeClose(t, "at a sample, against watching all the way", at[i], watched[i], 0)
	}
	return watched
}

// Of a hand-over distance uniform between 3 and 7 km, each goal has the share that lies between how far it was at the
// hand-over and how near the flight had come before, all of it worked out by hand.
func TestSharesOfADrawnHandover(t *testing.T) {
	const rounding = 1e-12 // of shares
	k := lineKnowledge(5, 2, 8, 9, -5, 30)
	believed := believedAt(t, k, alongX(2, false, 0, 1, 2.5, 4))
	for i, shares := range [][]float64{
		{4, 4, 2, 4},         // no distance above how near the flight came: up to 7, 7 (at 8 and 9 km), 5 and 7
		{4, 4, 2, 4},         // it came to 7 km of the first and no nearer to the third
		{7 - 5.5, 0.5, 0, 0}, // at the hand-over 5.5 and 6.5 km away: the third went away, the fourth is too far
		{7 - 5.5, 0.5, 0, 0},
	} {
		sum := 0.0
		for _, s := range shares {
			sum += s
		}
		for g := range shares {
			shares[g] /= sum
		}
		mustBeClose(t, "sample "+string(rune('0'+i)), believed[i], shares, rounding)
	}
	// A flight that gives up at sample 2 came within 5.5 km of the first goal by then, and hands over to none.
	believed = believedAt(t, k, alongX(2, true, 0, 1, 2.5, 4))
	total := 2.5 + 3.5 + 2 + 4
	for _, i := range []int{2, 3} {
		mustBeClose(t, "after giving up", believed[i], []float64{2.5 / total, 3.5 / total, 2 / total, 4 / total}, rounding)
	}
}

// A flight that gives its waypoints up has come within the hand-over distance of no goal by then, that sample included;
// what it comes near to later is still possible.
func TestAGoalInReachIsNotGivenUp(t *testing.T) {
	const rounding = 1e-12
	k := lineKnowledge(5, 0, 6, 7.4, 8, 20)
	h := alongX(2, true, 0, 0.5, 2.5, 4) // within 5 km of 6 and 7.4 at sample 2, of 8 at sample 3
	for i, want := range [][]float64{{.25, .25, .25, .25}, {.25, .25, .25, .25}, {0, 0, .5, .5}, {0, 0, .5, .5}} {
		mustBeClose(t, "sample "+string(rune('0'+i)), believedAt(t, k, h)[i], want, rounding)
	}
	h.GaveUp = false // the same flight, handed over
	for i, want := range [][]float64{{.25, .25, .25, .25}, {.25, .25, .25, .25}, {.5, .5, 0, 0}, {.5, .5, 0, 0}} {
		mustBeClose(t, "handed over, sample "+string(rune('0'+i)), believedAt(t, k, h)[i], want, rounding)
	}
}

// The circle of the hand-over is as far away as a hand-over is on average, half a step's way within its distance, along
// the slant from the altitude of it. Flights hand over there on average.
func TestRadiusOfTheHandoverCircle(t *testing.T) {
	s := scenario(5) // so long a step that its half shows
	o, err := newObserver("handover_circle", adversary.Settings{Steering: adversary.SteeringOf(s)})
	if err != nil {
		t.Fatal(err)
	}
	const away = 3000.
	at := r3.Vec{X: away, Y: -away, Z: 10}
	h := &sim.History{StepS: s.StepS, Samples: []sim.Sample{{R: at, V: r3.Vec{X: 1.7, Z: -0.01}, A: r3.Vec{Y: 0.01,
		Z: -0.01}}},
		Visits: []sim.Visit{{}}}
	foreseen := make([]r3.Vec, 1)
	o.Foresee(h, r3.Vec{}, foreseen)
	got := math.Hypot(foreseen[0].X-at.X, foreseen[0].Y-at.Y)
	if want := math.Sqrt((80-1.7*5/2)*(80-1.7*5/2) - 10*10); !(math.Abs(got-want) <= 1e-9) || foreseen[0].Z != 0 {
		t.Errorf("the target is foreseen at %v, %v km away, want %v", foreseen[0], got, want)
	}
	sum, n := 0.0, 0.0
	for _, h := range flights(t, 5)[1:] {
		sum, n = sum+r3.Norm(h.Samples[h.Handover].R), n+1 // the target is the origin
	}
	// A distance within a step of 8.5 km is uniform, to within a standard deviation of 8.5/sqrt(12) km.
	if mean, want := sum/n, 80-1.7*5/2; !(math.Abs(mean-want) <= 4*8.5/math.Sqrt(12*n)) {
		t.Errorf("flights hand over at %v km on average, want about %v", mean, want)
	}
}

// Who knows that flights start along the line of sight rules out the goals that a first heading does not point at,
// whatever the direction; and no others.
func TestFirstHeadingsPointAtGoals(t *testing.T) {
	m, err := adversary.FindGoalModel("heading")
	if err != nil {
		t.Fatal(err)
	}
	const away = 1000.
	k := &adversary.Knowledge{Actions: 1, HandoverKm: 1, LineOfSight: true}
	const goals = 8
	for i := range goals {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.25) / goals)
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: r3.Vec{X: 3 + away*cos, Y: -2 + away*sin},
			Prior: 1. / goals})
	}
	b, err := adversary.NewBelief(m, k)
	if err != nil {
		t.Fatal(err)
	}
	for i := range goals {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.25) / goals)
		h := &sim.History{StepS: 1, Handover: 1, Samples: []sim.Sample{{R: r3.Vec{X: 3, Y: -2, Z: 10},
			V: r3.Vec{X: 1.7 * cos, Y: 1.7 * sin}}}}
		want := make([]float64, goals)
		want[i] = 1
		b.Watch(h, func(_ int, p []float64) { mustBeClose(t, "heading for a goal", p, want, 1e-12) })
	}
}
