package campaign

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/sim/study"
)

// Studies of one seed are paired over the runs of the same numbers, and what is said of A and B is of those: also where
// one has more runs. Without common runs, or with other noise, they are not paired.
func TestComparedRunsAreThoseOfTheSameNumber(t *testing.T) {
	t.Chdir(t.TempDir())
	p := &Program{Version: "1"}
	fly := func(folder string, sets ...string) {
		t.Helper()
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: append(sets, "study.epsilons=1")}},
			folder); err != nil {
			t.Fatal(err)
		}
	}
	fly("forty", "study.runs=40")
	fly("hundred", "study.runs=100")
	fly("seed", "study.runs=40", "study.seed=2")
	fly("noise", "study.runs=40", "study.noise=independent")
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
		{"forty", "forty", 0, 40, "paired by run", 0, 0},
		{"forty", "hundred", 0, 40, "paired by run", 0, 0},
		{"forty", "seed", 0, 0, "unpaired, other noise", 40, 40},
		{"forty", "noise", 0, 0, "unpaired, other noise", 40, 40},
	} {
		compared, err := Compare(t.Context(), p, c.a, c.b)
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
	places, err := flightsOf(t.Context(), p, folder, m)
	if err != nil || len(places) != 1 {
		t.Fatal(len(places), err)
	}
	return places[0].runs
}

// A part is not compared: its pieces are joined first.
func TestPartsAreNotCompared(t *testing.T) {
	p := &Program{Version: "1"}
	r := Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=4"}},
		Part: Part{Index: 1, Of: 2}}
	part := filepath.Join(t.TempDir(), "part")
	if _, err := p.Fly(t.Context(), r, part); err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(t.Context(), p, part, part); err == nil || !strings.Contains(err.Error(), "veilpath merge") {
		t.Errorf("error %v", err)
	}
}

// Places that only one side has are counted on that side.
func TestPlacesOfOneSide(t *testing.T) {
	t.Chdir(t.TempDir())
	p := &Program{Version: "1"}
	for folder, epsilons := range map[string]string{"a": "none,1,2", "b": "1,2,4,8,16"} {
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=" +
			epsilons,
			"study.runs=2"}}}, folder); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare(t.Context(), p, "a", "b")
	if err != nil || len(c.Places) != 2 || c.OnlyA != 1 || c.OnlyB != 3 {
		t.Errorf("%v, %+v", err, c)
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
	t.Chdir(t.TempDir())
	p := &Program{Version: "1"}
	for _, radius := range []string{"0.7", "1.4"} {
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=none,0.5",
			"study.runs=40", "adversary.radius_km=" + radius}}}, "radius"+radius); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare(t.Context(), p, "radius0.7", "radius1.4")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range c.sheet(mainQuantities...).Rows { // epsilon, quantity, A, B, difference, low, high
		known := row[1] == "cost_of_privacy" || row[1] == "path_overhead"
		if exact := row[4] == 0.0 && row[5] == 0.0 && row[6] == 0.0; exact != known {
			t.Errorf("%v", row)
		}
	}
}

// The page of a comparison begins with the finding, and says of which side its settings are.
func TestPagesOfComparisons(t *testing.T) {
	t.Chdir(t.TempDir())
	p := &Program{Version: "1", Dots: 20}
	for _, speed := range []string{"1.7", "1.5"} {
		if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=1",
			"study.runs=20", "vehicle.speed_km_s=" + speed}}}, "at"+speed); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare(t.Context(), p, "at1.7", "at1.5")
	if err != nil {
		t.Fatal(err)
	}
	p.Page = true
	folder, err := pieces.Create("out", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteComparison(p, folder, c, 0); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("out", PageName))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, lead, _ := strings.Cut(page, `<p class="lead">`)
	if !strings.HasPrefix(lead, html.EscapeString(c.Finding())+"</p>") ||
		!strings.Contains(page, "vehicle.speed_km_s: 1.7, 1.5") {
		t.Errorf("%.400s", lead)
	}
}

