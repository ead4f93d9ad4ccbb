package configs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// reading returns a ReadFile that knows one file, my.yaml.
func reading(text string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if path != "my.yaml" {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	}
}

func mustLoad(t *testing.T, r Request) *Loaded {
	t.Helper()
	loaded, err := Load(r)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// The defaults are those of the reference model; this is the second place that states them, on purpose.
func TestDefaultIsTheReferenceModel(t *testing.T) {
	want := Config{
		Vehicle: Vehicle{SpeedKmS: 1.7, AccelLimitKmS2: 0.2, StartKm: [3]float64{-200, -50, 10},
			Heading: Heading{LineOfSight: true}},
		TargetKm: [3]float64{0, 0, 0},
		Guidance: Guidance{GenexN: 0, TerminalSteepeningDeg: 1.38, GenexMinTgoS: 0.3, WaypointGain: 3, WaypointMinTgoS: 2},
		Planner: Planner{Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: [2]int{0, 7}, Moves: "paper", KeepOut: [][]int{},
			Goals: [][2]int{}, RewardWeight: 2,
			Discount: 0.95, Slip: 0, MaxTransitions: 100, Tolerance: 1e-10},
		Privacy: Privacy{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: "classical", HandoverKm: 80,
			Mechanism: OnReward, RewardRange: []float64{}, RowAdjacency: 0.01, RowUniform: 0.2},
		Deception: Deception{Temperature: 1, Bogus: [][2]int{}, BogusDistance: 1, ObserverTemperature: 0.5, Detour: 0.25},
		Adversary: Adversary{Observer: "ballistic", LambdaPerS: 0.1, NoiseKm: 0.01, RadiusKm: 0.7, ConsecutiveSteps: 3,
			Rule: "consecutive", Candidates: farCells, Prior: Uniform, Policies: 100, Training: 2000},
		Sim:  Sim{StepS: 0.1, CaptureKm: 5, MaxTimeS: 36000},
		Exec: Exec{TimeoutS: 10},
		Study: Study{Epsilons: []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3, 3.2, 3.4, 3.6,
			3.8, 4}, Axis: Axis{0.2, 4},
			Runs: 200, Seed: 1, Noise: "common", Workers: 0},
		Problem:  Waypoints,
		Example1: Example1{Agents: []int{2, 3, 4, 5, 6}, Obedience: 0.91, Discount: 0.99, GoalReward: 5, OtherReward: -1},
		Example2: Example2{Columns: 4, Rows: 4, SlipModel: "other-actions", Slip: 0.1, Discount: 0.85,
			GoalRewards: []float64{5, 50}, OtherReward: -1, StartCells: []int{0, 15}},
	}
	if diff := cmp.Diff(want, Default()); diff != "" {
		t.Error(diff)
	}
}

func TestPresetsLoadWithoutWarnings(t *testing.T) {
	for _, p := range Presets() {
		loaded := mustLoad(t, Request{Config: p.Name})
		if len(loaded.Warnings) > 0 {
			t.Errorf("%s: %v", p.Name, loaded.Warnings)
		}
		if p.Title == "" || strings.HasPrefix(p.Title, "#") {
			t.Errorf("%s: title %q", p.Name, p.Title)
		}
	}
	if quick := mustLoad(t, Request{Config: "quick"}); quick.Origin("study.runs") != "preset quick" ||
		quick.Origin("sim.step_s") != "preset paper" {
		t.Errorf("quick: origins %q, %q", quick.Origin("study.runs"), quick.Origin("sim.step_s"))
	}
}

