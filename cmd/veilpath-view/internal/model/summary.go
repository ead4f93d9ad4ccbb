package model

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
	"veilpath/sim/study"
)

// Recorded is what a record holds of one epsilon: a row of its summary.
type Recorded struct {
	MeanKm, LowKm, HighKm float64 // with the ends of the 95 % interval, NaN where there are none
	Runs                  int

	epsilon, radiusKm float64        // the radius is 0 except for a surface
	swept             map[string]any // values of the keys that the study went through
}

// csvTable is a CSV file with its heading.
type csvTable struct {
	columns []string
	rows    [][]string
}

func parseTable(text []byte) (csvTable, error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return csvTable{}, fmt.Errorf("%s is cut short or no table: %v", recording.SummaryName, err)
	}
	if len(rows) == 0 {
		return csvTable{}, fmt.Errorf("%s is empty", recording.SummaryName)
	}
	return csvTable{rows[0], rows[1:]}, nil
}

// number returns a cell of a row as a number: that of an epsilon without noise is study.None(). It is NaN where the
// table has no such column or the cell is empty.
func (t *csvTable) number(row int, column string) (float64, error) {
	at := slices.Index(t.columns, column)
	if at < 0 || t.rows[row][at] == "" {
		return math.NaN(), nil
	}
	if t.rows[row][at] == configs.None {
		return study.None(), nil
	}
	v, err := strconv.ParseFloat(t.rows[row][at], 64)
	if err != nil {
		return 0, fmt.Errorf("%s, line %d: %v", recording.SummaryName, row+2, err)
	}
	return v, nil
}

// parseSummary reads the rows of a summary whose study went through values of the keys.
func parseSummary(text []byte, keys []string) ([]Recorded, error) {
	t, err := parseTable(text)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(t.columns, "epsilon") || !slices.Contains(t.columns, "mean_km") {
		return nil, fmt.Errorf("%s is no summary of a study: it has no columns epsilon and mean_km", recording.SummaryName)
	}
	rows := make([]Recorded, len(t.rows))
	for i := range t.rows {
		r := &rows[i]
		var runs float64
		var errs []error
		for _, c := range []struct {
			to   *float64
			name string
		}{{&r.epsilon, "epsilon"}, {&r.radiusKm, "radius_km"}, {&runs, "runs"}, {&r.MeanKm, "mean_km"},
			{&r.LowKm, "ci_low_km"}, {&r.HighKm, "ci_high_km"}} {
			v, err := t.number(i, c.name)
			*c.to = v
			errs = append(errs, err)
		}
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		if math.IsNaN(r.epsilon) || math.IsNaN(r.MeanKm) {
			return nil, fmt.Errorf("%s, line %d: epsilon or mean_km is empty", recording.SummaryName, i+2)
		}
		if runs >= 1 {
			r.Runs = int(runs)
		}
		r.swept = map[string]any{}
		for _, key := range keys {
			if at := slices.Index(t.columns, key); at >= 0 {
				r.swept[key] = cellValue(t.rows[i][at])
			}
		}
	}
	return rows, nil
}

// cellValue returns a cell as JSON has it: a number where it is one.
func cellValue(text string) any {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v
	}
	return text
}

// flatten returns settings by key.
func flatten(c configs.Config) map[string]any {
	text, err := json.Marshal(c)
	if err != nil {
		panic("model: settings do not encode: " + err.Error()) // they were checked when they came
	}
	var groups map[string]any
	if err := json.Unmarshal(text, &groups); err != nil {
		panic("model: settings do not decode: " + err.Error())
	}
	values := map[string]any{}
	for group, value := range groups {
		inner, isGroup := value.(map[string]any)
		if !isGroup {
			values[group] = value
		}
		for key, v := range inner {
			values[group+"."+key] = v
		}
	}
	return values
}

// own reports whether the settings in force are those of the record, apart from what it holds many of.
func (m *Model) own() bool {
	shown, own := flatten(m.Config), flatten(m.Record.config)
	for key, value := range shown {
		switch {
		case key == "privacy.epsilon" || key == "study.runs" || key == "study.epsilons" ||
			slices.Contains(m.Record.swept, key):
		case key == "adversary.radius_km" && m.Record.surface():
		case !reflect.DeepEqual(value, own[key]):
			return false
		}
	}
	return true
}

// Recorded returns what the opened record holds for the settings in force with some epsilon, and false when it holds
// nothing, or other settings than the record's are in force.
func (m *Model) Recorded(epsilon float64) (Recorded, bool) {
	if m.Record == nil || len(m.Record.rows) == 0 || !m.own() {
		return Recorded{}, false
	}
	shown := flatten(m.Config)
	for _, r := range m.Record.rows {
		if r.epsilon == epsilon && (!m.Record.surface() || r.radiusKm == m.Config.Adversary.RadiusKm) && r.of(shown) {
			return r, true
		}
	}
	return Recorded{}, false
}

// RecordedPoint is what a record holds of an epsilon.
type RecordedPoint struct {
	Epsilon float64
	Recorded
}

// RecordedAlong returns what the opened record holds along epsilon for the settings in force.
func (m *Model) RecordedAlong() []RecordedPoint {
	if m.Record == nil {
		return nil
	}
	var points []RecordedPoint
	for _, epsilon := range m.Record.config.Study.Epsilons {
		if r, ok := m.Recorded(epsilon); ok && epsilon != study.None() {
			points = append(points, RecordedPoint{epsilon, r})
		}
	}
	return points
}

// of reports whether the row is of the values that the settings have.
func (r *Recorded) of(shown map[string]any) bool {
	for key, value := range r.swept {
		if !reflect.DeepEqual(shown[key], value) {
			return false
		}
	}
	return true
}

// SameKm reports whether two distances agree to the digits that are shown.
func SameKm(a, b float64) bool {
	const shown = 0.005 // km: two decimals
	return math.Abs(a-b) <= shown
}
