package configs

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// maxValues is the largest number of values of a list or range.
const maxValues = 10000

// ParseNumber reads one decimal number in the notation of settings: 200, 2e2 or 0.5, but not 0x10 or 1_000. The
// error is an *[Error].
func ParseNumber(text string) (float64, error) {
	value, problem := parseNumber(strings.TrimSpace(text))
	if problem != "" {
		return 0, &Error{Value: strconv.Quote(shortened(text)), Problem: problem, Allowed: "a decimal number",
			Fix: "write for example 0.5 or 2e3"}
	}
	return value, nil
}

// ParseRange reads "start:stop:step", which is start, start+step, ... up to and including stop, or a list
// "0.2,1,4", or one number. Steps use exact decimal arithmetic, so that the third value of 0.2:4:0.2 is the
// float64 written 0.6. The values are finite, all different and at most [maxValues]; they include stop only if
// a whole number of steps leads to it. The error is an *[Error].
func ParseRange(text string) ([]float64, error) {
	values, problem := ranges.parse(scalar(text))
	if problem != "" {
		return nil, &Error{Value: strconv.Quote(shortened(text)), Problem: problem,
			Allowed: "start:stop:step, or numbers separated by commas",
			Fix:     "write for example 0.2:4:0.2 or 0.2,1,4"}
	}
	var numbers []float64
	for _, v := range values.([]any) {
		numbers = append(numbers, v.(float64))
	}
	return numbers, nil
}

var ranges = distinct("", between(-math.MaxFloat64, math.MaxFloat64), maxValues)

// steps lists the values of start:stop:step.
func steps(parts []string) (values []float64, problem string) {
	if len(parts) != 3 {
		return nil, fmt.Sprintf("%d numbers between colons, not 3", len(parts))
	}
	var exact [3]*big.Rat
	for i, part := range parts {
		if exact[i], problem = decimal(strings.TrimSpace(part)); problem == "" {
			_, problem = toFloat(exact[i]) // also limits the size of the exact arithmetic
		}
		if problem != "" {
			return nil, element(i, part, problem)
		}
	}
	value, stop, step := exact[0], exact[1], exact[2]
	if step.Sign() == 0 {
		return nil, "the step is 0"
	}
	count := new(big.Rat).Quo(new(big.Rat).Sub(stop, value), step)
	if count.Sign() < 0 {
		return nil, "the step leads away from stop"
	}
	if count.Cmp(big.NewRat(maxValues, 1)) >= 0 {
		return nil, "more than 10000 values"
	}
	values = make([]float64, new(big.Int).Quo(count.Num(), count.Denom()).Int64()+1)
	for i := range values {
		if values[i], problem = toFloat(value); problem != "" {
			return nil, "holds a value that is " + problem
		}
		value.Add(value, step)
	}
	return values, ""
}

// A decimal number: at most three exponent digits keep its exact value small.
var decimalForm = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?$`)

// longestDecimal is longer than any float64 needs (24 characters) and keeps exact arithmetic fast.
const longestDecimal = 64

// decimal reads a number exactly, or returns the problem of the text.
func decimal(text string) (*big.Rat, string) {
	if text == "" {
		return nil, "no value"
	}
	switch strings.TrimLeft(strings.ToLower(text), "+-.") {
	case "nan", "inf", "infinity":
		return nil, "not a finite number"
	}
	if len(text) > longestDecimal || !decimalForm.MatchString(text) {
		return nil, "not a decimal number"
	}
	exact, _ := new(big.Rat).SetString(text) // accepts everything that decimalForm accepts
	return exact, ""
}

// parseNumber returns the float64 nearest to a decimal number, or the problem of the text.
func parseNumber(text string) (float64, string) {
	exact, problem := decimal(text)
	if problem != "" {
		return 0, problem
	}
	return toFloat(exact)
}

// toFloat returns the float64 nearest to a number, or the reason why there is none.
func toFloat(exact *big.Rat) (float64, string) {
	f, _ := exact.Float64()
	switch {
	case math.IsInf(f, 0):
		return 0, "not a finite number"
	case f == 0 && exact.Sign() != 0:
		return 0, "too small to be distinguished from 0"
	}
	return f, ""
}
