// Package axis has what charts on paper and on screen have in common: where a value lies along an axis, which round
// values to mark on it, and how a large number is written.
package axis

import (
	"math"
	"strings"
)

// Scale maps the values of an axis to [0, 1]. High may be below Low. In equal ratios both are above 0.
type Scale struct {
	Low, High float64
	Log       bool // in equal ratios
}

// Share returns where a value lies as a share of the axis: 0 at Low, 1 at High, and beyond where the value is.
func (s Scale) Share(value float64) float64 {
	if s.Log {
		return math.Log(value/s.Low) / math.Log(s.High/s.Low)
	}
	return (value - s.Low) / (s.High - s.Low)
}

// Value is the inverse of Share.
func (s Scale) Value(share float64) float64 {
	if s.Log {
		return s.Low * math.Pow(s.High/s.Low, share)
	}
	return s.Low + share*(s.High-s.Low)
}

// Steps returns the multiples of a step between two values, both included: of the smallest step that is 1, 2 or 5 times
// a power of ten and makes no more than most steps of the way.
func Steps(low, high float64, most int) (values []float64, step float64) {
	step = RoundUp((high-low)/float64(most), 1, 2, 5)
	const rounding = 1e-9 // of a step
	for k := math.Ceil(low/step - rounding); k*step <= high+rounding*step; k++ {
		values = append(values, k*step)
		if len(values) > 10*most {
			break // the step is below the resolution of the values
		}
	}
	return values, step
}

// RoundUp returns the smallest number that is at least v, which is above 0, and one of the ascending mantissas times a
// power of ten.
func RoundUp(v float64, mantissas ...float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range mantissas {
		if m*power >= v*(1-1e-9) { // an exact multiple must not be lost to rounding
			return m * power
		}
	}
	return mantissas[0] * 10 * power
}

// Thousands inserts commas into the text of a number with four and more digits before the point.
func Thousands(number string) string {
	whole, fraction, has := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if has {
		whole += "." + fraction
	}
	return whole
}
