package terminal

import (
	"math"
	"strings"
	"testing"

	"veilpath/internal/table"
)

// Meanings stand beside the values where 16 characters are left for them, and below otherwise. The values of
// quantities without a meaning do not widen the column.
func TestMeaningsStandBesideTheirValuesOrBelow(t *testing.T) {
	var list table.List
	list.Add("alpha", math.Pi, "one two three four five six")
	list.Add("of", "a value that is longer than any other", "")
	list.Add("b", math.NaN(), "seven")
	beside := "" + // 5 + 2 + 7 + 2 characters
		"alpha  3.14159  one two three\n" +
		"                four five six\n" +
		"of     a value that is longer than any other\n" +
		"b      none     seven\n"
	for columns, want := range map[int]string{
		0: "" +
			"alpha  3.14159  one two three four five six\n" +
			"of     a value that is longer than any other\n" +
			"b      none     seven\n",
		32: beside,
		31: "" +
			"alpha  3.14159\n" +
			"    one two three four five six\n" +
			"of     a value that is longer than any other\n" +
			"b      none\n" +
			"    seven\n",
	} {
		var text strings.Builder
		if err := writeQuantities(&Output{Writer: &text, Columns: columns}, list); err != nil || text.String() != want {
			t.Errorf("%d columns: %v\n%swant\n%s", columns, err, text.String(), want)
		}
	}
}
