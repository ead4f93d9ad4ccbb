package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestSpanInverse(t *testing.T) {
	const relative = 1e-12 // a few roundings of log and pow
	for _, s := range []span{{Linear, -3, 8}, {Log, 1e-6, 1e5}, {Log, 0.2, 4}} {
		if s.at(s.low) != 0 || s.at(s.high) != 1 {
			t.Errorf("%v: ends at %v and %v, want 0 and 1", s, s.at(s.low), s.at(s.high))
		}
		for _, f := range []float64{0, 0.1, 0.5, 0.99, 1} {
			if got := s.at(s.value(f)); math.Abs(got-f) > relative {
				t.Errorf("%v: at(value(%v)) = %v", s, f, got)
			}
		}
	}
	if got := (span{Log, 1, 100}).at(10); math.Abs(got-0.5) > relative {
		t.Errorf("10 lies at %v between 1 and 100 on a logarithmic axis, want half-way", got)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		span  span
		count int
		want  string
	}{
		{span{Linear, 0, 105}, 6, "0 20 40 60 80 100"},
		{span{Linear, 0, 4.2}, 9, "0 0.5 1.0 1.5 2.0 2.5 3.0 3.5 4.0"},
		{span{Linear, -0.3, 0.3}, 3, "−0.2 0 0.2"},
		{span{Linear, -29, 38}, 2, "−20 0 20"}, // steps of 50 would label only 0
		{span{Linear, 0, 20000}, 4, "0 5,000 10,000 15,000 20,000"},
		{span{Linear, 1e8, 4e8}, 3, "10^8 2×10^8 3×10^8 4×10^8"},
		{span{Linear, 0, 2e-6}, 2, "0 10^−6 2×10^−6"},
		{span{Log, 0.01, 10}, 7, "0.01 0.1 1 10"},
		{span{Log, 0.2, 4}, 8, "0.2 0.5 1 2"},
		{span{Log, 1e-8, 1e8}, 4, "10^−8 0.0001 1 10,000 10^8"},
		{span{Log, 2, 5}, 3, "2 3 4 5"},
		{span{Log, 210, 1850}, 6, "300 500 700 1,000"},
		{span{Log, 210, 1850}, 3, "500 1,000"},
	} {
		var labels []string
		for _, tick := range c.span.ticks(c.count) {
			if tick.label != "" {
				labels = append(labels, tick.label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of %v: %q, want %q", c.span, got, c.want)
		}
	}
}

func TestTicksLieOnTheAxis(t *testing.T) {
	const rounding = 1e-6 // of the axis
	random := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		low := math.Exp(20 * random.NormFloat64())
		s := span{Scale(random.IntN(2)), low, low * (1 + math.Exp(4*random.NormFloat64()))}
		ticks := s.ticks(2 + random.IntN(8))
		last, labelled := math.Inf(-1), 0
		seen := map[string]bool{}
		for _, tick := range ticks {
			at := s.at(tick.value)
			if at < -rounding || at > 1+rounding || at <= last {
				t.Fatalf("%v: tick %v at %v after %v", s, tick, at, last)
			}
			last = at
			if tick.label != "" {
				labelled++
				if seen[tick.label] {
					t.Fatalf("%v: two ticks are labelled %q", s, tick.label)
				}
				seen[tick.label] = true
			}
		}
		if labelled < 2 && s.high > s.low*(1+1e-9) || labelled > 20 {
			t.Fatalf("%v: %d labelled ticks", s, labelled)
		}
	}
}

func TestScaleFor(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Scale
	}{
		{[]float64{0.2, 4}, Linear}, {[]float64{0.1, 3}, Log}, {[]float64{0, 100}, Linear}, {[]float64{-1, 100}, Linear},
		{nil, Linear}, {[]float64{5}, Linear},
	} {
		if got := ScaleFor(c.values); got != c.want {
			t.Errorf("ScaleFor(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestSettleHoldsTheData(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		data span
		want span
	}{
		{Axis{}, span{Linear, 10, 20}, span{Linear, 9.6, 20.4}},
		{Axis{FromZero: true}, span{Linear, 10, 20}, span{Linear, 0, 20.8}},
		{Axis{}, span{Linear, 0.2, 4}, span{Linear, 0.2 - 0.04*3.8, 4 + 0.04*3.8}},
		{Axis{}, span{Linear, 0.1, 10}, span{Linear, 0, 10 + 0.04*9.9}},
		{Axis{}, span{Linear, 7, 7}, span{Linear, 3.5, 10.5}},
		{Axis{}, span{Linear, 0, 0}, span{Linear, 0, 1}},
		{Axis{Scale: Log}, span{Log, 3, 3}, span{Log, 1.5, 6}},
		{Axis{Range: [2]float64{-1, 1}}, span{Linear, 10, 20}, span{Linear, -1, 1}},
	} {
		got, err := c.axis.settle(c.data)
		if err != nil {
			t.Errorf("%+v on %v: %v", c.axis, c.data, err)
		}
		const absolute = 1e-12 // a rounding or two of values around 10
		if got.scale != c.want.scale || math.Abs(got.low-c.want.low) > absolute || math.Abs(got.high-c.want.high) > absolute {
			t.Errorf("%+v on %v settles on %v, want %v", c.axis, c.data, got, c.want)
		}
	}
}

// A vertical axis with names has ticks at 1, 2 and so on, and refuses other values.
func TestNamesAlongAnAxis(t *testing.T) {
	letters, err := newLettering()
	if err != nil {
		t.Fatal(err)
	}
	s := &sheet{lettering: letters}
	c := &Chart{Y: Axis{Names: []string{"heading", "ballistic"}},
		Series: []Series{{Mark: Points, X: []float64{50, 180}, Y: []float64{2, 1}}}}
	f, err := c.lay(s)
	if err != nil {
		t.Fatal(err)
	}
	f.tick(vg.Point{X: 400, Y: 300})
	if want := []tick{{1, "heading"}, {2, "ballistic"}}; !slices.Equal(f.yt, want) || f.ys.low != 0.5 || f.ys.high != 2.5 {
		t.Errorf("ticks %v from %v to %v, want %v", f.yt, f.ys.low, f.ys.high, want)
	}
	c.Series[0].Y[0] = 3
	if _, err := c.lay(s); err == nil {
		t.Error("a value without a name was drawn")
	}
}
