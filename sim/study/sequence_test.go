package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A sequence looked at after every value, and believed as soon as it is narrow enough, still covers at
// least what it says. With 400 trials a sequence of exactly 95 % would fail this with probability 1e-5.
func TestSequenceCoversWhenStoppedAtWill(t *testing.T) {
	const trials, target, bound = 400, 3, 250
	worst := 0.95 - 4.3*math.Sqrt(0.95*0.05/trials)
	for _, p := range []float64{0.005, 0.05, 0.3} {
		h := humps{rand.New(rand.NewPCG(11, 12)), p}
		always, stopped, needed := 0, 0, 0
		for range trials {
			s := NewSequence(bound, target, 0.95)
			held := true
			for s.HalfWidth() > target {
				if !s.Add(h.draw()) {
					t.Fatal("a value within the bound was refused")
				}
				low, high := s.Interval()
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
		t.Logf("small hump %g: %.1f %% throughout, %.1f %% at the end, %d values on average", p, 100*float64(always)/trials, 100*float64(stopped)/trials, needed/trials)
	}
}

// The half-width of equal bets has a closed form.
func TestSequenceHalfWidthMatchesItsFormula(t *testing.T) {
	s := NewSequence(1, 0.9, 0.95) // so wide that every bet is the largest
	values := []float64{0, 1, 1, 0.25, 0.5}
	mean, lost := 0.5, 0.0
	for i, x := range values {
		s.Add(x)
		lost += 4 * (x - mean) * (x - mean) * (-math.Log(1-0.75) - 0.75) / 4
		mean = (0.5 + sum(values[:i+1])) / float64(i+2)
	}
	bet := 0.9 / (0.9 + 0.25)
	if bet < 0.75 {
		t.Fatal("the first bet is not the largest")
	}
	low, high := s.Interval()
	centre, half := sum(values)/5, (math.Log(40)+lost)/(0.75*5)
	// A handful of roundings.
	if math.Abs(low-max(0, centre-half)) > 1e-14 || math.Abs(high-min(1, centre+half)) > 1e-14 {
		t.Errorf("interval %v .. %v, want %v .. %v", low, high, centre-half, centre+half)
	}
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
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
	foreseen := s.Needed()
	for s.HalfWidth() > 1 {
		s.Add(h.draw())
	}
	// The variance of 1000 values with a 20 % hump is known to some 5 % (one standard error).
	if ratio := float64(foreseen) / float64(s.Values()); ratio < 0.8 || ratio > 1.2 {
		t.Errorf("after 1000 values %d were foreseen, it took %d", foreseen, s.Values())
	}
}

// No values, however they vary and whatever the target, get below the least half-width; equal values at an end
// with the largest bets come near it.
func TestLeastHalfWidthIsABound(t *testing.T) {
	const bound, values = 100.0, 4000
	for _, target := range []float64{1e-6, 0.01, 1, 49} {
		for name, value := range map[string]func(int) float64{
			"lowest":    func(int) float64 { return 0 },
			"highest":   func(int) float64 { return bound },
			"middle":    func(int) float64 { return bound / 2 },
			"two humps": func(i int) float64 { return bound * float64(i%2) },
		} {
			s := NewSequence(bound, target, Confidence)
			for i := range values {
				s.Add(value(i))
				if least := LeastHalfWidth(bound, Confidence, i+1); s.HalfWidth() < least {
					t.Fatalf("%s, target %g: half-width %g after %d values, below the least, %g", name, target, s.HalfWidth(), i+1, least)
				}
			}
			if least := LeastHalfWidth(bound, Confidence, values); name == "lowest" && target == 49 && s.HalfWidth() > 1.1*least {
				t.Errorf("half-width %g after %d equal values, the least is %g: the bound is loose", s.HalfWidth(), values, least)
			}
		}
	}
}

// predictablePlugIn is Theorem 2 of Waudby-Smith & Ramdas (2023) as it is printed, from all values at once: the
// interval around sum lambda_i x_i / sum lambda_i of half-width (log(2/alpha) + sum v_i psi_E(lambda_i)) / sum
// lambda_i, with v_i = 4 (x_i - mu_{i-1})^2 and psi_E(lambda) = (-log(1 - lambda) - lambda)/4, and mu and sigma^2
// as in their equation 15. The bets are the caller's.
func predictablePlugIn(x []float64, alpha float64, bet func(variance float64) float64) (low, high float64) {
	mean := func(n int) float64 { return (0.5 + sum(x[:n])) / float64(n+1) }
	variance := func(n int) float64 {
		squares := 0.25
		for i := range n {
			squares += (x[i] - mean(i+1)) * (x[i] - mean(i+1))
		}
		return squares / float64(n+1)
	}
	bets, won, lost := 0.0, 0.0, 0.0
	for i := range x {
		lambda := bet(variance(i))
		psi := (-math.Log(1-lambda) - lambda) / 4
		bets += lambda
		won += lambda * x[i]
		lost += 4 * (x[i] - mean(i)) * (x[i] - mean(i)) * psi
	}
	half := (math.Log(2/alpha) + lost) / bets
	return won/bets - half, won/bets + half
}

func TestSequenceIsTheTheorem(t *testing.T) {
	const bound, target, rounding = 250.0, 8.0, 1e-9
	for _, confidence := range []float64{0.9, 0.95, 0.999} {
		h, s := humps{rand.New(rand.NewPCG(21, 22)), 0.3}, NewSequence(bound, target, confidence)
		var x []float64
		for range 600 {
			value := h.draw()
			s.Add(value)
			x = append(x, value/bound)
		}
		low, high := predictablePlugIn(x, 1-confidence, func(variance float64) float64 {
			return min(target/bound/(target/bound+variance), largestBet)
		})
		if gotLow, gotHigh := s.Interval(); math.Abs(gotLow-bound*low) > rounding || math.Abs(gotHigh-bound*high) > rounding {
			t.Errorf("confidence %g: interval %.12g .. %.12g, the theorem's %.12g .. %.12g", confidence, gotLow, gotHigh, bound*low, bound*high)
		}
	}
}

// The loss charged for a bet is as small as it may be: the expected wealth exp(lambda (x - m) - v psi(lambda)) of
// one bet on a value that is 1 with probability m, and 0 otherwise, from any guess, is at most 1, and for some it
// would exceed 1 if nine tenths of the loss were charged.
func TestBernsteinLossIsTheLeast(t *testing.T) {
	most := func(charged float64) (wealth float64) {
		for lambda := 0.01; lambda <= largestBet; lambda += 0.01 {
			for m := 0.0; m <= 1; m += 0.01 {
				for guess := 0.0; guess <= 1; guess += 0.05 {
					of := func(x float64) float64 {
						return math.Exp(lambda*(x-m) - charged*(x-guess)*(x-guess)*bernstein(lambda))
					}
					wealth = max(wealth, m*of(1)+(1-m)*of(0))
				}
			}
		}
		return wealth
	}
	if w := most(1); w > 1+1e-12 {
		t.Errorf("a bet is worth %.15g on average, want at most 1", w)
	}
	if w := most(0.9); w <= 1 {
		t.Errorf("with nine tenths of the loss a bet is worth %.15g: this test could not tell", w)
	}
}
