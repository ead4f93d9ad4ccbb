package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A sequence looked at after every value, and believed as soon as it is narrow enough, still covers at
// least what it says. With 200 trials a sequence of exactly 95 % would fail this with probability 1e-5.
func TestSequenceCoversWhenStoppedAtWill(t *testing.T) {
	const trials, target, bound = 200, 3, 250
	worst := 0.95 - 4.3*math.Sqrt(0.95*0.05/trials)
	for _, p := range []float64{0.005, 0.05, 0.3} {
		h := humps{rand.New(rand.NewPCG(11, 12)), p}
		always, stopped, needed := 0, 0, 0
		for range trials {
			s := NewSequence(bound, target, 0.95)
			held := true
			for low, high := 0.0, float64(bound); high-low > 2*target; {
				if !s.Add(h.draw()) {
					t.Fatal("a value within the bound was refused")
				}
				low, high = s.Interval()
				held = held && low <= h.mean() && h.mean() <= high
			}
			if held {
				always++
			}
			if low, high := s.Interval(); low <= h.mean() && h.mean() <= high {
				stopped++
			}
			needed += s.Values()
		}
		if share := float64(always) / trials; share < worst {
			t.Errorf("small hump %g: %.1f %% of the sequences held the mean throughout, want 95", p, 100*share)
		}
		t.Logf("small hump %g: %.1f %% throughout, %.1f %% at the end, %d values on average", p, 100*float64(always)/trials,
			100*float64(stopped)/trials, needed/trials)
	}
}

// A mean that the interval does not hold may be excluded, and one that it holds may not, except for what is next to its
// ends.
func TestSequenceMayExcludeWhatItsIntervalDoesNotHold(t *testing.T) {
	const bound = 250.0
	h, s := humps{rand.New(rand.NewPCG(31, 32)), 0.3}, NewSequence(bound, 3, 0.95)
	if s.MayExclude(100) {
		t.Error("no value excludes a mean")
	}
	excluded, held := 0, 0
	for range 400 {
		s.Add(h.draw())
		low, high := s.Interval()
		for _, mean := range []float64{-1, 0, low - 0.5, low - 1e-9, low + 1e-6, (low + high) / 2, high - 1e-6, high + 1e-9,
			high + 0.5, bound, bound + 1} {
			inside := low < mean && mean < high
			switch may := s.MayExclude(mean); {
			case mean < low || mean > high:
				excluded++
				if !may {
					t.Fatalf("%g lies outside %g .. %g after %d values, and may not be excluded", mean, low, high, s.Values())
				}
			case inside:
				held++
				if may {
					t.Fatalf("%g lies in %g .. %g after %d values, and may be excluded", mean, low, high, s.Values())
				}
			}
		}
	}
	if excluded < 1000 || held < 1000 {
		t.Errorf("%d means outside and %d inside", excluded, held)
	}
}

// The ends of the interval are where what the gamblers have, multiplied up value by value, reaches 2/alpha.
func TestSequenceEndsWhereTheWealthIsEnough(t *testing.T) {
	const bound, n = 250.0, 600
	for _, confidence := range []float64{0.9, 0.95, 0.999} {
		h, s := humps{rand.New(rand.NewPCG(21, 22)), 0.3}, NewSequence(bound, 8, confidence)
		var x []float64
		for range n {
			value := h.draw()
			s.Add(value)
			x = append(x, value/bound)
		}
		wealth := func(bets []betBlock, sign, m float64) float64 {
			has, i := 1.0, 0
			for _, b := range bets {
				for range int(b.values) {
					has *= (1 + sign*b.bet*x[i]) / (1 + sign*b.bet*m)
					i++
				}
			}
			return has
		}
		low, high := s.Interval()
		enough := 2 / (1 - confidence)
		// Products of 600 rounded factors at an end known to 1e-14.
		if w := wealth(s.low.bets, 1, low/bound); math.Abs(w/enough-1) > 1e-9 {
			t.Errorf("confidence %g: at the low end %v times the first wealth, want %v", confidence, w, enough)
		}
		if w := wealth(s.high.bets, -1, high/bound); math.Abs(w/enough-1) > 1e-9 {
			t.Errorf("confidence %g: at the high end %v times the first wealth, want %v", confidence, w, enough)
		}
		if len(s.low.bets) < 8 || !(low < h.mean() && h.mean() < high) {
			t.Errorf("confidence %g: %g to %g after %d tunings, the mean is %g", confidence, low, high, len(s.low.bets),
				h.mean())
		}
	}
}

