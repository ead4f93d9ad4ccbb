package campaign

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

func TestBaselineSentence(t *testing.T) {
	for want, s := range map[string]study.Summary{
		"The plan without noise is recognised 61.00 km from the target; " +
			"a flight straight to the target is recognised 102.00 km from the target.": {Runs: 9, PlannedKm: 61, DirectKm: 102},
		"The plan without noise is never recognised; there is no flight straight to the target, because a cell in " +
			"planner.keep_out is in the way.": {Runs: 9, DirectKm: math.NaN()},
		"There are no flights of the first point, and so no baselines.": {PlannedKm: math.NaN(), DirectKm: math.NaN()},
	} {
		r := Result{Settings: new(configs.Loaded), Summaries: [][]study.Summary{{s}}}
		turns := strings.Replace(want, "straight to", "that turns from its first heading to", 1)
		if got := r.BaselineSentence(); got != turns { // the heading is not along the line of sight
			t.Errorf("%q, want %q", got, turns)
		}
		r.Settings.Config.Vehicle.Heading.LineOfSight = true
		if got := r.BaselineSentence(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		r.Settings.Config.Planner.Goals = make([][2]int, 1) // a goal beside target_km; the direct flight goes to one
		want = strings.Replace(want, "straight to the target", "straight to the goal of that plan", 1)
		if got := r.BaselineSentence(); got != want {
			t.Errorf("two goals: %q, want %q", got, want)
		}
		r.Settings.Config.Vehicle.Heading = configs.Heading{Random: true}
		got := r.BaselineSentence()
		blocked := strings.Contains(got, "not every run has a flight that turns")
		if blocked != strings.Contains(want, "there is no") {
			t.Errorf("random headings: %q", got)
		}
	}
}

// The first sentence says where another mean may be the smallest or the largest.
func TestFindingNamesNoExtremeThatIsNotShown(t *testing.T) {
	at := func(epsilon, km, half float64) study.Summary {
		return study.Summary{Epsilon: epsilon, Runs: 9, MeanKm: km, CILowKm: km - half, CIHighKm: km + half}
	}
	none := at(study.None(), 1, 0)
	for want, summaries := range map[string][]study.Summary{
		"at epsilon 2, and 9.00 km (8.00 .. 10.00) at epsilon 1.": {none, at(1, 9, 1), at(2, 3, 1)},
		"at epsilon 4; the intervals leave open whether another mean is smaller.": {none, at(1, 3, 1), at(2, 4, 1),
			at(4, 9, 1)},
		"at epsilon 4; the intervals leave open whether another mean is larger.": {at(1, 3, 1), at(2, 8, 1),
			at(4, 9, 1)},
		"at epsilon 2; the intervals leave open whether another mean is smaller or larger.": {at(1, 3, 1), at(2, 4, 1)},
		"at epsilon 1, and 9.00 km (9.00 .. 9.00) at epsilon 8.": {at(1, 3, 0), at(2, 3, 0),
			at(8, 9, 0)},
		"at epsilon 1, and 4.00 km at epsilon 2.": {at(1, 3, math.NaN()), at(2, 4, math.NaN())},
	} {
		r := Result{Settings: new(configs.Loaded), Summaries: [][]study.Summary{summaries}}
		if got := r.finding(); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q at its end", got, want)
		}
	}
}

// The sentence on noise claims no more than the intervals show, at all epsilons.
func TestNoiseSentence(t *testing.T) {
	at := func(epsilon, km, low, high float64) study.Summary {
		return study.Summary{Epsilon: epsilon, Runs: 9, NoiseKm: km, NoiseLowKm: low, NoiseHighKm: high}
	}
	hides, gives, open := at(1, -5, -6, -4), at(2, 3, 1, 5), at(3, 1, -1, 3)
	for want, summaries := range map[string][]study.Summary{
		"": {at(study.None(), 0, 0, 0)},
		"Noise alone changes the distance by -5.00 km (-6.00 .. -4.00) at epsilon 1: it hides the destination.": {hides},
		"Noise alone changes the distance by +3.00 km (1.00 .. 5.00) at epsilon 2: it gives the destination away.": {gives,
			at(study.None(), 0, 0, 0)},
		"Noise alone changes the distance by +1.00 km (-1.00 .. 3.00) at epsilon 3: it is not shown to matter.": {open},
		"Noise alone changes the distance by -5.00 km at epsilon 1: it is not shown to matter.": {
			at(1, -5, math.NaN(), math.NaN())},
		"Noise alone changes the distance by -5.00 km (-6.00 .. -4.00) at epsilon 1 and by +1.00 km (-1.00 .. 3.00) at " +
			"epsilon 3: it is shown to hide the destination at 1 of 2 epsilons (1).": {open, hides},
		"Noise alone changes the distance by +1.00 km (-1.00 .. 3.00) at epsilon 3 and by +3.00 km (1.00 .. 5.00) at " +
			"epsilon 2: it is shown to give the destination away at 1 of 2 epsilons (2).": {open, gives},
		"Noise alone changes the distance by -5.00 km (-6.00 .. -4.00) at epsilon 1 and by +3.00 km (1.00 .. 5.00) at " +
			"epsilon 2: it hides the destination at 1 of 3 epsilons (1) and gives it away at 1 of 3 epsilons (2).": {
			open, gives, hides},
	} {
		if got := noiseSentence(2, "noise", summaries, false); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		got := noiseSentence(2, "noise", summaries, true)
		if want != "" && !strings.HasSuffix(got, "it does not show what noise does.") {
			t.Errorf("equally good plans: %q", got)
		}
	}
}