// Each source in turn is the strongest that gives the key.
func TestPrecedence(t *testing.T) {
	const file = "# mine\nprivacy:\n  epsilon: 2\n"
	environ := []string{"HOME=/root", "VEILPATH_PRIVACY_EPSILON=3"}
	for _, test := range []struct {
		name   string
		r      Request
		want   float64
		origin string
	}{
		{"preset", Request{}, 1, "preset paper"},
		{"file", Request{Config: "my.yaml", ReadFile: reading(file)}, 2, "my.yaml:3"},
		{"environment", Request{Config: "my.yaml", ReadFile: reading(file), Environ: environ}, 3,
			"environment VEILPATH_PRIVACY_EPSILON"},
		{"set", Request{Config: "my.yaml", ReadFile: reading(file), Environ: environ, Sets: []string{"privacy.epsilon=4"}}, 4,
			"flag --set"},
		{"flag", Request{Environ: environ, Overrides: []Override{{"privacy.epsilon", "epsilon", 5.0}}}, 5,
			"flag --epsilon"},
		{"empty variable", Request{Environ: []string{"VEILPATH_PRIVACY_EPSILON="}}, 1, "preset paper"},
	} {
		t.Run(test.name, func(t *testing.T) {
			loaded := mustLoad(t, test.r)
			if loaded.Privacy.Epsilon != test.want || loaded.Origin("privacy.epsilon") != test.origin {
				t.Errorf("epsilon %v from %q, want %v from %q", loaded.Privacy.Epsilon, loaded.Origin("privacy.epsilon"), test.want,
					test.origin)
			}
			if loaded.Privacy.Delta != 0.01 || loaded.Origin("privacy.delta") != "preset paper" {
				t.Errorf("its neighbour delta became %v from %q", loaded.Privacy.Delta, loaded.Origin("privacy.delta"))
			}
		})
	}
}

func TestGivenIsWhatNoPresetSays(t *testing.T) {
	const file = "study:\n  runs: 50\n"
	for name, test := range map[string]struct {
		r    Request
		want bool
	}{
		"default preset": {Request{}, false},
		"named preset":   {Request{Config: "quick"}, false},
		"file":           {Request{Config: "my.yaml", ReadFile: reading(file)}, true},
		"file like presets": {Request{Config: "preset quick",
			ReadFile: func(string) ([]byte, error) { return []byte(file), nil }}, true},
		"file without it": {Request{Config: "my.yaml", ReadFile: reading("study: {seed: 2}\n")}, false},
		"variable":        {Request{Environ: []string{"VEILPATH_STUDY_RUNS=50"}}, true},
		"set to default":  {Request{Sets: []string{"study.runs=200"}}, true},
		"flag":            {Request{Overrides: []Override{{"study.runs", "runs", 50}}}, true},
	} {
		if got := mustLoad(t, test.r).IsSet("study.runs"); got != test.want {
			t.Errorf("%s: given %v, want %v", name, got, test.want)
		}
	}
	if mustLoad(t, Request{}).IsSet("study.rums") {
		t.Error("an unknown key counts as given")
	}
}

// Settings with more flags over them are those of a request with all the flags, in values, origins and errors.
func TestWith(t *testing.T) {
	reads := 0
	file := reading("study:\n  runs: 50\n")
	r := Request{Config: "my.yaml", Environ: []string{"VEILPATH_SIM_STEP_S=0.05"}, Sets: []string{"privacy.epsilon=2"},
		ReadFile: func(path string) ([]byte, error) { reads++; return file(path) }}
	base := mustLoad(t, r)
	for _, more := range [][]Override{
		nil,
		{{"vehicle.speed_km_s", "sweep", "1.5"}},
		{{"vehicle.speed_km_s", "sweep", "2"}, {"sim.step_s", "sweep", 0.25}},
		{{"privacy.epsilon", "sweep", "3"}},
		{{"planner.columns", "sweep", "10"}},
		{{"planner.colums", "sweep", "10"}},
	} {
		reads = 0
		got, err := base.With(more...)
		if reads > 0 {
			t.Errorf("%v: the file was read again", more)
		}
		whole := r
		whole.Overrides = more
		want, wanted := Load(whole)
		if fmt.Sprint(err) != fmt.Sprint(wanted) {
			t.Errorf("%v: error %v, want %v", more, err, wanted)
		}
		if err != nil || wanted != nil {
			continue
		}
		if diff := cmp.Diff(want.Settings(), got.Settings(), cmp.AllowUnexported(Field{}, Setting{}),
			cmpopts.IgnoreFields(Field{}, "domain")); diff != "" {
			t.Errorf("%v: %s", more, diff)
		}
		if diff := cmp.Diff(want.Warnings, got.Warnings); diff != "" || got.Name != want.Name {
			t.Errorf("%v: name %q, warnings %s", more, got.Name, diff)
		}
	}
	if base.Vehicle.SpeedKmS != 1.7 || base.Origin("vehicle.speed_km_s") != "preset paper" {
		t.Errorf("the base became %v from %s", base.Vehicle.SpeedKmS, base.Origin("vehicle.speed_km_s"))
	}
}

