package adversary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
)

// detect is the rule itself, one radius at a time: the k-th step in a row with an error within it. A
// step whose error is not a number is not within it.
func detect(errors *adversary.PredictionErrors, k, handover int, radius float64) adversary.Detection {
	inside := 0
	for i, e := range errors.ErrorKm {
		if e <= radius {
			inside++
		} else {
			inside = 0
		}
		if inside == k {
			return adversary.Detection{Detected: true, DistanceKm: errors.DistanceKm[i], Sample: i, BeforeHandover: i < handover}
		}
	}
	return adversary.Detection{}
}

// radiiOf returns 200 radii over the range of the errors, and every error that occurs with its
// neighbours in floating point, where a detection may begin or end.
func radiiOf(errors *adversary.PredictionErrors) []float64 {
	radii := []float64{0}
	for i := range 200 {
		radii = append(radii, 1e-3*math.Pow(1e6, float64(i)/199))
	}
	for i := 0; i < len(errors.ErrorKm); i += 1 + len(errors.ErrorKm)/100 {
		e := errors.ErrorKm[i]
		if !math.IsNaN(e) && !math.IsInf(e, 0) {
			radii = append(radii, math.Nextafter(e, 0), e, math.Nextafter(e, math.Inf(1)))
		}
	}
	return radii
}

// compare holds a curve against the rule, radius by radius, and checks that it is a step function.
// Waypoints are commanded until the sample of one of its corners, so that one detection comes with the
// hand-over.
func compare(t *testing.T, name string, errors *adversary.PredictionErrors, k int, curve *adversary.Curve) {
	t.Helper()
	curve.Fill(errors, adversary.InARow(k), 0)
	handover := 0
	if corners := curve.Corners(); len(corners) > 0 {
		handover = corners[len(corners)/2].Sample
	}
	curve.Fill(errors, adversary.InARow(k), handover)
	for _, radius := range radiiOf(errors) {
		if got, want := curve.Detect(radius), detect(errors, k, handover, radius); got != want {
			t.Fatalf("%s, k %d, radius %.17g: the curve says %+v, the rule %+v", name, k, radius, got, want)
		}
	}
	for _, most := range []float64{0, 0.7, 2, 3, math.Inf(1)} {
		part := curve.UpTo(most)
		filledUpTo(t, fmt.Sprintf("%s, k %d", name, k), most, errors, adversary.InARow(k), handover, &part)
		for _, radius := range radiiOf(errors) {
			if got, want := part.Detect(radius), curve.Detect(radius); radius <= most && got != want {
				t.Fatalf("%s, k %d, radius %.17g: the curve up to %g km says %+v, the whole %+v", name, k, radius, most, got, want)
			}
		}
	}
	corners := curve.Corners()
	for i := 1; i < len(corners); i++ {
		if !(corners[i].RadiusKm < corners[i-1].RadiusKm) || corners[i].Sample <= corners[i-1].Sample {
			t.Fatalf("%s, k %d: corner %+v follows %+v", name, k, corners[i], corners[i-1])
		}
	}
}

func TestCurveIsTheRuleAtEveryRadius(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	draws := []struct {
		name string
		draw func(i int) float64
	}{
		{"rough", func(int) float64 { return math.Exp(3 * rng.NormFloat64()) }},
		{"ties", func(int) float64 { return float64(rng.IntN(6)) }},
		{"falling", func(i int) float64 { return 100 / (1 + float64(i)) * (0.5 + rng.Float64()) }},
		{"rising", func(i int) float64 { return float64(i + 1) }},
		{"constant", func(int) float64 { return 2 }},
		{"not finite", func(int) float64 {
			switch rng.IntN(4) {
			case 0:
				return math.NaN()
			case 1:
				return math.Inf(1)
			}
			return rng.Float64()
		}},
	}
	var curve adversary.Curve
	for _, d := range draws {
		for _, length := range []int{0, 1, 2, 3, 7, 8, 9, 60, 400} {
			for range 5 {
				errors := &adversary.PredictionErrors{}
				for i := range length {
					errors.ErrorKm = append(errors.ErrorKm, d.draw(i))
					errors.DistanceKm = append(errors.DistanceKm, 200*rng.Float64())
				}
				for _, k := range []int{1, 2, 3, 8, 500} {
					compare(t, fmt.Sprintf("%s of %d", d.name, length), errors, k, &curve)
				}
			}
		}
	}
}

