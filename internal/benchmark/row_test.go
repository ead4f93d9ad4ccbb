package benchmark

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"veilpath/assets"

	"veilpath/internal/setup"
	"veilpath/internal/table"
)

// row returns a row with some bits left and a cost.
func row(mission, way string, bits, cost float64) Row {
	r := Row{Mission: mission, Way: way, PriorBits: 3, Cost: NewEstimate(cost, 0.01), Bits: make([]Bits, len(Fractions)),
		Request: Request{Config: "paper", Observers: []string{"moves"}, Flights: 8, Policies: 1}, Version: "1"}
	for i := range r.Bits {
		r.Bits[i] = Bits{FlownKm: 10, Observer: "moves", Left: NewEstimate(bits, 0.1)}
	}
	r.Hash = r.hash()
	return r
}

// The front has the rows that no other row beats in both, the cheapest first. Unknown numbers are never on it.
func TestFront(t *testing.T) {
	rows := []Row{row("a", "p", 1, 0.5), row("a", "q", 2, 0.1), row("a", "r", 2.5, 0.3), row("a", "s", 2.4, 0.4),
		row("b", "t", 9, 0), row("a", "u", math.NaN(), 0), row("a", "v", 1.5, 0.05)}
	var ways string
	for _, i := range Front(rows, "a") {
		ways += rows[i].Way
	}
	if ways != "vqr" {
		t.Errorf("front %s, want vqr", ways)
	}
	plain := row("a", "plain", 1.95, 0)
	plain.Request.Set = []string{"privacy.epsilon=none"}
	const open = "not shown to be more than the 1.95 of the plan without noise"
	if words := Words(append(rows, plain)); !strings.Contains(words, open) {
		t.Errorf("intervals that overlap: %s", words)
	}
	plain.Bits[Half].Left = NewEstimate(1.5, 0.1)
	if words := Words(append(rows, plain)); strings.Contains(words, "not shown") {
		t.Errorf("intervals that do not overlap: %s", words)
	}
	words := Words(rows)
	for _, want := range []string{"at most 10 % of the value", "q in 1", "t in 1", "a: q leaves 2.00 of 3.00 bits",
		"of 2 missions"} {
		if !strings.Contains(words, want) {
			t.Errorf("words %q lack %q", words, want)
		}
	}
}

// The plan without noise is no way to hide, however cheap it is and however much it leaves.
func TestThePlanIsNoWayToHide(t *testing.T) {
	plain := row("a", "planned", 2, 0)
	plain.Request.Set = []string{"privacy.epsilon=none"}
	dear := row("a", "noise", 1, 0.295)
	dear.Parameter, dear.Value = "privacy.epsilon", "2"
	for _, c := range []struct {
		rows []Row
		want string
	}{
		{[]Row{plain, dear}, "No way to hide costs at most 10 % of the value.\na: no way to hide is that cheap, and the " +
			"cheapest, noise (epsilon 2), costs 29.5 %."},
		{[]Row{plain, dear, row("b", "soft", 1, 0.1)}, "soft in 1 of 2 missions.\na: no way to hide is that cheap"},
		{[]Row{plain}, "No way to hide costs at most 10 % of the value.\na: no way to hide is that cheap."},
	} {
		if words := Words(c.rows); !strings.Contains(words, c.want) || strings.Contains(words, "planned in") {
			t.Errorf("%q, want %q", words, c.want)
		}
	}
}

// What cannot be negative has no negative end, and its interval is as wide for comparisons as without that limit.
func TestCostsAreNotNegative(t *testing.T) {
	for _, c := range []struct{ mean, standardError, low float64 }{{0.295, 0.163, 0}, {0.5, 0.1, 0.304}, {0, 0, 0}} {
		free := NewEstimate(c.mean, c.standardError)
		bound := free.atLeast(0)
		if math.Abs(float64(bound.Low)-c.low) > 1e-3 || bound.High != free.High || bound.Mean != free.Mean ||
			math.Abs(bound.width()-free.width()) > 1e-12 {
			t.Errorf("%+v, want a lower end of %g and an upper one of %g", bound, c.low, free.High)
		}
	}
}

