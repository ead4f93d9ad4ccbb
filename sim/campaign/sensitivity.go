package campaign

import (
	"errors"
	"fmt"

	"veilpath/internal/table"
	"veilpath/sim/study"
)

// sensitivityName is the file of a sweep's Sobol indices.
const sensitivityName = "sensitivity.csv"

// sobol returns the Sobol indices of the swept settings and of epsilon for the first observer, nil without swept
// settings. The error is the reason why a sweep has none.
func (r *Result) sobol() ([]study.Sensitivity, error) {
	settings := r.Manifest.Sweep.Settings
	if len(settings) == 0 {
		return nil, nil
	}
	epsilons := r.Points[0].Epsilons
	var factors []study.Factor
	for _, s := range settings {
		factors = append(factors, study.Factor{Name: s.Key, Levels: len(s.Values)})
	}
	factors = append(factors, study.Factor{Name: "epsilon", Levels: len(epsilons)})
	var cells []study.Dealt
	for k := 0; k < len(r.Tallies); k += r.Manifest.Sweep.Watching() {
		for i := range epsilons {
			cells = append(cells, r.Tallies[k].Dealt(i))
		}
	}
	indices, err := study.Sensitivities(factors, cells, study.Confidence)
	if observer := r.sensitivityObserver(); errors.Is(err, study.ErrNoVariance) && observer != "" {
		err = fmt.Errorf("for observer %s, %w", observer, err)
	}
	return indices, err
}

// sensitivityObserver returns the observer of the Sobol indices, empty if the study has one observer.
func (r *Result) sensitivityObserver() string {
	if observers := r.Manifest.Sweep.Observers; len(observers) > 0 {
		return observers[0]
	}
	return ""
}

// Indices returns the indices as a table.
func (r *Result) Indices() table.Table[study.Sensitivity] {
	return table.Table[study.Sensitivity]{Columns: study.SensitivityColumns(), Rows: r.Sensitivities}
}
