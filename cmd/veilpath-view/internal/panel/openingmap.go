package panel

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// openingMap draws the flights that the opening has come to.
func (pl *Plan) openingMap(l *draw.List, m *Map) {
	l.Clip(m.Camera.View)
	defer l.Unclip()
	if pl.Opening.AtS >= OpeningFan {
		pl.openingFlights(l, m, pl.openingPart(OpeningFan, OpeningDots))
	}
	var marks []openingMark
	for _, part := range []struct {
		f        *model.Flight
		from, to float64
		ink      colour
		there    bool
		low      bool // its mark is named below
	}{{&pl.Model.Nominal, openingDirect, openingPlanned, pl.Theme().Ink, m.DrawsDirect(), true},
		{&pl.Model.Planned, openingPlanned, OpeningFan, pl.Theme().Accent, true, false}} {
		if pl.Opening.AtS < part.from || !part.there {
			continue
		}
		n := int(pl.openingPart(part.from, part.to-0.2) * float64(len(part.f.Samples)))
		m.Path(l, part.f, n, 2.4, part.ink)
		if d := part.f.Detection; part.f.Run.Detected && d.Sample < n {
			marks = append(marks, openingMark{m.Camera.Place(part.f.Samples[d.Sample].R), part.ink,
				chart.Fixed(part.f.Run.DetectionKm, 1) + " km", part.low})
		}
	}
	for _, mark := range marks {
		mark.draw(l, pl.Theme(), m.Camera.View)
	}
}

// openingMark is where a flight of the opening is recognised.
type openingMark struct {
	at   draw.Point
	ink  colour
	text string
	low  bool
}

// draw marks the place within a view, and writes how far it is.
func (k *openingMark) draw(l *draw.List, t *ui.Theme, view draw.Rect) {
	l.Disc(k.at, 7.5, t.Background)
	l.Ring(k.at, 6, 2.2, k.ink)
	box := draw.Rect{X: k.at.X - 34, Y: either(k.low, k.at.Y+9, math.Max(view.Y, k.at.Y-27)), W: 68, H: 18}
	l.RoundRect(box, 4, ui.Faded(t.Background, 0.9))
	l.TextIn(t.Strong, box, draw.Center, k.ink, k.text)
}

// openingFlights draws the flights of the ensemble as far as they have come, each lit from where it is recognised on.
func (pl *Plan) openingFlights(l *draw.List, on *Map, share float64) {
	target := pl.Model.Experiment.Scenario.Target
	for _, m := range pl.Model.Ensemble.Members {
		if m == nil || m.Path == nil {
			continue
		}
		whole := 0
		for _, stroke := range m.Path {
			whole += len(stroke)
		}
		left, lit, points := int(share*float64(whole)), draw.Point{}, make([]draw.Point, 0, whole)
		for _, stroke := range m.Path {
			for _, p := range stroke[:min(len(stroke), max(0, left))] {
				at := on.Camera.Screen(float64(p.X), float64(p.Y))
				if lit == (draw.Point{}) && math.Hypot(float64(p.X)-target.X, float64(p.Y)-target.Y) <= m.Run.DetectionKm {
					lit = at
				}
				points = append(points, at)
			}
			left -= len(stroke)
		}
		ink := pl.DistanceColour(m.Run.DetectionKm)
		l.Line(points, 1, ui.Faded(either(lit == (draw.Point{}), pl.Theme().Muted, ink), 0.5))
		if lit != (draw.Point{}) {
			l.Disc(lit, 2.2, ink)
		}
	}
}
