package adversary_test

import (
	"testing"

	"veilpath/adversary"
)

// What nobody has set is no rule, and no number of steps is taken for the rule that predictions stay.
func TestTheZeroRuleIsNone(t *testing.T) {
	for _, r := range []adversary.Rule{0, adversary.InARow(0), adversary.InARow(-1)} {
		if r.Check() == nil {
			t.Errorf("%d passes for a rule", r)
		}
	}
	for r, steps := range map[adversary.Rule]int{adversary.InARow(1): 1, adversary.InARow(3): 3, adversary.Stays: 0} {
		if err := r.Check(); err != nil || r.Steps() != steps {
			t.Errorf("%d: %d steps, %v", r, r.Steps(), err)
		}
	}
}
