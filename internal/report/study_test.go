package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

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

// A title says that noise hides the destination only if the interval at every epsilon shows it.
func TestFinding(t *testing.T) {
	wide := func(km float64) []float64 { return []float64{km - 5, km + 5} }
	narrow := func(km float64) []float64 { return slices.Repeat([]float64{km}, 200) }
	for want, r := range map[string]StudyResult{
		"Noise hides the destination until 40–50 km from the target; without noise 61 km, straight on 102 km": result(101.55,
			60.8, narrow(40), narrow(50)),
		"Noise hides the destination until 50 km from the target; without noise 61 km, straight on 102 km": result(101.55,
			60.8, narrow(50), narrow(50.1)),
		"At ε = 1 noise hides the destination until 0 km from the target; without noise 61 km": result(math.NaN(),
			60.8, narrow(0)),
		"At ε = 1 recognised 50 km from the target with noise; without noise 61 km, straight on never": result(0, 60.8,
			[]float64{50}),
		// Rounded to 1 km, noise would not seem to change it.
		"Noise hides the destination until 40.0–60.6 km from the target; without noise 60.8 km": result(math.NaN(),
			60.8, narrow(40), narrow(60.6)),
		// A small mission has at least a tenth.
		"Noise hides the destination until 9.6–10.7 km from the target; without noise 12.0 km": result(math.NaN(), 11.97,
			narrow(9.58), narrow(10.651)),
		"Noise gives the destination away 35–40 km from the target; without noise 19 km": result(math.NaN(), 18.9,
			narrow(35), narrow(40)),
		"Recognised 17–40 km from the target with noise; without noise 19 km": result(math.NaN(), 18.9,
			narrow(17), narrow(40)),
		"Recognised 50–58 km from the target with noise; without noise 61 km": result(math.NaN(), 60.8,
			narrow(50), wide(58)),
		"At ε = 1 never recognised with noise; without noise never, straight on 7.0 km": result(7, 0, narrow(0)),
		"At ε = 1 noise gives the destination away 2.5 km from the target; without noise never": result(math.NaN(), 0,
			narrow(2.5)),
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
	if len(chart.Series[0].X) != 1 || len(f.Panels[1].(*Distribution).At) != 1 {
		t.Errorf("%d points and %d distributions, want one each", len(chart.Series[0].X), len(f.Panels[1].(*Distribution).At))
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
	if first := f.Panels[1].(*Distribution).Values(0); first.Values[0] != 60 {
		t.Errorf("first distribution begins with %v, want 60", first.Values[0])
	}
}

func TestStudiesThatCannotBeDrawn(t *testing.T) {
	twice := result(100, 61, []float64{1}, []float64{2})
	twice.Summaries[1].Epsilon = 1
	without := result(100, 61, []float64{1})
	without.DetectionKm = nil
	for want, r := range map[string]StudyResult{
		"no epsilons":            {},
		"no detection distances": without,
		"has no flights":         result(100, 61, nil),
		"occurs twice":           twice,
	} {
		if _, err := StudyFigure(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
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
		d := &Distribution{At: []float64{1}, Values: func(int) study.Sample { return sample(values) }, ZeroLabel: "never"}
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

func TestTwoModes(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	draw := func(n int, of func() float64) []studyCell {
		distances := make([]float64, n)
		for i := range distances {
			distances[i] = of()
		}
		return []studyCell{{study.Summary{Epsilon: 1, Runs: n}, sample(distances)}}
	}
	for name, c := range map[string]struct {
		cells []studyCell
		two   bool
	}{
		"a mixture": {draw(1000, func() float64 {
			if random.IntN(4) == 0 {
				return 15 + 8*random.Float64()
			}
			return 60.7 + 0.2*random.NormFloat64()
		}), true},
		"three clusters": {draw(1000, func() float64 {
			return []float64{17, 17, 22, 60.7, 60.7, 60.7, 60.7, 60.7, 60.7, 60.7}[random.IntN(10)] + 0.3*random.NormFloat64()
		}), true},
		// A narrow peak at one end of a wide mass does not make two outcomes of it.
		"a peak beside a wide mass": {draw(2000, func() float64 {
			switch k := random.IntN(20); {
			case k < 8:
				return 16 + 0.2*random.NormFloat64()
			case k < 14:
				return 19 + 20*random.Float64()
			}
			return 55 + 6*random.Float64() - 17*math.Floor(1.3*random.Float64())
		}), false},
		"one peak":      {draw(1000, func() float64 { return 50 + 3*random.NormFloat64() }), false},
		"even":          {draw(4000, func() float64 { return 60 * random.Float64() }), false},
		"too few":       {draw(20, func() float64 { return 20 + 40*float64(random.IntN(2)) }), false},
		"rare outliers": {draw(1000, func() float64 { return 60 - 40*math.Floor(random.Float64()+0.01) }), false},
		"undetected":    {draw(100, func() float64 { return 0 }), false},
	} {
		m, two := twoModes(c.cells)
		if two != c.two {
			t.Errorf("%s: two modes %v, want %v", name, two, c.two)
		}
		if two && (m.valley < 24 || m.valley > 59) {
			t.Errorf("%s: valley at %v km, want it between the low cluster and 60 km", name, m.valley)
		}
		if name != "a mixture" {
			continue
		}
		if m.where(m.far) != "near 61" || math.Abs(m.near.median-19) > 1 || m.near.low < 15 || m.near.high > 23 {
			t.Errorf("modes %+v, want one near 60.7 and one within 15 to 23", m)
		}
		if share := m.share(c.cells, m.near); !strings.Contains(share, "% at ε = 1") || !strings.HasPrefix(share, "within ") {
			t.Errorf("the near mode is described by %q", share)
		}
	}
}

// Two outcomes are named at the epsilons that have them, and the ranges hold all flights there.
func TestTwoOutcomesAreNamedWhereTheyOccur(t *testing.T) {
	var both, one []float64
	for k := range 200 {
		both = append(both, []float64{11, 16, 17, 18, 23.8, 60.4, 60.5, 60.6, 60.7, 61.2}[k%10])
		one = append(one, []float64{60.5, 60.6, 60.7}[k%3])
	}
	one[0], one[1] = 30, 9 // 1 % of the flights
	cells := []studyCell{{study.Summary{Epsilon: 0.2, Runs: 200}, sample(both)},
		{study.Summary{Epsilon: 5, Runs: 200}, sample(one)}}
	m, two := twoModes(cells)
	if got := m.at(2) + m.where(m.far) + " " + m.where(m.near); !two || got != "at ε = 0.2 near 61 at 11–24" {
		t.Errorf("%q", got)
	}
	if _, two := twoModes(cells[1:]); two {
		t.Error("1 % of the flights are an outcome")
	}
}

// The texts on two outcomes are true at every scale: the shares are those beyond the threshold as it is written, and
// the places contain the flights.
func TestTwoOutcomesAreTrueAtEveryScale(t *testing.T) {
	for scale, want := range map[float64][2]string{
		1e-4: {"near 0.0084", "at 0.0030–0.0050"}, 0.01: {"near 0.84", "at 0.30–0.50"}, 0.1: {"near 8.4", "at 3.0–5.0"},
		1: {"near 84", "at 30–50"}, 30: {"near 2506", "at 900–1500"},
	} {
		var weak, strong []float64
		for k := range 200 {
			weak = append(weak, scale*(83.5+float64(k%5)/40))
			if k%4 == 0 {
				strong = append(strong, scale*83.5)
			} else {
				strong = append(strong, scale*float64([]int{30, 35, 50}[k%3]))
			}
		}
		cells := []studyCell{{study.Summary{Epsilon: 0.2, Runs: 200}, sample(strong)},
			{study.Summary{Epsilon: 4, Runs: 200}, sample(weak)}}
		m, two := twoModes(cells)
		if got := [2]string{m.where(m.far), m.where(m.near)}; !two || got != want {
			t.Errorf("at scale %v: %q, want %q", scale, got, want)
		}
		share := m.share(cells, m.far)
		var threshold float64
		if _, err := fmt.Sscanf(share, "beyond %f km:", &threshold); err != nil {
			t.Fatalf("%q: %v", share, err)
		}
		beyond := 0
		for _, km := range strong {
			if km >= threshold {
				beyond++
			}
		}
		if beyond != 50 || !strings.HasSuffix(share, "25 % at ε = 0.2\n100 % at ε = 4") {
			t.Errorf("at scale %v %d of 200 flights are beyond the threshold of %q", scale, beyond, share)
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
	// Output: Recognised 40–50 km from the target with noise; without noise 61 km, straight on 102 km
}

// Numbers of a title that are not the same are not written alike, unless it says that they are alike.
func TestTitlesOfNearlyEqualDistances(t *testing.T) {
	for want, c := range map[string][3]float64{ // planned, and two means that are not shown to differ from it
		"Recognised 1.88–1.92 km from the target with noise; without noise 1.92 km": {1.922, 1.88, 1.92},
		"Recognised 1.92 km from the target with and without noise":                 {1.922, 1.921, 1.919},
		"Recognised 1.9 km from the target with and without noise":                  {1.9, 1.9, 1.9},
		"Recognised 1.8–1.9 km from the target with noise; without noise 2.0 km":    {2, 1.8, 1.9},
	} {
		cells := make([]studyCell, 2)
		for i := range cells {
			cells[i].Summary = study.Summary{Epsilon: float64(i), Runs: 9, MeanKm: c[i+1], PlannedKm: c[0],
				DirectKm: math.NaN(), NoiseLowKm: -1, NoiseHighKm: 1}
		}
		if got := new(StudyResult).finding(cells); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The lines of the two baselines differ without their labels.
func TestBaselinesHaveDifferentDashes(t *testing.T) {
	f, err := StudyFigure(result(101.55, 60.8, []float64{40, 41}))
	if err != nil {
		t.Fatal(err)
	}
	lines := f.Panels[0].(*Chart).References
	if len(lines) < 2 || slices.Equal(lines[0].stroke(new(sheet)).dashes, lines[1].stroke(new(sheet)).dashes) {
		t.Errorf("lines %+v", lines)
	}
}

// A title describes everything that is drawn. Its numbers are those of the whole curve. It states a result at the
// listed epsilons only if they cover the curve, or if the curve's band shows it too.
func TestFindingOfACurve(t *testing.T) {
	narrow := func(km float64) []float64 { return slices.Repeat([]float64{km}, 200) }
	curve := func(epsilons, mean []float64, band float64) *study.Curve {
		c := &study.Curve{Epsilons: epsilons, Mean: mean, Runs: 200}
		for _, km := range mean {
			c.Low, c.High = append(c.Low, km-band), append(c.High, km+band)
		}
		return c
	}
	for want, c := range map[string]*study.Curve{
		"At ε from 1 to 2 noise hides the destination until 38–52 km from the target; without noise 61 km": curve(
			[]float64{1, 1.5, 2}, []float64{40, 52, 38}, 20),
		"At ε from 0.5 to 9 recognised 38–60 km from the target with noise; without noise 61 km": curve(
			[]float64{0.5, 1, 2, 9}, []float64{38, 40, 50, 60}, 2),
		"At ε from 0.5 to 9 noise hides the destination until 38–55 km from the target; without noise 61 km": curve(
			[]float64{0.5, 1, 2, 9}, []float64{38, 40, 50, 55}, 2),
	} {
		r := result(math.NaN(), 60.8, narrow(40), narrow(50))
		r.Curve = c
		f, err := StudyFigure(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Title != want {
			t.Errorf("title %q, want %q", f.Title, want)
		}
	}
}

// A direct flight that turns from its first heading is not called straight.
func TestDirectFlightsThatTurn(t *testing.T) {
	r := result(101.55, 60.8, []float64{40, 41})
	for turns, want := range map[bool][2]string{false: {", straight on 102 km", "straight to the\ntarget: 101.5 km"},
		true: {", turning to it 102 km", "turning to the\ntarget: 101.5 km"}} {
		r.Turns = turns
		f, err := StudyFigure(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Panels[0].(*Chart).References[0].Label; !strings.HasSuffix(f.Title, want[0]) || got != want[1] {
			t.Errorf("%q with a line %q, want %q", f.Title, got, want)
		}
	}
}

// No title says that noise hides the destination if the flights that a limit ended decide that.
func TestTitlesOfFlightsThatALimitEnded(t *testing.T) {
	cell := studyCell{Summary: study.Summary{Epsilon: 1, Runs: 9, MeanKm: 40, PlannedKm: 60, NoiseKm: -20,
		NoiseLowKm: -22, NoiseHighKm: -18, DirectKm: math.NaN()}}
	for within, want := range map[float64]string{-15: "noise hides the destination until", 5: "recognised 40 km"} {
		cell.Without[study.Timeouts] = study.Effect{Km: within, LowKm: within - 1, HighKm: within + 1}
		if got := new(StudyResult).finding([]studyCell{cell}); !strings.Contains(got, want) {
			t.Errorf("%g km without them: %q, want %q", within, got, want)
		}
	}
}

// Where the plan without noise is one of several, no title says what noise does.
func TestTitlesOfTiedPlans(t *testing.T) {
	cells := []studyCell{{Summary: study.Summary{Epsilon: 1, Runs: 9, MeanKm: 40, PlannedKm: 60, NoiseKm: -20,
		NoiseLowKm: -22, NoiseHighKm: -18, DirectKm: math.NaN()}}}
	for tied, want := range map[bool]string{false: "noise hides the destination until", true: "recognised 40 km"} {
		if got := (&StudyResult{Tied: tied}).finding(cells); !strings.Contains(got, want) {
			t.Errorf("tied %t: %q, want %q", tied, got, want)
		}
	}
}

// A hand-over distance that is drawn is labelled with its range.
func TestHandoverThatIsDrawn(t *testing.T) {
	for spread, want := range map[float64]string{0: "hand-over: 18 km,\nprivacy ends",
		5: "hand-over: 13–23 km,\nprivacy ends"} {
		r := StudyResult{HandoverKm: 18, HandoverSpreadKm: spread}
		if got, _ := r.handover(); got.Label != want {
			t.Errorf("spread %g km: %q, want %q", spread, got.Label, want)
		}
	}
}
