package model

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
	"veilpath/sim/study"
)

// Recorded is what a record holds of one epsilon: a row of its summary.
type Recorded struct {
	Epsilon               float64
	MeanKm, LowKm, HighKm float64 // with the ends of the 95 % interval, NaN where there are none
	Runs                  int

	noiseLowKm, noiseHighKm float64 // ends of the interval of the effect of the noise, as those of the mean

	radiusKm float64 // NaN except for a surface
}

// parseSummary reads the rows of a summary.
func parseSummary(text []byte) ([]Recorded, error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is cut short or no table: %v", recording.SummaryName, err)
	case len(lines) == 0:
		return nil, fmt.Errorf("%s is empty", recording.SummaryName)
	case !slices.Contains(lines[0], "epsilon") || !slices.Contains(lines[0], "mean_km"):
		return nil, fmt.Errorf("%s is no summary of a study: it has no columns epsilon and mean_km", recording.SummaryName)
	}
	rows := make([]Recorded, len(lines)-1)
	for i := range rows {
		if rows[i], err = parseRow(lines[0], lines[i+1]); err != nil {
			return nil, fmt.Errorf("%s, line %d: %v", recording.SummaryName, i+2, err)
		}
	}
	return rows, nil
}

// parseRow reads a row of a summary.
func parseRow(columns, line []string) (Recorded, error) {
	var r Recorded
	cells := map[string]string{}
	for i, column := range columns {
		cells[column] = line[i]
	}
	var runs float64
	var errs []error
	for column, to := range map[string]*float64{"epsilon": &r.Epsilon, "radius_km": &r.radiusKm, "runs": &runs,
		"mean_km": &r.MeanKm, "ci_low_km": &r.LowKm, "ci_high_km": &r.HighKm,
		"noise_ci_low_km": &r.noiseLowKm, "noise_ci_high_km": &r.noiseHighKm} {
		v, err := numberIn(cells[column])
		*to, errs = v, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return r, err
	}
	if math.IsNaN(r.Epsilon) || math.IsNaN(r.MeanKm) {
		return r, errors.New("epsilon or mean_km is empty")
	}
	if runs >= 1 {
		r.Runs = int(runs)
	}
	return r, nil
}

// numberIn returns the number in a cell: NaN in an empty one, and study.None() for an epsilon without noise.
func numberIn(cell string) (float64, error) {
	switch cell {
	case "":
		return math.NaN(), nil
	case configs.None:
		return study.None(), nil
	}
	return strconv.ParseFloat(cell, 64)
}

// own reports whether the settings in force are those of the record, of a sweep those of its first point, apart from
// those that it holds many of.
func (m *Model) own() bool {
	own := m.Record.config.Texts()
	for key, value := range m.Config.Texts() {
		switch {
		case key == "privacy.epsilon" || key == "study.runs" || key == "study.epsilons":
		case key == "adversary.radius_km" && m.Record.surface():
		case value != own[key]:
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
	i := slices.IndexFunc(m.Record.rows, func(r Recorded) bool {
		return r.Epsilon == epsilon && (!m.Record.surface() || r.radiusKm == m.Config.Adversary.RadiusKm)
	})
	if i < 0 {
		return Recorded{}, false
	}
	return m.Record.rows[i], true
}

// RecordedAlong returns what the opened record holds along epsilon for the settings in force.
func (m *Model) RecordedAlong() (points []Recorded) {
	if m.Record == nil {
		return nil
	}
	for _, epsilon := range m.Record.config.Study.Epsilons {
		if r, ok := m.Recorded(epsilon); ok && epsilon != study.None() {
			points = append(points, r)
		}
	}
	return points
}