// Where flights that a limit ended decide the sign of the effect, the sentence says so, and what it is without them.
func TestNoiseSentenceOfFlightsThatALimitEnded(t *testing.T) {
	at := func(epsilon, km, without, half float64, limits ...study.Limits) study.Summary {
		s := study.Summary{Epsilon: epsilon, Runs: 9, NoiseKm: km, NoiseLowKm: km - 1, NoiseHighKm: km + 1}
		for _, l := range limits {
			s.Without[l] = study.Effect{Km: without, LowKm: without - half, HighKm: without + half}
		}
		return s
	}
	const back, late, both = study.Fallbacks, study.Timeouts, study.AllLimits
	const other = ", the effect of noise has the other sign: "
	const open = ", the effect of noise is not shown to differ from 0: "
	for want, summaries := range map[string][]study.Summary{
		"it hides the destination; without the flights that timed out" + other + "+8.50 km (7.50 .. 9.50) at epsilon 1.": {
			at(1, -5, 8.5, 1, late)},
		"and gives it away at 2 of 4 epsilons (2, 3); without the flights that fell back" + open +
			"-0.50 km (-9.50 .. 8.50) at epsilon 2, -0.75 km (-9.75 .. 8.25) at epsilon 3; " +
			"without the flights that fell back or timed out" + other +
			"+8.50 km (7.50 .. 9.50) at epsilon 1.": {at(1, -5, 8.5, 1, both), at(2, 3, -0.5, 9, back, both),
			at(3, 2, -0.75, 9, back), at(4, 0.5, -0.75, 9, late)},
		"it hides the destination.":      {at(1, -5, -2, 1, back, late, both)},
		"it is not shown to matter.":     {at(1, -0.5, 0.5, 1, both)},
		"it gives the destination away.": {at(1, 5, math.NaN(), math.NaN(), late)},
		"without the flights that fell back, the effect of noise is shown: -0.50 km (-0.60 .. -0.40) at epsilon 1.": {
			at(1, 0.5, -0.5, 0.1, back)},
	} {
		if got := noiseSentence(2, "noise", summaries, false); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q at its end", got, want)
		}
	}
	if got := noiseSentence(2, "noise", []study.Summary{at(1, -5, 8.5, 1, late)}, true); strings.Contains(got, other) {
		t.Errorf("equally good plans: %q", got)
	}
}

// A way without noise is named in place of noise.
func TestWaysAreNamedInPlaceOfNoise(t *testing.T) {
	settings := configs.Default()
	settings.Privacy.Mechanism = "soft"
	r := Result{Settings: &configs.Loaded{Config: settings}}
	got := noiseSentence(2, r.cause(),
		[]study.Summary{{Epsilon: 1, Runs: 9, NoiseKm: -5, NoiseLowKm: -6, NoiseHighKm: -4}},
		false)
	if !strings.HasPrefix(got, "The way soft alone changes the distance by -5.00 km") || r.tied() != "" {
		t.Errorf("%q, %q", got, r.tied())
	}
}

// A range along which the means go beyond those at the listed epsilons has a sentence of its own, also between the
// listed epsilons, and then the first sentence says that it is of the listed ones.
func TestRangeSentence(t *testing.T) {
	mean := func(epsilon, km float64) study.Summary {
		return study.Summary{Epsilon: epsilon, Runs: 9, MeanKm: km, CILowKm: km, CIHighKm: km}
	}
	r := Result{Settings: new(configs.Loaded), Points: []study.Study{{Axis: study.Range{Low: 0.2, High: 10}}},
		Summaries: [][]study.Summary{{mean(0.2, 40), mean(10, 31)}},
		Curve:     &study.Curve{Epsilons: []float64{0.2, 1, 10}, Mean: []float64{40, 52, 31}}}
	want := " On all of 0.2..10 the smallest mean is 31.0 km, near epsilon 10, and the largest 52.0 km, near epsilon 1."
	if got := r.answer(); !strings.HasPrefix(got, "At the listed epsilons the") || !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
	r.Curve.Low, r.Curve.High = []float64{38, 50, 29}, []float64{42, 55, 33.5}
	want = " On all of 0.2..10 the smallest mean is 31.0 km (29.00 .. 33.50), near epsilon 10, and the largest " +
		"52.0 km (50.00 .. 55.00), near epsilon 1, with intervals for all epsilons at once."
	if got := r.answer(); !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
	r.Summaries[0] = append(r.Summaries[0], mean(1, 52.004))
	if got := r.answer(); !strings.HasPrefix(got, "The destination is") || strings.Contains(got, "On all of") {
		t.Errorf("%q of a range whose extremes are listed", got)
	}
}

