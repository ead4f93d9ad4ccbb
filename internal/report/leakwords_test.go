package report

import (
	"math"
	"testing"
)

// A flight that misleads an observer is called that: nothing is said of negative bits.
func TestLeakWordsNameNoNegativeBits(t *testing.T) {
	misled := learnedWords(4.7, 0.2, 4)
	for want, got := range map[string]string{
		"has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal": learnedWords(2.5, 0.1, 4),
		"is misled: it has 4.70 bits about the goal left (standard error 0.20), more than the 4.00 before the " +
			"flight": misled,
		"has infinitely many bits left, because it ruled out the true goal of a flight, of the 4.00 bits about the " +
			"goal": learnedWords(math.Inf(1), 0, 4),
		"; 0.50 bits from the reward":                            rewardWords(0.5, 1),
		"; the private reward misleads it by 0.50 bits":          rewardWords(-0.5, 1),
		"; without the reward it would have 2.00 bits more left": rewardWords(2, 1),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
