package benchmark

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
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
}

// The answer says what the intervals of all cheap ways together show. The plan without noise is no way to hide, however
// cheap it is.
func TestTheSentenceOfABenchmark(t *testing.T) {
	plain := func(mission string, bits float64) Row {
		r := row(mission, "planned", bits, 0)
		r.Request.Set = []string{"privacy.epsilon=none"}
		return r
	}
	dear := row("a", "noise", 1, 0.295)
	dear.Parameter, dear.Value = "privacy.epsilon", "2"
	const shown = "Halfway to the goal, a way to hide is shown to leave the strongest observer more to learn than the " +
		"plan without noise on "
	const not = "Halfway to the goal, no way to hide is shown to leave the strongest observer more to learn than the " +
		"plan without noise on "
	for _, c := range []struct {
		rows []Row
		want string
		way  []string // first row of the table
	}{
		{[]Row{plain("a", 1.5), row("a", "q", 2, 0.1), row("a", "r", 2.5, 0.3), row("b", "t", 9, 0), plain("b", 9)},
			shown + "1 of 2 missions at a cost of at most 10 % of the value.",
			[]string{"a", "q", "2.00 of 3.00", "1.80 .. 2.20", "1.50", "10 %"}},
		{[]Row{plain("a", 1.95), row("a", "q", 2, 0.1)}, not + "the mission at a cost of at most 10 % of the value.", nil},
		// 1.5 +- 0.196 and 1.9 +- 0.196 differ alone, and not where the 1.9 is the largest of three
		{[]Row{plain("a", 1.5), row("a", "q", 1.9, 0)}, shown + "the mission at a cost of at most 10 % of the value.", nil},
		{[]Row{plain("a", 1.5), row("a", "q", 1.9, 0), row("a", "r", 1.8, 0), row("a", "s", 1.8, 0)},
			not + "the mission at a cost of at most 10 % of the value.", nil},
		{[]Row{plain("a", 2), row("a", "q", 1, 0), plain("b", 2), row("b", "q", 1, 0)}, not + "any of 2 missions at a cost " +
			"of at most 10 % of the value.", nil},
		{[]Row{plain("a", 2), dear}, "No way to hide costs at most 10 % of the value.",
			[]string{"a", "noise 2", "1.00 of 3.00", "0.80 .. 1.20", "2.00", "30 %"}},
		{[]Row{plain("a", 2)}, "No way to hide costs at most 10 % of the value.",
			[]string{"a", "none", "-", "-", "2.00", "-"}},
		{[]Row{row("a", "q", 2, 0.1)}, "The suite has no plan without noise, so no way is shown to hide more.", nil},
	} {
		if words := Words(c.rows); words != c.want {
			t.Errorf("got  %s\nwant %s", words, c.want)
		}
		if got := ScreenTable(c.rows).Rows[0]; c.way != nil && !slices.Equal(got, c.way) {
			t.Errorf("%q, want %q", got, c.way)
		}
	}
}

// observers returns the observers of a suite.
func observers(t *testing.T, s *Suite) (models []adversary.GoalModel) {
	t.Helper()
	for _, name := range s.Observers {
		m, err := adversary.FindGoalModel(name)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	return models
}

// A row is a function of its request: another number of workers measures the same bits.
func TestRowsAreReproducible(t *testing.T) {
	s, err := ReadSuite([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	measure := func(workers int) string {
		b := &Bench{Version: "test", Builder: new(setup.Builder), Models: observers(t, s), Workers: workers}
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
	b := &Bench{Version: "test", Builder: new(setup.Builder), Models: observers(t, s)}
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