// A measured row is the same when it is measured again, within noise with another seed, and different in another
// world.
func TestRowsAreMeasuredAgain(t *testing.T) {
	s, err := ReadSuite([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Version: "test", Builder: new(setup.Builder), Workers: 2}
	cases := s.Cases()
	first, err := b.Case(t.Context(), s, &cases[1], func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if first.PriorBits != 2 || len(first.Bits) != 3 || !(first.Bits[0].FlownKm < first.Bits[2].FlownKm) ||
		!(float64(first.Cost.Mean) > 0) || first.Cost.Low < 0 || first.Guarantee == "" || first.Protects == "" ||
		first.Audit != "none" {
		t.Errorf("row %+v", first)
	}
	text, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ReadRows(text)
	if err != nil || len(rows) != 1 {
		t.Fatal(len(rows), err)
	}
	read := &rows[0]
	again, err := (&Bench{Version: "test", Builder: new(setup.Builder), Workers: 1}).Again(t.Context(), read, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if agreement, differences := Compare(read, &again); agreement != Same {
		t.Errorf("%s: %+v", agreement, differences)
	}
	for seed, want := range map[uint64]Agreement{6: Noise} {
		other := *read
		other.Request.Seed = seed
		again, err := b.Again(t.Context(), &other, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		again.Command, again.Arch = read.Command, "another" // the command names the seed
		if agreement, differences := Compare(read, &again); agreement != want {
			t.Errorf("seed %d: %s, want %s: %+v", seed, agreement, want, differences)
		}
	}
}

func TestCompareTellsNoiseFromDifference(t *testing.T) {
	recorded := row("a", "p", 2, 0.1)
	for bits, want := range map[float64]Agreement{2: Same, 2.3: Noise, 3.5: Different, math.NaN(): Different} {
		again := row("a", "p", bits, 0.1)
		if agreement, _ := Compare(&recorded, &again); agreement != Same && agreement != Different {
			t.Errorf("%g bits of the same program: %s", bits, agreement)
		}
		again.Version = "2"
		if agreement, _ := Compare(&recorded, &again); agreement != want {
			t.Errorf("%g bits: %s, want %s", bits, agreement, want)
		}
	}
	wide := row("a", "p", 2.3, 0.1)
	wide.Version = "2"
	wide.Bits[Half].Left.Low, wide.Bits[Half].Left.High = -50, 50
	if agreement, _ := Compare(&wide, &recorded); agreement != Different {
		t.Errorf("a recorded interval that is far too wide is %s", agreement)
	}
	seen := row("a", "p", 2, 0.1)
	seen.Bits[Half].Observer = "nobody"
	if agreement, _ := Compare(&seen, &recorded); agreement != Different {
		t.Errorf("another strongest observer of the same program is %s", agreement)
	}
	again := recorded
	again.Audit = "broken"
	if agreement, _ := Compare(&recorded, &again); agreement != Different {
		t.Errorf("another verdict is %s", agreement)
	}
}

// A row that was edited is refused, since its numbers belong to other settings.
func TestEditedRowsAreRefused(t *testing.T) {
	r := row("a", "p", 2, 0.1)
	r.Number = 1
	r.RecognisedKm.Low = table.Maybe(math.NaN())
	r.Hash = r.hash()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ReadRows(text)
	if err != nil || len(rows) != 1 {
		t.Fatal(len(rows), err)
	}
	read := &rows[0]
	read.RecognisedKm.Low, r.RecognisedKm.Low = 0, 0 // NaN is not equal to itself
	if !reflect.DeepEqual(*read, r) {
		t.Errorf("read %+v, want %+v", *read, r)
	}
	forged := row("a", "p", 2, 0.1)
	forged.Parameter, forged.Value, forged.Request.Set = "privacy.epsilon", "100", []string{"privacy.epsilon=0.5"}
	forged.Hash = forged.hash()
	if err := forged.check(); err == nil || !strings.Contains(err.Error(), "its request has another") {
		t.Errorf("a value that its request does not have: %v", err)
	}
	for says, edit := range map[string][2]string{
		"its hash is not":         {`"flights":8`, `"flights":9`},
		"is not that of the row":  {`"prior_bits":3`, `"prior_bits":9`},
		"bits of 0 distances":     {`"bits":`, `"bit":`},
		"cannot be measured":      {`"config":"paper"`, `"config":""`},
		"not rows of a benchmark": {`{`, `[`},
	} {
		if _, err := ReadRows([]byte(strings.Replace(string(text), edit[0], edit[1], 1))); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", edit[1], err)
		}
	}
}

// Rows of a suite have its names; the names of other requests are their authors' own.
func TestLabels(t *testing.T) {
	suite, err := ReadSuite(assets.BenchmarkSuite)
	if err != nil {
		t.Fatal(err)
	}
	c := suite.Cases()[20]
	r := Row{Mission: c.Mission.Name, Way: c.Way.Name, Parameter: c.Way.Parameter, Value: c.Value,
		Request: suite.Request(&c)}
	if right, known := suite.Label(&r); !right || !known {
		t.Error("a row of the suite is not its own")
	}
	r.Way = "magic shield"
	if right, known := suite.Label(&r); right || !known {
		t.Error("a way of another name is taken for the suite's")
	}
	r.Request.Flights++
	if _, known := suite.Label(&r); known {
		t.Error("another request is taken for one of the suite")
	}
}
