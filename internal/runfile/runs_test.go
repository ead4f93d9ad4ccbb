package runfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"veilpath/internal/record"
	"veilpath/sim/study"
)

// sweep has a column of every type.
var sweep = []record.Swept{
	{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.4, 1.7}},
	{Key: "adversary.consecutive_steps", Unit: "steps", Values: []any{int64(2), int64(3), int64(5)}},
	{Key: "privacy.calibration", Values: []any{"classical", "analytic"}},
}

// sample returns records in which every metric has a different value.
func sample(n int) []study.Run {
	records := make([]study.Run, n)
	for k := range records {
		r := &records[k]
		r.Epsilon, r.Run = 0.1*float64(k), k<<33
		for i, m := range study.Metrics() {
			switch {
			case m.Whole:
				m.Set(r, float64(i*k))
			case m.Truth && k%(i+2) == 0:
				m.Set(r, 1)
			case !m.Truth:
				m.Set(r, float64(i+1)*(float64(k)+1./3))
			}
		}
	}
	return records
}

// writeRuns returns a table of records, given point by point and within a point observer by observer.
func writeRuns(t testing.TB, sweep record.Sweep, seen ...[]study.Run) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewRunWriter(&out, sweep, Varied{}, "1.2.3")
	for point := range len(seen) / sweep.Watching() {
		if err := w.Add(point, seen[point*sweep.Watching():(point+1)*sweep.Watching()]...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// recorded writes a table to a new folder and returns the manifest with its hash.
func recorded(t testing.TB, rows int, table []byte) (folder string, m record.Manifest) {
	t.Helper()
	folder = t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, record.RunsName), table, 0o666); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(table)
	return folder, record.Manifest{Facts: record.Facts{Flights: rows},
		Files: map[string]string{record.RunsName: hex.EncodeToString(sum[:])}}
}

func TestRunsComeBackExactly(t *testing.T) {
	want := sample(rowsPerGroup + rowsPerGroup/2) // two row groups
	folder, m := recorded(t, len(want), writeRuns(t, record.Sweep{}, want))
	var got []study.Run
	err := ReadRuns(context.Background(), folder, m, func(seen [][]study.Run) error {
		got = append(got, seen[0]...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("row %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

// A flight that several observers watch is one row with the metrics of each.
func TestSeveralObserversShareTheRowsOfTheirFlights(t *testing.T) {
	observers := record.Sweep{Settings: sweep[:1], Observers: []string{"ballistic", "mechanism", "moves"}}
	want := make([][]study.Run, 6) // two settings, three observers
	for point := range want {
		want[point] = sample(5)
		for i := range want[point] {
			want[point][i].DetectionKm += float64(point)
			want[point][i].Detected = i%2 == point%2
		}
	}
	text := writeRuns(t, observers, want...)
	folder, m := recorded(t, 30, text)
	m.Sweep = observers
	got := make([][]study.Run, 3)
	err := ReadRuns(context.Background(), folder, m, func(seen [][]study.Run) error {
		for k := range seen {
			got[k] = append(got[k], seen[k]...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for k := range got {
		if diff := cmp.Diff(slices.Concat(want[k], want[3+k]), got[k]); diff != "" {
			t.Errorf("observer %d:\n%s", k, diff)
		}
	}
	table, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vehicle.speed_km_s", "detection_km", "detected_mechanism", "detection_km_moves",
		"detected_before_handover_moves"} {
		if _, ok := table.Schema().Lookup(name); !ok {
			t.Errorf("no column %s", name)
		}
	}
	for _, name := range []string{"adversary.observer", "handover_km_moves", "detection_km_ballistic"} {
		if _, ok := table.Schema().Lookup(name); ok {
			t.Errorf("a column %s", name)
		}
	}
}

// Add refuses records of too few or too many observers.
func TestRecordsOfOtherObserversAreRefused(t *testing.T) {
	w := NewRunWriter(io.Discard, record.Sweep{Observers: []string{"ballistic", "mechanism"}}, Varied{}, "1.2.3")
	for _, seen := range [][][]study.Run{{sample(3)}, {sample(3), sample(3), sample(3)}, {sample(3), sample(2)}} {
		if err := w.Add(0, seen...); err == nil || !strings.Contains(err.Error(), "want records of") {
			t.Errorf("%d observers: %v", len(seen), err)
		}
	}
}

// The bytes of the table do not depend on the lengths of the slices passed to Add.
func TestRunsHaveTheSameBytesForAnySlices(t *testing.T) {
	records := sample(2*rowsPerGroup + 1000) // several pages and row groups
	var out bytes.Buffer
	w := NewRunWriter(&out, record.Sweep{}, Varied{}, "1.2.3")
	for i, step := 0, 1; i < len(records); i, step = i+step, step%1700+3 {
		if err := w.Add(0, records[i:min(i+step, len(records))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), writeRuns(t, record.Sweep{}, records)) {
		t.Error("the table depends on the lengths of the slices it was made from")
	}
}

// A table with any damaged byte is refused by name before any record is passed on.
func TestDamagedRunsAreRefused(t *testing.T) {
	text := writeRuns(t, record.Sweep{}, sample(6))
	folder, m := recorded(t, 6, text)
	path := filepath.Join(folder, record.RunsName)
	for at := range text {
		damaged := bytes.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		err := ReadRuns(context.Background(), folder, m,
			func([][]study.Run) error { t.Fatal("it was read"); return nil })
		if !errors.Is(err, record.ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Fatalf("byte %d: %v, want ErrDamaged and the path", at, err)
		}
	}
}

func TestSweptKeysAreTypedColumns(t *testing.T) {
	text := writeRuns(t, record.Sweep{Settings: sweep}, sample(2), sample(2), sample(2))
	type row struct {
		Speed       float64 `parquet:"vehicle.speed_km_s"`
		Steps       int64   `parquet:"adversary.consecutive_steps"`
		Calibration string  `parquet:"privacy.calibration"`
		Run         int64   `parquet:"run"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	want := []row{
		{1.4, 2, "classical", 0}, {1.4, 2, "classical", 1 << 33}, {1.4, 2, "analytic", 0},
		{1.4, 2, "analytic", 1 << 33}, {1.4, 3, "classical", 0}, {1.4, 3, "classical", 1 << 33},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
}

func TestTablesCarryUnits(t *testing.T) {
	text := writeRuns(t, record.Sweep{Settings: sweep}, sample(2))
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := file.Lookup("veilpath:units")
	var units map[string]string
	if err := json.Unmarshal([]byte(raw), &units); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"detection_km": "km", "heading_error_deg": "deg", "flight_time_s": "s",
		"vehicle.speed_km_s": "km/s"} {
		if units[name] != want {
			t.Errorf("unit of %s is %q, want %q", name, units[name], want)
		}
	}
}
