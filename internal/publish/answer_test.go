package publish

import (
	"slices"
	"testing"

	"veilpath/internal/table"
	"veilpath/planner/release"
)

// The sentence names the file, the promise, the adjacency and the noise. The table has this release and, with a ledger,
// what all releases spend; what is left is rounded down.
func TestAnswers(t *testing.T) {
	const promise = " is (1, 1e-06)-differentially private for "
	this := []string{"this one", "1", "1e-06", "2", "4.225", "16"}
	for _, c := range []struct {
		file   string
		agents int
		joint  bool
		place  *release.Place
		words  string
		rows   [][]string
	}{
		{ReleaseName, 1, false, nil, "release.csv" + promise + "tables of rewards that differ in one entry by at most 2: " +
			"it has 16 rewards with discrete Gaussian noise of sigma 4.225.", [][]string{this}},
		{PolicyName, 2, true, &release.Place{Number: 3, TotalEpsilon: 5, TotalDelta: 1e-5, SpentEpsilon: 2.3,
			SpentDelta: 2e-6, LeftEpsilon: 1.2399},
			"policy.csv" + promise + "each agent's tables of rewards that differ in one entry by at most 2: it was planned " +
				"for 16 joint rewards with discrete Gaussian noise of sigma 4.225.",
			[][]string{this, {"all so far (3)", "2.3", "2e-06", "-", "-", "-"},
				{"allowed in total", "5", "1e-05", "-", "-", "-"}, {"allowed for one more", "1.23", "1e-06", "-", "-", "-"}}},
	} {
		a := Answer{Statement: release.Statement{Epsilon: 1, Delta: 1e-6, Adjacency: 2, Sigma: 4.22510, Entries: 16,
			Agents: c.agents, Release: c.file, Ledger: c.place}, Joint: c.joint}
		if got := a.words(); got != c.words {
			t.Errorf("%q, want %q", got, c.words)
		}
		if got := a.Answer().Table.(table.Plain).Rows; !slices.EqualFunc(got, c.rows, slices.Equal) {
			t.Errorf("%q, want %q", got, c.rows)
		}
	}
}
