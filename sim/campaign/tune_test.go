package campaign

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/sim/cost"
	"veilpath/sim/study"
)

// tuned is a tuning with the answers to its demands. One flight was flown of it, for its baselines.
func tuned(t *testing.T, r Requirement, answers ...study.Sets) *Tuning {
	t.Helper()
	loaded, err := configs.Load(configs.Request{})
	if err != nil {
		t.Fatal(err)
	}
	r.Low, r.High, r.Confidence, r.Resolution, r.MostRuns = 0.1, 100, 0.9, 0.1, 1000
	tuning, err := NewTuning(new(Program), loaded, loaded.Config, r)
	if err != nil {
		t.Fatal(err)
	}
	b := &tuning.survey.Experiment.Baselines
	tuning.tally = study.NewSurfaceTally(tuning.survey, r.Confidence)
	tuning.tally.Add([]study.Sighting{{Run: study.Run{PlannedKm: b.Planned.DetectionKm, HandoverOnlyKm: b.HandoverOnlyKm(),
		DirectKm: b.DirectKm()}}})
	tuning.found = &study.Found{}
	for i, d := range r.demands(tuning.survey.Experiment) {
		tuning.found.Answers = append(tuning.found.Answers,
			study.Answer{Demand: d, Sets: answers[i], Analyses: []study.Analysis{{Runs: 64}, {Runs: 128}}})
	}
	tuning.byRadius = make([]RadiusAnswer, len(tuning.RadiiKm))
	sets := tuning.found.Sets()
	if len(answers) == 1 { // an answer made here does not know the range
		sets = answers[0]
	}
	*tuning.own() = RadiusAnswer{RadiusKm: 0.7, Sets: sets, Epsilon: tuning.found.Chosen(), Hidden: 0.31}
	tuning.own().There.CostOfPrivacy.Value = 0.055
	return tuning
}

var nan = math.NaN()

// Where the hand-over is drawn, the baselines of a tuning are the means over its flights.
func TestBaselinesOfATuningAreMeansOfItsFlights(t *testing.T) {
	tuning := tuned(t, Requirement{HiddenUntilKm: 50, Share: nan, MaxCost: nan}, study.Sets{})
	tuning.tally = study.NewSurfaceTally(tuning.survey, 0.9)
	for i, km := range []float64{30, 50, 70} {
		tuning.tally.Add([]study.Sighting{{Run: study.Run{Run: i, PlannedKm: km, HandoverOnlyKm: km + 1, DirectKm: 2 * km}}})
	}
	if got := *tuning.asked().Baselines; got != (BaselinesJSON{Direct: 100, HandoverOnly: 51, Planned: 50}) {
		t.Errorf("baselines %+v", got)
	}
}

// Demands are made of what is required: of the mean or a quantile, of a cost, of both with the distance first.
func TestDemandsOfARequirement(t *testing.T) {
	run := &study.Run{DetectionKm: 40, CostOfPrivacy: 0.2}
	for name, c := range map[string]struct {
		r     Requirement
		limit []float64
		value []float64 // of a flight detected at 40 km that costs 20 %
	}{
		"mean":     {Requirement{HiddenUntilKm: 30, Share: nan, MaxCost: nan}, []float64{30}, []float64{40}},
		"quantile": {Requirement{HiddenUntilKm: 30, Share: 0.75, MaxCost: nan}, []float64{0.25}, []float64{1}},
		"nearer":   {Requirement{HiddenUntilKm: 40, Share: 0.75, MaxCost: nan}, []float64{0.25}, []float64{0}},
		"cost":     {Requirement{HiddenUntilKm: nan, Share: nan, MaxCost: 0.05}, []float64{0.05}, []float64{0.2}},
		"both":     {Requirement{HiddenUntilKm: 30, Share: nan, MaxCost: 0.05}, []float64{30, 0.05}, []float64{40, 0.2}},
	} {
		found := tuned(t, c.r, study.Sets{}, study.Sets{}).found
		for i, a := range found.Answers {
			if d := a.Demand; len(found.Answers) != len(c.limit) || d.Limit != c.limit[i] || d.Of(run) != c.value[i] ||
				d.Falls != (d.Limit == 0.05) || d.Bound < d.Of(run) {
				t.Errorf("%s: demand %d of %d has limit %g, value %g and bound %g", name, i, len(found.Answers), d.Limit, d.Of(run),
					d.Bound)
			}
		}
	}
}

