package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

// At the limit itself both are fair games: whoever looks after every value is told something
// wrong seldom enough, about two humps as about a bell.
func TestEProcessesSeldomErrAtTheLimit(t *testing.T) {
	const alpha, trials, most = 0.1, 400, 4000
	for _, p := range []float64{0.03, 0.1, 0.3} {
		h := humps{rand.New(rand.NewPCG(5, uint64(100*p))), p}
		wrong := map[Verdict]int{}
		for range trials {
			w := newEProcesses(300, h.mean())
			for i := 0; i < most && w.verdict(alpha) == Undecided; i++ {
				w.add(h.draw())
			}
			wrong[w.verdict(alpha)]++
		}
		// 400 trials tell 10 % to 1.5 points (one standard error).
		for _, v := range []Verdict{Met, NotMet} {
			if share := float64(wrong[v]) / trials; share > alpha+0.03 {
				t.Errorf("hump %g: %q in %.1f %% of the trials, want at most %g", p, v, 100*share, 100*alpha)
			}
		}
	}
}

// A limit that is some way off the mean is soon told apart from it: within six times the values that a
// test at one number of values, fixed beforehand, takes for the same error probability, or a thousand.
func TestEProcessesDecide(t *testing.T) {
	h := humps{rand.New(rand.NewPCG(6, 6)), 0.12}
	variance := h.p * (1 - h.p) * 40.7 * 40.7 // of the humps' places; their widths add little
	for _, off := range []float64{-4, -1, 1, 4} {
		z := 2.6 // 0.5 % on one side
		enough := max(1000, int(6*z*z*variance/(off*off)))
		w, n := newEProcesses(300, h.mean()+off), 0
		for ; n < enough && w.verdict(0.005) == Undecided; n++ {
			w.add(h.draw())
		}
		want := Met
		if off < 0 {
			want = NotMet
		}
		if got := w.verdict(0.005); got != want {
			t.Errorf("mean %g, limit %+g from it: %q after %d values, want %q", h.mean(), off, got, n, want)
		}
	}
}

// When every value is the bound, a bet of the part q of the largest allowed wins q (1-m)/m on each.
func TestWealthOfASureWinner(t *testing.T) {
	const limit, n = 0.25, 7
	w := newEProcesses(2, 2*limit)
	for range n {
		w.add(2)
	}
	want := 0.0
	for i := range bets {
		want += math.Pow(1+0.9*math.Exp2(-float64(i))*(1-limit)/limit, n) / bets
	}
	// A sum of nine terms, each from seven rounded logarithms.
	if got := math.Exp(logMean(&w.above)); math.Abs(got/want-1) > 1e-13 {
		t.Errorf("wealth %v, want %v", got, want)
	}
}

func TestEProcessesAtTheEdges(t *testing.T) {
	if w := newEProcesses(300, 56); w.add(301) || w.add(-1) || w.add(math.NaN()) {
		t.Error("a value out of bounds was taken")
	}
	if w := newEProcesses(300, 400); !w.add(60) || w.verdict(0.01) != Met {
		t.Error("a limit beyond the bound is not met")
	}
}
