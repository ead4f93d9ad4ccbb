package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"veilpath/configs"
)

// wholeFlag is the value of a flag that takes whole numbers between two limits, written as settings are: 200 or 2e2.
type wholeFlag struct {
	value     *int
	low, high int
}

// wholeVar returns the value of a flag that is some whole number until it is given another, from low to high.
func wholeVar(value *int, start, low, high int) *wholeFlag {
	*value = start
	return &wholeFlag{value, low, high}
}

// String returns the number in plain digits.
func (f *wholeFlag) String() string {
	if f == nil || f.value == nil {
		return ""
	}
	return strconv.Itoa(*f.value)
}

// Type names what the flag takes.
func (f *wholeFlag) Type() string { return "number" }

// Set reads the number.
func (f *wholeFlag) Set(text string) error {
	x, err := flagNumber(text)
	switch {
	case err != nil:
		return err
	case x != math.Trunc(x):
		return errors.New("not a whole number")
	case x < float64(f.low) || x > float64(f.high):
		return errOutOfRange
	}
	*f.value = int(x)
	return nil
}

// wanted says what the flag takes.
func (f *wholeFlag) wanted() string {
	return fmt.Sprintf("a whole number from %d to %d", f.low, f.high)
}

// numberFlag is the value of a flag that takes numbers of an interval, written as settings are. It may be left out,
// and is NaN then.
type numberFlag struct {
	value *float64
	interval
}

// interval is where a number lies.
type interval struct {
	low, high float64
	open      string // which ends are not of it: "", "low" or "both"; that at infinity never is
}

// Where the numbers of flags lie.
var (
	anyNumber = interval{math.Inf(-1), math.Inf(1), ""}
	positive  = interval{0, math.Inf(1), "low"}
	share     = interval{0, 1, "both"}
)

// numberVar returns the value of a flag that is some number until it is given another.
func numberVar(value *float64, start float64, in interval) *numberFlag {
	*value = start
	return &numberFlag{value, in}
}

// String returns the number as it is typed; nothing when there is none.
func (f *numberFlag) String() string {
	if f == nil || f.value == nil || math.IsNaN(*f.value) {
		return ""
	}
	return strconv.FormatFloat(*f.value, 'g', -1, 64)
}

// Type names what the flag takes.
func (f *numberFlag) Type() string { return "number" }

// Set reads the number.
func (f *numberFlag) Set(text string) error {
	x, err := flagNumber(text)
	if err != nil {
		return err
	}
	if x < f.low || x > f.high || x == f.low && f.open != "" || x == f.high && f.open == "both" {
		return errOutOfRange
	}
	*f.value = x
	return nil
}

// wanted says what the flag takes.
func (f *numberFlag) wanted() string {
	const number = "a number without a unit, "
	switch {
	case math.IsInf(f.low, -1):
		return number + "such as 0.5"
	case math.IsInf(f.high, 1):
		return fmt.Sprintf(number+"above %g", f.low)
	case f.open == "both":
		return fmt.Sprintf(number+"above %g and below %g", f.low, f.high)
	}
	return fmt.Sprintf(number+"from %g to %g", f.low, f.high)
}

var errOutOfRange = errors.New("out of range")

// flagNumber reads a number as settings are read. Its error says only what is wrong.
func flagNumber(text string) (float64, error) {
	x, err := configs.ParseNumber(strings.TrimSpace(text))
	var problem *configs.Error
	if errors.As(err, &problem) {
		return 0, errors.New(problem.Problem)
	}
	return x, err
}
