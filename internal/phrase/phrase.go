// Package phrase writes the numbers and the clauses that answers share: distances with the digits that their intervals
// support, shares, epsilons rounded to the safe side, lists, and what noise does to an observer. An answer is composed
// of them in one place for each verb; the words are the same in all of them.
package phrase

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Significant digits of numbers without an interval, and of the half-width of an interval.
const (
	digits          = 3
	halfWidthDigits = 2
	mostDecimals    = 6 // nothing here is known to more
)

// Decimals returns the number of decimals that an interval supports: its half-width has two significant digits.
// Without an interval (one end is not finite, or both are equal) the value has three significant digits.
func Decimals(value, low, high float64) int {
	width, significant := (high-low)/2, halfWidthDigits
	if !(width > 0) || math.IsInf(width, 0) {
		width, significant = math.Abs(value), digits
	}
	if width == 0 || math.IsNaN(width) {
		return 0
	}
	// A width of 0.996 is written with the digits of 1.0.
	exponent := strconv.FormatFloat(width, 'e', significant-1, 64)
	power, _ := strconv.Atoi(exponent[strings.IndexByte(exponent, 'e')+1:])
	return min(max(significant-1-power, 0), mostDecimals)
}

// Fixed writes a number with so many decimals, a zero without a sign, and an unknown number as a hyphen.
func Fixed(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// Number writes a number with the digits that its interval supports.
func Number(value, low, high float64) string { return Fixed(value, Decimals(value, low, high)) }

// Interval writes an interval with the digits that it supports, as 38.6 .. 44.9, and a hyphen where there is none. An
// end that is not 0 is not written as 0, so that an interval that excludes 0 is seen to do so.
func Interval(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) || low == high {
		return "-"
	}
	decimals := Decimals(low, low, high)
	for decimals < mostDecimals && (low > 0 || high < 0) &&
		(strings.Trim(Fixed(low, decimals), "0.") == "" || strings.Trim(Fixed(high, decimals), "0.") == "") {
		decimals++
	}
	return Fixed(low, decimals) + " .. " + Fixed(high, decimals)
}

// Km writes a distance and its interval, as 41.8 km (38.6 .. 44.9), the distance alone where there is none, and never
// where it is 0: a destination that is not recognised is recognised nowhere.
func Km(value, low, high float64) string {
	if value == 0 {
		return "never"
	}
	text := Number(value, low, high) + " km"
	if interval := Interval(low, high); interval != "-" {
		text += " (" + interval + ")"
	}
	return text
}

// Change writes a difference of distances from the target by its direction, as 19.0 km nearer. Nearer is better hidden.
func Change(km, low, high float64) string {
	if km > 0 {
		return Number(km, low, high) + " km farther"
	}
	return Number(-km, -high, -low) + " km nearer"
}

// ChangeInterval writes the interval of a Change: 15.9 .. 22.2 in its direction, or 2.0 nearer .. 5.4 farther where it
// includes 0.
func ChangeInterval(low, high float64) string {
	if low >= 0 || high <= 0 || math.IsNaN(low) || math.IsNaN(high) {
		return Interval(min(math.Abs(low), math.Abs(high)), max(math.Abs(low), math.Abs(high)))
	}
	decimals := Decimals(low, low, high)
	return Fixed(-low, decimals) + " nearer .. " + Fixed(high, decimals) + " farther"
}

// Percent writes a share: whole percents from 10 % on, tenths below. A share that is not 0 or 1 is not written as if
// it were.
func Percent(share float64) string {
	percent := 100 * share
	const least = 0.05 // is written as 0.1
	switch {
	case math.IsNaN(percent) || math.IsInf(percent, 0):
		return "-"
	case percent == 0:
		return "0 %"
	case math.Abs(percent) < least:
		return "<0.1 %"
	case percent < 100 && percent > 100-least:
		return ">99.9 %"
	case percent > 99 && percent < 100 || math.Abs(percent) < 9.95:
		return Fixed(percent, 1) + " %"
	}
	return Fixed(percent, 0) + " %"
}

// Epsilon writes an epsilon with three significant digits; +Inf is the plan without noise.
func Epsilon(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return "none"
	}
	return strconv.FormatFloat(epsilon, 'g', digits, 64)
}

// EpsilonAtMost writes an epsilon rounded down to three significant digits, so that what holds for it and for all
// smaller ones holds for the one that is written.
func EpsilonAtMost(epsilon float64) string { return rounded(epsilon, math.Floor) }

// EpsilonAtLeast writes an epsilon rounded up to three significant digits.
func EpsilonAtLeast(epsilon float64) string { return rounded(epsilon, math.Ceil) }

func rounded(x float64, to func(float64) float64) string {
	// The nearest number of three digits is not rounded further where it is the number itself.
	if nearest, _ := strconv.ParseFloat(Epsilon(x), 64); nearest == x || x <= 0 || math.IsInf(x, 0) {
		return Epsilon(x)
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-(digits-1))
	return Epsilon(to(x/unit) * unit)
}

// List joins words as a sentence does: a, b and c.
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Observer names an observer and its radius, as the observer "ballistic" (radius 0.7 km). The radius is NaN if
// it varies.
func Observer(name string, radiusKm float64) string {
	if math.IsNaN(radiusKm) {
		return fmt.Sprintf("the observer %q (its radius varies)", name)
	}
	return fmt.Sprintf("the observer %q (radius %g km)", name, radiusKm)
}

// Effect is what noise does to the distance at which the destination is recognised.
type Effect int

// The effects of noise.
const (
	NotShown  Effect = iota // the interval includes 0, or the difference is too small to matter
	Hides                   // recognised nearer
	GivesAway               // recognised farther away
)

// EffectOf judges a difference of distances, km, by its interval. An effect is shown where the interval excludes 0 and
// the difference is larger than 0.1 km or 1 % of the distance of a straight flight, whichever is smaller; the latter
// is NaN where there is none.
func EffectOf(km, low, high, directKm float64) Effect {
	const leastKm, leastShare = 0.1, 0.01
	least := leastKm
	if share := leastShare * directKm; share > 0 && share < least {
		least = share
	}
	switch {
	case math.Abs(km) <= least:
		return NotShown
	case high < 0:
		return Hides
	case low > 0:
		return GivesAway
	}
	return NotShown
}

// Practical reports whether flights are of use: at most a third give up, and at most half of the value is lost.
func Practical(givesUp, valueLost float64) bool { return !(givesUp > 1.0/3) && !(valueLost > 0.5) }

// NotPractical begins an answer that is not practical.
const NotPractical = "Not practical: "
