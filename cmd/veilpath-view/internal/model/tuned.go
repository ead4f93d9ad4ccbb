package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Tuned is the question that a tune was asked, and its answer.
type Tuned struct {
	Question      string
	Answer        string  // a sentence, with its confidence and the epsilons that were searched
	HiddenUntilKm float64 // the demand on the mean detection distance, km; 0 for none
}

// tunedOf reads the answer in the manifest of a tune; nil where none is recorded.
func tunedOf(answer []byte) *Tuned {
	var a struct {
		InWords       string `json:"in_words"`
		Confidence    float64
		Between       [2]float64
		HiddenUntilKm *float64 `json:"hidden_until_km"`
		Quantile      *float64
		Met           [][2]float64 `json:"met_epsilons"`
		Demands       []struct {
			Demand string
			Limit  float64
		}
	}
	if json.Unmarshal(answer, &a) != nil || len(a.Demands) == 0 {
		return nil
	}
	var demands, met []string
	for _, d := range a.Demands {
		demands = append(demands, fmt.Sprintf("%s at most %.4g", d.Demand, d.Limit))
	}
	for _, r := range a.Met {
		met = append(met, fmt.Sprintf("%.4g to %.4g", r[0], r[1]))
	}
	where := "no ε"
	if met != nil {
		where = "ε " + strings.Join(met, " and ")
	}
	t := &Tuned{Question: "Which ε keeps the " + strings.Join(demands, " and the ") + "?"}
	if first, _, _ := strings.Cut(a.InWords, ". "); first != "" {
		t.Answer = strings.TrimSuffix(first, ".") + ". "
	}
	t.Answer += fmt.Sprintf("Shown for %s, with %g %% confidence on the axis from ε %.4g to %.4g.", where,
		100*a.Confidence, a.Between[0], a.Between[1])
	if a.HiddenUntilKm != nil && a.Quantile == nil {
		t.HiddenUntilKm = *a.HiddenUntilKm
	}
	return t
}

// Tuned returns the question and the answer of the tune that is open and whose settings are on show; nil for none.
func (m *Model) Tuned() *Tuned {
	if m.Record == nil || !m.own() {
		return nil
	}
	return m.Record.tuned
}
