package problem

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

var numerals = []string{
	"0", "-0", "1", "0.1", "-12.5", "0.30000000000000004", "9007199254740993", "900719925474099.3",
	"123456789012345678901234567890", ".5", "5.", ".", "-", "",
	"1e5", "1E-5", "1e", "-1e999", "4.9e-324", "2.2250738585072011e-308", "0.0000000000000000000000001", "1.2.3", "+1",
	"01", "nan", "inf", "0x1p-2", "1_0", "1,2", "2147483646", "2147483647",
	"99999999999",
}

// reads fails where a numeral is read otherwise than by the standard library, whatever follows it.
func reads(t *testing.T, text string) {
	t.Helper()
	want, err := strconv.ParseFloat(text, 64)
	sound := err == nil && !math.IsNaN(want) && !math.IsInf(want, 0) && !strings.ContainsAny(text, "_xX")
	if got, ok := parseFloat([]byte(text)); ok != sound || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%q is read as %v, %t, want %v, %t", text, got, ok, want, sound)
	}
	if got, end := numberAt([]byte(text+", 7"), 0); end == len(text) && end > 0 &&
		math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%q before a comma is read as %v, want %v", text, got, want)
	}
	whole, err := strconv.Atoi(text)
	sound = err == nil && whole >= 0 && whole < math.MaxInt32 && strconv.Itoa(whole) == text
	if got, ok := parseNumber([]byte(text)); ok != sound || ok && got != whole {
		t.Errorf("%q is read as the whole number %d, %t, want %d, %t", text, got, ok, whole, sound)
	}
}

// Numbers are read to the bit as the standard library reads them.
func TestNumbersAreRounded(t *testing.T) {
	for _, text := range numerals {
		reads(t, text)
	}
}

func FuzzNumber(f *testing.F) {
	for _, text := range numerals {
		f.Add(text)
	}
	f.Fuzz(reads)
}
