package benchmark

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The guide's table and sentences are those of the rows that the repository holds.
func TestTheGuideHasTheNumbersOfTheRows(t *testing.T) {
	text, err := os.ReadFile("../../assets/benchmark/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../assets/guide/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	find := func(mission, way, value string) *Row {
		for i := range rows {
			if r := &rows[i]; r.Mission == mission && r.Way == way && r.Value == value {
				return r
			}
		}
		t.Fatalf("no row of %s %s on %s", way, value, mission)
		return nil
	}
	says := func(want string) {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), want) {
			t.Errorf("the guide does not say %q", want)
		}
	}
	tabled := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !strings.Contains(cells[3], " .. ") {
			continue
		}
		tabled++
		mission := strings.TrimSpace(cells[1])
		left := func(r *Row) string {
			return fmt.Sprintf("%.2f (%.2f .. %.2f)", r.left(), noMinus(float64(r.Bits[Half].Left.Low)),
				float64(r.Bits[Half].Left.High))
		}
		plan := find(mission, "planned", "")
		want := fmt.Sprintf("| %.2f | %s |", plan.PriorBits, left(plan))
		for i, most := range []float64{0.10, 0.55} {
			_, name, _ := strings.Cut(cells[4+i], "`")
			name, _, _ = strings.Cut(name, "`")
			way, value, _ := strings.Cut(name, " ")
			r := find(mission, way, value)
			if float64(r.Cost.Mean) > most {
				t.Errorf("%s costs %v on %s, want at most %v", name, r.Cost.Mean, mission, most)
			}
			want += fmt.Sprintf(" `%s` %s |", name, left(r))
		}
		if !strings.Contains(line, want) {
			t.Errorf("the guide has %q, want %q", line, want)
		}
	}
	if tabled != 7 {
		t.Errorf("%d rows in the table, want one for each of seven missions", tabled)
	}
	plain, noisy, costly := find("paper", "planned", ""), find("paper", "gaussian", "4"), find("paper", "gaussian", "1")
	says(fmt.Sprintf("leaves %.2f of %.2f bits. Gaussian noise at epsilon 4 leaves %.2f; at epsilon 1 it leaves "+
		"%.2f and costs %.1f %%", plain.left(), plain.PriorBits, noisy.left(), costly.left(), 100*float64(costly.Cost.Mean)))
	four, two := find("passage", "gaussian", "4"), find("passage", "gaussian", "2")
	says(fmt.Sprintf("at epsilon 4 it leaves %.2f bits for %.1f %%, at epsilon 2 %.2f bits for %.1f %%, where the plan "+
		"leaves %.2f", four.left(), 100*float64(four.Cost.Mean), two.left(), 100*float64(two.Cost.Mean),
		find("passage", "planned", "").left()))
	ways, few, promised, strongest := map[string]bool{}, 0, 0, map[string]int{}
	for i := range rows {
		strongest[rows[i].Bits[Half].Observer]++
		ways[rows[i].Way] = true
		if rows[i].Guarantee == "none" {
			continue
		}
		promised++
		if rows[i].left() < rows[i].PriorBits/2 {
			few++
		}
		if a := rows[i].Audit; a != "consistent" {
			t.Errorf("the audit of %s %s on %s is %s", rows[i].Way, rows[i].Value, rows[i].Mission, a)
		}
	}
	says(fmt.Sprintf("measures %d ways on seven missions, %d rows in all", len(ways), len(rows)))
	says(fmt.Sprintf("strongest observer in %d of the %d rows, and `learned`, which knows 500 other flights of the way "+
		"and nothing else, in %d", strongest["mechanism"], len(rows), strongest["learned"]))
	says(fmt.Sprintf("%d of the %d rows with a guarantee leave less than half", few, promised))
}

// noMinus is a number that is not written -0.00.
func noMinus(x float64) float64 {
	if x > -0.005 && x < 0 {
		return 0
	}
	return x
}
