package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/planner"
)

// designed runs design and returns its numbers.
func designed(t *testing.T, args ...string) map[string]any {
	t.Helper()
	got := veilpath(t, append([]string{"design", "--format", "json"}, args...)...)
	if got.code != exitDone {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var answers map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &answers); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	return answers
}

// fewDraws are for numbers that no draws are behind.
const fewDraws = "--draws=2"

// designedPaper is what design says of the paper's mission at its strongest privacy. It is not to be changed.
var designedPaper = sync.OnceValue(func() map[string]any {
	var answers map[string]any
	got := call(context.Background(), nil, record.Disk{},
		strings.Fields("design --format json --config paper --epsilon 0.2"))
	if err := json.Unmarshal([]byte(got.stdout), &answers); err != nil {
		panic(fmt.Sprintf("%v in %s%s", err, got.stdout, got.stderr))
	}
	return answers
})

// fileWith writes a file for a test.
func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rewards.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// printed is the relative accuracy of reference values given to 3 or 4 digits.
const printed = 1e-3

func checkAnswers(t *testing.T, got map[string]any, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		v, ok := got[name].(float64)
		if !ok || math.Abs(v-w) > printed*math.Abs(w) {
			t.Errorf("%s = %v, want %v", name, got[name], w)
		}
	}
}

// The published noise (Table 1) and the exact one (Balle and Wang 2018).
func TestDesignComparesTheCalibrations(t *testing.T) {
	got := designed(t, "--epsilon", "1", "--delta", "0.01", "--sensitivity", "1")
	checkAnswers(t, got, map[string]float64{"sigma_classical": 2.524, "sigma_analytic": 1.878, "sigma": 1.878,
		"attained_epsilon": 0.673})
	got = designed(t, "--epsilon", "1", "--delta", "0.01", "--sensitivity", "3", "--calibration", "classical")
	checkAnswers(t, got, map[string]float64{"sigma": 3 * 2.5244, "attained_epsilon": 0.673})
	if _, more := got["max_error_bound"]; more {
		t.Error("errors are reported though no rewards were named")
	}
}

// Reference values of Example 2 at epsilon 1.3: survival 0.8999 of each agent where the bound reads 0.9995, and the
// largest error in units of sigma 34.66 bound, 2.766 independent, 2.757 correlated, 3.075 logarithmic.
func TestDesignOfExample2(t *testing.T) {
	got := designed(t, "--config", "example2")
	sigma := got["sigma"].(float64)
	checkAnswers(t, got, map[string]float64{
		"sigma": 1.2851, "survival_agent_1": 0.8999, "survival_bound_agent_1": 0.9995, "survival": 0.8999 * 0.8999,
		"max_error_bound": 34.66 * sigma, "max_error_independent": 2.766 * sigma, "max_error_log_bound": 3.075 * sigma,
		"sigma_output_l1": 1.2851 * 5 / 2, "sigma_output_l2": 1.2851 * math.Sqrt(5) / 2,
	})
	const fourErrors = 4
	allowed := fourErrors*got["max_error_correlated_se"].(float64) + printed*sigma
	if d := math.Abs(got["max_error_correlated"].(float64) - 2.757*sigma); d > allowed {
		t.Errorf("correlated error %v, want %v", got["max_error_correlated"], 2.757*sigma)
	}
}

