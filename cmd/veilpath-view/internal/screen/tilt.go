package screen

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// cellRect is a cell of the grid on screen, round its middle.
func (s *Screen) cellRect(middle draw.Point, size float64) draw.Rect {
	high := size * s.camera.Squeeze()
	return draw.Rect{X: middle.X - size/2, Y: middle.Y - high/2, W: size, H: high}
}

// onGround squeezes a line round a middle as the ground is.
func (s *Screen) onGround(line []draw.Point, middle draw.Point) []draw.Point {
	for i := range line {
		line[i].Y = middle.Y + (line[i].Y-middle.Y)*s.camera.Squeeze()
	}
	return line
}

// shadows draws what the flights cast on the ground, and posts from there up to the one on show.
func (s *Screen) shadows(l *draw.List) {
	if !s.camera.Tilted {
		return
	}
	ink := ui.Faded(s.theme().Ink, 0.3)
	shadow := func(f *model.Flight) {
		points := make([]draw.Point, 0, len(f.Samples)/8+2)
		for i := 0; i < len(f.Samples); i += 8 {
			points = append(points, s.camera.Screen(f.Samples[i].R.X, f.Samples[i].R.Y))
		}
		l.Line(points, 2, ink)
	}
	direct, f := &s.world().Nominal, s.flight()
	if s.drawsDirect() {
		shadow(direct)
	}
	if f == direct {
		return
	}
	shadow(f)
	every := max(1, int(postsS/f.StepS))
	for i := 0; i < len(f.Samples); i += every {
		s.post(l, f.Samples[i].R)
	}
}

// postsS is how far apart the posts of a flight stand, s.
const postsS = 5

// post draws a line from the ground up to a place.
func (s *Screen) post(l *draw.List, at r3.Vec) {
	if s.camera.Tilted {
		l.Segment(s.camera.Screen(at.X, at.Y), s.camera.Place(at), 0.8, ui.Faded(s.theme().Ink, 0.35))
	}
}

// cone draws the observer's guesses of the last seconds as a surface from the vehicle to where it was expected to end.
func (s *Screen) cone(l *draw.List, f *model.Flight, now int) {
	if !s.camera.Tilted {
		return
	}
	tip := s.camera.Place(f.Samples[now].R)
	ink := assets.Mix(s.theme().Background, s.observerInk(), 1)
	ink.A = coneOpacity
	before, has := draw.Point{}, false
	for i := max(0, now-int(trailS/f.StepS)); i <= now; i += max(1, int(0.25/f.StepS)) {
		if !f.Foreseen(i) {
			has = false
			continue
		}
		at := s.camera.Place(f.Predicted[i])
		if far := math.Hypot(at.X-tip.X, at.Y-tip.Y); far > lensFar {
			at = draw.Point{X: tip.X + (at.X-tip.X)/far*lensFar, Y: tip.Y + (at.Y-tip.Y)/far*lensFar}
		}
		if has {
			l.Triangle(tip, before, at, ink)
		}
		before, has = at, true
	}
}

// raisedAt returns the sample of the flight on show, off the ground, that is drawn nearest to a place, where one is
// within reach.
func (s *Screen) raisedAt(at draw.Point) (sample int, ok bool) {
	if !s.camera.Tilted {
		return 0, false
	}
	samples, best := s.flight().Samples, s.trackReach()
	last := s.camera.Place(samples[0].R)
	for i := range samples {
		p := s.camera.Place(samples[i].R)
		if away := distanceTo(at, last, p); away < best {
			best, sample, ok = away, i, true
		}
		last = p
	}
	return sample, ok
}

// sampleText tells a moment of the flight on show.
func (s *Screen) sampleText(sample int) string {
	f := s.flight()
	return fmt.Sprintf("%s: %s. Here after %s s: %s km high, %s km from the target, the guess is off by %s.",
		[...]string{"Run " + strconv.Itoa(s.Model.RunNumber), "Planned flight", "Direct flight"}[s.Model.Show],
		recognised(&f.Run, 2),
		fixed(f.TimeS(sample), 1), fixed(f.Samples[sample].R.Z, 2), fixed(f.Errors.DistanceKm[sample], 1),
		distanceText(f.Errors.ErrorKm[sample]))
}

// coneOpacity is that of the cone, of 255.
const coneOpacity = 26
