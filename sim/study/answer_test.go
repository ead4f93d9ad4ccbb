package study

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// evident returns an answer on the range from 1 to 2^32, whose starting epsilons are the powers of 2, and a segment at
// each of them and halfway between, all undecided and without evidence.
func evident(falls bool) (*Answer, []segment) {
	a := newAnswer(Demand{Limit: 30, Falls: falls}, Range{1, math.Exp2(32)}, 0.05)
	var cut []segment
	for i := range 2*32 + 1 {
		cut = append(cut, segment{low: math.Exp2(float64(i) / 2), decision: Undecided, below: math.Inf(-1),
			above: math.Inf(-1)})
	}
	for i := range 33 {
		cut[2*i].low = a.starts[min(i, len(a.starts)-1)] // to the bit
		if falls {
			cut[2*i].low = math.Exp2(float64(i))
		}
	}
	return a, cut
}

// enough is the log of the evidence that shows something with so many parts of 99 of an error probability of 5 %, and a
// little more than rounding takes.
func enough(parts int) float64 { return -math.Log(0.05*float64(parts)/99) + 1e-9 }

// decided returns the places of the segments with a decision.
func decided(cut []segment, d Decision) (places []int) {
	for i := range cut {
		if cut[i].decision == d {
			places = append(places, i)
		}
	}
	return places
}

// settleAll decides all that can be decided.
func settleAll(a *Answer, cut []segment) {
	for a.decideStarts(cut) || a.extendDecisions(cut) {
	}
}

// A decision starts at a starting epsilon alone, with a 99th of the error probability.
func TestDecisionsStart(t *testing.T) {
	for _, c := range []struct {
		at       int
		evidence float64
		starts   bool
	}{{20, enough(1), true}, {20, enough(1) - 1e-6, false}, {0, enough(1), true}, {64, enough(1), true},
		{64, enough(1) - 1e-6, false}, {21, 1e9, false}} {
		a, cut := evident(false)
		cut[c.at].below = c.evidence
		settleAll(a, cut)
		if got := decided(cut, Met); slices.Contains(got, c.at) != c.starts || len(got) > 1 {
			t.Errorf("evidence %g at %d: met %v", c.evidence, c.at, got)
		}
		a, cut = evident(false)
		cut[c.at].above = c.evidence
		settleAll(a, cut)
		if got := decided(cut, NotMet); slices.Contains(got, c.at) != c.starts || len(decided(cut, Met)) > 0 {
			t.Errorf("evidence %g at %d: not met %v", c.evidence, c.at, got)
		}
	}
}

// A decision is extended with the parts of the starting epsilons that it holds already, and with twice as many where it
// reaches the other end of the range.
func TestDecisionsExtend(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, last int // decided at first
		at          int // is the evidence
		parts       int
	}{
		{"from one start", 20, 20, 21, 1},
		{"from one start to the left", 20, 20, 19, 1},
		{"from three starts", 20, 25, 26, 3},
		{"from three starts to the left", 19, 24, 18, 3},
		{"from the low end", 0, 5, 6, 2 * 3},
		{"from the high end", 60, 64, 59, 2 * 3},
	} {
		for _, d := range []Decision{Met, NotMet} {
			for _, short := range []bool{false, true} {
				a, cut := evident(false)
				for i := c.first; i <= c.last; i++ {
					cut[i].decision = d
				}
				evidence := &cut[c.at].below
				if d == NotMet {
					evidence = &cut[c.at].above
				}
				*evidence = enough(c.parts)
				if short {
					*evidence -= 1e-6
				}
				a.extendDecisions(cut)
				if got := decided(cut, d); slices.Contains(got, c.at) == short {
					t.Errorf("%s, %s, too little evidence %t: decided %v", c.name, d, short, got)
				}
			}
		}
	}
}

