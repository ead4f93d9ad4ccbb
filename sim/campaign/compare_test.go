package campaign

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/sim/study"
)

// Studies of one seed are paired over the runs of the same numbers, and what is said of A and B is of those: also where
// one is a part, or has more runs. Without common runs, or with other noise, they are not paired.
func TestComparedRunsAreThoseOfTheSameNumber(t *testing.T) {
	p := &Program{Version: "1", Disk: &recordtest.Disk{}}
	fly := func(folder string, part Part, sets ...string) {
		t.Helper()
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: append(sets, "study.epsilons=1")},
			Part: part}, folder); err != nil {
			t.Fatal(err)
		}
	}
	fly("forty", Part{}, "study.runs=40")
	fly("hundred", Part{}, "study.runs=100")
	fly("first", Part{1, 2}, "study.runs=40")  // runs 0 to 19
	fly("second", Part{2, 2}, "study.runs=60") // runs 30 to 59
	fly("seed", Part{}, "study.runs=40", "study.seed=2")
	fly("noise", Part{}, "study.runs=40", "study.noise=independent")
	mean := func(folder string, first, end int) float64 {
		result, sum := flights(t, p, folder), 0.0
		for _, r := range result {
			if r.Run >= first && r.Run < end {
				sum += r.DetectionKm
			}
		}
		return sum / float64(end-first)
	}
	for _, c := range []struct {
		a, b         string
		first, end   int // of the common runs
		says         string
		runsA, runsB int // where there are none
	}{
		{"forty", "forty", 0, 40, "paired by run, which has the same noise in both", 0, 0},
		{"forty", "hundred", 0, 40, "both, over the 40 runs that both have, of 40 in A and 100 in B", 0, 0},
		{"second", "hundred", 30, 60, "both, over the 30 runs that both have, of 30 in A and 100 in B", 0, 0},
		{"second", "forty", 30, 40, "both, over the 10 runs that both have, of 30 in A and 40 in B", 0, 0},
		{"first", "second", 0, 0, "not paired: no run of A is in B", 20, 30},
		{"forty", "seed", 0, 0, "not paired: the seed or the kind of noise differs", 40, 40},
		{"forty", "noise", 0, 0, "not paired: the seed or the kind of noise differs", 40, 40},
	} {
		compared, err := p.Compare(t.Context(), c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		name, place, common := fmt.Sprintf("%s, %s", c.a, c.b), compared.Places[0], c.end-c.first
		if compared.Paired != (common > 0) || !strings.HasSuffix(compared.Pairing(), c.says) {
			t.Errorf("%s: paired %v, %q; want %q", name, compared.Paired, compared.Pairing(), c.says)
		}
		if place.RunsA != max(common, c.runsA) || place.RunsB != max(common, c.runsB) {
			t.Errorf("%s: over %d and %d runs", name, place.RunsA, place.RunsB)
		}
		if common == 0 {
			continue
		}
		if got, want := place.Contrasts[0].A, mean(c.a, c.first, c.end); math.Abs(got-want) > 1e-9 { // km: rounding of a sum
			t.Errorf("%s: A %v, want %v", name, got, want)
		}
		if d := place.Contrasts[0]; d.Difference != 0 || d.Low != 0 || d.High != 0 {
			t.Errorf("%s: the same runs differ: %+v", name, d)
		}
	}
}

// flights returns the recorded flights of a study of one epsilon.
func flights(t *testing.T, p *Program, folder string) []study.Run {
	t.Helper()
	m, err := p.ReadManifest(folder)
	if err != nil {
		t.Fatal(err)
	}
	places, err := p.flightsOf(t.Context(), folder, m)
	if err != nil || len(places) != 1 {
		t.Fatal(len(places), err)
	}
	return places[0].runs
}