// What cannot be required is refused.
func TestRequirementsRefused(t *testing.T) {
	good := Requirement{HiddenUntilKm: 30, Share: 0.5, MaxCost: 0.1, Confidence: 0.95, Low: 1e-6, High: 1e6,
		Resolution: 0.001, MostRuns: 100}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for says, spoil := range map[string]func(*Requirement){
		"hidden-until 0:":        func(r *Requirement) { r.HiddenUntilKm = 0 },
		"hidden-until 100001":    func(r *Requirement) { r.HiddenUntilKm = 100001 },
		"give hidden-until too":  func(r *Requirement) { r.HiddenUntilKm = nan },
		"share 0:":               func(r *Requirement) { r.Share = 0 },
		"share 1:":               func(r *Requirement) { r.Share = 1 },
		"max-cost 0:":            func(r *Requirement) { r.MaxCost = 0 },
		"max-cost +Inf:":         func(r *Requirement) { r.MaxCost = math.Inf(1) },
		"confidence 0:":          func(r *Requirement) { r.Confidence = 0 },
		"confidence 1:":          func(r *Requirement) { r.Confidence = 1 },
		"resolution 0.0009:":     func(r *Requirement) { r.Resolution = 0.0009 },
		"resolution 1.1:":        func(r *Requirement) { r.Resolution = 1.1 },
		"max-runs 99:":           func(r *Requirement) { r.MostRuns = 99 },
		"between 9e-07,1e+06:":   func(r *Requirement) { r.Low = 9e-7 },
		"between 1e-06,1.1e+06:": func(r *Requirement) { r.High = 1.1e6 },
		"between 2,2:":           func(r *Requirement) { r.Low, r.High = 2, 2 },
	} {
		r := good
		spoil(&r)
		if err := r.check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// The answer says which epsilons meet the demand, which one is chosen, and why that one.
func TestTheSentenceOfATune(t *testing.T) {
	wall := study.Sets{Met: []study.Range{{Low: 0.1, High: 0.15}, {Low: 2.3, High: 100}},
		NotMet:    []study.Range{{Low: 0.17, High: 2}},
		Undecided: []study.Range{{Low: 0.15, High: 0.17}, {Low: 2, High: 2.3}}}
	less := study.Sets{Met: []study.Range{{Low: 0.1, High: 1.194}}, NotMet: []study.Range{{Low: 1.38, High: 100}},
		Undecided: []study.Range{{Low: 1.194, High: 1.38}}}
	everything := study.Sets{Met: []study.Range{{Low: 0.1, High: 100}}}
	all, none := study.Sets{Met: []study.Range{{Low: 0.5, High: 100}}},
		study.Sets{NotMet: []study.Range{{Low: 0.1, High: 100}}}
	dear := study.Sets{Met: []study.Range{{Low: 0.5, High: 100}}, NotMet: []study.Range{{Low: 0.1, High: 0.4}},
		Undecided: []study.Range{{Low: 0.4, High: 0.5}}}
	hidden, cheap := Requirement{HiddenUntilKm: 30, Share: nan, MaxCost: nan},
		Requirement{HiddenUntilKm: nan, Share: nan, MaxCost: 0.05}
	both, quantile := hidden, hidden
	both.MaxCost, quantile.Share = 0.05, 0.9
	for name, c := range map[string]struct {
		r     Requirement
		sets  []study.Sets
		wants []string
	}{
		"hidden": {hidden, []study.Sets{wall}, []string{`To stay hidden until 30 km on average from "ballistic", take ` +
			"epsilon 2.3 or more (radius 0.7 km).\nIt then stays hidden in 31 % of the flights and loses 5.5 % of its value. ",
			"Met: 0.1 .. 0.15, 2.3 .. 100; not met: 0.17 .. 2; undecided: 0.15 .. 0.17, 2 .. 2.3."}},
		"less": {hidden, []study.Sets{less}, []string{"take epsilon 1.19 or less (radius 0.7 km).",
			" 1.19 .. 1.38 is undecided; above, it is not met."}},
		"any":   {hidden, []study.Sets{everything}, []string{"take any epsilon from 0.1 to 100 (", " Met: 0.1 .. 100."}},
		"share": {quantile, []study.Sets{wall}, []string{"To stay hidden until 30 km in 90 % of the flights from "}},
		"cheap": {cheap, []study.Sets{all}, []string{"To lose at most 5 % of the value, take epsilon 0.5 or more. At " +
			"epsilon 0.5 it loses 5.5 % of its value."}},
		"both": {both, []study.Sets{less, all}, []string{`from "ballistic" and lose at most 5 % of the value, take an ` +
			"epsilon from 0.5 to 1.19 ("}},
		"both fail": {both, []study.Sets{wall, dear}, []string{"; not met: 0.1 .. 2;"}},
		"none": {hidden, []study.Sets{none}, []string{"No epsilon from 0.1 to 100 is shown to stay hidden until 30 km " +
			`on average from "ballistic". Not met: 0.1 .. 100.`}},
	} {
		tuning := tuned(t, c.r, c.sets...)
		if name == "less" {
			tuning.own().Undecided = less.Undecided[0]
		}
		for _, want := range c.wants {
			if got := tuning.sentence(); !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", name, got, want)
			}
		}
		if err := tuning.unmet(); (err != nil) != (name == "none") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for says, sets := range map[string][]study.Sets{
		"no practical epsilon from 0.1 to 100 is shown to meet the demand: the mean detection distance in km must be at " +
			"most 30; ": {none, all},
		"the mean cost of privacy must be at most 0.05; ": {all, none},
	} {
		if err := tuned(t, both, sets...).unmet(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// The answer in JSON has every set of a demand, and of every interim analysis, under its own name.
func TestSetsOfADemandInJSON(t *testing.T) {
	on := func(low float64) []study.Range { return []study.Range{{Low: low, High: low + 1}} }
	a := study.Answer{Sets: study.Sets{Met: on(1), NotMet: on(3), Undecided: on(5)},
		Crossings: []study.Estimate{{Value: 5.5, Low: 5, High: 6}},
		Analyses:  []study.Analysis{{Runs: 64, Axis: study.Range{Low: 1, High: 9}, Met: on(1.5), NotMet: on(3.5)}}}
	text, err := json.Marshal(demandOf(&a))
	want := `{"demand":"","limit":0,"met_epsilons":[[1,2]],"not_met_epsilons":[[3,4]],"undecided_epsilons":[[5,6]],` +
		`"crossings":[{"epsilon":5.5,"ci_low":5,"ci_high":6}],"looks":[{"runs":64,"epsilon_low":1,"epsilon_high":9,` +
		`"met_epsilons":[[1.5,2.5]],"not_met_epsilons":[[3.5,4.5]]}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v,\n%s, want\n%s", err, text, want)
	}
}

// The settings chosen have the epsilon found alone, and whatever number of workers found it.
func TestSettingsChosen(t *testing.T) {
	a := &answer.Answer{Files: map[string]func(io.Writer) error{}}
	c := configs.Default()
	c.Study.Workers, c.Study.Axis = 3, configs.Axis{Low: 1, High: 4}
	choose(a, c, 2.5)
	var out strings.Builder
	if err := a.Files[ChoiceName](&out); err != nil {
		t.Fatal(err)
	}
	chosen, err := configs.Load(configs.Request{Config: "c.yaml",
		ReadFile: func(string) ([]byte, error) { return []byte(out.String()), nil }})
	if err != nil || chosen.Study.Workers != 0 || chosen.Privacy.Epsilon != 2.5 || chosen.Study.Axis.Whole() ||
		!slices.Equal(chosen.Study.Epsilons, []float64{2.5}) {
		t.Errorf("%v, %s", err, out.String())
	}
}

func TestRangesText(t *testing.T) {
	ranges := []study.Range{{Low: 1, High: 2}, {Low: 3, High: 3}, {Low: 4, High: 5.00001}}
	for most, want := range map[int]string{3: "1 .. 2, 3, 4 .. 5", 2: "1 .. 2, 3 and 1 more", 9: "1 .. 2, 3, 4 .. 5"} {
		if got := rangesText(ranges, most); got != want {
			t.Errorf("at most %d: %q, want %q", most, got, want)
		}
	}
}

// Where no epsilon costs little enough, the error says what the largest was shown to cost.
func TestUnmetCostSaysWhatIsShown(t *testing.T) {
	trial := cost.Trial{Epsilon: 50, Runs: 7, Mean: 0.2, Low: 0.1, High: 0.34501}
	tuning := &CostSearch{Requirement: Requirement{Low: 1, High: 50, MaxCost: 0.05},
		found: &cost.Answer{Epsilon: nan, Trials: []cost.Trial{{}, trial}}}
	const want = "no epsilon from 1 to 50 is shown to cost at most 5 %: at 50 it is 20 % (10 .. 34.5) after 7 runs; "
	if err := tuning.unmet(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if err := (&CostSearch{found: &cost.Answer{Epsilon: 3}}).unmet(); err != nil {
		t.Error(err)
	}
}

// The answer of a search that tries epsilons holds the question and what is shown of every epsilon tried.
func TestTriedEpsilonsAreInTheAnswer(t *testing.T) {
	trials := []cost.Trial{{Epsilon: 8, Decision: study.Met}, {Epsilon: 1, Decision: study.NotMet},
		{Epsilon: 3, Decision: study.Undecided}, {Epsilon: 4, Decision: study.Met}}
	search := &CostSearch{given: &setup.Input{Name: "p.json", Settings: &configs.Loaded{}},
		found: &cost.Answer{Epsilon: 4, Next: 3, Trials: trials},
		Requirement: Requirement{HiddenUntilKm: nan, Share: nan, MaxCost: 0.2, Low: 1, High: 8, Resolution: 0.02,
			Confidence: 0.95, MostRuns: 500}}
	a := search.asked()
	type pairs = [][2]float64
	if !reflect.DeepEqual(a.MetEpsilons, pairs{{4, 4}, {8, 8}}) || !reflect.DeepEqual(a.NotMetEpsilons, pairs{{1, 1}}) ||
		!reflect.DeepEqual(a.UndecidedEpsilons, pairs{{3, 3}}) {
		t.Errorf("met %v, not met %v, undecided %v", a.MetEpsilons, a.NotMetEpsilons, a.UndecidedEpsilons)
	}
	const words = "Epsilon 4 at delta 0 is the strongest privacy that is shown to cost at most 20 % of the value: its " +
		"mean cost lies between 0.00 and 0.00 %, with 95 % confidence for all epsilons tried."
	if a.Epsilon != 4 || !a.Met || a.Confidence != 0.95 || a.Between != [2]float64{1, 8} || a.Demands[0].Limit != 0.2 ||
		a.InWords != words {
		t.Errorf("%+v", a)
	}
}

// jsonOf returns a value as JSON, in which unknown numbers are equal.
func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A tune's folder holds what was asked and found.
func TestTuneKeepsTheQuestion(t *testing.T) {
	p := &Program{Version: "test"}
	loaded, err := configs.Load(configs.Request{Overrides: []configs.Override{{Key: "study.runs", Flag: "runs",
		Value: "2"}, {Key: "study.epsilons", Flag: "epsilons", Value: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	r := Requirement{HiddenUntilKm: 90, Share: 0.5, MaxCost: nan, Confidence: 0.8, Low: 0.5, High: 2, Resolution: 0.3,
		MostRuns: 128, RadiiKm: []float64{0.5, 0.7}}
	tuning, err := NewTuning(p, loaded, loaded.Config, r)
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/tune"
	if err := p.Do(t.Context(), tuning, path); err != nil {
		t.Fatal(err)
	}
	m, err := record.ReadManifest(path)
	if err != nil {
		t.Fatal(err)
	}
	var got searchAnswer
	if err := json.Unmarshal(m.Answer, &got); err != nil || jsonOf(t, got) != jsonOf(t, tuning.asked()) {
		t.Errorf("%v: the manifest holds %+v, want %+v", err, got, tuning.asked())
	}
	if got.Quantile != 0.5 || got.HiddenUntilKm != 90 || !math.IsNaN(float64(got.MaxCost)) || got.Confidence != 0.8 ||
		got.Epsilon != 2 || fmt.Sprint(got.MetEpsilons) != "[[0.5 2]]" || got.MostRuns != 128 ||
		len(got.Demands[0].Looks) == 0 {
		t.Errorf("%+v", got)
	}
	// The figures are of the flights that the answer rests on, 64, and not of the 2 of the surface.
	for name, want := range map[string]string{"figure.svg": "up to 64 flights", "plane.svg": "64 flights per epsilon",
		ChoiceName: "epsilon: 2"} {
		if text, err := os.ReadFile(path + "/" + name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, or it lacks %q", name, err, want)
		}
	}
}

// flown is a finished tuning of few flights.
func flown(t *testing.T, r Requirement) *Tuning {
	t.Helper()
	loaded, err := configs.Load(configs.Request{Overrides: []configs.Override{{Key: "study.runs", Flag: "runs",
		Value: "2"}, {Key: "study.epsilons", Flag: "epsilons", Value: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	r.Confidence, r.Low, r.High, r.Resolution, r.MostRuns, r.RadiiKm = 0.8, 0.05, 20, 1, 300, []float64{0.35}
	tuning, err := NewTuning(new(Program), loaded, loaded.Config, r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tuning.solve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return tuning
}

// The share that stays hidden is counted over the search's flights at the epsilon chosen, for every radius.
func TestShareThatStaysHidden(t *testing.T) {
	tuning := flown(t, Requirement{HiddenUntilKm: 59, Share: nan, MaxCost: nan})
	for i := range tuning.byRadius {
		a := &tuning.byRadius[i]
		beyond := study.QuantileDistance(59, 0.5)
		if a.RadiusKm == 0.7 {
			if want := 1 - tuning.found.Means(&beyond, []float64{a.Epsilon})[0]; a.Hidden != want {
				t.Errorf("%v of the flights are hidden, want %v", a.Hidden, want)
			}
		}
		if a.There.RadiusKm != a.RadiusKm || a.There.Epsilon != a.Epsilon || a.There.Runs < 64 {
			t.Errorf("radius %g, epsilon %g: %+v", a.RadiusKm, a.Epsilon, a.There)
		}
	}
	// A larger radius recognises earlier, so its largest epsilon is smaller.
	if len(tuning.byRadius) != 2 || !(tuning.byRadius[0].Epsilon > tuning.byRadius[1].Epsilon) {
		t.Errorf("%+v", tuning.byRadius)
	}
	// The files have every epsilon at which the answer for a radius changes, the chosen one among them.
	var out strings.Builder
	a, err := tuning.answer()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.CSV.Write(&out); err != nil {
		t.Fatal(err)
	}
	for i := range tuning.byRadius {
		a := &tuning.byRadius[i]
		for _, set := range slices.Concat(a.Sets.Met, a.Sets.NotMet, a.Sets.Undecided) {
			for _, epsilon := range []float64{set.Low, set.High} {
				cell, err := tuning.found.At(epsilon, tuning.Confidence)
				if err != nil {
					t.Fatal(err)
				}
				row := fmt.Sprintf("\n%v,%v,%v,", epsilon, cell.Sigma, a.RadiusKm)
				if !strings.Contains(out.String(), row) {
					t.Errorf("no row begins with %q", row)
				}
			}
		}
	}
	chosen := tuning.found.Chosen()
	if !slices.ContainsFunc(tuning.own().Ends, func(c study.SurfaceCell) bool { return c.Epsilon == chosen }) {
		t.Errorf("epsilon %v is chosen, and not flown", chosen)
	}
}

// The figure of a demand shows where it is met along epsilon, in the units of its axis, and the epsilon chosen.
func TestDemandFigure(t *testing.T) {
	tuning := flown(t, Requirement{HiddenUntilKm: 59, Share: 0.5, MaxCost: 0.2})
	for i := range tuning.found.Answers {
		a := &tuning.found.Answers[i]
		a.Sets = study.Sets{Met: []study.Range{{Low: 0.1, High: 0.2}, {Low: 1, High: 3}},
			NotMet: []study.Range{{Low: 0.3, High: 1}}, Undecided: []study.Range{{Low: 0.2, High: 0.3}}}
		chart := tuning.demandFigure(a).Panels[0].(*figure.Chart)
		limit := []float64{50, 20}[i] // per cent
		if at := chart.References[0]; math.Abs(at.At-limit) > 1e-9 || at.Vertical || !chart.References[1].Vertical ||
			chart.References[1].At != 3 || !chart.Y.FromZero {
			t.Errorf("%s: references %+v", a.Demand.Name, chart.References)
		}
		for k, set := range [][]study.Range{a.Met, a.NotMet, a.Undecided} {
			s := chart.Series[k]
			gaps := 0
			for j, x := range s.X {
				if math.IsNaN(s.Y[j]) {
					gaps++
				} else if want := 100 * tuning.found.Means(&a.Demand, []float64{x})[0]; s.Y[j] != want {
					t.Errorf("%s: at epsilon %g %g, want %g", s.Label, x, s.Y[j], want)
				}
			}
			if s.X[0] != set[0].Low || s.X[len(s.X)-1] != set[len(set)-1].High || gaps != len(set) || len(s.X) < 10 {
				t.Errorf("%s: from %g to %g with %d gaps", s.Label, s.X[0], s.X[len(s.X)-1], gaps)
			}
		}
		if chosen := chart.Series[3]; chosen.X[0] != 3 || chosen.Y[0] != 100*tuning.found.Means(&a.Demand, []float64{3})[0] {
			t.Errorf("chosen is at %v, %v", chosen.X, chosen.Y)
		}
	}
}

// Flights that count as nearer than they are recognised are said.
func TestStrayFlightsAreSaid(t *testing.T) {
	const want = " In 2 runs a flight strayed and was recognised more than 17.41 km from the target; it counts as " +
		"17.41 km in this mean."
	if got := clippedText(2, 17.414); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := clippedText(0, 17.414); got != "" {
		t.Errorf("without any: %q", got)
	}
}

// An answer that is of no use says so first, in the sentence and in its row.
func TestImpracticalAnswersSaySo(t *testing.T) {
	met := study.Sets{Met: []study.Range{{Low: 0.1, High: 0.2}}, NotMet: []study.Range{{Low: 0.2, High: 100}}}
	tuning := tuned(t, Requirement{HiddenUntilKm: 30, Share: nan, MaxCost: nan}, met)
	own := tuning.own()
	own.There.Fallback.Value = 0.79
	const want = "Not practical: To stay hidden until 30 km on average"
	if got := tuning.sentence(); !strings.HasPrefix(got, want) ||
		!strings.Contains(got, "; 79 % of the flights give up.") {
		t.Errorf("%q", got)
	}
	largest := RadiusColumns(30)[1]
	if got := largest.Text(own); got != "0.2 *" || !strings.HasPrefix(tuning.notes()[0], "* Not practical: ") {
		t.Errorf("%q, %q", got, tuning.notes())
	}
	if got := largest.Text(&RadiusAnswer{Epsilon: nan, Useless: true}); got != "not practical" {
		t.Errorf("%q", got)
	}
}

// Where only useless epsilons may meet a demand, the answer says so after the first runs.
func TestUselessEpsilonsAreNoAnswer(t *testing.T) {
	loaded, err := configs.Load(configs.Request{Overrides: []configs.Override{{Key: "adversary.radius_km", Flag: "radius",
		Value: "2"}, {Key: "study.runs", Flag: "runs", Value: "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	tuning, err := NewTuning(new(Program), loaded, loaded.Config, Requirement{
		HiddenUntilKm: 50, Share: nan, MaxCost: nan,
		Confidence: 0.95, Low: 0.01, High: 100, Resolution: 0.08, MostRuns: 50_000, RadiiKm: []float64{2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tuning.solve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	const want = "Not practical: only an epsilon below about 0."
	if got := tuning.sentence(); !strings.HasPrefix(got, want) || !strings.Contains(got, "of the flights give up, or") {
		t.Errorf("%q", got)
	}
	if err := tuning.unmet(); err == nil || !strings.HasPrefix(err.Error(), "no practical epsilon from 0.01 to 100") {
		t.Error(err)
	}
	if runs := tuning.found.Answers[0].Analyses; runs[len(runs)-1].Runs > 1000 {
		t.Errorf("%d runs", runs[len(runs)-1].Runs)
	}
}

// Without a demand the plane has a row for every radius and a column for at most five epsilons, both ends among them.
func TestThePlaneOfATune(t *testing.T) {
	tuning := tuned(t, Requirement{HiddenUntilKm: 30, Share: nan, MaxCost: nan}, study.Sets{})
	tuning.cells = nil
	for i := range 9 {
		var row []study.SurfaceCell
		for j := range tuning.survey.RadiiKm {
			c := study.SurfaceCell{Epsilon: float64(i + 1), RadiusKm: tuning.survey.RadiiKm[j]}
			c.Mean = study.Estimate{Value: 10*float64(i) + c.RadiusKm, Low: nan, High: nan}
			row = append(row, c)
		}
		tuning.cells = append(tuning.cells, row)
	}
	s := tuning.plane()
	if want := "radius km,epsilon 1,epsilon 3,epsilon 5,epsilon 7,epsilon 9"; strings.Join(s.Headings, ",") != want {
		t.Errorf("%q, want %q", s.Headings, want)
	}
	if want := "[[0.35 0.350 20.4 40.4 60.4 80.3] [0.7 0.700 20.7 40.7 60.7 80.7] [1.4 1.40 21.4 41.4 61.4 81.4] " +
		"[2.8 2.80 22.8 42.8 62.8 82.8]]"; fmt.Sprint(s.Rows) != want {
		t.Errorf("%v, want %s", s.Rows, want)
	}
}
