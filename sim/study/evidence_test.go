package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// add takes a value with the tuned bet that was laid on it, in units of 1/bound, and reports whether it may.
func (w *evidence) add(value, tuned float64) bool {
	if !w.holds(value) {
		return false
	}
	g := w.gainsOf(value, tuned)
	w.count(&g, 1)
	return true
}

// decision is what evidence says with an error probability.
func (w *evidence) decision(alpha float64) Decision {
	enough := -math.Log(alpha)
	if w.limit < 1 && max(slices.Max(w.below[:]), slices.Max(w.above[:])) < enough {
		return Undecided // since the mean is no more than the largest
	}
	switch below, above := w.logs(); {
	case below >= enough:
		return Met
	case above >= enough:
		return NotMet
	}
	return Undecided
}

// At the limit itself both are fair games: anyone who looks after every value is told something
// wrong seldom enough, about two humps as about a bell.
func TestEvidenceSeldomErrAtTheLimit(t *testing.T) {
	const alpha, trials, most = 0.1, 200, 1500
	for _, p := range []float64{0.03, 0.1, 0.3} {
		h := humps{rand.New(rand.NewPCG(5, uint64(100*p))), p}
		wrong := map[Decision]int{}
		for range trials {
			w := newEvidence(300, h.mean())
			for i := 0; i < most && w.decision(alpha) == Undecided; i++ {
				w.add(h.draw(), w.tune(most/2, 13, alpha))
			}
			wrong[w.decision(alpha)]++
		}
		// 200 trials tell 10 % to 2.1 points (one standard error).
		for _, v := range []Decision{Met, NotMet} {
			if share := float64(wrong[v]) / trials; share > alpha+0.042 {
				t.Errorf("hump %g: %q in %.1f %% of the trials, want at most %g", p, v, 100*share, 100*alpha)
			}
		}
	}
}

// A limit that is some way off the mean is soon distinguished from it: within six times the values that a
// test at one number of values, fixed beforehand, takes for the same error probability, or a thousand.
func TestEvidenceDecides(t *testing.T) {
	h := humps{rand.New(rand.NewPCG(6, 6)), 0.12}
	variance := h.p * (1 - h.p) * 40.7 * 40.7 // of the humps' places; their widths add little
	for _, off := range []float64{-4, -1, 1, 4} {
		z := 2.6 // 0.5 % on one side
		enough := max(1000, int(6*z*z*variance/(off*off)))
		w, n := newEvidence(300, h.mean()+off), 0
		for ; n < enough && w.decision(0.005) == Undecided; n++ {
			w.add(h.draw(), 0)
		}
		want := Met
		if off < 0 {
			want = NotMet
		}
		if got := w.decision(0.005); got != want {
			t.Errorf("mean %g, limit %+g from it: %q after %d values, want %q", h.mean(), off, got, n, want)
		}
	}
}

// A bet that is tuned to a number of values shows then what it takes some 2.6 standard errors of the mean to show,
// where a test at that number of values takes 1.64.
func TestTunedEvidence(t *testing.T) {
	const n, alpha = 20_000, 0.05
	random := rand.New(rand.NewPCG(7, 7))
	values, sum, squares := make([]float64, n), 0.0, 0.0
	for i := range values {
		values[i] = 60.0
		if random.Float64() < 0.12 {
			values[i] = 20
		}
		sum += values[i]
		squares += values[i] * values[i]
	}
	mean := sum / n
	std := math.Sqrt(squares/n - mean*mean)
	shows := func(errors float64) Decision {
		w := newEvidence(300, mean+errors*std/math.Sqrt(n))
		for _, x := range values {
			w.add(x, w.tune(n, std, alpha))
		}
		return w.decision(alpha)
	}
	if shows(2.6) != Met || shows(2.2) != Undecided || shows(-2.6) != NotMet || shows(-2.2) != Undecided {
		t.Errorf("2.6, 2.2, -2.6 and -2.2 standard errors: %q %q %q %q", shows(2.6), shows(2.2), shows(-2.6), shows(-2.2))
	}
}

// At the limit itself the expected wealth is 1, whatever the bets, over all outcomes of some values.
func TestExpectedWealthIsOne(t *testing.T) {
	const n, bound = 6, 10.0
	for _, c := range []struct{ low, high, p float64 }{{0, 10, 0.3}, {2, 7, 0.5}, {0, 3, 0.9}} { // high with probability p
		limit := c.low + c.p*(c.high-c.low)
		below, above := 0.0, 0.0
		for outcome := range 1 << n {
			w, probability, ups := newEvidence(bound, limit), 1.0, 0
			for i := range n {
				tuned := 0.2 * float64(1+ups) // depends on the values before
				if outcome>>i&1 == 1 {
					w.add(c.high, tuned)
					probability *= c.p
					ups++
				} else {
					w.add(c.low, tuned)
					probability *= 1 - c.p
				}
			}
			b, a := w.logs()
			below, above = below+probability*math.Exp(b), above+probability*math.Exp(a)
		}
		// Sums of 64 products of rounded numbers.
		if math.Abs(below-1) > 1e-12 || math.Abs(above-1) > 1e-12 {
			t.Errorf("%+v: the expected wealth is %v below and %v above", c, below, above)
		}
	}
}

// Exchanging values comes to the same as having taken the others.
func TestExchangedValues(t *testing.T) {
	exchanged, fresh := newEvidence(10, 4), newEvidence(10, 4)
	for i := range 50 {
		value, bet := float64(i%11), 0.01*float64(i)
		exchanged.add(10-value, bet)
		fresh.add(value, bet)
	}
	for i := range 50 {
		value := float64(i % 11)
		old, next := exchanged.gainsOf(10-value, 0.01*float64(i)), exchanged.gainsOf(value, 0.01*float64(i))
		exchanged.count(&old, -1)
		exchanged.count(&next, 1)
	}
	b1, a1 := exchanged.logs()
	b2, a2 := fresh.logs()
	// Sums of 150 logarithms of numbers near 1.
	if math.Abs(b1-b2) > 1e-12 || math.Abs(a1-a2) > 1e-12 {
		t.Errorf("%v and %v, want %v and %v", b1, a1, b2, a2)
	}
}

// When every value is the bound, a bet of the part q of the largest allowed wins q (1-m)/m on each.
func TestWealthOfASureWinner(t *testing.T) {
	const limit, n, tuned = 0.25, 7, 1.3
	w := newEvidence(2, 2*limit)
	for range n {
		w.add(2, tuned)
	}
	want := 0.9 * math.Pow(1+tuned*(1-limit), n)
	for i := range bets {
		want += 0.1 / bets * math.Pow(1+0.9*math.Exp2(-float64(i))*(1-limit)/limit, n)
	}
	// A sum of ten terms, each from seven rounded logarithms.
	if got := math.Exp(logMean(&w.above)); math.Abs(got/want-1) > 1e-13 {
		t.Errorf("wealth %v, want %v", got, want)
	}
}

func TestEvidenceAtTheEdges(t *testing.T) {
	if w := newEvidence(300, 56); w.add(301, 0) || w.add(-1, 0) || w.add(math.NaN(), 0) {
		t.Error("a value out of bounds was taken")
	}
	if w := newEvidence(300, 400); !w.add(60, 0) || w.decision(0.01) != Met {
		t.Error("a limit beyond the bound is not met")
	}
}
