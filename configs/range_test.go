package configs

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string][]float64{
		"0.2:1:0.2":              {0.2, 0.4, 0.6, 0.8, 1}, // 0.2+0.2+0.2 in float64 is not 0.6
		"0.1:0.3:0.1":            {0.1, 0.2, 0.3},
		"1:2:0.4":                {1, 1.4, 1.8},
		"3:3:1":                  {3},
		"2:-1:-1.5":              {2, 0.5, -1},
		" 1 : 2 : 1 ":            {1, 2},
		"1e-3:3e-3:1e-3":         {0.001, 0.002, 0.003},
		"0.2, 1,4":               {0.2, 1, 4},
		"-0":                     {0},
		"+.5":                    {0.5},
		"1.":                     {1},
		"1e3":                    {1000},
		"1.7976931348623157e308": {1.7976931348623157e308},
	} {
		got, err := ParseRange(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for _, text := range []string{"1:10000:1", "0.0001:1:0.0001"} {
		if got, err := ParseRange(text); err != nil || len(got) != maxValues {
			t.Errorf("%q: %d values, %v", text, len(got), err)
		}
	}
}

func TestParseRangeRefuses(t *testing.T) {
	const rest = "; allowed: start:stop:step, or numbers separated by commas; write for example 0.2:4:0.2 or 0.2,1,4"
	for text, want := range map[string]string{
		"":                           "no value",
		"1,":                         "value 2 is missing",
		"a":                          "a (value 1) is not a decimal number",
		"1:2":                        "2 numbers between colons, not 3",
		"1:2:3:4":                    "4 numbers between colons, not 3",
		"1:2:":                       "value 3 is missing",
		"1:2:0":                      "the step is 0",
		"1:2:-1":                     "the step leads away from stop",
		"1:2:1e-99":                  "more than 10000 values",
		"1:2:nan":                    "nan (value 3) is not a finite number",
		"1:inf:1":                    "inf (value 2) is not a finite number",
		"1:10001:1":                  "more than 10000 values",
		"1:2:1e-999":                 "1e-999 (value 3) is too small to be distinguished from 0",
		"1e999":                      "1e999 (value 1) is not a finite number",
		"1e-999":                     "1e-999 (value 1) is too small to be distinguished from 0",
		"1e999:1e999:1":              "1e999 (value 1) is not a finite number",
		"1e9999999999":               "1e9999999999 (value 1) is not a decimal number",
		"1,2,1":                      "holds 1 twice",
		"1:1.0000000000000002:1e-17": "holds 1 twice",
		"0x10":                       "0x10 (value 1) is not a decimal number",
		"010":                        "010 (value 1) is not a decimal number",
		"1_0":                        "1_0 (value 1) is not a decimal number",
	} {
		got, err := ParseRange(text)
		if err == nil {
			t.Errorf("%q gives %v", text, got)
			continue
		}
		want = strconv.Quote(text) + ": " + want + rest
		if err.Error() != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, err, want)
		}
	}
}
