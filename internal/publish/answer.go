package publish

import (
	"fmt"

	"veilpath/internal/answer"
	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/planner/release"
)

// Answer is the statement of a release as people read it. It holds nothing that is not published.
type Answer struct {
	release.Statement
	Joint bool // the noise is on the team's joint reward
}

// Answer returns the promise in a sentence, a table of what this release and all in the ledger spend, what the
// promise does not cover, and equivalent promises for users who ask for everything.
func (a Answer) Answer() *answer.Answer {
	number := func(x float64) string { return fmt.Sprintf("%.4g", x) }
	spent := table.Plain{Headings: []string{"releases", "epsilon", "delta", "adjacency", "sigma", "entries"}, Lead: 1,
		Rows: [][]string{{"this one", number(a.Epsilon), number(a.Delta), number(a.Adjacency), number(a.Sigma),
			fmt.Sprint(a.Entries)}}}
	if l := a.Ledger; l != nil {
		spent.Rows = append(spent.Rows,
			[]string{fmt.Sprintf("all so far (%d)", l.Number), number(l.SpentEpsilon), number(l.SpentDelta), "-", "-", "-"},
			[]string{"allowed in total", number(l.TotalEpsilon), number(l.TotalDelta), "-", "-", "-"},
			[]string{"allowed for one more", phrase.EpsilonAtMost(l.LeftEpsilon), number(a.Delta), "-", "-", "-"})
	}
	equivalents := table.List{{Name: "certified_delta", Value: a.CertifiedDelta, Meaning: "of the noise that was added"},
		{Name: "grid", Value: a.Grid, Meaning: "step of the values"},
		{Name: "rho", Value: a.Rho, Meaning: "of zero-concentrated differential privacy; the Renyi divergence at every " +
			"order a > 1 is at most rho a"}}
	if a.Mu > 0 {
		equivalents.Add("mu", a.Mu, "of Gaussian differential privacy")
	}
	return &answer.Answer{Words: []string{a.words()}, Table: spent, Notes: []string{"It covers this release alone, and " +
		"does not hide goals: the tables of two goals differ in most entries."},
		More: []table.Section{{Text: "\n", Table: equivalents, Full: true}},
		CSV:  answer.File{Write: a.WriteRecord}, JSON: answer.File{Write: a.Write}}
}

// words says what was released, by which noise, and the promise.
func (a Answer) words() string {
	tables, rewards, made := "tables of rewards", "rewards", "it has"
	if a.Agents > 1 {
		tables = "each agent's tables of rewards"
	}
	if a.Joint {
		rewards = "joint rewards"
	}
	if a.Release == PolicyName {
		made = "it was planned for"
	}
	return fmt.Sprintf("%s is (%g, %g)-differentially private for %s that differ in one entry by at most %g: %s %d %s "+
		"with discrete Gaussian noise of sigma %.4g.", a.Release, a.Epsilon, a.Delta, tables, a.Adjacency, made, a.Entries,
		rewards, a.Sigma)
}
