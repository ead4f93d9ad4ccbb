package campaign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Change is a setting with different values on the two sides, as text.
type Change struct{ Key, A, B string }

// Brief returns both values, short enough for a line. Long values begin shortly before the first difference.
func (c Change) Brief() (a, b string) {
	const before = 20 // equal characters before the difference
	left, right := []rune(c.A), []rune(c.B)
	same := 0
	for same < min(len(left), len(right)) && left[same] == right[same] {
		same++
	}
	if max(len(left), len(right)) <= longestCell || same <= before {
		return Clipped(c.A), Clipped(c.B)
	}
	from := same - before
	return "..." + Clipped(string(left[from:])), "..." + Clipped(string(right[from:]))
}

// Changes lists the differing settings of two JSON texts, except the number of workers.
func Changes(a, b []byte) []Change {
	left, right := flatten(a), flatten(b)
	both := maps.Clone(left)
	maps.Copy(both, right)
	var all []Change
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if left[key] != right[key] && key != workersKey {
			all = append(all, Change{key, cmp.Or(left[key], "none"), cmp.Or(right[key], "none")})
		}
	}
	return all
}

// flatten returns the values of a configuration in JSON by key.
func flatten(text json.RawMessage) map[string]string {
	var tree map[string]json.RawMessage
	flat := map[string]string{}
	if json.Unmarshal(text, &tree) != nil {
		return flat
	}
	for name, raw := range tree {
		var group map[string]any
		if json.Unmarshal(raw, &group) != nil {
			var v any
			if json.Unmarshal(raw, &v) == nil {
				flat[name] = fmt.Sprint(v)
			}
			continue
		}
		for k, v := range group {
			flat[name+"."+k] = fmt.Sprint(v)
		}
	}
	return flat
}

// longestCell is the maximum length of a value in a cell, characters.
const longestCell = 60

// Clipped shortens a value to longestCell.
func Clipped(text string) string {
	if letters := []rune(text); len(letters) > longestCell {
		return string(letters[:longestCell]) + "..."
	}
	return text
}