// An inverse answer, put back as the question, gives the goal it was made for.
func TestDesignInverts(t *testing.T) {
	rewards := fileWith(t, "state,go,stay\nhome,-1,5\naway,0.5,-1\n")
	table := []string{"--rewards", rewards, "--delta", "0.01", "--sensitivity", "1"}
	brief := veilpath(t, append([]string{"design"}, append(table, "--max-error", "0.8", "--keep-goal", "0.95")...)...)
	if n := strings.Count(brief.stdout, "is the smallest that keeps"); n != 2 {
		t.Errorf("%d of the 2 epsilons that were asked for:\n%s", n, brief.stdout)
	}
	inverse := designed(t, append(table, "--max-error", "0.8", "--keep-goal", "0.95", "--epsilon", "1")...)
	number := func(name string) string { return strings.TrimSpace(jsonText(t, inverse[name])) }
	for question, answer := range map[string]string{
		"epsilon_for_error": "max_error_independent", "epsilon_for_error_bound": "max_error_bound",
		"epsilon_for_error_log_bound": "max_error_log_bound",
	} {
		back := designed(t, append(table, "--epsilon", number(question))...)
		checkAnswers(t, back, map[string]float64{answer: 0.8})
	}
	back := designed(t, append(table, "--epsilon", number("epsilon_for_goal"))...)
	checkAnswers(t, back, map[string]float64{"survival": 0.95})
	if _, known := back["sweeps"]; known {
		t.Error("sweeps are predicted without a discount")
	}
	swept, also := designed(t, append(table, "--discount", "0.9")...), designed(t, append(table, "--gamma", "0.9")...)
	if swept["sweeps"] == nil || swept["sweeps"] != also["sweeps"] {
		t.Errorf("sweeps %v with --discount, %v with --gamma", swept["sweeps"], also["sweeps"])
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// k releases need sqrt(k) times the noise, and all that follows is told for one of them.
func TestDesignSharesAGuaranteeAmongFlights(t *testing.T) {
	one, nine := designed(t, "--config", "example2", fewDraws),
		designed(t, "--config", "example2", "--flights", "9", fewDraws)
	checkAnswers(t, nine, map[string]float64{
		"flights_sigma": 3 * one["sigma"].(float64), "max_error_bound": 3 * one["max_error_bound"].(float64),
		"flights_allowed": 1,
	})
	if nine["flights_epsilon"].(float64) <= one["attained_epsilon"].(float64) ||
		nine["survival"].(float64) >= one["survival"].(float64) {
		t.Errorf("nine flights spend %v and keep the goal with %v", nine["flights_epsilon"], nine["survival"])
	}
}

// The rewards of two neighbouring goals of the paper's mission are 58.8 b apart, in 1,960 of 2,000 entries; the
// nearest 329 of the 400 cells are too near to the start. At epsilon 0.2 mu is 58.8 times 0.0844.
func TestDesignTellsWhatTheGuaranteeDoesNotDo(t *testing.T) {
	t.Parallel()
	got := designedPaper()
	checkAnswers(t, got, map[string]float64{
		"goal_candidates": 329, "goal_entries": 1960, "goal_distance": 58.82, "mu": 0.08444, "goal_mu": 58.82 * 0.08444,
	})
	value := func(name string) float64 { v, _ := got[name].(float64); return v }
	if q := value("goal_mu"); math.Abs(value("goal_told")-0.5*math.Erfc(-q/2/math.Sqrt2)) > 1e-12 {
		t.Errorf("told with %v at mu %v", got["goal_told"], q)
	}
	const fourErrors = 4
	if slack := fourErrors * value("goal_named_se"); value("goal_named") < value("goal_named_low")-slack ||
		value("goal_named") > value("goal_named_high")+slack || value("goal_named_low") < 0.97 {
		t.Errorf("named with %v +- %v, between %v and %v", got["goal_named"], got["goal_named_se"], got["goal_named_low"],
			got["goal_named_high"])
	}
	back := designed(t, "--epsilon", jsonText(t, got["goal_epsilon"]), "--delta", "0.01", "--adjacency",
		jsonText(t, got["goal_distance"]))
	// the noise hides one entry of 58.8 b so well
	checkAnswers(t, back, map[string]float64{"sigma_analytic": value("sigma")})
	if more := designed(t, "--config", "paper", "--epsilon", "0.2", "--flights", "4",
		fewDraws); more["goal_mu"].(float64) > 0.51*value("goal_mu") {
		t.Errorf("one of four releases has mu %v between goals, one alone %v", more["goal_mu"], got["goal_mu"])
	}
}

func TestTheReadmeSaysWhatTheGuaranteeDoesNotDo(t *testing.T) {
	t.Parallel()
	got := designedPaper()
	value := func(name string) float64 { v, _ := got[name].(float64); return v }
	says(t, "differ in 1,%03.0f of 2,000 entries and are %.1f b apart (L2)", value("goal_entries")-1000,
		value("goal_distance"))
	says(t, "leaves them at mu = %.2f from each other, which is epsilon %.1f at the same delta", value("goal_mu"),
		value("goal_epsilon"))
	says(t, "distinguishes the two with %.1f %%, and identifies the goal among the %.0f possible ones with %.0f %%",
		100*value("goal_told"), value("goal_candidates"), 100*value("goal_named"))

	loaded, err := configs.Load(configs.Request{Config: configs.DefaultPreset, ReadFile: os.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	e, err := setup.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	grid, ahead := e.Mission.Grid, 0
	candidates := grid.FarFromStart(loaded.Privacy.HandoverKm)
	from, goal := grid.Cell(grid.Start), grid.Cell(grid.Goal)
	for _, state := range candidates {
		if c := grid.Cell(state); (c.Column-from.Column)*(goal.Row-from.Row) == (c.Row-from.Row)*(goal.Column-from.Column) &&
			c.Column > from.Column {
			ahead++
		}
	}
	says(t, "the line of sight to its target, which leaves %d of the %d cells", ahead, len(candidates))
	for state := range grid.States() {
		for action := planner.North; action <= planner.ToTarget; action++ {
			next := grid.Cell(grid.Next(state, action))
			if c := grid.Cell(state); c.Column != next.Column && c.Row != next.Row && action != planner.ToTarget {
				t.Errorf("%v moves diagonally", action)
			}
		}
	}
}

// Whatever is requested, design ends when its context is cancelled.
func TestDesignIsInterrupted(t *testing.T) {
	for _, args := range [][]string{
		{"--config", "paper", "--draws", "100000000"},
		{"--config", "example2", "--draws", "100000000"},
	} {
		begun := time.Now()
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		got := veilpathIn(t, ctx, nil, append([]string{"design"}, args...)...)
		if got.code != exitInterrupted || got.stdout != "" || time.Since(begun) > 5*time.Second ||
			got.stderr != "veilpath: interrupted before the answer\n" {
			t.Errorf("%q: exit code %d after %v, %q, %q", args, got.code, time.Since(begun), got.stdout, got.stderr)
		}
	}
}

func TestDesignTablesFitATerminal(t *testing.T) {
	got := veilpathIn(t, t.Context(), []string{"COLUMNS=80"}, "design", "--config", "paper", "--draws", "2", "--flights",
		"3", "--full")
	for line := range strings.Lines(got.stdout) {
		if len(strings.TrimRight(line, "\n")) > 80 {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	if !strings.Contains(got.stdout, "goal_named") {
		t.Errorf("exit code %d, %q", got.code, got.stdout)
	}
}

func TestDesignFormats(t *testing.T) {
	for format, want := range map[string]string{"table": "least sigma that keeps the guarantee",
		"csv": "quantity,value,meaning\nepsilon,2,"} {
		got := veilpath(t, "design", "--epsilon", "2", "--format", format)
		if got.code != exitDone || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: exit code %d, %q", format, got.code, got.stdout)
		}
	}
}

func TestDesignMistakes(t *testing.T) {
	broken := fileWith(t, "1,2\n3,x\n")
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"--epsilon", "0"}, []string{"privacy.epsilon", "--epsilon"}},
		{[]string{"--delta", "0.5"}, []string{"privacy.delta", "below 0.5"}},
		{[]string{"--sensitivity", "-1"}, []string{"privacy.adjacency", "--adjacency"}},
		{[]string{"--max-error", "1"}, []string{"--max-error needs rewards", "--rewards FILE"}},
		{[]string{"--rewards", broken}, []string{"row 2, column 2", "not a number"}},
		{[]string{"--rewards", "none.csv"}, []string{"none.csv", "no such file"}},
		{[]string{"--rewards", broken, "--config", "example1"}, []string{"leave one out"}},
		{[]string{"--config", "example1", "--gamma", "1"}, []string{"--discount 1", "below 1"}},
		{[]string{"--config", "example1", "--keep-goal", "1"}, []string{"--keep-goal 1", "below 1"}},
		{[]string{"--config", "example1", "--max-error", "NaN"}, []string{"--max-error NaN", "finite"}},
		{[]string{"--config", "example1", "--agents", "0"}, []string{"--agents 0", "1 to 9"}},
		{[]string{"--config", "example1", "--goals", "9"}, []string{"9"}},
		{[]string{"--flights", "0"}, []string{"--flights 0", "from 1 to"}},
		{[]string{"--flights", "9223372036854775807"}, []string{"--flights", "to 1000000000"}},
		{[]string{"--config", "paper", "--draws", "9223372036854775807"}, []string{"--draws", "2 to 100000000"}},
		{[]string{"--config", "paper", "--draws", "1"}, []string{"--draws 1", "2 to"}},
	} {
		got := veilpath(t, append([]string{"design"}, test.args...)...)
		if got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
			t.Errorf("%q: exit code %d, output %q, error %q", test.args, got.code, got.stdout, got.stderr)
		}
		for _, part := range test.want {
			if !strings.Contains(got.stderr, part) {
				t.Errorf("%q: %q lacks %q", test.args, got.stderr, part)
			}
		}
	}
}

// Neighbouring goals of the paper: their rewards differ in 1,960 of 2,000 entries, by 58.8 b.
func TestLeakTellsWhatEntriesMeanBetweenGoals(t *testing.T) {
	var leaked struct {
		Pairs []map[string]any `json:"two_goals"`
	}
	r := veilpath(t, "leak", "goals", "16:11,16:10", "--epsilons", "0.2", "--draws", "200", "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &leaked); err != nil || len(leaked.Pairs) != 1 {
		t.Fatalf("%v: %s%s", err, r.stdout, r.stderr)
	}
	checkAnswers(t, leaked.Pairs[0], map[string]float64{"entries": 1960, "distance_b": 58.8, "mu": 58.8 * 0.0844})
}

// A flag of one preset is refused where another problem is named.
func TestFlagsOfAnotherPresetAreRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"cost", "example2", "--agents", "3"}, {"plan", "example1", "--goal-reward", "7"}} {
		if r := veilpath(t, args...); r.code != exitUsage || !strings.Contains(r.stderr, "is a flag of preset example") {
			t.Errorf("%v: exit %d, %s", args, r.code, r.stderr)
		}
	}
}

// design is of Gaussian noise, and says so where the settings name another mechanism.
func TestDesignSaysThatItIsOfGaussianNoise(t *testing.T) {
	t.Parallel()
	for mechanism, warned := range map[string]bool{"bounded": true, "soft": true, "reward": false} {
		r := veilpath(t, "design", "--set", "privacy.mechanism="+mechanism, "--epsilon", "1")
		got := strings.Contains(r.stderr, "design computes Gaussian noise on rewards")
		if r.code != exitDone || got != warned {
			t.Errorf("%s: exit %d, warned %t, %s", mechanism, r.code, got, r.stderr)
		}
	}
}
