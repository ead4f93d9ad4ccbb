package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	checkAnswers(t, got, map[string]float64{"sigma_classical": 2.524, "sigma_analytic": 1.878, "sigma": 1.878, "attained_epsilon": 0.673})
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
	if d := math.Abs(got["max_error_correlated"].(float64) - 2.757*sigma); d > fourErrors*got["max_error_correlated_se"].(float64)+printed*sigma {
		t.Errorf("correlated error %v, want %v", got["max_error_correlated"], 2.757*sigma)
	}
}

// An inverse answer, put back as the question, gives the goal it was made for.
func TestDesignInverts(t *testing.T) {
	rewards := fileWith(t, "state,go,stay\nhome,-1,5\naway,0.5,-1\n")
	table := []string{"--rewards", rewards, "--delta", "0.01", "--sensitivity", "1"}
	inverse := designed(t, append(table, "--max-error", "0.8", "--keep-goal", "0.95", "--epsilon", "1")...)
	number := func(name string) string { return strings.TrimSpace(jsonText(t, inverse[name])) }
	for question, answer := range map[string]string{
		"epsilon_for_error": "max_error_independent", "epsilon_for_error_bound": "max_error_bound", "epsilon_for_error_log_bound": "max_error_log_bound",
	} {
		back := designed(t, append(table, "--epsilon", number(question))...)
		checkAnswers(t, back, map[string]float64{answer: 0.8})
	}
	back := designed(t, append(table, "--epsilon", number("epsilon_for_goal"))...)
	checkAnswers(t, back, map[string]float64{"survival": 0.95})
	if _, known := back["sweeps"]; known {
		t.Error("sweeps are predicted without a discount")
	}
	if swept := designed(t, append(table, "--gamma", "0.9")...); swept["sweeps"] == nil {
		t.Error("no sweeps with --gamma")
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
	one, nine := designed(t, "--config", "example2"), designed(t, "--config", "example2", "--flights", "9")
	checkAnswers(t, nine, map[string]float64{
		"flights_sigma": 3 * one["sigma"].(float64), "max_error_bound": 3 * one["max_error_bound"].(float64), "flights_allowed": 1,
	})
	if nine["flights_epsilon"].(float64) <= one["attained_epsilon"].(float64) || nine["survival"].(float64) >= one["survival"].(float64) {
		t.Errorf("nine flights spend %v and keep the goal with %v", nine["flights_epsilon"], nine["survival"])
	}
}

func TestDesignFormats(t *testing.T) {
	for format, want := range map[string]string{"table": "sigma_classical", "csv": "quantity,value,meaning\nepsilon,2,"} {
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
		{[]string{"--rewards", broken, "--config", "example1"}, []string{"leave one of them out"}},
		{[]string{"--config", "example1", "--gamma", "1"}, []string{"--gamma 1", "below 1"}},
		{[]string{"--config", "example1", "--keep-goal", "1"}, []string{"--keep-goal 1", "below 1"}},
		{[]string{"--config", "example1", "--max-error", "NaN"}, []string{"--max-error NaN", "finite"}},
		{[]string{"--config", "example1", "--agents", "0"}, []string{"--agents 0", "1 to 9"}},
		{[]string{"--config", "example1", "--goals", "9"}, []string{"9"}},
		{[]string{"--flights", "0"}, []string{"--flights 0", "at least 1"}},
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
