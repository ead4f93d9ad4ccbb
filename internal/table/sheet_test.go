package table

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// A column of a sheet has the type of its cells. A column of several types is text, and unknown numbers are blank.
func TestSheetsAreTypedByTheirCells(t *testing.T) {
	s := New("name", "count", "km", "epsilon")
	s.Rows = []Row{{"a", 1000000, 0.5, 0.25}, {"b", 2, math.Inf(1), "none"}}
	var file strings.Builder
	if err := s.WriteCSV(&file); err != nil ||
		file.String() != "name,count,km,epsilon\na,1000000,0.5,0.25\nb,2,,none\n" {
		t.Errorf("CSV is %q, %v", file.String(), err)
	}
	text, err := json.Marshal(s)
	if want := `[{"name":"a","count":1000000,"km":0.5,"epsilon":"0.25"},` +
		`{"name":"b","count":2,"km":null,"epsilon":"none"}]`; err != nil || string(text) != want {
		t.Errorf("JSON is %s, %v", text, err)
	}
}
