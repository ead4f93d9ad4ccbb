package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"veilpath/assets"
)

func TestReadPublishedSeries(t *testing.T) {
	file, err := assets.Published.Open("published/fig_ex2_cost_vs_eps.csv")
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSeries(file, "eps", "output_rmax5_cost_percent")
	if err != nil {
		t.Fatal(err)
	}
	// The third row is blank in this column.
	if s.X[0] != 0.1 || s.Y[0] != 270.113371 || s.X[1] != 1 || s.X[2] == 1.1 || len(s.X) != len(s.Y) {
		t.Errorf("read %v, %v", s.X, s.Y)
	}
}

func TestReadSeriesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "header",
		"a,c\n1,2\n":       `no column "b" among a, c`,
		"a,b\n1,x\n":       `line 2, column "b": "x", want a finite number`,
		"a,b\n1,2\nNaN,1":  `line 3, column "a": "NaN"`,
		"a,b\n1,2,3\n":     "wrong number of fields",
		"a,b\n1,\"2\n":     "quote",
		"a,b\n+Inf,1\n1,1": "finite",
	} {
		if _, err := ReadSeries(strings.NewReader(text), "a", "b"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzReadSeries(f *testing.F) {
	f.Add("a,b\n1,2\n3,\n")
	f.Add("b,a\n\"1\",-2e3\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadSeries(strings.NewReader(text), "a", "b")
		if err != nil {
			return
		}
		if len(s.X) != len(s.Y) {
			t.Fatalf("%d X and %d Y", len(s.X), len(s.Y))
		}
		for i := range s.X {
			if math.IsNaN(s.X[i]-s.X[i]) || math.IsNaN(s.Y[i]-s.Y[i]) {
				t.Fatalf("point %d is %v, %v", i, s.X[i], s.Y[i])
			}
		}
	})
}

func ExampleReadSeries() {
	table := "eps,bound,truth\n0.1,39.7,20.9\n0.2,20.0,\n0.3,13.5,7.1\n"
	s, err := ReadSeries(strings.NewReader(table), "eps", "truth")
	fmt.Println(s.X, s.Y, err)
	// Output: [0.1 0.3] [20.9 7.1] <nil>
}