// Of parts that have no points in common there is nothing to compare.
func TestPartsOfOtherPointsHaveNothingInCommon(t *testing.T) {
	p := &Program{Version: "1", Disk: &recordtest.Disk{}}
	for i, folder := range []string{"a", "b"} {
		r := Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=4"}}, Part: Part{i + 1, 2},
			Sweep: []record.Swept{{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.6, 1.7}}}}
		if _, err := p.Fly(t.Context(), r, folder); err != nil {
			t.Fatal(err)
		}
	}
	_, err := p.Compare(t.Context(), "a", "b")
	if err == nil || !strings.Contains(err.Error(),
		"the first has vehicle.speed_km_s 1.6, epsilon 1, the second vehicle.speed_km_s 1.7, epsilon 1") {
		t.Errorf("error %v", err)
	}
}

// Places that only one side has are counted on that side.
func TestPlacesOfOneSide(t *testing.T) {
	p := &Program{Version: "1", Disk: &recordtest.Disk{}}
	for folder, epsilons := range map[string]string{"a": "none,1,2", "b": "1,2,4,8,16"} {
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=" + epsilons,
			"study.runs=2"}}}, folder); err != nil {
			t.Fatal(err)
		}
	}
	c, err := p.Compare(t.Context(), "a", "b")
	if err != nil || len(c.Places) != 2 || c.OnlyA != 1 || c.OnlyB != 3 {
		t.Errorf("%v, %+v", err, c)
	}
	const counted = "; epsilon none is counted but not drawn"
	if with, err := p.Compare(t.Context(), "a", "a"); err != nil ||
		!strings.HasSuffix(with.figure().Subtitle, counted) || strings.HasSuffix(c.figure().Subtitle, counted) {
		t.Errorf("%v: figures are of %q, %q", err, with.figure().Subtitle, c.figure().Subtitle)
	}
}

// A table of a tune without a number for epsilon is refused as any other that its flights do not fit.
func TestTableWithoutEpsilonHasNoFlights(t *testing.T) {
	p := &Program{Disk: &recordtest.Disk{}}
	s := &side{places: []sample{{epsilon: math.NaN()}, {epsilon: math.NaN()}}}
	s.Folder, s.Manifest = "tune", record.Manifest{Runs: 1, Files: map[string]string{record.RunsName: ""}}
	if err := p.addFlights(t.Context(), s); err == nil {
		t.Error("want an error")
	}
}

// Long values are told briefly, from where they differ.
func TestLongSettingsAreToldBriefly(t *testing.T) {
	zeros := strings.Repeat("0 ", 200)
	for _, c := range []struct {
		change Change
		a, b   string
	}{
		{Change{A: "1.7", B: "2"}, "1.7", "2"},
		{Change{A: "none", B: "[" + zeros}, "none", ("[" + zeros)[:60] + "..."},
		{Change{A: zeros + "1]", B: zeros + "2 3]"}, "..." + zeros[:20] + "1]", "..." + zeros[:20] + "2 3]"},
		{Change{A: zeros + "1 " + zeros, B: zeros + "2"}, "..." + zeros[:20] + "1 " + zeros[:38] + "...",
			"..." + zeros[:20] + "2"},
	} {
		if a, b := c.change.Brief(); a != c.a || b != c.b {
			t.Errorf("%q, %q; want %q, %q", a, b, c.a, c.b)
		}
	}
}

// Two studies of the same flights, seen by two observers, differ in what observers see and exactly nowhere else.
func TestComparedObserversOfTheSameFlights(t *testing.T) {
	p := &Program{Version: "1", Disk: &recordtest.Disk{}}
	for _, radius := range []string{"0.7", "1.4"} {
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=none,0.5",
			"study.runs=40", "adversary.radius_km=" + radius}}}, "radius"+radius); err != nil {
			t.Fatal(err)
		}
	}
	c, err := p.Compare(t.Context(), "radius0.7", "radius1.4")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range c.Main() {
		known := r.Name == "cost_of_privacy" || r.Name == "path_overhead"
		if exact := r.Difference == 0 && r.Low == 0 && r.High == 0; exact != known {
			t.Errorf("%s at %s: %+v", r.Name, r.Place.Name(), *r.Contrast)
		}
	}
	if got := c.Finding(); !strings.Contains(got, "at epsilon 0.5, by ") ||
		!strings.Contains(got, "at epsilon none it is ") {
		t.Errorf("%q", got)
	}
}

