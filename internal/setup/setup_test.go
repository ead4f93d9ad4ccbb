package setup

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/paper"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/study"
)

// built holds everything built from settings, without computed results.
type built struct {
	Scenario  sim.Scenario
	Spec      planner.Spec
	Adversary study.Adversary
	Study     study.Study
	Guarantee privacy.Guarantee
	Team      paper.TwoStateTeam
	World     paper.Gridworld
	Bogus     deception.Bogus
}

func build(t *testing.T, c configs.Config) built {
	t.Helper()
	e, err := Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := Study(c, e)
	s.Experiment = nil
	return built{e.Scenario, c.Mission(), e.Adversary, s, e.Guarantee, TwoStateTeam(c, 3), Gridworld(c, 5), e.Bogus}
}

// fields returns the text of every field of a struct by its path, such as Scenario.Start.X.
func fields(v any) map[string]string {
	all := map[string]string{}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		if model, named := v.Interface().(adversary.Model); named {
			all[path] = model.Name
			return
		}
		if v.Kind() != reflect.Struct {
			all[path] = fmt.Sprint(v.Interface())
			return
		}
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; path == "" {
				walk(name, v.Field(i))
			} else {
				walk(path+"."+name, v.Field(i))
			}
		}
	}
	walk("", reflect.ValueOf(v))
	return all
}

// change is another value of a key and the text of every field that it changes. A key that nothing is built from
// changes none.
type change struct {
	value  string
	fields map[string]string
}

func one(value, field, text string) change { return change{value, map[string]string{field: text}} }

var degree = math.Pi / 180

// lowest is what is lost on the diagonal of a grid.
func lowest(weight, columns, rows float64) string {
	return fmt.Sprint(-weight * math.Hypot(columns, rows))
}

// row20 is a row of the paper's grid with the same reward in all cells.
var row20 = "[" + strings.Repeat("["+strings.Repeat("1,", 19)+"1],", 19) + "[" + strings.Repeat("1,", 19) + "1]]"

