package plot

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSpread(t *testing.T) {
	const rounding = 1e-9 // points
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		n := 1 + random.IntN(8)
		wanted, heights, total := make([]float64, n), make([]float64, n), 0.0
		for i := range wanted {
			wanted[i], heights[i] = 100*random.Float64(), 1+20*random.Float64()
			total += heights[i]
		}
		middles := spread(wanted, heights, 0, 200)
		for i := range middles {
			if total <= 200 && (middles[i]-heights[i]/2 < -rounding || middles[i]+heights[i]/2 > 200+rounding) {
				t.Fatalf("box %d of height %v at %v leaves 0..200", i, heights[i], middles[i])
			}
			for j := range middles[:i] {
				if apart := (heights[i] + heights[j]) / 2; math.Abs(middles[i]-middles[j]) < apart-rounding {
					t.Fatalf("boxes at %v and %v overlap, want %v between them", middles[i], middles[j], apart)
				}
				if (wanted[i] < wanted[j]) != (middles[i] < middles[j]) {
					t.Fatalf("boxes wanted at %v and %v changed their order", wanted[i], wanted[j])
				}
			}
		}
	}
	for i, want := range []float64{80, 20, 45, 55} { // what fits stays, and two wanted at one place share the move
		if got := spread([]float64{80, 20, 50, 50}, []float64{10, 10, 10, 10}, 0, 100); got[i] != want {
			t.Errorf("box %d went to %v, want %v", i, got[i], want)
		}
	}
}

// Names of crowded points do not lie on each other, and points apart all have their names, off the bars.
func TestNamesNearPoints(t *testing.T) {
	for apart, all := range map[float64]bool{0.3: false, 8: true} {
		c := Chart{Panel: Rect{W: 1000, H: 400}, X: Scale{High: 100}, Y: Scale{High: 100}, Beside: true}
		s := Series{Bars: true}
		for k := range 12 {
			at := 4 + apart*float64(k)
			s.Low, s.High = append(s.Low, at-2), append(s.High, at+2)
			c.Labels = append(c.Labels, Label{X: at, Y: at, Text: "0.47", Near: true})
		}
		s.N, s.At = 12, func(i int) (x, y float64) { return c.Labels[i].X, c.Labels[i].Y }
		c.Series = []Series{s}
		l := &canvas{}
		c.drawLabels(l, &Look{})
		if n := len(l.boxes); n < 2 || n == 12 != all {
			t.Errorf("%v apart: %d names of 12 points", apart, n)
		}
		for i, a := range l.boxes {
			if all && c.crossed(a) > 0 {
				t.Errorf("a name at %v lies on a bar", a)
			}
			for _, b := range l.boxes[:i] {
				if a.Overlaps(b) {
					t.Errorf("%v apart: names at %v and %v", apart, a, b)
				}
			}
		}
	}
}

// Ticks lie on the axis, at least two, and no two have one text.
func TestTicksLieOnTheAxis(t *testing.T) {
	const rounding = 1e-6 // of the axis
	random := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		low := math.Exp(10 * random.NormFloat64())
		s := Scale{Low: low, High: low * (1.001 + math.Exp(4*random.NormFloat64())), Log: random.IntN(2) > 0}
		ticks, seen := Ticks(s, 2+random.IntN(8)), map[string]bool{}
		for _, v := range ticks {
			if at := s.Share(v); at < -rounding || at > 1+rounding || seen[number(v)] {
				t.Fatalf("%+v: %v at %v as %s", s, v, at, number(v))
			}
			seen[number(v)] = true
		}
		if len(ticks) < 2 || len(ticks) > 25 {
			t.Fatalf("%+v: %d ticks", s, len(ticks))
		}
	}
	for v, want := range map[float64]string{-0.5: "−0.5", 20000: "20,000", 1e8: "1e+08", 0.3: "0.3", 0: "0"} {
		if got := number(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}