// The direct flight is called straight only where it is, and neutrally where that differs between A and B.
func TestBaselinesOfDirectFlightsThatTurn(t *testing.T) {
	for turns, want := range map[[2]bool]string{{}: "; straight to the target:", {true, true}: "; turning to the target:",
		{false, true}: "; direct flight:"} {
		c := &Comparison{turns: turns, Places: []Place{{Contrasts: []study.Contrast{{Name: "planned_km"},
			{Name: "direct_km"}}}}}
		if got := c.Baselines(); !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q", turns, got, want)
		}
	}
	swept := &Comparison{Places: []Place{{Labels: []Label{{"vehicle.heading", "90"}}, Contrasts: []study.Contrast{{
		Name: "direct_km"}}}}}
	if got := swept.Baselines(); !strings.HasPrefix(got, "direct flight:") {
		t.Errorf("a swept heading: %q", got)
	}
}

// Of two tunes the baselines are those of the observer's own radius, as the table is.
func TestBaselinesOfTwoTunesAreOfTheMainRadius(t *testing.T) {
	c := &Comparison{radiusKm: 0.7}
	for _, at := range []struct {
		radius string
		km     float64
	}{{"0.35", 52.62}, {"0.7", 60.77}, {"1.4", 64}} {
		c.Places = append(c.Places, Place{Labels: []Label{{radiusLabel, at.radius}},
			Contrasts: []study.Contrast{{Name: "planned_km", A: at.km, B: at.km + 1}, {Name: "direct_km", A: 2 * at.km}}})
	}
	want := "Planned, without noise: recognised 60.77 km from the target in A, recognised 61.77 km from the target in B" +
		"; straight to the target: recognised 121.54 km from the target in A, never recognised in B.\n"
	if got := c.Baselines(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The main radius is the observer's own in A where both have it, otherwise the first.
func TestMainRadius(t *testing.T) {
	for want, radii := range map[string][]string{"0.7": {"0.175", "0.35", "0.7", "1.4"}, "0.175": {"0.175", "0.35", "1.4"},
		"": {""}} {
		c := &Comparison{radiusKm: 0.7}
		for _, km := range radii {
			c.Places = append(c.Places, Place{Labels: []Label{{radiusLabel, km}}})
		}
		if got := c.mainRadius(); got != want || c.OtherRadii() != len(radii)-1 {
			t.Errorf("of %q: %q and %d others, want %q", radii, got, c.OtherRadii(), want)
		}
	}
}

// The page of a comparison begins with the finding, and says of which side its settings are.
func TestPagesOfComparisons(t *testing.T) {
	disk := &recordtest.Disk{}
	p := &Program{Version: "1", Disk: disk, Dots: 20}
	for _, speed := range []string{"1.7", "1.5"} {
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=1",
			"study.runs=20", "vehicle.speed_km_s=" + speed}}}, "at"+speed); err != nil {
			t.Fatal(err)
		}
	}
	c, err := p.Compare(t.Context(), "at1.7", "at1.5")
	if err != nil {
		t.Fatal(err)
	}
	p.Page = true
	folder, err := record.OpenFolder(disk, "out", "compare", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteComparison(folder, c, 0); err != nil {
		t.Fatal(err)
	}
	page := disk.Files("out")[PageName]
	_, lead, _ := strings.Cut(page, `<p class="lead">`)
	if !strings.HasPrefix(lead, c.Finding()+".</p>") ||
		!strings.Contains(page, "Settings of B that differ from preset paper") ||
		!strings.Contains(page, "<td>vehicle.speed_km_s</td><td>1.7</td><td>1.5</td>") {
		t.Errorf("%.400s", lead)
	}
}