// Evidence for the other decision does not extend one, and one ends where the other begins.
func TestDecisionsEndAtOthers(t *testing.T) {
	a, cut := evident(false)
	cut[20].decision, cut[24].decision = Met, NotMet
	for i := 21; i < 24; i++ {
		cut[i].above = enough(1)
	}
	cut[19].above, cut[25].below = 1e9, 1e9
	settleAll(a, cut)
	if met, not := decided(cut, Met), decided(cut, NotMet); !slices.Equal(met, []int{20}) ||
		!slices.Equal(not, []int{21, 22, 23, 24}) {
		t.Errorf("met %v, not met %v", met, not)
	}
}

// Decisions on a quantity that falls start at the ends alone, with a sixth of the error probability each.
func TestDecisionsOnWhatFallsStartAtTheEnds(t *testing.T) {
	sixth := -math.Log(0.05/6) + 1e-9
	a, cut := evident(true)
	cut[20].below, cut[64].below, cut[0].above = 1e9, sixth, sixth
	settleAll(a, cut)
	if met, not := decided(cut, Met), decided(cut, NotMet); !slices.Equal(met, []int{64}) || !slices.Equal(not, []int{0}) {
		t.Errorf("met %v, not met %v", met, not)
	}
}

// What is undecided is cut where runs change, and what is decided stays as it is.
func TestOnlyTheUndecidedIsCut(t *testing.T) {
	a, _ := evident(false)
	a.segments = []segment{{low: 1, decision: Undecided}, {low: 4, decision: Met}, {low: 16, decision: Undecided},
		{low: 64, decision: NotMet}}
	list := []evidenceStep{{low: 1, mean: 20, below: 1, above: 2}, {low: 2}, {low: 4}, {low: 8}, {low: 16,
		mean: 31}, {low: 32},
		{low: 64}}
	want := []segment{{1, Undecided, 20, 1, 2}, {2, Undecided, 0, 0, 0}, {low: 4, decision: Met},
		{16, Undecided, 31, 0, 0}, {low: 32, decision: Undecided}, {low: 64, decision: NotMet}}
	if got := a.split(list); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := a.hull(); got != (Range{1, 64}) {
		t.Errorf("from the first undecided epsilon to the last: %v", got)
	}
	if gap, half := a.widest(); gap != (Range{1, 4}) || half != 1 {
		t.Errorf("the widest gap is %v, %g", gap, half)
	}
	if runs := a.needs(100, 0.5); runs != 400 {
		t.Errorf("it takes %g runs until half of the widest gap is 0.5, want four times 100", runs)
	}
}

// The ends of the sets are rounded inwards, and what is too narrow for an epsilon of four digits is undecided.
func TestSetsAreRoundedInwards(t *testing.T) {
	a := newAnswer(Demand{Limit: 30}, Range{0.1, 12.34567}, 0.05)
	a.segments = []segment{{low: 0.1, decision: Met}, {low: 0.333333, decision: Undecided},
		{low: 0.444444, decision: NotMet},
		{low: 1.23451, decision: Met}, {low: 1.23459, decision: NotMet}, {low: 2, decision: Met}}
	a.updateSets()
	want := Sets{Met: []Range{{0.1, 0.3333}, {2, 12.34567}}, NotMet: []Range{{0.4445, 1.234}, {1.235, 1.999}},
		Undecided: []Range{{0.3333, 0.4445}, {1.234, 1.235}, {1.999, 2}}}
	if !reflect.DeepEqual(a.Sets, want) {
		t.Errorf("%+v, want %+v", a.Sets, want)
	}
	for epsilon, want := range map[float64]Decision{0.1: Met, 0.2: Met, 0.4: Undecided, 0.5: NotMet, 1.2345: Undecided,
		12.34567: Met} {
		if got := a.Decision(epsilon); got != want {
			t.Errorf("epsilon %g: %s, want %s", epsilon, got, want)
		}
	}
}