// The sentence counts the differences that are shown for all epsilons together and names the largest of them. A study
// that is never recognised has no distance to compare.
func TestTheSentenceOfAComparison(t *testing.T) {
	of := func(a, b, half float64) Place {
		x := b - a
		d := study.Contrast{Name: "mean_km", Unit: "km", A: a, B: b, Difference: x, Low: x - half, High: x + half}
		return Place{Epsilon: 0.5, Contrasts: []study.Contrast{d}}
	}
	at := func(x, half float64) Place { return of(50, 50+x, half) }
	swept := at(-3, 0.5)
	swept.Labels = []Label{{"vehicle.speed_km_s", "2"}}
	for _, c := range []struct {
		places []Place
		want   string
	}{
		{[]Place{at(0, 0), at(0, 0)}, "B is recognised by the observer \"b\" (radius 0.7 km) as far from the target as A " +
			"at 2 of 2 epsilons."},
		{[]Place{at(1, 2)}, "B is not shown to be recognised nearer to the target than A by the observer \"b\" (radius 0.7 " +
			"km), or farther from it, at epsilon 0.5."},
		{[]Place{at(1, 0.5), at(-9, 20)}, "B is recognised by the observer \"b\" (radius 0.7 km) farther from the target " +
			"than A at 1 of 2 epsilons: 1.00 km farther (0.50 .. 1.50) at epsilon 0.5."},
		{[]Place{at(-3, 0.5), at(2, 1)}, "B is recognised by the observer \"b\" (radius 0.7 km) nearer to the target than " +
			"A at 1 of 2 epsilons and farther from the target than A at 1 of 2 epsilons: 3.00 km nearer (2.50 .. 3.50) at " +
			"epsilon 0.5."},
		// an interval 1.2 half-widths from 0 shows a difference for one epsilon, and not for five together
		{[]Place{at(1.2, 1)}, "B is recognised by the observer \"b\" (radius 0.7 km) farther from the target than A at " +
			"epsilon 0.5: 1.2 km farther (0.2 .. 2.2) at epsilon 0.5."},
		{[]Place{at(1.2, 1), at(0, 1), at(0, 1), at(0, 1), at(0, 1)}, "B is not shown to be recognised nearer to the " +
			"target than A by the observer \"b\" (radius 0.7 km), or farther from it, at any of 5 epsilons."},
		{[]Place{swept, swept}, "B is recognised by the observer \"b\" (radius 0.7 km) nearer to the target than A at 2 of " +
			"2 points: 3.00 km nearer (2.50 .. 3.50) at vehicle.speed_km_s 2, epsilon 0.5."},
		{[]Place{at(0, 0), of(0, 50, 1), of(50, 0, 1)}, "B is not shown to be recognised nearer to the target than A by " +
			"the observer \"b\" (radius 0.7 km), or farther from it, at any of 3 epsilons. A alone is never recognised at 1 " +
			"of 3 epsilons. B alone is never recognised at 1 of 3 epsilons."},
	} {
		compared := Comparison{Places: c.places, observer: "b", radiusKm: 0.7}
		if got := compared.Finding(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Mechanisms and observers of a program, and commands, differ as settings do.
func TestOtherPartsDiffer(t *testing.T) {
	a := record.Manifest{Own: "mechanism staircase", Commands: []string{"mechanism m 1 (exec:m)"},
		Programs: []string{"m 25aa"}}
	b := record.Manifest{Commands: []string{"mechanism m 2 (exec:m)"}, Programs: []string{"m 25aa"}}
	want := []Change{{Key: ownKey, A: "mechanism staircase", B: "none"},
		{Key: commandsKey, A: "mechanism m 1 (exec:m)", B: "mechanism m 2 (exec:m)"}}
	if got := otherParts(&a, &b); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := otherParts(&a, &a); len(got) > 0 {
		t.Errorf("of a folder and itself: %q", got)
	}
}

// Folders without a common place name what tells their places apart.
func TestWhatTellsPlacesApart(t *testing.T) {
	at := func(epsilon float64, labels ...Label) sample { return sample{epsilon: epsilon, labels: labels} }
	a, observer := []sample{at(0.5), at(2)}, Label{"adversary.observer", "ballistic"}
	if got := apart(a, []sample{at(3), at(0.5, observer)}); got != "{observer} and {sweep}" {
		t.Errorf("with an epsilon in common: %s", got)
	}
	if got := apart(a, []sample{at(3)}); got != "{epsilons}" {
		t.Errorf("without one: %s", got)
	}
}