// changes lists every key in the order of the schema.
var changes = map[string]change{
	"problem": {value: "example1"}, // it has no flights; see the test below

	"vehicle.speed_km_s":        one("1.75", "Scenario.SpeedKmS", "1.75"),
	"vehicle.accel_limit_km_s2": one("0.21", "Scenario.AccelLimitKmS2", "0.21"),
	"vehicle.start_km": {"-201,-51,11", map[string]string{"Scenario.Start.X": "-201", "Scenario.Start.Y": "-51",
		"Scenario.Start.Z": "11"}},
	"vary":            {value: "vehicle.heading=[1, 2]"},
	"vehicle.heading": one("10", "Scenario.HeadingRad", fmt.Sprint(10*degree)),
	"target_km": {"1,2,3", map[string]string{"Scenario.Target.X": "1", "Scenario.Target.Y": "2",
		"Scenario.Target.Z": "3"}},

	"guidance.genex_n":                 one("1", "Scenario.GenexN", "1"),
	"guidance.terminal_steepening_deg": one("2", "Scenario.SteepeningRad", fmt.Sprint(2*degree)),
	"guidance.genex_min_tgo_s":         one("0.4", "Scenario.GenexMinTgoS", "0.4"),
	"guidance.waypoint_gain":           one("4", "Scenario.WaypointGain", "4"),
	"guidance.waypoint_min_tgo_s":      one("3", "Scenario.WaypointMinTgoS", "3"),

	"planner.columns":    {"21", map[string]string{"Spec.Columns": "21", "Guarantee.Range.Low": lowest(2, 20, 19)}},
	"planner.rows":       {"22", map[string]string{"Spec.Rows": "22", "Guarantee.Range.Low": lowest(2, 19, 21)}},
	"planner.spacing_km": one("12", "Spec.SpacingKm", "12"),
	"planner.start_cell": {"1,8", map[string]string{"Spec.StartCell.Column": "1", "Spec.StartCell.Row": "8"}},
	"planner.moves":      one("8", "Spec.Moves", "8"),
	"planner.keep_out":   one("[[3,4],[5,6,7,8]]", "Spec.KeepOut", "[{{3 4} {3 4}} {{5 6} {7 8}}]"),
	"planner.goals": {"[[3,4]]", map[string]string{"Spec.Goals": "[{3 4}]",
		"Scenario.Others": "[{-162.5 -87.5 0}]"}},
	"planner.rewards": {row20, map[string]string{"Spec.Rewards": "[" + strings.Repeat("1 ", 399) + "1]",
		"Guarantee.Range.Low": "0"}},
	"planner.reward_weight": {"3", map[string]string{"Spec.RewardWeight": "3",
		"Guarantee.Range.Low": lowest(3, 19, 19)}},
	"planner.discount":        one("0.9", "Spec.Discount", "0.9"),
	"planner.slip":            one("0.1", "Spec.Slip", "0.1"),
	"planner.max_transitions": one("90", "Scenario.MaxTransitions", "90"),
	"planner.tolerance":       one("1e-9", "Spec.Tolerance", "1e-09"),

	"privacy.epsilon":     one("2", "Guarantee.Epsilon", "2"),
	"privacy.delta":       {"0.02", map[string]string{"Guarantee.Delta": "0.02"}},
	"privacy.adjacency":   {"2", map[string]string{"Guarantee.Adjacency": "2"}},
	"privacy.calibration": {"analytic", map[string]string{"Guarantee.Calibration": "analytic"}},
	"privacy.handover_km": one("70", "Scenario.HandoverKm", "70"),

	"privacy.mechanism": {value: "goal"}, // see TestWhatObserversOfTheGoalKnow

	"privacy.reward_range":  {"-3,1", map[string]string{"Guarantee.Range.Low": "-3", "Guarantee.Range.High": "1"}},
	"privacy.row_adjacency": one("0.3", "Guarantee.Rows.Adjacency", "0.3"),
	"privacy.row_uniform":   one("0.4", "Guarantee.Rows.Uniform", "0.4"),

	"deception.temperature":    {value: "2"}, // see TestSettingsOfWays
	"deception.bogus":          one("[[3,4]]", "Bogus.Cells", "[{3 4}]"),
	"deception.bogus_distance": one("2", "Bogus.Distance", "2"),

	"deception.observer_temperature": {value: "2"}, // see TestSettingsOfWays
	"deception.detour":               {value: "1"},

	"adversary.observer":          one("constant_velocity", "Adversary.Observer", "constant_velocity"),
	"adversary.lambda_per_s":      one("0.2", "Adversary.LambdaPerS", "0.2"),
	"adversary.noise_km":          one("0.02", "Adversary.NoiseKm", "0.02"),
	"adversary.radius_km":         one("0.8", "Adversary.RadiusKm", "0.8"),
	"adversary.consecutive_steps": one("4", "Adversary.Rule", "4"),
	"adversary.rule":              one("must_stay", "Adversary.Rule", "-1"),
	"adversary.candidates":        {value: "all"}, // see TestWhatObserversOfTheGoalKnow
	"adversary.prior":             {value: "uniform"},
	"adversary.policies":          {value: "7"},
	"adversary.training":          {value: "70"},
	"adversary.epsilon":           {value: "3"},
	"adversary.reward_weight":     {value: "3"},
	"adversary.discount":          {value: "0.9"},

	"sim.step_s":     one("0.05", "Scenario.StepS", "0.05"),
	"sim.capture_km": one("4", "Scenario.CaptureKm", "4"),
	"sim.max_time_s": one("30000", "Scenario.MaxTimeS", "30000"),

	"exec.timeout_s": {value: "20"}, // no result depends on it

	// a list is no range
	"study.epsilons": {"1,2", map[string]string{"Study.Epsilons": "[1 2]", "Study.Axis.Low": "0",
		"Study.Axis.High": "0"}},
	"study.axis":            {"0.1..5", map[string]string{"Study.Axis.Low": "0.1", "Study.Axis.High": "5"}},
	"study.runs":            one("7", "Study.Runs", "7"),
	"study.seed":            {"9", map[string]string{"Study.Seed": "9", "Adversary.Seed": "9"}},
	"study.noise":           one("independent", "Study.Noise", "independent"),
	"study.hidden_until_km": one("50", "Study.HiddenUntilKm", "50"),
	"study.workers":         one("3", "Study.Workers", "3"),

	"example1.agents":       {value: "2,4"},
	"example1.obedience":    one("0.8", "Team.Obedience", "0.8"),
	"example1.discount":     {value: "0.9"},
	"example1.goal_reward":  one("6", "Team.Reward", "6"),
	"example1.other_reward": one("-2", "Team.OtherReward", "-2"),

	"example2.columns":      one("5", "World.Columns", "5"),
	"example2.rows":         one("6", "World.Rows", "6"),
	"example2.slip_model":   one("stay", "World.Slip", "stay"),
	"example2.slip":         one("0.2", "World.Probability", "0.2"),
	"example2.discount":     {value: "0.9"},
	"example2.goal_rewards": {value: "5,6"},
	"example2.other_reward": one("-3", "World.OtherReward", "-3"),
	"example2.start_cells":  one("1,2,3", "World.Agents", "3"),
}

