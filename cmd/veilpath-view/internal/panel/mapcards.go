package panel

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
)

// cards is where the readings and the legend lie on the map of a wide layout: where they cover nothing of
// the flight on show, of the direct flight, of small circles around goals and of each other. One without such a place
// is left out.
type cards struct {
	key              cardsKey
	readings, legend draw.Rect
	names            []name      // of the marks, as they were last drawn
	signs            []draw.Rect // of the marks
}

// cardsKey is what the places depend on.
type cardsKey struct {
	camera   model.Camera
	shown    uint64
	compact  bool
	heat     answer.Heat
	legendH  float64
	scale    float64
	readings bool
}

// clearance is how far cards stay from the line of a flight, points.
const clearance = 5

// PlaceCards gives the cards their places.
func (m *Map) PlaceCards() {
	key := cardsKey{m.Camera, m.Version, m.Fingers, m.Heat, m.legendHeight(), m.Scale, m.Readings}
	if m.cards.key == key {
		return
	}
	m.cards = cards{key: key, names: m.cards.names, signs: m.cards.signs}
	if m.Fingers {
		return // there they are panels
	}
	drawn := labels{lines: m.drawnLines()}
	taken := []draw.Rect{m.Scalebar()}
	const large = 1. / 6 // of the map; a larger circle would leave no place
	if reach := m.World.Config.Privacy.HandoverKm * m.Camera.PointsPerKm; reach < large*m.Camera.View.W {
		for _, goal := range m.Goals() {
			at := m.Camera.Screen(goal.X, goal.Y)
			taken = append(taken, draw.Rect{X: at.X - reach, Y: at.Y - reach, W: 2 * reach, H: 2 * reach})
		}
	}
	place := func(w, h float64, right, low bool) draw.Rect {
		for _, r := range m.placesFor(w, h, right, low) {
			if !drawn.onLine(r.Inset(-clearance)) && !slices.ContainsFunc(taken, r.Inset(-layout.Gap/2).Overlaps) {
				taken = append(taken, r)
				return r
			}
		}
		return draw.Rect{}
	}
	if m.Readings {
		m.cards.readings = place(readingsWidth, layout.ReadingsHeight(1), false, false)
	}
	// Beliefs gather around the goal, away from which they are explained.
	goal := m.Camera.Screen(m.Goals()[0].X, m.Goals()[0].Y)
	right := m.Heat != answer.HeatBelief || goal.X < m.Camera.View.Center().X
	m.cards.legend = place(LegendWidth, key.legendH, right, false)
}

// placesFor returns the places at the edge of the map for a card, the one in its own corner first.
func (m *Map) placesFor(w, h float64, right, low bool) []draw.Rect {
	r := m.Camera.View.Inset(layout.Gap)
	if r.W < w || r.H < h {
		return nil
	}
	xs := [3]float64{r.X, r.X + (r.W-w)/2, r.Right() - w}
	ys := [3]float64{r.Y, r.Y + (r.H-h)/2, r.Bottom() - h}
	if right {
		xs[0], xs[2] = xs[2], xs[0]
	}
	if low {
		ys[0], ys[2] = ys[2], ys[0]
	}
	var places []draw.Rect
	for _, at := range [8][2]int{{0, 0}, {2, 0}, {0, 2}, {2, 2}, {0, 1}, {2, 1}, {1, 0}, {1, 2}} {
		places = append(places, draw.Rect{X: xs[at[0]], Y: ys[at[1]], W: w, H: h})
	}
	return places
}

// Drawn returns the flights that are lines on the map.
func (m *Map) Drawn() []*model.Flight {
	direct, f := &m.World.Nominal, m.Flight()
	if f == direct || !m.DrawsDirect() {
		return []*model.Flight{f}
	}
	return []*model.Flight{direct, f}
}

// drawnLines returns the lines of the flights that are drawn on the map.
func (m *Map) drawnLines() (lines [][]draw.Point) {
	for _, f := range m.Drawn() {
		for line := range m.linesOf(f, len(f.Samples)) {
			lines = append(lines, slices.Clone(line))
		}
	}
	return lines
}

// Cards returns where the legend and the numbers of the moment lie on the map.
func (m *Map) Cards() []draw.Rect {
	return []draw.Rect{m.cards.legend, m.cards.readings}
}

// Foot returns the ends of the room at the foot of the map between the scale and the cards that lie there.
func (m *Map) Foot() (left, right float64) {
	const height = 40 // of two lines of values
	r := m.Camera.View
	left, right = m.Scalebar().Right()+2*layout.Pad, r.Right()-layout.Pad
	for _, card := range m.Cards() {
		switch {
		case card.Empty() || card.Bottom() < r.Bottom()-height:
		case card.Center().X > r.Center().X:
			right = math.Min(right, card.X-layout.Pad)
		default:
			left = math.Max(left, card.Right()+layout.Pad)
		}
	}
	return left, right
}
