package terminal

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"veilpath/configs"
)

// NumberFlag is the value of a flag for numbers in an interval, or for whole ones, with the syntax of settings: 200 or
// 2e2. Its default may be NaN, for a flag that is optional.
type NumberFlag[T int | float64] struct {
	value *T
	Interval
}

// Interval is an interval of numbers, with a unit.
type Interval struct {
	Low, High float64
	Open      string // ends outside the interval: "", "low" or "both"; infinite ends are always outside
	Unit      string // unit that may follow the number; empty for none
}

// Intervals of flags.
var (
	AnyNumber  = Interval{Low: math.Inf(-1), High: math.Inf(1)}
	Positive   = Interval{High: math.Inf(1), Open: "low"}
	Share      = Interval{High: 1, Open: "both"}
	Kilometres = Interval{High: math.Inf(1), Open: "low", Unit: "km"}
)

// Number returns the value of a flag for numbers in an interval, with the default start.
func Number(value *float64, start float64, in Interval) *NumberFlag[float64] {
	*value = start
	return &NumberFlag[float64]{value, in}
}

// Whole returns the value of a flag for whole numbers from low to high, with the default start.
func Whole(value *int, start, low, high int) *NumberFlag[int] {
	*value = start
	return &NumberFlag[int]{value, Interval{Low: float64(low), High: float64(high)}}
}

// String returns the number as it is typed, and nothing for NaN.
func (f *NumberFlag[T]) String() string {
	if f == nil || f.value == nil || math.IsNaN(float64(*f.value)) {
		return ""
	}
	return fmt.Sprint(*f.value)
}

// Type returns the name of the flag's type.
func (f *NumberFlag[T]) Type() string { return "number" }

// Set reads the number.
func (f *NumberFlag[T]) Set(text string) error {
	x, err := flagNumber(strings.TrimSuffix(strings.TrimSpace(text), f.Unit))
	switch {
	case err != nil:
		return err
	case f.whole() && x != math.Trunc(x):
		return errors.New("not a whole number")
	case x < f.Low || x > f.High || x == f.Low && f.Open != "" || x == f.High && f.Open == "both":
		return errOutOfRange
	}
	*f.value = T(x)
	return nil
}

// whole reports whether the flag is for whole numbers.
func (f *NumberFlag[T]) whole() bool {
	_, whole := any(f.value).(*int)
	return whole
}

// wanted describes the values of the flag.
func (f *NumberFlag[T]) wanted() string {
	number := "a number without a unit, "
	if f.Unit != "" {
		number = "a number, with or without " + f.Unit + ", "
	}
	switch {
	case f.whole():
		return fmt.Sprintf("a whole number from %.0f to %.0f", f.Low, f.High)
	case math.IsInf(f.Low, -1):
		return number + "such as 0.5"
	case math.IsInf(f.High, 1):
		return fmt.Sprintf(number+"above %g", f.Low)
	case f.Open == "both":
		return fmt.Sprintf(number+"above %g and below %g", f.Low, f.High)
	}
	return fmt.Sprintf(number+"from %g to %g", f.Low, f.High)
}

var errOutOfRange = errors.New("out of range")

// flagNumber reads a number with the syntax of settings. Its error contains only the problem.
func flagNumber(text string) (float64, error) {
	x, err := configs.ParseNumber(strings.TrimSpace(text))
	var problem *configs.Error
	if errors.As(err, &problem) {
		return 0, errors.New(problem.Problem)
	}
	return x, err
}