// A crossing is estimated where the mean of the runs passes the limit, and never outside of what is undecided.
func TestCrossings(t *testing.T) {
	for name, c := range map[string]struct {
		means []float64 // at 1, 2, 4, ...
		want  float64
	}{
		"once":                     {[]float64{29, 29, 31, 31}, 4},
		"at the limit itself":      {[]float64{29, 30, 31, 31}, 4}, // which is met
		"back and forth":           {[]float64{29, 31, 29, 31}, 4}, // between 2 and 8
		"never up":                 {[]float64{29, 29, 29, 29}, 16},
		"from the beginning above": {[]float64{31, 31, 31, 31}, 1},
	} {
		a := newAnswer(Demand{Limit: 30}, Range{0.5, 64}, 0.05)
		for _, before := range []Decision{Met, NotMet} {
			cut := []segment{{low: 0.5, decision: before}}
			for i, mean := range c.means {
				if before == NotMet {
					mean = 60.5 - mean // the limit itself is met
				}
				cut = append(cut, segment{low: math.Exp2(float64(i)), decision: Undecided, mean: mean})
			}
			after := map[Decision]Decision{Met: NotMet, NotMet: Met}[before]
			cut = append(cut, segment{low: 16, decision: after}, segment{low: 32, decision: Undecided},
				segment{low: 40, decision: after})
			a.estimateCrossings(cut)
			if len(a.Crossings) != 1 || a.Crossings[0] != (Estimate{c.want, 0.9999, 16}) &&
				!(c.want == 1 && a.Crossings[0] == Estimate{1, 0.9999, 16}) {
				t.Errorf("%s, %s before: %v, want %g between 0.9999 and 16", name, before, a.Crossings, c.want)
			}
		}
	}
}

// Several demands are met where all are, and not met where one is not.
func TestSetsOfSeveralDemands(t *testing.T) {
	between := Range{1, 100}
	f := &Found{Answers: []Answer{
		{Sets: newSets(between, []Range{{1, 10}, {50, 90}}, []Range{{20, 40}}), between: between},
		{Sets: newSets(between, []Range{{8, 100}}, []Range{{1, 5}, {5, 6}}), between: between, Demand: Demand{Falls: true}},
	}}
	want := Sets{Met: []Range{{8, 10}, {50, 90}}, NotMet: []Range{{1, 6}, {20, 40}},
		Undecided: []Range{{6, 8}, {10, 20}, {40, 50}, {90, 100}}}
	if got := f.Sets(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if f.Chosen() != 90 {
		t.Errorf("chosen is %g, want the largest", f.Chosen())
	}
	if f.Answers = f.Answers[1:]; f.Chosen() != 8 {
		t.Errorf("of a cost alone, chosen is %g, want the smallest", f.Chosen())
	}
}

// A later demand is settled where it is decided at the largest epsilon that meets the first.
func TestSettledDemands(t *testing.T) {
	between := Range{1, 100}
	first := &Answer{Sets: newSets(between, []Range{{1, 10}, {50, 90}}, nil)}
	for _, c := range []struct {
		sets Sets
		want bool
	}{{newSets(between, []Range{{80, 100}}, nil), true}, {newSets(between, []Range{{1, 10}}, nil), false},
		{newSets(between, nil, []Range{{60, 100}}), true}, {newSets(between, nil, nil), false}} {
		if a := (&Answer{Sets: c.sets}); a.decidedWhere(first) != c.want || !a.decidedWhere(&Answer{}) {
			t.Errorf("%+v: settled %t, want %t; and where nothing meets the first, true", c.sets, !c.want, c.want)
		}
	}
}

// A bet is laid on the runs from a first one on, up to the next bet. The runs before the first have none.
func TestBetsOnRuns(t *testing.T) {
	a := &Answer{bets: []tunedBet{{64, 0.1}, {128, 0.2}}}
	for run, want := range map[int]float64{0: 0, 63: 0, 64: 0.1, 127: 0.1, 128: 0.2, 5000: 0.2} {
		if got := a.bet(run); got != want {
			t.Errorf("run %d has the bet %g, want %g", run, got, want)
		}
	}
}