// Where m is the mean, every gambler expects to have after any number of values what he began with, over all outcomes
// of values of two kinds, though his bets depend on the values before.
func TestSequencesAreFairGames(t *testing.T) {
	const n = 9
	for _, c := range []struct{ low, high, p float64 }{{0, 1, 0.3}, {0.1, 0.8, 0.6}} { // high with probability p
		m := c.low + c.p*(c.high-c.low)
		below, above := 0.0, 0.0
		for outcome := range 1 << n {
			s, probability := NewSequence(1, 0.05, 0.95), 1.0
			for i := range n {
				if outcome>>i&1 == 1 {
					s.Add(c.high)
					probability *= c.p
				} else {
					s.Add(c.low)
					probability *= 1 - c.p
				}
				if i == 0 {
					s.tuned = 4 // so that few values do
				}
			}
			sum, _ := s.low.logDivisor(m, 1)
			above += probability * math.Exp(s.low.won-sum)
			sum, _ = s.high.logDivisor(m, -1)
			below += probability * math.Exp(s.high.won-sum)
			if len(s.low.bets) != 2 {
				t.Fatalf("%d bets, want them tuned once", len(s.low.bets)-1)
			}
		}
		// Sums of 512 products of rounded numbers.
		if math.Abs(below-1) > 1e-12 || math.Abs(above-1) > 1e-12 {
			t.Errorf("%+v: who begins with 1 expects %v and %v", c, below, above)
		}
	}
}

func TestSequenceRefusesValuesBeyondItsBound(t *testing.T) {
	s := NewSequence(100, 1, 0.95)
	for _, x := range []float64{-1, 100.5, math.NaN(), math.Inf(1)} {
		if s.Add(x) {
			t.Errorf("%v was taken for a value in [0, 100]", x)
		}
	}
	if s.Values() != 0 {
		t.Errorf("%d values counted, want 0", s.Values())
	}
}

// Needed is what it takes, within the uncertainty of the variance it rests on.
func TestSequenceForeseesItsEnd(t *testing.T) {
	h := humps{rand.New(rand.NewPCG(5, 6)), 0.2}
	s := NewSequence(250, 1, 0.95)
	for range 1000 {
		s.Add(h.draw())
	}
	foreseen := s.needed()
	for s.HalfWidth() > 1 {
		s.Add(h.draw())
	}
	// The variance of 1000 values with a 20 % hump is known to some 5 % (one standard error).
	if ratio := float64(foreseen) / float64(s.Values()); ratio < 0.8 || ratio > 1.2 {
		t.Errorf("after 1000 values %d were foreseen, it took %d", foreseen, s.Values())
	}
}

// No values that are all alike get below the least half-width.
func TestLeastHalfWidthIsABound(t *testing.T) {
	const bound, values = 100.0, 4000
	for _, target := range []float64{1e-6, 0.01, 1, 49} {
		for _, value := range []float64{0, 1, bound / 2, bound} {
			s := NewSequence(bound, target, Confidence)
			for i := range values {
				s.Add(value)
				// The ends are known to 1e-14 of the bound.
				if least := LeastHalfWidth(bound, Confidence, i+1); i%97 == 0 && s.HalfWidth() < least*(1-1e-9) {
					t.Fatalf("%g, target %g: half-width %g after %d values, below the least, %g", value, target, s.HalfWidth(), i+1,
						least)
				}
			}
			if least := LeastHalfWidth(bound, Confidence, values); value == 0 && target == 49 && s.HalfWidth() > 2*least {
				t.Errorf("half-width %g after %d equal values, the least is %g: the bound is loose", s.HalfWidth(), values, least)
			}
		}
	}
}

// With the bound far beyond all values a sequence takes hardly more of them than with the closest bound there is.
func TestBoundHardlyMatters(t *testing.T) {
	const target = 0.5
	needed := map[float64]int{}
	for _, bound := range []float64{100, 300} {
		h, s := humps{rand.New(rand.NewPCG(31, 32)), 0.3}, NewSequence(bound, target, 0.95)
		for s.n%100 != 0 || s.HalfWidth() > target {
			s.Add(h.draw())
		}
		needed[bound] = s.n
	}
	if ratio := float64(needed[300]) / float64(needed[100]); ratio > 1.05 {
		t.Errorf("%d values with the bound at 300 km, %d at 100 km", needed[300], needed[100])
	}
}
