package answer

import (
	"strconv"
	"strings"

	"veilpath/internal/axis"
	"veilpath/internal/phrase"
)

// Number writes a value with as few digits as tell it.
func Number(v float64) string { return strconv.FormatFloat(v+0, 'g', 6, 64) } // +0 so that -0 reads 0

// Signed writes a difference with its sign, of which what is rounded to nothing has none.
func Signed(v float64, decimals int) string {
	text := phrase.Fixed(v, decimals)
	if v > 0 && strings.ContainsAny(text, "123456789") {
		return "+" + text
	}
	return text
}

// Thousands writes a whole number in groups of three digits.
func Thousands(n int) string { return axis.Thousands(strconv.Itoa(n)) }

// Km writes a distance with as few digits as tell it.
func Km(km float64) string { return Number(km) + " km" }

// DistanceText writes a distance, km.
func DistanceText(km float64) string {
	switch {
	case km < 1:
		return phrase.Fixed(1000*km, 0) + " m"
	case km < 100:
		return phrase.Fixed(km, 2) + " km"
	}
	return phrase.Fixed(km, 0) + " km"
}