// What is done to loaded settings does not reach those loaded later.
func TestLoadedSettingsAreOnesOwn(t *testing.T) {
	c := Default()
	c.Study.Epsilons[0], c.Example1.Agents[0] = 9, 9
	Schema()[0].Default, Presets()[0].Name = "nothing", "nothing"
	again := Default()
	if again.Study.Epsilons[0] != 0.2 || again.Example1.Agents[0] != 2 || Schema()[0].Default != Waypoints ||
		Presets()[0].Name != "dense" {
		t.Errorf("epsilons %v, agents %v, default %s, preset %s", again.Study.Epsilons, again.Example1.Agents,
			Schema()[0].Default, Presets()[0].Name)
	}
}

// Every way of writing a value gives the same Config.
func TestFormsOfValues(t *testing.T) {
	base := Default()
	for _, test := range []struct {
		sets   []string
		change func(*Config)
	}{
		{[]string{"vehicle.heading=90"}, func(c *Config) { c.Vehicle.Heading = Heading{Degrees: 90} }},
		{[]string{"vehicle.heading=line_of_sight"}, func(*Config) {}},
		{[]string{"vehicle.start_km=-150,-50,10"}, func(c *Config) { c.Vehicle.StartKm = [3]float64{-150, -50, 10} }},
		{[]string{"vehicle.start_km=[-150, -50, 10]"}, func(c *Config) { c.Vehicle.StartKm = [3]float64{-150, -50, 10} }},
		{[]string{"planner.goals=[3,4],[10, 2]"}, func(c *Config) { c.Planner.Goals = [][2]int{{3, 4}, {10, 2}} }},
		{[]string{" study.runs = 3e2 "}, func(c *Config) { c.Study.Runs = 300 }},
		{[]string{"study.runs=300.0"}, func(c *Config) { c.Study.Runs = 300 }},
		{[]string{"study.seed=9007199254740991"}, func(c *Config) { c.Study.Seed = 1<<53 - 1 }},
		{[]string{"study.epsilons=4"}, func(c *Config) { c.Study.Epsilons, c.Study.Axis = []float64{4}, Axis{} }},
		{[]string{"study.epsilons=4, 1,.5"}, func(c *Config) {
			c.Study.Epsilons, c.Study.Axis = []float64{4, 1, 0.5}, Axis{}
		}},
		{[]string{"study.epsilons=[4,1]"}, func(c *Config) { c.Study.Epsilons, c.Study.Axis = []float64{4, 1}, Axis{} }},
		{[]string{"study.epsilons=0.5:2:0.5"}, func(c *Config) {
			c.Study.Epsilons, c.Study.Axis = []float64{0.5, 1, 1.5, 2}, Axis{}
		}},
		{[]string{"target_km=-0,0,-0.0"}, func(*Config) {}},
	} {
		want := base
		test.change(&want)
		if diff := cmp.Diff(want, mustLoad(t, Request{Sets: test.sets}).Config); diff != "" {
			t.Errorf("--set %q: %s", test.sets, diff)
		}
	}
	flags := mustLoad(t, Request{Overrides: []Override{
		{"study.epsilons", "epsilons", "0.5,1"}, {"study.runs", "runs", 7}, {"study.seed", "seed", uint64(9)},
		{"target_km", "target", []float64{1, 2, 3}}, {"study.noise", "noise", "independent"},
	}})
	want := base
	want.Study.Epsilons, want.Study.Runs, want.Study.Seed, want.Study.Noise = []float64{0.5, 1}, 7, 9, Independent
	want.TargetKm, want.Study.Axis = [3]float64{1, 2, 3}, Axis{}
	if diff := cmp.Diff(want, flags.Config); diff != "" {
		t.Error(diff)
	}
	dotted := mustLoad(t, Request{Config: "my.yaml",
		ReadFile: reading("\ufeffstudy.runs: 8\nstudy: {seed: 4, \"noise\": 'common'}\n")})
	if dotted.Study.Runs != 8 || dotted.Study.Seed != 4 || dotted.Origin("study.seed") != "my.yaml:2" {
		t.Errorf("dotted key: %+v, seed from %s", dotted.Study, dotted.Origin("study.seed"))
	}
}

