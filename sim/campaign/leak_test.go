package campaign

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"veilpath/configs"
	"veilpath/internal/table"
)

// The curve of a study of leakage ends with the mission, or with the largest requested distance, and has a round step.
func TestCurveEndsWithTheMission(t *testing.T) {
	for _, c := range []struct {
		missionKm float64
		at        []float64
		step, end float64
		points    int
	}{
		{206.4, []float64{50}, 5, 205, 42},
		{12.7, []float64{4, 8}, 0.2, 12.6, 64},
		{12.7, []float64{4.1}, 0.2, 12.6, 65},
		{2051.8, []float64{100}, 50, 2050, 42},
		{12.7, []float64{200}, 5, 200, 41},
		{0.05, []float64{0.01}, 0.001, 0.05, 51},
	} {
		got := curveKm(c.at, c.missionKm)
		if len(got) != c.points || got[len(got)-1] != c.end || !slices.Contains(got, c.step) || !slices.IsSorted(got) ||
			!slices.Contains(got, c.at[0]) || got[0] != 0 {
			t.Errorf("%g km: %v", c.missionKm, got)
		}
	}
	if km := configs.Default().DirectKm(); !(km > 206 && km < 207) { // hypot(200, 50, 10)
		t.Errorf("the paper's mission is %g km long", km)
	}
}

// A study of leakage prints the bits of the table in its files, those with the most first: at every epsilon after one
// distance, or after every distance. Its figure is titled with the first sentence.
func TestScreenHasTheBitsOfTheFiles(t *testing.T) {
	settings, err := configs.Load(configs.Request{Sets: []string{"adversary.candidates=16:11,3:15,15:3"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at       string
		headings []string
		columns  [][2]float64 // epsilon and distance flown, km
	}{
		{"50", []string{"observer", "what it knows", "bits at 0.2", "at 1", "at 8", "guess right at 1"},
			[][2]float64{{0.2, 50}, {1, 50}, {8, 50}}},
		{"5,50", []string{"observer", "what it knows", "bits at 5 km", "at 50 km", "guess right at 1"},
			[][2]float64{{1, 5}, {1, 50}}},
	} {
		l, err := NewLeak(t.Context(), &Program{Version: "1"}, LeakRequest{Settings: settings,
			Observers: "geometry,moves,rational", Epsilons: "0.2,1,4,8", Flights: 4, At: c.at, Radii: "25"})
		if err != nil {
			t.Fatal(err)
		}
		a, err := l.Question().Solve(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := a.Table.(table.Plain)
		if !slices.Equal(got.Headings, c.headings) || len(got.Rows) != 3 {
			t.Fatalf("at %s: %+v", c.at, got)
		}
		last, compared := math.Inf(1), 0
		for _, cells := range got.Rows {
			for i, column := range c.columns {
				for _, row := range a.Page.Sheets[0].Rows { // observer, epsilon, flown_km, ..., bits_learned
					if row[0] != cells[0] || row[1] != column[0] || row[2] != column[1] {
						continue
					}
					compared++
					bits, err := strconv.ParseFloat(cells[2+i], 64)
					if err != nil || math.Abs(bits-row[7].(float64)) > 0.05 {
						t.Errorf("at %s: %q, %v in the file", c.at, cells, row)
					}
					if column == [2]float64{1, 50} {
						if bits > last {
							t.Errorf("at %s: %g bits follow %g", c.at, bits, last)
						}
						last = bits
					}
				}
			}
		}
		if compared != len(got.Rows)*len(c.columns) {
			t.Errorf("at %s: %d cells of %d are in the file", c.at, compared, len(got.Rows)*len(c.columns))
		}
		if first, title := a.Words[0], a.Figures["figure"].Title; title+"." != first {
			t.Errorf("title %q, first sentence %q", title, first)
		}
	}
}
