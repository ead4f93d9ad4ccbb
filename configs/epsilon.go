package configs

import (
	"encoding/json"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"
)

// None is what a setting of epsilon says for the plan without noise. In numbers it is +Inf.
const None = none

// EpsilonText writes an epsilon so that reading it as a setting gives the same one: a number, or none.
func EpsilonText(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return none
	}
	return exactNumber(epsilon)
}

// strength holds the epsilons: numbers, and none for the plan without noise.
type strength struct{ number interval }

func (d strength) name() string { return "number" }

func (d strength) String() string { return d.number.String() + ", or " + none }

func (d strength) parse(n *yaml.Node) (any, string) {
	if text, _ := wordText(n); text == none {
		return math.Inf(1), ""
	}
	return d.number.parse(n)
}

// jsonEpsilon is an epsilon in JSON: a number, or "none".
type jsonEpsilon float64

// MarshalJSON writes the number, or "none".
func (e jsonEpsilon) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(e), 1) {
		return json.Marshal(none)
	}
	return json.Marshal(float64(e))
}

// MarshalJSON writes the settings by their keys, an epsilon without noise as "none".
func (p Privacy) MarshalJSON() ([]byte, error) {
	type settings Privacy
	return json.Marshal(struct {
		Epsilon jsonEpsilon `json:"epsilon"`
		settings
	}{jsonEpsilon(p.Epsilon), settings(p)})
}

// MarshalJSON writes the settings by their keys, an epsilon without noise as "none".
func (s Study) MarshalJSON() ([]byte, error) {
	type settings Study
	epsilons := make([]jsonEpsilon, len(s.Epsilons))
	for i, epsilon := range s.Epsilons {
		epsilons[i] = jsonEpsilon(epsilon)
	}
	return json.Marshal(struct {
		Epsilons []jsonEpsilon `json:"epsilons"`
		settings
	}{epsilons, settings(s)})
}

// isNone reports whether an item of a list of epsilons is none.
func isNone(item *yaml.Node) bool {
	return item.Kind == yaml.ScalarNode && strings.TrimSpace(item.Value) == none
}
