package reproduce

import (
	"math"
	"strings"
	"testing"
)

// one returns a quantity of a single number with readings.
func one(n Number, readings ...Reading) Quantity {
	return Quantity{Name: "q", Numbers: []Number{n}, Readings: readings, Because: "a proof"}
}

func reading(change string, mean, se, publishedSE float64) Reading {
	return Reading{Name: "as said", Change: change, Values: []Value{{mean, se, publishedSE}}}
}

func TestAgreementOfANumber(t *testing.T) {
	for _, test := range []struct {
		name string
		q    Quantity
		want Agreement
	}{
		{"equal in floating point", one(Number{Published: 3}, reading("", 3*(1+5e-10), 0, 0)), Exact},
		{"printed in full, off by 2e-9", one(Number{Published: 3}, reading("", 3*(1+2e-9), 0, 0)), NotReproduced},
		{"rounds to the printed digits", one(Number{Published: 2.524, HalfUnit: 0.0005}, reading("", 2.52441, 0, 0)), Digits},
		{"on the edge of rounding", one(Number{Published: 0.5, HalfUnit: 0.25}, reading("", 0.75, 0, 0)), Digits},
		{"rounds to other digits", one(Number{Published: 0.6251, HalfUnit: 0.00005}, reading("", 0.625215, 0, 0)),
			NotReproduced},
		{"2.9 standard errors away", one(Number{Published: 10}, reading("", 10+2.9*5, 3, 4)), MonteCarlo},
		{"3.1 standard errors away", one(Number{Published: 10}, reading("", 10+3.1*5, 3, 4)), NotReproduced},
		{"only the change agrees", one(Number{Published: 1}, reading("", 2, 0, 0), reading("b = 1", 1, 0, 0)), AfterChange},
		{"both agree, and no change is needed", one(Number{Published: 1}, reading("", 1, 0, 0), reading("b = 1", 1, 0, 0)),
			Exact},
		{"above a proved limit", one(Number{Published: 644, Limit: 142}, reading("", 139, 1, 1)), Contradicted},
		{"below the limit, and wrong", one(Number{Published: 126, Limit: 129}, reading("", 85, 1, 1)), NotReproduced},
		{"above the limit, but agreeing", one(Number{Published: 142.5, Limit: 142}, reading("", 142, 1, 1)), MonteCarlo},
		{"a limit that holds", one(Number{Published: 80, AtMost: true}, reading("", 58.7, 0, 0)), Exact},
		{"a limit that does not", one(Number{Published: 80, AtMost: true}, reading("", 80.1, 0, 0)), NotReproduced},
		{"a limit within sampling error", one(Number{Published: 80, AtMost: true}, reading("", 79, 1, 0)), NotReproduced},
		{"not a number", one(Number{Published: 1}, reading("", math.NaN(), 0, 0)), NotReproduced},
	} {
		if got := test.q.Judge().Rows[0]; got.Agreement != test.want {
			t.Errorf("%s: %s, want %s (%+v)", test.name, got.Agreement, test.want, got)
		}
	}
	itself := one(Number{Published: 108, HalfUnit: 0.5}, reading("", 192, 0, 0))
	itself.Itself = true
	if got := itself.Judge().Rows[0].Agreement; got != Contradicted {
		t.Errorf("the paper against itself: %s, want %s", got, Contradicted)
	}
}

// If no reading fits all numbers, the nearest is picked. A reading with a change that fits all numbers is
// preferred.
func TestPick(t *testing.T) {
	numbers := []Number{{Published: 1}, {Published: 2}}
	values := func(a, b float64) []Value { return []Value{{Mean: a}, {Mean: b}} }
	far, near := Reading{Name: "far", Values: values(1, 9)}, Reading{Name: "near", Values: values(1.1, 2.1)}
	fits := Reading{Name: "fits", Change: "c", Values: values(1, 2)}
	for _, test := range []struct {
		readings []Reading
		want     string
	}{
		{[]Reading{far, near}, "near"}, {[]Reading{far, near, fits}, "fits"}, {[]Reading{fits, near}, "fits"},
	} {
		j := Quantity{Numbers: numbers, Readings: test.readings}.Judge()
		if j.Reading().Name != test.want {
			t.Errorf("picked %s, want %s", j.Reading().Name, test.want)
		}
	}
	j := Quantity{Numbers: append(numbers, Number{Published: 3}),
		Readings: []Reading{{Name: "one of three", Values: []Value{{Mean: 1}, {Mean: 9}, {Mean: 9}}}}}.Judge()
	if !strings.Contains(j.Rows[0].Note, "2 of the 3 numbers do not agree") {
		t.Errorf("a lone agreement is not marked: %q", j.Rows[0].Note)
	}
}

// The tolerance of a curve in standard errors is such that it fails by chance as often as a single number at
// three: 4.2 for 100 numbers (Sidak).
func TestDeviationsGrowWithTheCurve(t *testing.T) {
	at := func(k int) float64 { return Quantity{Numbers: make([]Number, k)}.deviations() }
	const tolerance = 0.005 // absolute; falseAlarm is the 0.0027 of three standard errors, rounded
	for k, want := range map[int]float64{1: 3, 5: 3.46, 100: 4.2} {
		if got := at(k); math.Abs(got-want) > tolerance {
			t.Errorf("%d numbers: %.3f standard errors, want %v", k, got, want)
		}
	}
}

func TestHalfUnit(t *testing.T) {
	for text, want := range map[string]float64{
		"129.3": 0.05, "66174": 0.5, "1.250": 0.0005, "0.6251": 0.00005, "39.7208603958748": 0, "0.979847512818730": 0,
		"192.0319484": 5e-8,
	} {
		if got := halfUnit(text); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: half a unit is %v, want %v", text, got, want)
		}
	}
}
