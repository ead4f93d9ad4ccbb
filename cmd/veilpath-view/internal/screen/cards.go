package screen

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

// cards is where the readings, the legend and the lens lie on the map of a wide layout: where they cover nothing of
// the flight on show, of the direct flight, of small circles around goals and of each other. One without such a place
// is left out.
type cards struct {
	key                    cardsKey
	readings, legend, lens draw.Rect
	names                  []name // of the marks, as they were last drawn
}

// cardsKey is what the places depend on.
type cardsKey struct {
	camera  model.Camera
	shown   uint64
	compact bool
	legendH float64
	scale   float64
	folded  panelSet
}

// clearance is how far cards stay from the line of a flight, points.
const clearance = 5

// placeCards gives the cards of a map their places.
func (s *Screen) placeCards() {
	key := cardsKey{s.camera, s.Model.Version, s.layout.Compact, s.legendHeight(), s.scale, s.Folded}
	if s.cards.key == key {
		return
	}
	s.cards = cards{key: key, names: s.cards.names}
	if s.layout.Compact {
		return // there they are panels
	}
	drawn := labels{lines: s.drawnLines()}
	taken := []draw.Rect{s.scaleArea()}
	const large = 1. / 6 // of the map; a larger circle would leave no place
	if reach := s.world().Config.Privacy.HandoverKm * s.camera.PointsPerKm; reach < large*s.layout.Map.W {
		for _, goal := range s.goals() {
			at := s.camera.Screen(goal.X, goal.Y)
			taken = append(taken, draw.Rect{X: at.X - reach, Y: at.Y - reach, W: 2 * reach, H: 2 * reach})
		}
	}
	place := func(w, h float64, right, low bool) draw.Rect {
		for _, r := range s.placesFor(w, h, right, low) {
			free := !drawn.onLine(r.Inset(-clearance))
			for _, t := range taken {
				free = free && !t.Overlaps(r.Inset(-gap/2))
			}
			if free {
				taken = append(taken, r)
				return r
			}
		}
		return draw.Rect{}
	}
	if !s.Folded.has(panelReadings) {
		s.cards.readings = place(readingsWidth, readingsHeight(1), false, false)
	}
	if !s.onKept { // one is enough
		s.cards.legend = place(legendWidth, key.legendH, true, false)
	}
	if !s.Folded.has(panelLens) {
		s.cards.lens = place(lensSide, lensSide, true, true)
	}
}

// placesFor returns the places at the edge of the map for a card, the one in its own corner first.
func (s *Screen) placesFor(w, h float64, right, low bool) []draw.Rect {
	const margin = 8
	r := s.layout.Map.Inset(margin)
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

// drawnFlights returns the flights that are lines on the map.
func (s *Screen) drawnFlights() []*model.Flight {
	direct, f := &s.world().Nominal, s.flight()
	if f == direct || !s.drawsDirect() {
		return []*model.Flight{f}
	}
	return []*model.Flight{direct, f}
}

// drawnLines returns the lines of the flights that are drawn on the map.
func (s *Screen) drawnLines() (lines [][]draw.Point) {
	for _, f := range s.drawnFlights() {
		for line := range s.linesOf(f, len(f.Samples)) {
			lines = append(lines, slices.Clone(line))
		}
	}
	return lines
}

// meets reports whether the segment between two points outside a rectangle goes through it.
func meets(a, b draw.Point, r draw.Rect) bool {
	if math.Max(a.X, b.X) < r.X || math.Min(a.X, b.X) > r.Right() || math.Max(a.Y, b.Y) < r.Y ||
		math.Min(a.Y, b.Y) > r.Bottom() {
		return false
	}
	side := func(x, y float64) bool { return (b.X-a.X)*(y-a.Y) > (b.Y-a.Y)*(x-a.X) }
	first := side(r.X, r.Y)
	return side(r.Right(), r.Y) != first || side(r.X, r.Bottom()) != first || side(r.Right(), r.Bottom()) != first
}

// legendArea is where the legend lies on the map.
func (s *Screen) legendArea() draw.Rect { return s.cards.legend }

// lensArea is where the lens lies on the map.
func (s *Screen) lensArea() draw.Rect { return s.cards.lens }

// readingsArea is where the readings lie on the map.
func (s *Screen) readingsArea() draw.Rect { return s.cards.readings }
