package model

import (
	"encoding/json"

	"veilpath/sim/study"
)

// Tuned is the answer of a tune.
type Tuned struct {
	InWords       string
	RadiusKm      float64
	HiddenUntilKm float64 // the demand, where it is one on the mean distance of recognition alone, km; 0 for another
	Sought
}

// tunedOf reads the answer in the manifest of a tune; nil where none is recorded.
func tunedOf(answer []byte) *Tuned {
	var a struct {
		InWords           string  `json:"in_words"`
		RadiusKm          float64 `json:"radius_km"`
		HiddenUntilKm     float64 `json:"hidden_until_km"`
		Quantile, MaxCost *float64
		Met               [][2]float64 `json:"met_epsilons"`
		NotMet            [][2]float64 `json:"not_met_epsilons"`
		Undecided         [][2]float64 `json:"undecided_epsilons"`
		Demands           []struct {
			Looks []struct{ Runs int }
		}
	}
	if json.Unmarshal(answer, &a) != nil || len(a.Demands) == 0 {
		return nil
	}
	t := &Tuned{InWords: a.InWords, RadiusKm: a.RadiusKm}
	if len(a.Demands) == 1 && a.Quantile == nil {
		t.HiddenUntilKm = a.HiddenUntilKm
	}
	t.Met, t.NotMet, t.Undecided, t.Done = ranges(a.Met), ranges(a.NotMet), ranges(a.Undecided), true
	for _, look := range a.Demands[0].Looks {
		t.Runs = look.Runs
	}
	return t
}

func ranges(pairs [][2]float64) (all []study.Range) {
	for _, p := range pairs {
		all = append(all, study.Range{Low: p[0], High: p[1]})
	}
	return all
}

// Tuned returns the answer of the tune that is open, while its settings are in force; nil for none.
func (m *Model) Tuned() *Tuned {
	if m.Record == nil || m.Record.tuned == nil || m.Record.tuned.RadiusKm != m.Config.Adversary.RadiusKm || !m.own() {
		return nil
	}
	return m.Record.tuned
}
