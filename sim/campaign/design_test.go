package campaign

import (
	"context"
	"math"
	"slices"
	"testing"

	"veilpath/internal/design"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
)

// The sentences say which noise keeps the guarantee for how many releases, and before that the epsilons that demands
// allow. 20 releases need sqrt(20) times the noise of one.
func TestDesignAnswers(t *testing.T) {
	number := func(name string, value any) table.Named { return table.Named{Name: name, Value: value} }
	if math.Abs(1.87788*math.Sqrt(20)-8.398) > 5e-4 {
		t.Error("the noise of 20 releases is not that of one times the root of 20")
	}
	const guarantee = " epsilon 1 at delta 0.01 for rewards that differ by at most 1 in one entry (analytic calibration)."
	classical := [][]string{{"sigma by the paper's Lemma 1", "2.524"}, {"least sigma that keeps the guarantee", "1.878"},
		{"epsilon attained by the sigma of Lemma 1", "0.6734"}}
	for _, c := range []struct {
		releases int
		more     table.List
		words    string
		rows     [][]string
	}{
		{1, nil, "Noise of sigma 1.878 on every reward keeps" + guarantee, classical},
		{20, nil, "With noise of sigma 8.398 on every reward of each, 20 releases together keep" + guarantee,
			append(classical[:3:3], []string{"sigma for one release", "1.878"},
				[]string{"epsilon of all releases with the sigma for one", "7.686"})},
		{1, table.List{number("entry_error", 6.712), number("max_error_correlated", 9.1448),
			number("max_error_correlated_se", 0.06), number("goals", 13), number("avoids", 0), number("survival", 1.07037e-8)},
			"Noise of sigma 1.878 on every reward keeps" + guarantee + " The noise moves a joint reward by 6.71 on average.",
			append(classical[:3:3], []string{"mean largest error of a joint reward", "9.14"},
				[]string{"probability that all goals (13) and avoids (0) survive", "1.07e-08"})},
		{1, table.List{number("max_error", 2.0), number("epsilon_for_error", 3.5004), number("keep_goal", 0.9),
			number("epsilon_for_goal", 4.0)},
			"Epsilon 3.51 is the smallest that keeps the mean largest error of a joint reward at or below 2.\n" +
				"Epsilon 4 is the smallest that keeps the largest rewards largest with probability 0.9.\n" +
				"Noise of sigma 1.878 on every reward keeps" + guarantee, classical},
	} {
		q := design.Question{Guarantee: privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1,
			Calibration: privacy.Analytic}, Releases: c.releases}
		list, err := q.Answer(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		a := designed{append(list, c.more...)}
		if got := a.words(); got != c.words {
			t.Errorf("%q, want %q", got, c.words)
		}
		if got := a.main().Rows; !slices.EqualFunc(got, c.rows, slices.Equal) {
			t.Errorf("%q, want %q", got, c.rows)
		}
	}
}