// An awkward Config, far from the presets.
var awkward = Request{Sets: []string{
	"vehicle.speed_km_s=0.1", "vehicle.heading=-33.3", "vehicle.start_km=-1e3,1e-7,33.333333333333336",
	"planner.spacing_km=100",
	"planner.tolerance=1.2345678901234567e-11", "sim.max_time_s=1e6", "study.seed=9007199254740991",
	"study.epsilons=1e-9,123456789.12345678,0.1",
	"study.workers=3", "privacy.calibration=analytic",
}}

func TestYAMLAndJSONComeBack(t *testing.T) {
	for _, r := range []Request{{}, {Config: "dense"}, awkward} {
		loaded := mustLoad(t, r)
		asJSON, err := json.Marshal(loaded.Config)
		if err != nil {
			t.Fatal(err)
		}
		for form, text := range map[string]string{"YAML": string(loaded.YAML()), "JSON": string(asJSON),
			"commented": string(loaded.Commented())} {
			again := mustLoad(t, Request{Config: "my.yaml", ReadFile: reading(text)})
			if diff := cmp.Diff(loaded.Config, again.Config); diff != "" {
				t.Errorf("%s of %v: %s", form, r, diff)
			}
			if again.Origin("study.workers") == "preset paper" {
				t.Errorf("%s of %v leaves keys out", form, r)
			}
			if string(again.YAML()) != string(loaded.YAML()) || again.SHA256() != loaded.SHA256() {
				t.Errorf("%s of %v: other YAML or hash after loading it", form, r)
			}
		}
	}
}

// The hash is of every setting of a study but the number of workers.
func TestHash(t *testing.T) {
	base := Default()
	other := map[string]string{
		"vary": "vehicle.heading=[1]", "vehicle.start_km": "-201,-50,10", "vehicle.heading": "10", "target_km": "1,0,0",
		"planner.start_cell":  "1,7",
		"privacy.calibration": "analytic", "study.noise": "independent", "adversary.observer": "constant_velocity",
		"study.epsilons": "1", "study.axis": "0.1..5",
		"planner.columns": "21", "planner.rows": "21", "planner.discount": "0.9", "privacy.delta": "0.02",
		"planner.slip":      "0.1",
		"planner.tolerance": "1e-9", "planner.spacing_km": "12",
		"planner.moves": "8", "planner.keep_out": "[[3,4]]", "planner.goals": "[[3,4]]",
		"deception.bogus":   "[[3,4]]",
		"planner.rewards":   rewardRows(20, 20, "1"),
		"privacy.mechanism": "goal", "privacy.reward_range": "-2,0", "privacy.row_uniform": "0.5",
		"adversary.rule": "must_stay", "adversary.candidates": "all", "adversary.prior": "1,2",
		"adversary.discount": "0.5",
		"problem":            "example1", "example1.obedience": "0.8", "example1.discount": "0.5", "example2.discount": "0.5",
		"example2.slip": "0.2", "example2.slip_model": "stay", "example2.columns": "8", "example2.rows": "8",
	}
	for _, f := range Schema() {
		value := other[f.Key]
		if value == "" {
			value = "2"
			if f.Default == "2" {
				value = "3"
			}
		}
		loaded := mustLoad(t, Request{Sets: []string{f.Key + "=" + value}})
		if changed := loaded.SHA256() != base.SHA256(); changed == f.Unhashed {
			t.Errorf("%s=%s: hash changed: %v", f.Key, value, changed)
		}
	}
	if strings.Contains(string(base.Canonical()), "workers") {
		t.Error("the canonical text names the workers")
	}
}

