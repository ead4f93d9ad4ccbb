package main

import (
	"encoding/json"
	"fmt"
	"math"
)

// maybe is a number that JSON writes as null where there is none, or where it is infinite.
type maybe float64

// MarshalJSON writes the number, or null when it is not finite.
func (m maybe) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(m)) || math.IsInf(float64(m), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(m))
}

// count says how many there are of something.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
