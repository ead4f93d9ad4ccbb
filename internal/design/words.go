package design

import (
	"fmt"
	"math"
	"strings"

	"veilpath/internal/table"
)

// Answered returns an answer with its words.
func Answered(l table.List) table.Numbers {
	return table.Numbers{List: l, Words: Words(l), Main: "sigma_classical sigma_analytic " +
		"calibration sigma mu flights_sigma flights_epsilon entry_error max_error_correlated survival goal_mu " +
		"goal_epsilon goal_named epsilon_for_error epsilon_for_goal", Printed: printed}
}

// printed returns a number under the name that people read.
func printed(q table.Named) table.Named {
	q.Name = strings.Replace(q.Name, "_told", "_distinguished", 1)
	return q
}

// Words describes in sentences the noise of an answer and its effect on rewards and goals.
func Words(l table.List) string {
	text := questions(l) + noise(l) + attained(l)
	if x := l.Number("entry_error"); !math.IsNaN(x) {
		smallest := ""
		if avoids := fmt.Sprint(l.Get("avoids")); avoids != "0" {
			smallest = fmt.Sprintf(", and the %s smallest the smallest,", avoids)
		}
		text += fmt.Sprintf("\nNoise of sigma %.4g moves a joint reward by %.3g on average, and the one it moves most "+
			"by %.3g. The %s the largest%s with probability %.3g.", released(l), x, l.Number("max_error_correlated"),
			largest(l.Get("goals")), smallest, l.Number("survival"))
	}
	if x := l.Number("goal_named"); !math.IsNaN(x) {
		text += fmt.Sprintf("\nThat noise does not hide which goal a mission has: a released reward identifies the "+
			"goal among %v with probability %.3g, and the next most similar goal is at epsilon %.4g from it.",
			l.Get("goal_candidates"), x, l.Number("goal_epsilon"))
	}
	return text
}

// noise says in sentences which noise the guarantee needs, for one release or for all of several together.
func noise(l table.List) string {
	guarantee := fmt.Sprintf("epsilon %g at delta %g for rewards that differ by at most %g in one entry (%s "+
		"calibration)",
		l.Number("epsilon"), l.Number("delta"), l.Number("adjacency"), l.Get("calibration"))
	if l.Get("flights") == nil {
		return fmt.Sprintf("Noise of sigma %.4g on every reward keeps %s.", l.Number("sigma"), guarantee)
	}
	return fmt.Sprintf("With noise of sigma %.4g on every reward of each, %v releases together keep %s. With sigma "+
		"%.4g, the noise for one release, they attain epsilon %.4g together.", released(l), l.Get("flights"), guarantee,
		l.Number("sigma"), l.Number("flights_epsilon"))
}

// attained says in a sentence which epsilon the classical noise for one release truly keeps.
func attained(l table.List) string {
	who := fmt.Sprintf("The classical noise for one release, sigma %.4g,", l.Number("sigma_classical"))
	if l.Number("sigma_classical") == l.Number("sigma") {
		who = "The noise for one release"
		if l.Get("flights") == nil {
			who = "It"
		}
	}
	return fmt.Sprintf(" %s attains epsilon %.4g.", who, l.Number("attained_epsilon"))
}

// released returns the noise of the releases that the other numbers describe.
func released(l table.List) float64 {
	if l.Get("flights") == nil {
		return l.Number("sigma")
	}
	return l.Number("flights_sigma")
}

// largest names so many largest rewards with a verb.
func largest(n any) string {
	if fmt.Sprint(n) == "1" {
		return "largest reward stays"
	}
	return fmt.Sprintf("%v largest rewards stay", n)
}

// questions answers in sentences what was asked the other way round: the epsilon for an error, and for goals;
// empty where neither was.
func questions(l table.List) (text string) {
	if x := l.Number("epsilon_for_error"); !math.IsNaN(x) {
		text += fmt.Sprintf("Epsilon %.4g is the smallest that keeps the mean largest error of a joint reward at or below "+
			"%g.\n", x, l.Number("max_error"))
	}
	if x := l.Number("epsilon_for_goal"); !math.IsNaN(x) {
		text += fmt.Sprintf("Epsilon %.4g is the smallest that keeps the largest rewards largest with probability %g.\n", x,
			l.Number("keep_goal"))
	}
	return text
}