func TestEveryKeyChangesItsFieldAndNoOther(t *testing.T) {
	load := func(sets ...string) configs.Config {
		loaded, err := configs.Load(configs.Request{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		return loaded.Config
	}
	before := fields(build(t, load()))
	for _, f := range configs.Schema() {
		c, listed := changes[f.Key]
		if !listed {
			t.Errorf("%s: the table lacks this key", f.Key)
			continue
		}
		config := load(f.Key + "=" + c.value)
		config.Problem = configs.Waypoints
		changed := map[string]string{}
		for path, text := range fields(build(t, config)) {
			if text != before[path] {
				changed[path] = text
			}
		}
		if diff := cmp.Diff(c.fields, changed, cmp.Transformer("none",
			func(m map[string]string) string { return fmt.Sprint(m) })); diff != "" {
			t.Errorf("%s=%s: %s", f.Key, c.value, diff)
		}
	}
	if n := len(configs.Schema()); n != len(changes) {
		t.Errorf("the table has %d keys, the schema %d", len(changes), n)
	}
}

// Observers of the goal know what the settings say. Observers who know the same share one inference.
func TestWhatObserversOfTheGoalKnow(t *testing.T) {
	c := configs.Default()
	c.Planner.Columns, c.Planner.Rows, c.Planner.StartCell, c.Planner.SpacingKm = 5, 5, [2]int{0, 1}, 50
	c.Adversary.Observer, c.Adversary.Candidates, c.Adversary.Prior = "mechanism", "0:0,4:2,3:3", "1,2,1"
	c.Adversary.Epsilon, c.Adversary.RewardWeight, c.Adversary.Discount, c.Adversary.Policies = 3, 5, 0.5, 7
	c.Adversary.Training = 70
	var b Builder
	inference, world, err := b.inference(c)
	if err != nil {
		t.Fatal(err)
	}
	if believed := inference.World.Spec; believed.RewardWeight != 5 || believed.Discount != 0.5 ||
		world.Spec.Discount != c.Planner.Discount || inference.Epsilon != 3 || inference.Policies != 7 || inference.Varies() {
		t.Errorf("the observer believes in %+v at epsilon %g, by %d policies", believed, inference.Epsilon,
			inference.Policies)
	}
	if g := world.Goals; len(g) != 3 || g[1].State != 14 || g[1].Prior != 0.5 {
		t.Errorf("goals %+v", g)
	}
	c.Adversary.LambdaPerS = 3
	if again, _, err := b.inference(c); err != nil || again != inference {
		t.Errorf("the inference is built again: %v", err)
	}
	c.Adversary.Observer = "learned"
	if learns, _, err := b.inference(c); err != nil || learns.Flights != 70 {
		t.Errorf("the observer learned learns from %d flights, error %v; want 70", learns.Flights, err)
	}
	c.Adversary.Observer, c.Privacy.Mechanism = "ballistic", "goal"
	e, err := b.Experiment(c)
	if err != nil || e.Decoys == nil || e.Adversary.Goals != nil {
		t.Errorf("%+v, error %v; want drawn goals and an observer without an inference", e, err)
	}
	for candidates, prior := range map[string]string{"0:0,4:2": "1", "0:0,1:1": "1,1"} {
		c.Adversary.Observer, c.Adversary.Candidates, c.Adversary.Prior = "moves", candidates, prior
		var wrong *configs.Error
		if _, err := Experiment(c); !errors.As(err, &wrong) {
			t.Errorf("candidates %s with weights %s: error %v", candidates, prior, err)
		}
	}
}

func TestOnlyWaypointsAreFlown(t *testing.T) {
	for _, preset := range []string{configs.TwoState, configs.Gridworld} {
		loaded, err := configs.Load(configs.Request{Config: preset})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Experiment(loaded.Config)
		var wrong *configs.Error
		if !errors.As(err, &wrong) || wrong.Key != "problem" {
			t.Errorf("%s: error %v, want one about the problem", preset, err)
		}
	}
}

func TestTeamsAreThoseOfTheSolvers(t *testing.T) {
	c := configs.Default()
	if got, want := TwoStateTeam(c, 3), (paper.TwoStateTeam{Agents: 3, Obedience: 0.91, Reward: 5,
		OtherReward: -1}); got != want {
		t.Errorf("team %+v, want %+v", got, want)
	}
	if got, want := Gridworld(c, 5), (paper.Gridworld{
		Columns: 4, Rows: 4, Agents: 2, Slip: paper.SlipOtherActions, Probability: 0.1, Reward: 5,
		OtherReward: -1}); got != want {
		t.Errorf("gridworld %+v, want %+v", got, want)
	}
}
