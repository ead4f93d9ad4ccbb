package privacy

import (
	"errors"
	"fmt"
	"math"
)

// checkEpsilon accepts finite epsilons above 0.
func checkEpsilon(epsilon float64) error {
	if math.IsInf(epsilon, 1) {
		return errors.New("privacy: epsilon none means no noise and no guarantee; give a finite number above 0")
	}
	return checkPositive("epsilon", epsilon)
}

// checkPositive accepts finite numbers above zero.
func checkPositive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("privacy: %s is %g; it must be a finite number above 0", name, v)
	}
	return nil
}

// checkNonNegative accepts finite numbers of at least 0.
func checkNonNegative(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return fmt.Errorf("privacy: %s is %g; it must be a finite number, 0 or more", name, v)
	}
	return nil
}

// checkBetween accepts numbers strictly between low and high.
func checkBetween(name string, v, low, high float64) error {
	if !(v > low && v < high) {
		return fmt.Errorf("privacy: %s is %g; it must lie strictly between %g and %g", name, v, low, high)
	}
	return nil
}

// checkAtLeast accepts integers of at least least.
func checkAtLeast(name string, v, least int) error {
	if v < least {
		return fmt.Errorf("privacy: %s is %d; it must be at least %d", name, v, least)
	}
	return nil
}

// checkFinite accepts a non-empty table of finite numbers.
func checkFinite(name string, values []float64) error {
	if len(values) == 0 {
		return fmt.Errorf("privacy: %s is empty; it needs at least one entry", name)
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("privacy: %s has %g at entry %d; every entry must be finite", name, v, i)
		}
	}
	return nil
}
