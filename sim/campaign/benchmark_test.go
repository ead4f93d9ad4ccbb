package campaign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/benchmark"
)

// tiny is a suite of two rows on a small mission with four goals, so that 2 bits are secret.
const tiny = `
flights: 8
policies: 2
seed: 5
observers: [geometry, moves]
missions:
  - name: tiny
    set: {planner.columns: 8, planner.rows: 6, planner.start_cell: "[0, 2]", vehicle.start_km: "[-75, 0, 10]",
      vehicle.heading: 90, privacy.handover_km: 30, adversary.candidates: "6:2,5:5,5:0,7:4"}
ways:
  - {name: planned, set: {privacy.epsilon: none}}
  - {name: gaussian, parameter: privacy.epsilon, values: [2]}
`

func suiteOf(t *testing.T, text string) *benchmark.Suite {
	t.Helper()
	suite, err := benchmark.ReadSuite([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

func benchmarkSettings(t *testing.T) *configs.Loaded {
	t.Helper()
	settings, err := configs.Load(configs.Request{})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// A mistake in the last row of a suite is found before the first row is measured.
func TestMistakesAreFoundFirst(t *testing.T) {
	for says, change := range map[string][2]string{
		"observers: ":                        {"moves]", "nobody]"},
		"mission tiny, way gaussian -2: ":    {"values: [2]", "values: [2, -2]"},
		"mission tiny, way gaussian magic: ": {"values: [2]", "values: [2, magic]"},
		"mission other, way planned: ":       {"ways:", "  - {name: other, set: {planner.columns: 0}}\nways:"},
	} {
		_, err := NewBenchmark(new(Program), benchmarkSettings(t), suiteOf(t, strings.Replace(tiny, change[0], change[1], 1)))
		if err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: error %v, want one that begins with %q", change[1], err, says)
		}
	}
}

// A finished benchmark is not measured again. Flying the plan of the true goal costs nothing, and four goals are 2
// bits.
func TestRowsAreMeasuredAndWritten(t *testing.T) {
	p, folder := &Program{Version: "1"}, filepath.Join(t.TempDir(), "out")
	b, err := NewBenchmark(p, benchmarkSettings(t), suiteOf(t, tiny))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Do(t.Context(), b, folder); err != nil {
		t.Fatal(err)
	}
	if len(b.Rows) != 2 || b.Rows[1].Number != 2 || b.Rows[0].PriorBits != 2 || b.Rows[0].Cost.Mean != 0 ||
		b.Rows[0].Detour.Mean != 0 || !(b.Rows[1].Cost.Mean > 0) {
		t.Fatalf("rows %+v", b.Rows)
	}
	again, err := NewBenchmark(p, benchmarkSettings(t), suiteOf(t, tiny))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Do(t.Context(), again, folder); err != nil || again.Rows != nil {
		t.Fatalf("%d rows were measured of a finished benchmark: %v", len(again.Rows), err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "rows.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []benchmark.Row
	if err := json.Unmarshal(text, &rows); err != nil || len(rows) != 2 || rows[1].Cost != b.Rows[1].Cost {
		t.Errorf("the file has %+v, %v", rows, err)
	}
}

// The whole benchmark of a part has the suite that the part records.
func TestPartsRecordTheirSuite(t *testing.T) {
	p, settings := new(Program), benchmarkSettings(t)
	b, err := NewBenchmark(p, settings, suiteOf(t, tiny))
	if err != nil {
		t.Fatal(err)
	}
	q := b.Question()
	q.Part = Part{Index: 1, Of: 2}
	part, err := p.Job(q)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := joiners["benchmark"](t.Context(), p, settings, part.Manifest.Asked)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := p.Job(whole)
	if err != nil || joined.Manifest.Identity() != part.Manifest.Whole().Identity() {
		t.Errorf("the whole is other work than its part: %v", err)
	}
	for _, asked := range []string{"{", `{"Missions": 1}`,
		`{"Missions": [{"Name": "a", "Config": "nowhere"}], "Ways": [{"Name": "b"}], "Observers": ["moves"]}`} {
		if _, err := joiners["benchmark"](t.Context(), p, settings, json.RawMessage(asked)); err == nil {
			t.Errorf("%s is a suite", asked)
		}
	}
}
