package table

import (
	"math"
	"strings"
	"testing"
)

// A number that is none is an empty cell of CSV and null in JSON.
func TestNoNumberIsEmpty(t *testing.T) {
	l := List{{Name: "a", Value: math.NaN()}, {Name: "b", Value: 1.5}}
	var record, table, object strings.Builder
	l.WriteRecord(&record)
	l.WriteCSV(&table)
	l.WriteJSON(&object)
	if record.String() != "a,b\n,1.5\n" || table.String() != "quantity,value,meaning\na,,\nb,1.5,\n" ||
		!strings.Contains(object.String(), `"a": null`) {
		t.Errorf("%q, %q, %q", record.String(), table.String(), object.String())
	}
}
