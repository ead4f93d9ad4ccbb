package adversary

import "fmt"

// Rule says which predictions within a radius of the target recognise the destination: InARow or Stays. The
// zero value is invalid.
type Rule int

// Stays is the rule that all predictions from the detection to the end lie within the radius.
const Stays Rule = -1

// InARow is the rule of the given number of consecutive predictions, at least 1; fewer give an invalid rule.
func InARow(steps int) Rule { return Rule(max(0, steps)) }

// Steps returns the number of consecutive predictions of the rule; 0 for Stays.
func (r Rule) Steps() int { return max(0, int(r)) }

// Check returns an error for an invalid rule.
func (r Rule) Check() error {
	if r < 1 && r != Stays {
		return fmt.Errorf("adversary: the rule of %d predictions in a row; want at least 1, or Stays", int(r))
	}
	return nil
}
