package screen

import (
	"image/color"
	"maps"
	"math"
	"net/url"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

// past is the states that can be gone back to, and forward.
type past struct {
	states  []state
	at      int    // of the present one
	version uint64 // of the model at that
}

// state is what an undo brings back: the settings, the run, and what was changed by hand.
type state struct {
	fragment string
	whatIf   model.WhatIf
}

// mostStates bounds how far one can go back.
const mostStates = 200

// remember keeps the present state once it has settled: a drag is one step.
func (s *Screen) remember() {
	p, m := &s.past, s.Model
	if s.UI.Captured() || p.version == m.Version {
		return
	}
	p.version = m.Version
	now := state{settled(m.Fragment()), model.WhatIf{Moved: maps.Clone(m.WhatIf.Moved), KeptOut: maps.Clone(m.WhatIf.KeptOut)}}
	if len(p.states) > 0 && p.states[p.at].equal(&now) {
		return
	}
	if len(p.states) > 0 {
		p.states = p.states[:p.at+1]
	}
	if p.states = append(p.states, now); len(p.states) > mostStates {
		p.states = p.states[1:]
	}
	p.at = len(p.states) - 1
}

func (a *state) equal(b *state) bool {
	return a.fragment == b.fragment && maps.Equal(a.whatIf.Moved, b.whatIf.Moved) && maps.Equal(a.whatIf.KeptOut, b.whatIf.KeptOut)
}

// settled is a fragment without the moment of the flight.
func settled(fragment string) string {
	values, err := url.ParseQuery(fragment)
	if err != nil {
		panic("screen: a fragment does not parse: " + err.Error()) // it was just encoded
	}
	values.Del("t")
	return values.Encode()
}

// undo goes so many states forward, or back where steps is negative.
func (s *Screen) undo(steps int) {
	p, m := &s.past, s.Model
	to := p.at + steps
	if to < 0 || to >= len(p.states) {
		m.Say(false, "%s", either(steps < 0, "There is nothing to undo.", "There is nothing to do again."))
		return
	}
	now := m.Clock.TimeS
	w := p.states[to].whatIf
	if err := m.OpenFragment(p.states[to].fragment, model.WhatIf{Moved: maps.Clone(w.Moved), KeptOut: maps.Clone(w.KeptOut)}); err != nil {
		m.Say(true, "%v", err)
		return
	}
	m.Clock.Seek(now)
	p.at, p.version = to, m.Version
}

// loopIcon draws a stretch between two ends.
func loopIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	for _, side := range []float64{-1, 1} {
		x := r.Center().X + side*r.W/2
		l.Line([]draw.Point{{X: x - side*r.W*0.2, Y: r.Y}, {X: x, Y: r.Y}, {X: x, Y: r.Bottom()}, {X: x - side*r.W*0.2, Y: r.Bottom()}}, 1.8, ink)
	}
	c, d := r.Center(), r.W*0.2
	l.Polygon([]draw.Point{{X: c.X - d*0.8, Y: c.Y - d}, {X: c.X + d, Y: c.Y}, {X: c.X - d*0.8, Y: c.Y + d}}, ink)
}

func undoIcon(l *draw.List, r draw.Rect, ink color.NRGBA) { turnIcon(l, r, ink, 1) }

func redoIcon(l *draw.List, r draw.Rect, ink color.NRGBA) { turnIcon(l, r, ink, -1) }

// turnIcon draws an arrow that turns back.
func turnIcon(l *draw.List, r draw.Rect, ink color.NRGBA, side float64) {
	c, q := r.Center(), r.W*0.4
	var arc []draw.Point
	for i := range 13 {
		sin, cos := math.Sincos(math.Pi * (1 - float64(i)/9))
		arc = append(arc, draw.Point{X: c.X + side*q*cos, Y: c.Y - q*sin})
	}
	l.Line(arc, 2, ink)
	tip := draw.Point{X: c.X - side*q, Y: c.Y}
	l.Polygon([]draw.Point{{X: tip.X - q*0.6, Y: tip.Y}, {X: tip.X + q*0.6, Y: tip.Y}, {X: tip.X, Y: tip.Y + q*0.8}}, ink)
}
