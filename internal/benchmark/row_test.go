package benchmark

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"veilpath/internal/setup"
)

// row returns a row with some bits left and a cost.
func row(mission, way string, bits, cost float64) Row {
	r := Row{Mission: mission, Way: way, PriorBits: 3, Cost: NewEstimate(cost, 0.01), Bits: make([]Bits, len(Fractions)),
		Request: Request{Config: "paper", Observers: []string{"moves"}, Flights: 8, Policies: 1}, Version: "1"}
	for i := range r.Bits {
		r.Bits[i] = Bits{FlownKm: 10, Observer: "moves", Left: NewEstimate(bits, 0.1)}
	}
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

// A row is a function of its request: another number of workers measures the same bits.
func TestRowsAreReproducible(t *testing.T) {
	s, err := ReadSuite([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	measure := func(workers int) string {
		b := &Bench{Version: "test", Builder: new(setup.Builder), Workers: workers}
		row, err := b.Case(t.Context(), s, &s.Cases()[1], func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		if row.PriorBits != 2 || len(row.Bits) != 3 || !(row.Bits[0].FlownKm < row.Bits[2].FlownKm) ||
			!(float64(row.Cost.Mean) > 0) || row.Cost.Low < 0 || row.Guarantee == "" || row.Protects == "" ||
			row.Audit != "none" {
			t.Errorf("row %+v", row)
		}
		text, err := json.Marshal([]Row{row})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadRows(text); err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if one, two := measure(1), measure(2); one != two {
		t.Errorf("with one worker %s, with two %s", one, two)
	}
}

// The interval of the mean cost holds what its flights may have missed, up to the loss of the worst policy: it reaches
// much farther above the mean than below it, where that of a normal mean reaches equally far. Without noise the cost is
// certain.
func TestCostsHaveTheIntervalOfABoundedMean(t *testing.T) {
	s, err := ReadSuite([]byte(strings.Replace(small, "flights: 8", "flights: 40", 1)))
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Version: "test", Builder: new(setup.Builder)}
	for i, c := range s.Cases()[:2] {
		row, err := b.Case(t.Context(), s, &c, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		low, mean, high := float64(row.Cost.Low), float64(row.Cost.Mean), float64(row.Cost.High)
		if i == 0 && (low != 0 || high != 0) || i == 1 && !(low > 0 && low < mean && high-mean > 1.5*(mean-low)) {
			t.Errorf("%s: %v in %v .. %v", c.Title(), mean, low, high)
		}
	}
}