func TestCurveByHand(t *testing.T) {
	errors := &adversary.PredictionErrors{
		ErrorKm:    []float64{5, 4, 6, 3, 3, 4, 1, 1, 2, math.NaN(), 0, 0},
		DistanceKm: []float64{90, 80, 70, 60, 50, 45, 40, 30, 20, 15, 10, 5},
	}
	for _, c := range []struct {
		k    int
		want []adversary.Corner
	}{
		{1, []adversary.Corner{{5, 90, 0}, {4, 80, 1}, {3, 60, 3}, {1, 40, 6}, {0, 10, 10}}},
		{2, []adversary.Corner{{5, 80, 1}, {3, 50, 4}, {1, 30, 7}, {0, 5, 11}}},
		{3, []adversary.Corner{{6, 70, 2}, {4, 45, 5}, {2, 20, 8}}},
		{13, nil},
	} {
		var curve adversary.Curve
		curve.Fill(errors, adversary.InARow(c.k), 0)
		if diff := cmp.Diff(c.want, curve.Corners()); diff != "" {
			t.Errorf("k %d (-want +got):\n%s", c.k, diff)
		}
	}
}

// filledUpTo checks that a curve that is filled up to a radius has no other corners than the part of the whole.
func filledUpTo(t *testing.T, name string, radiusKm float64, errors *adversary.PredictionErrors, rule adversary.Rule,
	handover int, want *adversary.Curve) {
	t.Helper()
	var got adversary.Curve
	got.FillUpTo(radiusKm, errors, rule, handover)
	if diff := cmp.Diff(want.Corners(), got.Corners(), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s: filled up to %g km (-want +got):\n%s", name, radiusKm, diff)
	}
	if want, got := want.Detect(radiusKm), got.Detect(radiusKm); got != want {
		t.Fatalf("%s: filled up to %g km detects at %+v, want %+v", name, radiusKm, got, want)
	}
}

// Under the rule that must stay, a radius detects at the first sample from which all errors lie within it.
func TestStayingIsTheLargestErrorStillToCome(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + random.IntN(12)
		var e adversary.PredictionErrors
		for i := range n {
			e.ErrorKm = append(e.ErrorKm, float64(random.IntN(6)))
			e.DistanceKm = append(e.DistanceKm, float64(100-i))
		}
		var c adversary.Curve
		c.Fill(&e, adversary.Stays, n)
		for radius := 0.0; radius < 7; radius += 0.5 {
			part := c.UpTo(radius)
			filledUpTo(t, fmt.Sprintf("errors %v", e.ErrorKm), radius, &e, adversary.Stays, n, &part)
			want := 0.0
			for i := n - 1; i >= 0 && e.ErrorKm[i] <= radius; i-- {
				want = e.DistanceKm[i]
			}
			if got := c.Detect(radius); got.DistanceKm != want || got.Detected != (want > 0) {
				t.Fatalf("errors %v, radius %g: detected at %v, want %v", e.ErrorKm, radius, got.DistanceKm, want)
			}
		}
	}
}

// A curve needs no list of distances: it is the same for every observer and every rule, and leaves nothing to the
// next flight.
func TestCurveWithoutDistances(t *testing.T) {
	all, target := flights(t, 0.1), r3.Vec{X: 1}
	for _, m := range adversary.Models() {
		var errors, alone adversary.PredictionErrors
		for i, h := range all {
			observer, err := newObserver(m.Name, adversary.Settings{LambdaPerS: 0.1,
				Steering: adversary.SteeringOf(scenario(0.1)), Knowledge: knowledgeOf(h)})
			if err != nil {
				t.Fatal(err)
			}
			errors.Fill(observer, h, target)
			for _, k := range []adversary.Rule{adversary.Stays, 1, 3, 8} {
				var want, got, again adversary.Curve
				want.Fill(&errors, k, 7)
				alone.FillForCurve(observer, h, target)
				got.Fill(&alone, k, 7)
				alone.FillForCurve(observer, all[0], r3.Vec{})
				alone.Fill(observer, h, target)
				again.Fill(&alone, k, 7)
				if !slices.Equal(want.Corners(), got.Corners()) || !slices.Equal(want.Corners(), again.Corners()) {
					t.Errorf("%s, flight %d, rule %d: corners %v, and then %v, want %v", m.Name, i, k, got.Corners(), again.Corners(),
						want.Corners())
				}
			}
		}
	}
}
