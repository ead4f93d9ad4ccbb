package model

import (
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// Point is a point of a sweep: the values of the swept keys, as key=value.
type Point []string

// String returns the values as people read them.
func (p Point) String() string {
	return strings.ReplaceAll(strings.Join(p, ", "), "=", " = ")
}

// mostPoints bounds the points of a sweep that are on offer.
const mostPoints = 1000

// pointsOf returns the points of a sweep in order; nil for no sweep, and for one with too many points to choose from.
func pointsOf(sweep []record.Swept) []Point {
	if len(sweep) == 0 {
		return nil
	}
	n := 1
	for _, s := range sweep {
		if n *= len(s.Values); n > mostPoints {
			return nil
		}
	}
	points := make([]Point, n)
	for i := range points {
		for k, v := range record.PointValues(sweep, i) {
			points[i] = append(points[i], sweep[k].Key+"="+table.Text(v))
		}
	}
	return points
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
	shown := m.Config.Texts()
	return slices.IndexFunc(m.Points(), func(p Point) bool {
		return !slices.ContainsFunc(p, func(set string) bool {
			key, value, _ := strings.Cut(set, "=")
			return !sameValue(shown[key], value)
		})
	})
}

// ShowPoint takes over the settings of a point of the sweep, and keeps epsilon and the run on show.
func (m *Model) ShowPoint(i int) {
	loaded, err := configs.Load(configs.Request{
		Config: "./settings.yaml", ReadFile: func(string) ([]byte, error) { return m.Record.config.YAML(), nil },
		Sets: m.Record.points[i],
	})
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		m.Say(true, "%s cannot be shown: %s", m.Record.points[i], first)
		return
	}
	m.change(func(c *configs.Config) {
		epsilon, runs := c.Privacy.Epsilon, c.Study.Runs
		*c = loaded.Config
		c.Privacy.Epsilon, c.Study.Runs = epsilon, runs
	})
}
