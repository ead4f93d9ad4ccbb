package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"veilpath/configs"
)

// Point is a point of a sweep: the values of the swept keys, as key=value.
type Point []string

// String returns the values as people read them.
func (p Point) String() string {
	return strings.ReplaceAll(strings.Join(p, ", "), "=", " = ")
}

// mostPoints bounds the points of a sweep that are on offer.
const mostPoints = 1000

// pointsOf returns all combinations of the swept values, the last key varying fastest; nil for no sweep, and for one
// with too many points to choose from.
func pointsOf(sweep []sweptKey) []Point {
	if len(sweep) == 0 {
		return nil
	}
	points := []Point{nil}
	for _, swept := range sweep {
		if len(points)*len(swept.Values) > mostPoints {
			return nil
		}
		var longer []Point
		for _, p := range points {
			for _, value := range swept.Values {
				longer = append(longer, append(p[:len(p):len(p)], swept.Key+"="+textOf(value)))
			}
		}
		points = longer
	}
	return points
}

// textOf returns a JSON value as a setting is written: a text without its quotation marks.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// Points returns the points of the sweep that was opened, nil for none.
func (m *Model) Points() []Point {
	if m.Record == nil {
		return nil
	}
	return m.Record.points
}

// Point returns which of the Points is in force, and -1 for none.
func (m *Model) Point() int {
	if len(m.Points()) == 0 {
		return -1
	}
	shown := flatten(m.Config)
	for i, p := range m.Points() {
		same := true
		for _, set := range p {
			key, value, _ := strings.Cut(set, "=")
			same = same && fmt.Sprint(shown[key]) == fmt.Sprint(cellValue(value))
		}
		if same {
			return i
		}
	}
	return -1
}

// ShowPoint takes over the settings of a point of the sweep, and keeps epsilon and the run on show.
func (m *Model) ShowPoint(i int) {
	loaded, err := configs.Load(configs.Request{
		Config: "./settings.yaml", ReadFile: func(string) ([]byte, error) { return m.Record.Config.YAML(), nil }, Sets: m.Record.points[i],
	})
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		m.Say(true, "%s cannot be shown: %s", m.Record.points[i], first)
		return
	}
	c := loaded.Config
	c.Privacy.Epsilon, c.Study.Runs = m.Config.Privacy.Epsilon, m.Config.Study.Runs
	m.change(c)
}
