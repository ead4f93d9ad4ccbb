package screen

import (
	"math"
	"slices"
)

// side is a side of an area that selects flights, of the map or of the map of epsilon and radius.
type side struct {
	id, label, unit string
	low, high       float64 // it can be set between
	ratio           bool    // its values are compared by their ratio
	of              func(*selection) *float64
	opposite        func(*selection) *float64
	lower           bool // than the opposite side
}

// mapSides are the sides of an area of the map.
func (s *Screen) mapSides() []side {
	low, high := s.gridKm()
	west, east := func(c *selection) *float64 { return &c.west }, func(c *selection) *float64 { return &c.east }
	south, north := func(c *selection) *float64 { return &c.south }, func(c *selection) *float64 { return &c.north }
	const label = "Select flights through an area of the map, "
	return []side{
		{"select-west", label + "from the west", " km", low.X, high.X, false, west, east, true},
		{"select-east", label + "to the east", " km", low.X, high.X, false, east, west, false},
		{"select-south", label + "from the south", " km", low.Y, high.Y, false, south, north, true},
		{"select-north", label + "to the north", " km", low.Y, high.Y, false, north, south, false},
	}
}

// settingsSides are the sides of an area of the map of epsilon and radius.
func (s *Screen) settingsSides() []side {
	m := &s.Model.Survey
	least, most := m.Epsilons[0], m.Epsilons[len(m.Epsilons)-1]
	near, far := m.RadiiKm[0], m.RadiiKm[len(m.RadiiKm)-1]
	lowEpsilon, highEpsilon := func(c *selection) *float64 { return &c.lowEpsilon },
		func(c *selection) *float64 { return &c.highEpsilon }
	lowRadius, highRadius := func(c *selection) *float64 { return &c.lowRadius },
		func(c *selection) *float64 { return &c.highRadius }
	const label = "Select flights by an area of epsilon and radius, "
	return []side{
		{"select-least-epsilon", label + "epsilon from", "", least, most, true, lowEpsilon, highEpsilon, true},
		{"select-most-epsilon", label + "epsilon to", "", least, most, true, highEpsilon, lowEpsilon, false},
		{"select-least-radius", label + "radius from", " km", near, far, true, lowRadius, highRadius, true},
		{"select-most-radius", label + "radius to", " km", near, far, true, highRadius, lowRadius, false},
	}
}

// areaOf returns the area that is selected, or all that its sides can reach.
func (s *Screen) areaOf(a area) selection {
	if s.selection.kind == a.kind && !s.selection.kept {
		return s.selection
	}
	c := selection{kind: a.kind}
	for _, side := range a.sides {
		*side.of(&c) = either(side.lower, side.low, side.high)
	}
	return c
}

// area is a kind of selection with sides.
type area struct {
	kind  selected
	sides []side
}

// areas are those that flights are selected by: that of epsilon and radius where flights are known at many epsilons.
func (s *Screen) areas() []area {
	all := []area{{byArea, s.mapSides()}, {bySettings, s.settingsSides()}}
	return all[:either(s.Model.HasAxis(), 2, 1)]
}

// areaRows select flights by an area: a number for each of its sides.
func (s *Screen) areaRows() []control {
	find := func(id string) (a area, own side, ok bool) {
		for _, a := range s.areas() {
			if at := slices.IndexFunc(a.sides, func(other side) bool { return other.id == id }); at >= 0 {
				return a, a.sides[at], true
			}
		}
		return area{}, side{}, false
	}
	var rows []control
	for _, own := range append(s.mapSides(), s.settingsSides()...) {
		rows = append(rows, control{id: own.id, label: own.label, there: func() bool { _, _, ok := find(own.id); return ok },
			quantity: quantity{hand: true, log: own.ratio, set: func(v float64) { s.setArea(own.id, v) },
				text: func(v float64) string { return number(v) + own.unit },
				span: func() (float64, float64) { _, now, _ := find(own.id); return now.low, now.high },
				get: func() float64 {
					a, now, _ := find(own.id)
					c := s.areaOf(a)
					return clampTo(*now.of(&c), now.low, now.high)
				}}})
	}
	return rows
}

// setArea moves a side of an area, and the opposite one where it is passed. An area of all that there is selects all
// flights.
func (s *Screen) setArea(id string, v float64) {
	for _, a := range s.areas() {
		at := slices.IndexFunc(a.sides, func(other side) bool { return other.id == id })
		if at < 0 {
			continue
		}
		c, moved := s.areaOf(a), a.sides[at]
		*moved.of(&c) = v
		if opposite := moved.opposite(&c); moved.lower && *opposite < v || !moved.lower && *opposite > v {
			*opposite = v
		}
		if s.selectsAll(&c, a) {
			s.choose(selection{})
			return
		}
		if s.choose(c); a.kind == bySettings {
			s.enterArea()
		}
		return
	}
}

// selectsAll reports whether an area has all that its sides can reach.
func (s *Screen) selectsAll(c *selection, a area) bool {
	const rounding = 1e-9 // of a slider's ends
	return !slices.ContainsFunc(a.sides, func(side side) bool {
		end := either(side.lower, side.low, side.high)
		return math.Abs(*side.of(c)-end) > rounding*math.Abs(side.high-side.low)
	})
}