// Straight on 100 km, 60 with the hand-over, 70 along the waypoints and 45 with noise; and one flight, which has no
// interval.
func TestAttributionAddsUp(t *testing.T) {
	many := study.Summary{Epsilon: 2, DirectKm: 100, HandoverOnlyKm: 60, PlannedKm: 70, NoiseKm: -25, NoiseLowKm: -30,
		NoiseHighKm: -21.5, MeanKm: 45}
	one := study.Summary{Epsilon: 4, DirectKm: 1, HandoverOnlyKm: 2, PlannedKm: 4, NoiseKm: 4, NoiseLowKm: math.NaN(),
		NoiseHighKm: math.NaN(), MeanKm: 8}
	none := study.Summary{Epsilon: study.None(), DirectKm: 1, HandoverOnlyKm: 1, PlannedKm: 1, MeanKm: 1}
	r := Result{Settings: new(configs.Loaded), Summaries: [][]study.Summary{{many, one}, {none}}}
	r.Manifest.Sweep.Settings = []record.Swept{{Key: "privacy.handover_km", Values: []any{80.0, 70.0}}}
	want := [][]any{{80.0, "2", 100.0, -40.0, 10.0, 70.0, -25.0, "-30.00 .. -21.50", 45.0},
		{80.0, "4", 1.0, 1.0, 2.0, 4.0, 4.0, "? .. ?", 8.0},
		{70.0, "none", 1.0, 0.0, 0.0, 1.0, 0.0, "0.00 .. 0.00", 1.0}}
	sheet := r.Attribution()
	if !reflect.DeepEqual(sheet.Rows, want) || len(sheet.Columns) != len(want[0]) {
		t.Errorf("%d columns of %v, want %v", len(sheet.Columns), sheet.Rows, want)
	}
}

// Flights that do not come to the target are told.
func TestFlightsThatCircleAreTold(t *testing.T) {
	for limit, want := range map[string]bool{"sim.max_time_s=100": true, "sim.max_time_s=36000": false} {
		p := &Program{Version: "test", Disk: &recordtest.Disk{}}
		r, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=20",
			limit}}}, "out")
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Contains(r.Heading(), "% of the flights at epsilon 1 before they reached the target")
		if told != want {
			t.Errorf("%s: %s", limit, r.Heading())
		}
	}
}

// Where many flights gave up their waypoints, the answer and the page say so, with the mean of the other flights.
func TestFallingBack(t *testing.T) {
	at := func(epsilon, fallback, others float64) study.Summary {
		return study.Summary{Epsilon: epsilon, Runs: 100, Fallback: fallback, MeanWithoutFallbackKm: others}
	}
	const begin = "flights that reach planner.max_transitions waypoints turn to the target (fall back): "
	for want, summaries := range map[string][]study.Summary{
		"": {at(study.None(), 0.5, 10), at(0.1, 0.05, 9), at(1, 0, 8)},
		begin + "at epsilon 0.5 these are 77.5 % of all, and the others are recognised on average 91.55 km from it; " +
			"at epsilon 0.1 these are 40 % of all, and the others are recognised on average 9.00 km from " +
			"it": {at(0.1, 0.4, 9), at(0.5, 0.775, 91.55), at(1, 0, 88)},
		begin + "at epsilon 1 these are 100 % of all, and there are no others": {at(1, 1, math.NaN())},
	} {
		if got := fallingBack(2, summaries); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	strayed := at(0.2, 0.3, 21)
	strayed.FlewAway = 0.135
	const astray = "at epsilon 0.2 these are 30 % of all (13.5 % while they flew away from it), and the others are " +
		"recognised on average 21.00 km from it; those that flew away from it may have strayed far and below the " +
		"ground before they arrived, and a few of them can decide the mean detour"
	if got := fallingBack(2, []study.Summary{strayed}); got != begin+astray {
		t.Errorf("%q, want %q", got, begin+astray)
	}
	few := at(0.2, 0.016, 21)
	few.FlewAway = 0.008
	const more = "; at 1 more epsilon fewer fell back; those that flew away from it may have strayed far and below the " +
		"ground before they arrived, and a few of them can decide the mean detour"
	if got := fallingBack(2, []study.Summary{few, at(0.5, 0.001, 22)}); !strings.HasSuffix(got, more) {
		t.Errorf("few that flew away: %q", got)
	}
	many := []study.Summary{at(0.5, 0.05, 1), at(1, 0.2, 1), at(2, 0.3, 1), at(3, 0.4, 1), at(4, 0.5, 1), at(5, 0.6, 1),
		at(6, 0.7, 1)}
	got := fallingBack(2, many)
	if !strings.HasSuffix(got, "; at 3 more epsilons fewer fell back") || strings.Contains(got, "epsilon 2 ") {
		t.Errorf("of many epsilons: %q", got)
	}
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Settings: new(configs.Loaded), Summaries: [][]study.Summary{{at(0.5, 0.775, 91.55)}},
		Points: []study.Study{{Experiment: e}}}
	if words := strings.Join(r.pageRemarks(), " "); !strings.Contains(words, "(fall back): at epsilon 0.5 ") {
		t.Errorf("the page says %q", words)
	}
}

