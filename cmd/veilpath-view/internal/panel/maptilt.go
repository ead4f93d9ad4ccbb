package panel

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// shadows draws what the flights cast on the ground, and posts from there up to the one on show.
func (m *Map) shadows(l *draw.List) {
	if !m.Camera.Tilted {
		return
	}
	ink := ui.Faded(m.Theme.Ink, 0.3)
	shadow := func(f *model.Flight) {
		points := make([]draw.Point, 0, len(f.Samples)/8+2)
		for i := 0; i < len(f.Samples); i += 8 {
			points = append(points, m.Camera.Screen(f.Samples[i].R.X, f.Samples[i].R.Y))
		}
		l.Line(points, 2, ink)
	}
	direct, f := &m.World.Nominal, m.Flight()
	if m.DrawsDirect() {
		shadow(direct)
	}
	if f == direct {
		return
	}
	shadow(f)
	every := max(1, int(postsS/f.StepS))
	for i := 0; i < len(f.Samples); i += every {
		m.post(l, f.Samples[i].R)
	}
}

// postsS is how far apart the posts of a flight stand, s.
const postsS = 5

// post draws a line from the ground up to a place.
func (m *Map) post(l *draw.List, at r3.Vec) {
	if m.Camera.Tilted {
		l.Segment(m.Camera.Screen(at.X, at.Y), m.Camera.Place(at), 0.8, ui.Faded(m.Theme.Ink, 0.35))
	}
}

// cone draws the observer's guesses of the last seconds as a surface from the vehicle to where it was expected to end.
func (m *Map) cone(l *draw.List, f *model.Flight, now int) {
	if !m.Camera.Tilted {
		return
	}
	tip := m.Camera.Place(f.Samples[now].R)
	ink := assets.Mix(m.Theme.Background, m.Theme.ObserverInk(), 1)
	ink.A = coneOpacity
	before, has := draw.Point{}, false
	for i := max(0, now-int(trailS/f.StepS)); i <= now; i += max(1, int(0.25/f.StepS)) {
		if !f.Foreseen(i) {
			has = false
			continue
		}
		at := m.Camera.Place(f.Predicted[i])
		if far := math.Hypot(at.X-tip.X, at.Y-tip.Y); far > lensFar {
			at = draw.Point{X: tip.X + (at.X-tip.X)/far*lensFar, Y: tip.Y + (at.Y-tip.Y)/far*lensFar}
		}
		if has {
			l.Triangle(tip, before, at, ink)
		}
		before, has = at, true
	}
}

// Raised returns the sample of the flight on show, off the ground, that is drawn nearest to a place, where one is
// within reach, points.
func (m *Map) Raised(at draw.Point, reach float64) (sample int, ok bool) {
	if !m.Camera.Tilted {
		return 0, false
	}
	samples, best := m.Flight().Samples, reach
	last := m.Camera.Place(samples[0].R)
	for i := range samples {
		p := m.Camera.Place(samples[i].R)
		if away := at.Away(last, p); away < best {
			best, sample, ok = away, i, true
		}
		last = p
	}
	return sample, ok
}

// coneOpacity is that of the cone, of 255.
const coneOpacity = 26
