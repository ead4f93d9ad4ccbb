package problem

import (
	"strconv"
	"strings"
	"testing"
)

// Whole numbers are read as programs write them, in columns of integers and of floats.
func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "7": 7, "2147483646": 2147483646, "1.0": 1, "12.": 12,
		"3.000000000000000000e+00": 3, "1.5e1": 15, "0.0": 0, "-0.0": 0} {
		if got, ok := parseWhole([]byte(text)); !ok || got != want {
			t.Errorf("%q is read as %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-1", "+1", "01", "1e3", "1.5", ".0", "2147483647", "99999999999", "1_0", "x",
		"-1.0", "1.0x", "nan", "0x1.0p0"} {
		if got, ok := parseWhole([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

// Names that are numbers are numbers in JSON, and words are words.
func TestValuesOfNames(t *testing.T) {
	if n, word := Numbered(3).Value(2), Named([]string{"home", "7"}).Value(1); n != 2 || word != "7" {
		t.Errorf("%#v and %#v", n, word)
	}
}

// Ratios are read where both of their numbers are, and their quotient is one.
func TestRatios(t *testing.T) {
	for text, want := range map[string]float64{"1/4": 0.25, "-3/2": -1.5, "7": 7, "0/5": 0, "1e2/1e1": 10} {
		if got, ok := parseRatio([]byte(text)); !ok || got != want {
			t.Errorf("%q is read as %v, %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"a/2", "2/a", "/2", "2/", "/", "1/0", "0/0", "1/2/3", "1e308/1e-308", "1_0",
		"0x1", "inf"} {
		if got, ok := parseRatio([]byte(text)); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Names take memory, of which there is a bound; numbers from 0 on do not count.
func TestNamesAreBounded(t *testing.T) {
	l := newLabels()
	for i := range maxNames {
		if _, err := l.id(strconv.AppendInt([]byte{'s'}, int64(i), 10)); err != nil {
			t.Fatal(err)
		}
	}
	if id, err := l.id([]byte("0")); err != nil || id != maxNames {
		t.Errorf("the number 0 is label %d, %v", id, err)
	}
	if _, err := l.id([]byte("one more")); err == nil || !strings.Contains(err.Error(), "more than 1048576 names") {
		t.Errorf("one name more: %v", err)
	}
}
