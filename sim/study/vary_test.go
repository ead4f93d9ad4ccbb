package study_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// variedMissions are missions in which settings of every kind vary.
var variedMissions = map[string]configs.Request{
	"paper": {Config: "paper", Sets: []string{"vary=vehicle.speed_km_s=normal(1.7,0.05)," +
		"vehicle.heading=uniform(-180,180),adversary.radius_km=[0.35,0.7,2.8]," +
		"guidance.terminal_steepening_deg=triangular(0,1.4,5)"}},
	"passage": {Config: "passage", Sets: []string{"vary=vehicle.accel_limit_km_s2=lognormal(-1.6,0.1)," +
		"privacy.handover_km=uniform(30,60),adversary.lambda_per_s=uniform(0,0.2),vehicle.start_km.north=normal(-50,2)"}},
	"three-goals": {Config: "three-goals", Sets: []string{"vary=guidance.waypoint_gain=uniform(2.5,3.5)," +
		"target_km.east=normal(140,1),adversary.consecutive_steps=[1,3,10]"}},
	"filtered": {Config: "quick", Sets: []string{"adversary.observer=filtered", "adversary.noise_km=0.05",
		"vary=adversary.noise_km=[0.01,0.1],guidance.genex_n=uniform(0,1),target_km.up=uniform(-0.1,0.1)"}},
}

// variedStudy is a study of some runs of a mission.
func variedStudy(t *testing.T, r configs.Request, runs int) (study.Study, configs.Config) {
	t.Helper()
	r.Sets = append(slices.Clone(r.Sets), "study.epsilons=[0.3,2,none]", "study.axis=none",
		fmt.Sprint("study.runs=", runs))
	loaded, err := configs.Load(r)
	if err != nil {
		t.Fatal(err)
	}
	e, err := setup.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	return setup.Study(loaded.Config, e), loaded.Config
}

// ofItsSettings are the records of a run, flown one by one in an experiment of its own in which nothing varies: its
// settings are those that the run draws.
func ofItsSettings(t *testing.T, s *study.Study, r configs.Request, c configs.Config, run int) (records []study.Run) {
	t.Helper()
	positions := map[string][3]float64{"vehicle.start_km": c.Vehicle.StartKm, "target_km": c.TargetKm}
	sets := []string{"vary=[]"}
	for _, set := range r.Sets {
		key, _, _ := strings.Cut(set, "=")
		if !slices.ContainsFunc(c.Vary, func(v vary.Variation) bool { return v.Key == key }) && key != "vary" {
			sets = append(sets, set)
		}
	}
	for _, v := range c.Vary {
		x, err := v.Draw(s.Seed, run)
		if err != nil {
			t.Fatal(err)
		}
		key, text := v.Key, fmt.Sprint(x)
		for i, coordinate := range []string{".east", ".north", ".up"} {
			if whole, is := strings.CutSuffix(key, coordinate); is {
				at := positions[whole]
				at[i] = x
				positions[whole] = at
				key, text = whole, strings.Trim(strings.ReplaceAll(fmt.Sprint(at), " ", ","), "[]")
			}
		}
		sets = append(sets, key+"="+text)
	}
	loaded, err := configs.Load(configs.Request{Config: r.Config, Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	own, e := loaded.Config, s.Experiment
	scenario, a := own.Scenario(), e.Adversary
	scenario.Others = e.Scenario.Others
	a.LambdaPerS, a.NoiseKm, a.RadiusKm = own.Adversary.LambdaPerS, own.Adversary.NoiseKm, own.Adversary.RadiusKm
	a.Rule = own.Adversary.Recognition()
	alone, err := study.New(scenario, e.Mission, study.Options{Guarantee: e.Guarantee, Mechanism: e.Mechanism,
		Adversary: a})
	if err != nil {
		t.Fatal(err)
	}
	flyer, err := alone.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range s.Epsilons {
		sigma, err := alone.Sigma(epsilon)
		if err != nil {
			t.Fatal(err)
		}
		record, err := flyer.Fly(study.Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: epsilon}, sigma)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	return records
}

// Every run in which settings vary is the run of the settings that it draws.
func TestVariedRunsAreThoseOfTheirSettings(t *testing.T) {
	for name, r := range variedMissions {
		t.Run(name, func(t *testing.T) { checkVariedRuns(t, r, 12) })
	}
}

func checkVariedRuns(t *testing.T, r configs.Request, runs int) {
	s, c := variedStudy(t, r, runs)
	var got []study.Run
	err := s.Do(t.Context(), func(records []study.Run) error { got = append(got, records...); return nil })
	if err != nil {
		t.Fatal(err)
	}
	different := map[float64]bool{}
	for run := range runs {
		for k, want := range ofItsSettings(t, &s, r, c, run) {
			record := got[run*len(s.Epsilons)+k]
			if !record.Same(want) {
				t.Fatalf("run %d is\n%+v, with its own settings\n%+v", run, record, want)
			}
			different[record.PlannedKm] = true
		}
	}
	if len(different) < runs*3/4 {
		t.Errorf("%d different planned flights in %d runs", len(different), runs)
	}
}

// A range of epsilon has the flights of its epsilons, and the records are the same whatever the number of workers.
func TestVariedRangesOfEpsilon(t *testing.T) {
	s, _ := variedStudy(t, variedMissions["paper"], 12)
	listed := recordsOf(t, s)
	s.Axis, s.Workers = study.Range{Low: 0.2, High: 5}, 2
	pieces := recordsOf(t, s)
	s.Workers = 1
	if again := recordsOf(t, s); !slices.EqualFunc(pieces, again, study.Run.Same) {
		t.Error("two workers fly otherwise than one")
	}
	for _, want := range listed {
		last := study.Run{}
		for _, p := range pieces {
			if p.Run == want.Run && p.Epsilon <= want.Epsilon {
				last = p
			}
		}
		last.Epsilon = want.Epsilon
		if !last.Same(want) {
			t.Errorf("run %d at epsilon %g is\n%+v on the range, listed\n%+v", want.Run, want.Epsilon, last, want)
		}
	}
}

// A setting that varies without effect changes no bit.
func TestVaryingWithoutEffectChangesNothing(t *testing.T) {
	plain, _ := variedStudy(t, configs.Request{}, 20)
	want := recordsOf(t, plain)
	for _, set := range []string{"vehicle.speed_km_s=[1.7]", "guidance.terminal_steepening_deg=[1.38]",
		"adversary.noise_km=uniform(0,1)", "adversary.radius_km=[0.7,0.7]", "privacy.handover_km=[80]"} {
		s, _ := variedStudy(t, configs.Request{Sets: []string{"vary=" + set}}, 20)
		if !slices.EqualFunc(recordsOf(t, s), want, study.Run.Same) {
			t.Errorf("%s changes flights", set)
		}
	}
}

// A study stops at the first run that draws a value that its setting does not allow, and names it.
func TestVariedSettingsStayInBounds(t *testing.T) {
	s, _ := variedStudy(t, configs.Request{Sets: []string{"vary=vehicle.speed_km_s=uniform(1.6,1.8)"}}, 200)
	s.Experiment.Varied[0].Low = 1.7
	err := s.Do(context.Background(), func([]study.Run) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "draws vehicle.speed_km_s = 1.6") {
		t.Errorf("%v", err)
	}
}