// Warnings name the setting that the user gave, and the number at which they begin.
func TestWarnings(t *testing.T) {
	for _, test := range []struct {
		sets []string
		want []string // the key that is named, and a part of the text
	}{
		{[]string{"sim.step_s=0.2"}, nil},
		{[]string{"privacy.mechanism=soft"}, []string{"privacy.mechanism = soft (flag --set): the way soft gives no " +
			"guarantee: epsilon and delta have no effect on it"}},
		{[]string{"sim.step_s=0.25"}, []string{"sim.step_s = 0.25 (flag --set): the vehicle flies 0.85 km during 3 " +
			"consecutive steps, further than adversary.radius_km = 0.7, so a detection near the target is missed; use a " +
			"step of at most 0.205 s, or reduce adversary.consecutive_steps"}},
		{[]string{"adversary.radius_km=0.3"}, []string{"use a step of at most 0.0882 s"}},
		{[]string{"sim.step_s=10", "adversary.consecutive_steps=1"}, []string{
			"the vehicle flies 17 km in a step, further than planner.spacing_km = 12.5, and passes waypoints unseen; use a " +
				"step of at most 7.35 s",
			"the step of 10 s is longer than guidance.genex_min_tgo_s = 0.3, so the steering overshoots; use a step of at " +
				"most 0.3 s, or raise guidance.genex_min_tgo_s",
			"the step of 10 s is longer than guidance.waypoint_min_tgo_s = 2"}},
		{[]string{"privacy.handover_km=250"}, []string{"the start is 206.4 km from the target, within " +
			"privacy.handover_km = 250, so the flight is never private"}},
		{[]string{"planner.goals=[[3,12],[19,0]]"}, []string{"planner.goals = [[3, 12], [19, 0]] (flag --set): the start " +
			"is 73.57 km from the goal in column 3, row 12, within privacy.handover_km = 80"}},
		{[]string{"privacy.handover_km=10"}, []string{
			"the waypoints lie 10 km above or below the target, not within privacy.handover_km = 10",
			"the vehicle turns in circles of 28.9 km across, wider than privacy.handover_km = 10"}},
		{[]string{"privacy.handover_km=28"}, []string{"circles of 28.9 km across"}},
		{[]string{"privacy.handover_km=29"}, nil},
		{[]string{"adversary.radius_km=80"}, []string{"within adversary.radius_km = 80 of the target, as far as " +
			"privacy.handover_km = 80 or farther"}},
		{[]string{"sim.max_time_s=100"}, []string{"the direct flight takes 121.4 s, longer than sim.max_time_s = 100"}},
		{[]string{"planner.max_transitions=7"}, []string{"7 waypoints lead at most 123.7 km away " +
			"from the start, and privacy.handover_km = 80 begins 126.2 km away"}},
		{[]string{"planner.max_transitions=8"}, nil},
		{[]string{"planner.max_transitions=4", "planner.goals=[[9, 7], [19, 0]]"}, nil},
		{[]string{"target_km=[0, 0, 2]"}, []string{"the altitude of the target is 2 km, and observers"}},
	} {
		got := mustLoad(t, Request{Sets: test.sets}).Warnings
		if len(got) != len(test.want) {
			t.Errorf("--set %q: %q, want %q", test.sets, got, test.want)
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("--set %q: %q, want %q", test.sets, got[i], want)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	loaded := mustLoad(t, Request{Sets: []string{"sim.step_s=0.05"}, Environ: []string{"VEILPATH_STUDY_RUNS=9"}})
	got := map[string]string{}
	for i, s := range loaded.Settings() {
		if s.Key != schema[i].Key || s.Meaning == "" || s.Default == "" {
			t.Errorf("setting %d is %+v", i, s)
		}
		if s.Origin != "preset paper" {
			got[s.Key] = s.Value + " from " + s.Origin
		}
	}
	want := map[string]string{"sim.step_s": "0.05 from flag --set", "study.runs": "9 from environment VEILPATH_STUDY_RUNS"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Texts given as settings come back as they were, whatever has to be quoted in them.
func TestTextsAreSettings(t *testing.T) {
	for _, request := range []Request{
		{Config: "passage"}, {Config: "three-goals"}, {Config: "example2"},
		{Sets: []string{"adversary.candidates=beyond 180", "adversary.prior=1,2,3", "vehicle.heading=12.5",
			`planner.moves="8"`}},
	} {
		want, err := Load(request)
		if err != nil {
			t.Fatal(err)
		}
		var sets []string
		for key, text := range want.Config.Texts() {
			if key != "study.axis" { // which the epsilons say
				sets = append(sets, key+"="+text)
			}
		}
		got, err := Load(Request{Sets: sets})
		if err != nil {
			t.Errorf("%v: %v", request, err)
			continue
		}
		got.Config.Study.Axis = want.Config.Study.Axis
		if d := cmp.Diff(want.Config, got.Config); d != "" {
			t.Errorf("%v (-want +got):\n%s", request, d)
		}
	}
}

// The examples' presets state what the paper states and what the published numbers ask for.
func TestExamplePresets(t *testing.T) {
	one := mustLoad(t, Request{Config: "example1"})
	if p := one.Privacy; one.Problem != TwoState || p.Epsilon != 1 || p.Delta != 0.1 || p.Adjacency != 2 ||
		p.Calibration != "classical" || one.Study.Runs != 500 {
		t.Errorf("example1: problem %s, %+v, %d runs", one.Problem, p, one.Study.Runs)
	}
	two := mustLoad(t, Request{Config: "example2"})
	if p := two.Privacy; two.Problem != Gridworld || p.Delta != 0.1 || p.Adjacency != 1 || p.Calibration != "classical" ||
		two.Study.Runs != 1000 || len(two.Study.Epsilons) != 16 {
		t.Errorf("example2: problem %s, %+v, %+v", two.Problem, p, two.Study)
	}
}

func TestCommentedGroups(t *testing.T) {
	text := string(mustLoad(t, Request{}).Commented("example2", "privacy"))
	for key, want := range map[string]bool{"slip_model: other-actions": true, "epsilon: 1": true, "obedience": false,
		"speed_km_s": false, "problem": false} {
		if strings.Contains(text, "\n"+strings.Repeat(" ", 2)+key) != want {
			t.Errorf("%s shown: %v, want %v", key, !want, want)
		}
	}
}

// Settings that vary one loaded configuration are made on many goroutines at once. The race detector says when
// they write into what they share.
func TestWithSharesNothingThatIsWritten(t *testing.T) {
	loaded, err := Load(Request{Config: "quick", Sets: []string{"study.epsilons=0.5,1"}})
	if err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	for i := range 8 {
		working.Go(func() {
			runs := strconv.Itoa(i + 1)
			varied, err := loaded.With(Override{Key: "study.runs", Flag: "runs", Value: runs})
			if err != nil {
				t.Error(err)
				return
			}
			if varied.Study.Runs != i+1 || len(varied.Study.Epsilons) != 2 {
				t.Errorf("%d runs at %v, want %s at two epsilons", varied.Study.Runs, varied.Study.Epsilons, runs)
			}
		})
	}
	working.Wait()
}

// A page lays its layers without viper, and must come to the same settings.
func TestPageLayersAsEveryoneElse(t *testing.T) {
	layers, problems := Request{
		Config:  "quick",
		Environ: []string{"VEILPATH_PRIVACY_EPSILON=0.7", "VEILPATH_VEHICLE_START_KM=[1, 2, 3]"},
		Sets:    []string{"privacy.epsilon=0.9", "study.epsilons=[1, 2]", "vehicle.heading=12"},
	}.layers()
	if len(problems) > 0 {
		t.Fatal(joinErrors(problems))
	}
	merged, err := mergeLayers(layers)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(merged, mergeMaps(layers)); d != "" {
		t.Errorf("viper's settings and the page's (-viper +page):\n%s", d)
	}
}
