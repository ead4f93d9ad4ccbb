package views

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/phrase"
)

// DrawBars draws the buttons above and below the views, and works them.
func (v *Views) DrawBars() {
	l, t, r := v.UI.List, v.theme(), v.Layout.Top
	l.TextIn(t.Title, draw.Rect{X: 16, Y: r.Y, W: 100, H: r.H}, draw.Left, t.Ink, "veilpath")
	height := either(v.Layout.Narrow, Touch, 28.)
	y := r.Y + (r.H-height)/2
	button := func(id, text string, x float64, fromRight bool) float64 {
		w := l.Width(t.Body, text) + 26
		if fromRight {
			x -= w
		}
		v.Controls.Labelled(id, draw.Rect{X: x, Y: y, W: w, H: height}, text)
		return either(fromRight, x-8, x+w+8)
	}
	if v.Layout.Narrow {
		x := button("menu", "…", r.Right()-8, true)
		x = button("export", "Save", x, true)
		button("mission", "Mission", x, true)
		return
	}
	x := button("mission", "Mission: "+either(v.MissionName() == "", "own", v.MissionName()), 112, false)
	x = button("observer", "Observer: "+answer.Spoken(v.Model.Config.Adversary.Observer), x, false)
	button("flights", answer.Thousands(v.Model.Runs())+" flights", x, false)
	x = button("menu", "Find  Ctrl K", r.Right()-16, true)
	x = button("export", "Share, save", x, true)
	button("story", "Story", x, true)
}

// DrawHeadline draws the answer in two sentences.
func (v *Views) DrawHeadline(l *draw.List) {
	t, r := v.theme(), v.Layout.Headline
	first, second := v.Finding()
	large, small := draw.Style{Bold: true, Size: 26}, draw.Style{Size: 15}
	if v.Layout.Narrow {
		large.Size, small.Size = 18, 13
	}
	for large.Size > 14 && l.Width(large, first) > r.W {
		large.Size--
	}
	l.TextIn(large, draw.Rect{X: r.X, Y: r.Y + 4, W: r.W, H: 1.4 * large.Size}, draw.Left, t.Ink, first)
	at := draw.Rect{X: r.X, Y: r.Y + 4 + 1.4*large.Size, W: r.W, H: 1.3 * small.Size}
	l.Paragraph(small, at, either(v.Layout.Narrow, 3, 2), t.Muted, second)
}

// drawTransport draws what the flight on show is, and why it is recognised where it is.
func (v *Views) drawTransport(l *draw.List) {
	t, m, r := v.theme(), v.Model, v.Layout.Transport
	l.RoundRect(r, v.look.Corner, t.Panel)
	text := r.Trim(r.H+58, 8, 12, 8)
	if v.Layout.Narrow {
		text = r.Trim(60, 4, 100, 0)
	}
	name := fmt.Sprintf("Flight %d of %s", m.RunNumber, answer.Thousands(m.Runs()))
	if m.ShowsBaseline() {
		name = answer.Capital(answer.ShownNames[m.Show])
	}
	if m.Flight().Recorded {
		name = fmt.Sprintf("Flight %d, recorded", m.RunNumber)
	}
	first, second := v.Because()
	if m.Message.Text != "" {
		first, second = m.Message.Text, ""
	}
	km := either(m.Flight().Run.Detected, phrase.Fixed(m.Flight().Run.DetectionKm, 1)+" km", "never")
	if v.Layout.Narrow {
		l.TextIn(t.Strong, draw.Rect{X: text.X, Y: text.Y, W: text.W, H: 48}, draw.Left, t.Ink, name+": "+km)
		l.Paragraph(t.Small, draw.Rect{X: r.X + 10, Y: r.Y + 54, W: r.W - 20, H: 16}, 2, t.Muted, first)
		return
	}
	left, why := text.CutLeft(130)
	l.TextIn(t.Strong, draw.Rect{X: left.X, Y: left.Y, W: left.W, H: 22}, draw.Left, t.Ink, name)
	l.TextIn(t.Small, draw.Rect{X: left.X, Y: left.Y + 22, W: left.W, H: 20}, draw.Left, t.Muted, "recognised: "+km)
	if second == "" {
		l.Paragraph(t.Body, draw.Rect{X: why.X + 8, Y: why.Y, W: why.W - 8, H: 20}, 2, t.Ink, first)
		return
	}
	if l.Width(t.Body, first) > why.W-8 {
		l.Paragraph(t.Small, draw.Rect{X: why.X + 8, Y: why.Y, W: why.W - 8, H: 15}, 3, t.Ink, first)
		return
	}
	l.TextIn(t.Body, draw.Rect{X: why.X + 8, Y: why.Y, W: why.W - 8, H: 22}, draw.Left, t.Ink, first)
	l.TextIn(t.Small, draw.Rect{X: why.X + 8, Y: why.Y + 22, W: why.W - 8, H: 20}, draw.Left, t.Muted, second)
}

// DrawTransport draws the buttons of the flight on show, and works them.
func (v *Views) DrawTransport() {
	l, t, r := v.UI.List, v.theme(), v.Layout.Transport
	radius := either(v.Layout.Narrow, 22., math.Min(22, r.H/2-9))
	c := draw.Point{X: r.X + radius + 10, Y: r.Y + either(v.Layout.Narrow, 27, r.H/2)}
	box := draw.Rect{X: c.X - radius, Y: c.Y - radius, W: 2 * radius, H: 2 * radius}
	_, clicked := v.UI.Spot("play", box, "Play and pause (Space)")
	l.Disc(c, radius, t.PrivateInk())
	if k := radius / 21; v.Model.Clock.Playing {
		for _, side := range []float64{-1, 1} {
			l.Rect(draw.Rect{X: c.X + side*5*k - 2.5*k, Y: c.Y - 8*k, W: 5 * k, H: 16 * k}, t.Background)
		}
	} else {
		l.Triangle(draw.Point{X: c.X - 6*k, Y: c.Y - 10*k}, draw.Point{X: c.X - 6*k, Y: c.Y + 10*k},
			draw.Point{X: c.X + 11*k, Y: c.Y}, t.Background)
	}
	if clicked {
		v.Model.Clock.Toggle()
	}
	size, x := 24., box.Right()+10
	if v.Layout.Narrow {
		size, x = Touch, r.Right()-2*Touch-8
	}
	v.Controls.Labelled("run.before", draw.Rect{X: x, Y: c.Y - size/2, W: size, H: size}, "‹")
	v.Controls.Labelled("run.next", draw.Rect{X: x + size + 4, Y: c.Y - size/2, W: size, H: size}, "›")
}

// drawAnswer says for which epsilons the demand is met.
func (v *Views) drawAnswer(l *draw.List) {
	t, r := v.theme(), v.Layout.Answer
	l.RoundRect(r, v.look.Corner, t.Panel)
	ink := either(v.DemandKm > 0, v.green, t.Muted)
	l.Paragraph(t.Body, draw.Rect{X: r.X + 12, Y: r.Y + 8, W: r.W - 24, H: 17}, int((r.H-12)/17), ink, v.DemandAnswer())
}

// DrawStill draws what stays until something changes.
func (v *Views) DrawStill(l *draw.List) {
	v.Where.Draw(l, &v.look)
	v.Why.Draw(l, &v.look)
	v.drawHeaps(l)
	v.drawJoint(l)
	v.drawTransport(l)
	v.Choose.Draw(l, &v.look)
	v.Cost.Draw(l, &v.look)
	v.drawComparison(l)
	v.drawAnswer(l)
}
