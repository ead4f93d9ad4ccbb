package screen

import (
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// fan is the flights of the ensemble as they are drawn. Laying them takes longer than all else on the map.
type fan struct {
	lines, next []fanLine // that are drawn, and storage
	version     uint64    // changes with them
}

// fanLine is how a flight of the ensemble is drawn.
type fanLine struct {
	flight *model.Member
	ink    colour
	kept   bool // on the map of the kept settings
}

// chooseFan chooses the flights that are drawn.
func (s *Screen) chooseFan() {
	f := &s.fan
	f.next = s.fanLines(f.next[:0])
	if !slices.Equal(f.next, f.lines) {
		f.lines, f.next = f.next, f.lines
		f.version++
	}
}

// fanLines appends the flights that are drawn on the maps, coloured by where each was recognised.
func (s *Screen) fanLines(lines []fanLine) []fanLine {
	if !s.ShowFan || s.Model.ShowsBaseline() || s.opening.running {
		return lines
	}
	s.onBoth(func() {
		for _, m := range s.flights() {
			if m == nil || m.Path == nil || !s.isSelected(m.Run.Run) {
				continue
			}
			ink := ui.Faded(s.distanceColour(m.Run.DetectionKm), 0.5)
			lines = append(lines, fanLine{m, ink, s.onKept})
		}
	})
	return lines
}

// fanMaps draws flights of the ensemble on the maps.
func (s *Screen) fanMaps(l *draw.List, lines []fanLine) {
	s.onMaps(l, func() {
		for _, f := range lines {
			if f.kept != s.onKept {
				continue
			}
			for _, stroke := range f.flight.Path {
				line := s.thinned(fanOff)
				for _, p := range stroke {
					line.Add(s.camera.Screen(float64(p.X), float64(p.Y)))
				}
				l.Line(line.End(), 1, f.ink)
			}
		}
	})
}

// How far from a line its thinned pieces may lie, pixels: from the flight on show, and from those of the ensemble,
// which are faint, and so many that a software renderer's time is that of their pieces.
const (
	flightOff = 0.08
	fanOff    = 0.25
)

// thinned returns the line to draw flights with, empty.
func (s *Screen) thinned(offPixels float64) *draw.Thinned {
	s.line.Off = offPixels / s.scale
	s.line.Begin()
	return &s.line
}
