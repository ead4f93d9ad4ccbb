package campaign

import (
	"veilpath/internal/flightfile"
	"veilpath/planner/quantity"
	"veilpath/sim/study"
)

// studyJSON is a study as JSON.
type studyJSON struct {
	NominalDetectionKm quantity.Maybe   `json:"nominal_detection_km"`
	Baselines          baselinesJSON    `json:"baselines"` // of the first point
	Delta              float64          `json:"delta"`
	Runs               int              `json:"runs"`
	Flights            int              `json:"flights"`
	Complete           bool             `json:"complete"`
	UntilKm            float64          `json:"until_km,omitempty"` // requested half-width
	Unmet              *int             `json:"unmet,omitempty"`    // means not known to it, over all points
	Summary            []map[string]any `json:"summary"`
	Sensitivity        []map[string]any `json:"sensitivity,omitempty"`
	SensitivityOf      string           `json:"sensitivity_observer,omitempty"` // the first of several observers
	NoSensitivity      string           `json:"no_sensitivity,omitempty"`       // why there is no sensitivity
}

// baselinesJSON has the distances at which the baselines of a mission are recognised, km; null for a missing one.
type baselinesJSON struct {
	Direct       quantity.Maybe `json:"direct_km"`
	HandoverOnly quantity.Maybe `json:"handover_only_km"`
	Planned      quantity.Maybe `json:"planned_km"`
}

// baselinesOf returns the baselines of the flights in a summary.
func baselinesOf(s *study.Summary) baselinesJSON {
	return baselinesJSON{quantity.Maybe(s.DirectKm), quantity.Maybe(s.HandoverOnlyKm), quantity.Maybe(s.PlannedKm)}
}

// baselines returns the baselines of the first point.
func (r *Result) baselines() baselinesJSON { return baselinesOf(&r.Summaries[0][0]) }

// JSON returns the study as a value for package json: its baselines and size, a row for every epsilon of every
// point, and the sensitivities.
func (r *Result) JSON() any {
	out := studyJSON{
		NominalDetectionKm: r.baselines().Direct, Baselines: r.baselines(), Delta: r.Points[0].Experiment.Delta(),
		Runs: r.Runs(), Flights: r.Flights(), Complete: r.Complete, UntilKm: r.Manifest.UntilKm,
		Summary: flightfile.Summaries(r.Manifest.Sweep, r.Summaries).Objects(), Sensitivity: r.Indices().Objects(),
	}
	if out.UntilKm > 0 {
		out.Unmet = &r.Manifest.Unmet
	}
	if len(r.Sensitivities) > 0 {
		out.SensitivityOf = r.sensitivityObserver()
	}
	if r.Insensitive != nil {
		out.NoSensitivity = r.Insensitive.Error()
	}
	return out
}