// Baselines that differ from run to run are means in the sentence of a study, and those of one flight are not.
func TestBaselinesOfDrawnFlightsAreMeans(t *testing.T) {
	drawn, spread := configs.Default(), configs.Default()
	drawn.Vehicle.Heading = configs.Heading{Random: true}
	spread.Privacy.SpreadKm = 10
	const mean = "is recognised on average 20.84 km"
	for _, c := range []configs.Config{drawn, spread} {
		got := BaselineSentence(c, true, 20.84, 0)
		if !strings.Contains(got, mean) || !strings.Contains(got, "is never") {
			t.Errorf("of a study: %s", got)
		}
		if got := BaselineSentence(c, false, 20.84, 0); !strings.Contains(got, "is recognised 20.84 km") {
			t.Errorf("of a flight: %s", got)
		}
	}
	if got := BaselineSentence(configs.Default(), true, 20.84, 0); strings.Contains(got, mean) {
		t.Errorf("without anything drawn: %s", got)
	}
}

// Distances have as many decimals as show a thousandth of the way, and two on ways of 10 km and more.
func TestDecimalsShowAThousandthOfTheWay(t *testing.T) {
	for way, want := range map[float64]int{206: 2, 10: 2, 9.9: 3, 2.42: 3, 1: 3, 0.99: 4, 0.15: 4, 0.02: 5} {
		c := configs.Default()
		c.Vehicle.StartKm, c.TargetKm = [3]float64{}, [3]float64{way}
		if got := Decimals(c); got != want {
			t.Errorf("a way of %g km: %d decimals, want %d", way, got, want)
		}
		if way != 0.15 {
			continue
		}
		s := study.Summary{Epsilon: 1, Runs: 40, MeanKm: 0.0213, CILowKm: 0.0208, CIHighKm: 0.0219, PlannedKm: 0.0237,
			NoiseKm: -0.0024, NoiseLowKm: -0.0029, NoiseHighKm: -0.0018, TimedOut: 0.1, MeanWithoutTimeoutKm: 0.0222}
		e, err := setup.Experiment(configs.Default())
		if err != nil {
			t.Fatal(err)
		}
		r := Result{Settings: &configs.Loaded{Config: c}, Summaries: [][]study.Summary{{s}},
			Points: []study.Study{{Experiment: e, Epsilons: []float64{1}}}}
		heading := strings.Join(append(r.pageWords(), r.pageRemarks()...), " ")
		for _, part := range []string{"0.0213 km (0.0208 .. 0.0219)", "recognised 0.0237 km", "the mean is 0.0222 km",
			"-0.0024 km (-0.0029 .. -0.0018)"} {
			if !strings.Contains(heading, part) {
				t.Errorf("%q does not say %q", heading, part)
			}
		}
		columns, _ := r.Attribution().Shown(30)
		if text := fmt.Sprint(columns); !strings.Contains(text, "0.0213") || !strings.Contains(text, "-0.0024") {
			t.Errorf("the table is %s", text)
		}
	}
}

// Several observers watch the same flights.
func TestFlightsOfSeveralObservers(t *testing.T) {
	for want, s := range map[string]record.Sweep{"600 flights": {},
		"200 flights, each watched by 3 observers": {Observers: []string{"ballistic", "mechanism", "heading"}}} {
		if got := s.FlightsText(600); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Ends of an interval that files hold in columns of their own have no heading of both.
func TestHeadingsOfColumnsOfFiles(t *testing.T) {
	columns := fileColumns("study")
	if got := columns["p10_km"].Heading; got != "" {
		t.Errorf("p10_km is headed %q", got)
	}
	if got := columns["mean_km"].Heading; got != "mean km" {
		t.Errorf("mean_km is headed %q", got)
	}
}
