package campaign

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// Rows are found by mission, way and strength wherever they stand, and every column that is not the same is named.
func TestCompareRows(t *testing.T) {
	row := func(way, cost string) string {
		bits := `{"flown_km":1,"observer":"moves","bits_left":{"mean":1,"ci_low":null,"ci_high":2}}`
		return `{"mission":"m","way":"` + way + `","bits":[` + bits + "," + bits + "," + bits + `],"cost":{"mean":` + cost +
			`,"ci_low":0,"ci_high":1}}`
	}
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := file("a.json", "["+row("x", "0.1")+","+row("y", "0.25")+","+row("z", "0")+"]")
	b := file("b.json", "["+row("y", "0.5")+","+row("x", "0.1")+"]")
	p := new(Program)
	c, err := CompareRows(p, a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := &RowsComparison{Both: 2, OnlyA: 1, Different: 1,
		Differences: []RowDifference{{"mission m, way y", "cost", "0.25", "0.5"}}}
	if !reflect.DeepEqual(c, want) || c.Same() {
		t.Errorf("got %+v, want %+v", c, want)
	}
	if c, err := CompareRows(p, a, a); err != nil || !c.Same() || c.Both != 3 {
		t.Errorf("a file and itself: %+v, %v", c, err)
	}
	for _, text := range []string{"{", "[{}]", "[]"} {
		if _, err := CompareRows(p, a, file("c.json", text)); err == nil {
			t.Errorf("%s is compared", text)
		}
	}
}
