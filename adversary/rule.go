package adversary

import "fmt"

// Rule says which predictions within a radius of the target recognise the destination: InARow of some, or Stays. The
// zero value is none.
type Rule int

// Stays is the rule that predictions stay within the radius from the detection to the end.
const Stays Rule = -1

// InARow is the rule of so many predictions in a row, at least 1. Fewer are no rule.
func InARow(steps int) Rule { return Rule(max(0, steps)) }

// Steps returns how many predictions in a row recognise; 0 under Stays.
func (r Rule) Steps() int { return max(0, int(r)) }

// Check returns an error for what is no rule.
func (r Rule) Check() error {
	if r < 1 && r != Stays {
		return fmt.Errorf("adversary: the rule of %d predictions in a row; want at least 1, or Stays", int(r))
	}
	return nil
}
