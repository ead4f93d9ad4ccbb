package campaign

import (
	"fmt"
	"math"

	"veilpath/internal/answer"
	"veilpath/internal/phrase"
	"veilpath/internal/table"
)

// designed is the answer of package design.
type designed struct{ table.List }

// DesignAnswer returns the answer of package design in words, a table of the numbers that matter most, a note on what
// the guarantee does not hide, and all numbers for users who ask for everything.
func DesignAnswer(numbers table.List) *answer.Answer {
	a := designed{numbers}
	out := &answer.Answer{Words: []string{a.words()}, Table: a.main(),
		More: []table.Section{{Text: "\n", Table: a.List, Full: true}},
		CSV:  answer.File{Write: a.WriteCSV}, JSON: answer.File{Write: a.WriteJSON}}
	if named := a.Number("goal_named"); !math.IsNaN(named) {
		low, high := a.Number("goal_named_low"), a.Number("goal_named_high")
		out.Notes = []string{fmt.Sprintf("The guarantee does not hide a mission's goal: a release identifies it among %v "+
			"with probability %s.", a.Get("goal_candidates"), phrase.Number(named, low, high))}
	}
	return out
}

// words returns the noise that the guarantee needs and what it does to the rewards, after the epsilons that demands
// allow.
func (a designed) words() (text string) {
	if x := a.Number("epsilon_for_error"); !math.IsNaN(x) {
		text = fmt.Sprintf("Epsilon %s is the smallest that keeps the mean largest error of a joint reward at or below %g.\n",
			phrase.EpsilonAtLeast(x), a.Number("max_error"))
	}
	if x := a.Number("epsilon_for_goal"); !math.IsNaN(x) {
		text += fmt.Sprintf("Epsilon %s is the smallest that keeps the largest rewards largest with probability %g.\n",
			phrase.EpsilonAtLeast(x), a.Number("keep_goal"))
	}
	guarantee := fmt.Sprintf("epsilon %g at delta %g for rewards that differ by at most %g in one entry (%s calibration)",
		a.Number("epsilon"), a.Number("delta"), a.Number("adjacency"), a.Get("calibration"))
	if flights := a.Get("flights"); flights == nil {
		text += fmt.Sprintf("Noise of sigma %.4g on every reward keeps %s.", a.Number("sigma"), guarantee)
	} else {
		text += fmt.Sprintf("With noise of sigma %.4g on every reward of each, %v releases together keep %s.",
			a.Number("flights_sigma"), flights, guarantee)
	}
	if x := a.Number("entry_error"); !math.IsNaN(x) {
		text += fmt.Sprintf(" The noise moves a joint reward by %.3g on average.", x)
	}
	return text
}

// main returns the numbers that matter most, of those that the answer has.
func (a designed) main() table.Plain {
	out := table.Plain{Headings: []string{"quantity", "value"}, Lead: 1}
	for _, q := range []struct{ name, quantity string }{
		{"sigma_classical", "sigma by the paper's Lemma 1"},
		{"sigma_analytic", "least sigma that keeps the guarantee"},
		{"attained_epsilon", "epsilon attained by the sigma of Lemma 1"},
		{"sigma", "sigma for one release"},
		{"flights_epsilon", "epsilon of all releases with the sigma for one"},
		{"max_error_correlated", "mean largest error of a joint reward"},
		{"survival", fmt.Sprintf("probability that all goals (%v) and avoids (%v) survive", a.Get("goals"),
			a.Get("avoids"))},
		{"goal_epsilon", "epsilon between the goal and the most similar one"},
	} {
		x, spread := a.Number(q.name), 1.96*a.Number(q.name+"_se")
		if math.IsNaN(x) || q.name == "sigma" && a.Get("flights") == nil { // the words have it
			continue
		}
		value := fmt.Sprintf("%.4g", x)
		if spread > 0 {
			value = phrase.Number(x, x-spread, x+spread)
		}
		out.Rows = append(out.Rows, []string{q.quantity, value})
	}
	return out
}
