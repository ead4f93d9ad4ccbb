package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"veilpath/internal/plot"
	"veilpath/sim/study"
)

// sample returns the sample of numbers in any order.
func sample(numbers []float64) study.Sample {
	return study.NewSample(slices.Sorted(slices.Values(numbers)))
}

// result returns a study with given distances at epsilons 1, 2, ... and given baselines, NaN for no direct flight.
func result(direct, planned float64, distances ...[]float64) StudyResult {
	r := StudyResult{DetectionKm: func(i int) study.Sample { return sample(distances[i]) }}
	for i, d := range distances {
		r.Summaries = append(r.Summaries, summarize(float64(i+1), d, direct, planned))
	}
	return r
}

// A title has the means with noise, of the whole curve if there is one, and the baselines.
func TestFinding(t *testing.T) {
	narrow := func(km float64) []float64 { return slices.Repeat([]float64{km}, 200) }
	curved := result(math.NaN(), 60.8, narrow(40), narrow(50))
	curved.Curve = &study.Curve{Epsilons: []float64{0.5, 1, 2, 9}, Mean: []float64{38, 40, 50, 60}, Runs: 200}
	for want, r := range map[string]StudyResult{
		"Recognised 40.0–50.0 km from the target with noise; without noise 60.8 km, direct flight 101.5 km": result(101.55,
			60.8, narrow(40), narrow(50)),
		"Recognised 9.6–10.7 km from the target with noise; without noise 12.0 km": result(math.NaN(), 11.97,
			narrow(9.58), narrow(10.651)),
		"Recognised never with noise; without noise never, direct flight 7.00 km": result(7, 0, narrow(0)),
		"Recognised 50.0 km from the target with noise; without noise 60.8 km, direct flight never": result(0, 60.8,
			[]float64{50}),
		"Recognised 38.0–60.0 km from the target with noise; without noise 60.8 km": curved,
	} {
		f, err := StudyFigure(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Title != want {
			t.Errorf("title %q, want %q", f.Title, want)
		}
		checkLayout(t, f)
	}
}

// The plan without noise is drawn as a reference line, and not as a point on the axis of epsilon.
func TestNoneIsNoPlaceOnTheAxis(t *testing.T) {
	r := result(101.55, 60.8, []float64{40, 41}, []float64{60.8, 60.8})
	r.Summaries[1].Epsilon = study.None()
	f, err := StudyFigure(r)
	if err != nil {
		t.Fatal(err)
	}
	chart := f.Panels[0].(*Chart)
	if len(chart.Series[0].X) != 1 || len(f.Panels[1].(*distribution).columns) != 1 {
		t.Errorf("%d points, want one, and %+v, want one column", len(chart.Series[0].X), f.Panels[1])
	}
	var lines []float64
	for _, reference := range chart.References {
		lines = append(lines, reference.At)
	}
	if !slices.Equal(lines, []float64{101.55, 60.8}) {
		t.Errorf("lines at %v km", lines)
	}
	r.Summaries, r.DetectionKm = r.Summaries[1:], func(int) study.Sample { return sample([]float64{60.8}) }
	if _, err := StudyFigure(r); err == nil {
		t.Error("a study without noise is drawn over epsilon")
	}
	checkLayout(t, f)
}

func TestSettings(t *testing.T) {
	r := result(100, 61, make([]float64, 1200), make([]float64, 200))
	r.Delta, r.RadiusKm = 0.01, 0.7
	f, err := StudyFigure(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := "200 to 1,200 flights for each ε, δ = 0.01, observer's radius 0.7 km; a flight never recognised counts " +
		"as 0 km"; !strings.HasSuffix(f.Subtitle, want) {
		t.Errorf("subtitle %q, want it to end with %q", f.Subtitle, want)
	}
}

func TestSingleRunsHaveNoIntervals(t *testing.T) {
	r := result(100, 61, []float64{50}, []float64{60})
	if !math.IsNaN(r.Summaries[0].CILowKm) {
		t.Fatalf("a single run has the interval %v..., want none", r.Summaries[0].CILowKm)
	}
	f, err := StudyFigure(r)
	if err != nil {
		t.Fatal(err)
	}
	mean := f.Panels[0].(*Chart)
	if len(mean.Series) != 1 || mean.Series[0].Low != nil || mean.Series[0].Label != "mean" {
		t.Errorf("series %+v, want the mean alone", mean.Series)
	}
	checkLayout(t, f)
}

func TestEpsilonsAreSorted(t *testing.T) {
	r := result(100, 61, []float64{50, 51}, []float64{60, 61})
	r.Summaries[0].Epsilon, r.Summaries[1].Epsilon = 2, 1
	f, err := StudyFigure(r)
	if err != nil {
		t.Fatal(err)
	}
	mean := f.Panels[0].(*Chart).Series[0]
	if mean.X[0] != 1 || mean.Y[0] != 60.5 {
		t.Errorf("first mean is %v at ε = %v, want 60.5 at 1", mean.Y[0], mean.X[0])
	}
	if first := f.Panels[1].(*distribution).columns[0].distances; first.Values[0] != 60 {
		t.Errorf("first distribution begins with %v, want 60", first.Values[0])
	}
}

func TestStudiesThatCannotBeDrawn(t *testing.T) {
	for _, r := range []StudyResult{{}, result(100, 61, nil)} {
		if _, err := StudyFigure(r); err == nil || !strings.Contains(err.Error(), "no flights with noise") {
			t.Errorf("error %v", err)
		}
	}
}

func TestPublishedCurveIsOverlaid(t *testing.T) {
	r := result(100, 61, []float64{50, 51}, []float64{60, 61})
	r.Published = &Series{Label: "published mean", Mark: Published, Hue: 1, X: []float64{0.5, 2.5}, Y: []float64{49, 62}}
	f, err := StudyFigure(r)
	if err != nil {
		t.Fatal(err)
	}
	series := f.Panels[0].(*Chart).Series
	if got := series[len(series)-1]; got.Label != "published mean" || got.Y[1] != 62 {
		t.Errorf("last series %+v, want the published one", got)
	}
	checkLayout(t, f)
}

func TestHistogramHoldsEveryValue(t *testing.T) {
	const rounding = 1e-9 // of sums of a thousand shares
	random := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		values := make([]float64, 1+random.IntN(1000))
		for i := range values {
			values[i] = max(0, 100*random.NormFloat64())
		}
		d := &distribution{columns: []column{{1, 30, sample(values)}}}
		h, highest := d.count()
		total := 0.0
		for k, share := range h.shares[0] {
			total += share
			if share > h.most || float64(k)*h.width > highest {
				t.Fatalf("cell %d of width %v holds %v, beyond the most %v or the highest %v", k, h.width, share, h.most, highest)
			}
		}
		if h.zeros != nil {
			total += h.zeros[0]
		}
		if math.Abs(total-1) > rounding {
			t.Fatalf("shares sum to %v, want 1", total)
		}
	}
}

func ExampleStudyFigure() {
	distances := [][]float64{{17, 22, 60.5, 60.9}, {18, 60.6, 60.7, 60.8}}
	tally := study.NewTally([]float64{0.2, 4}, []float64{11.8, 0.7})
	for run := range 4 {
		tally.Add([]study.Run{
			{Epsilon: 0.2, Run: run, DetectionKm: distances[0][run], DirectKm: 101.55, PlannedKm: 60.77},
			{Epsilon: 4, Run: run, DetectionKm: distances[1][run], DirectKm: 101.55, PlannedKm: 60.77},
		})
	}
	f, err := StudyFigure(StudyResult{
		Summaries: tally.Summaries(), DetectionKm: tally.DetectionKm,
		HandoverKm: 80, Delta: 0.01, RadiusKm: 0.7,
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(f.Title)
	// Output: Recognised 40.1–50.0 km from the target with noise; without noise 60.8 km, direct flight 101.5 km
}

// The lines of the two baselines differ without their labels.
func TestBaselinesHaveDifferentDashes(t *testing.T) {
	f, err := StudyFigure(result(101.55, 60.8, []float64{40, 41}))
	if err != nil {
		t.Fatal(err)
	}
	lines := f.Panels[0].(*Chart).References
	if len(lines) < 2 || lines[0].Dotted == lines[1].Dotted {
		t.Errorf("lines %+v", lines)
	}
}

// A hand-over distance that varies is labelled so.
func TestHandoverThatIsDrawn(t *testing.T) {
	for varies, want := range map[bool]string{false: "hand-over: 18 km,\nprivacy ends",
		true: "hand-over: around 18 km,\nprivacy ends"} {
		r := result(100, 61, []float64{50})
		r.HandoverKm, r.HandoverVaries = 18, varies
		f, err := StudyFigure(r)
		if err != nil {
			t.Fatal(err)
		}
		if lines := f.Panels[0].(*Chart).References; lines[len(lines)-1].Label != want {
			t.Errorf("varies %v: %+v, want %q", varies, lines, want)
		}
	}
}

// No column reaches to an epsilon below 0.
func TestColumnsStayAboveZero(t *testing.T) {
	for _, at := range [][]float64{{0.2, 1, 4}, {0.2, 0.9}, {1}, {3, 4}} {
		d := &distribution{y: Axis{FromZero: true}}
		for _, epsilon := range at {
			d.columns = append(d.columns, column{epsilon, 1.5, sample([]float64{1.5})})
		}
		c, err := d.chart()
		if err != nil || !(c.X.Low >= 0) || slices.ContainsFunc(c.Cells, func(cell plot.Cell) bool { return cell.X0 < 0 }) {
			t.Errorf("columns at %v: the axis begins at %v, %v", at, c.X.Low, err)
		}
	}
}
