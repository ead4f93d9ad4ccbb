package panel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Time is the panel of what goes over time: the line of time with what happens on the flight on show, and strips over
// it.
type Time struct {
	*Frame
	Plan *Plan

	line Timeline
}

// Area is the panel.
func (tm *Time) Area() draw.Rect { return tm.Layout.Dock }

// Timeline is the line of time with what happens on the flight on show, and the strips where they have room.
func (tm *Time) Timeline() *Timeline {
	t, f := &tm.line, tm.Model.Flight()
	t.Line, t.All, t.Fingers, t.Times = tm.Layout.Scrub, tm.Layout.Strips, tm.Layout.Compact, tm.Times()
	t.Marks, t.Strips = t.Marks[:0], t.Strips[:0]
	for _, e := range tm.Why().Events {
		t.Marks = append(t.Marks, tm.eventMark(f, e))
	}
	if !tm.Layout.Altitude.Empty() {
		t.Strips = append(t.Strips, tm.firstStrip(), tm.turnStrip(), tm.offStrip())
	}
	return t
}

// strip is a strip of a value of flights over time, from 0 to high, as far as it is known of each.
func (tm *Time) strip(area draw.Rect, high float64, known func(*model.Flight) int,
	value func(f *model.Flight, i int) float64) Strip {
	m := tm.Model
	strip := Strip{Area: area, Values: ui.Scale{High: high}, Now: math.NaN(), Ink: tm.Plan.Shown().ShownInk()}
	tm.Plan.eachCurve(func(f *model.Flight, width float64, ink colour) {
		strip.Curves = append(strip.Curves, Curve{N: known(f), Width: width, Ink: ink,
			At: func(i int) (float64, float64) { return f.TimeS(i), value(f, i) }})
	})
	f := m.Flight()
	if now := f.At(m.Clock.TimeS); now < known(f) {
		strip.Now = value(f, now)
	}
	return strip
}

// named is a strip's name in as many words as a layout has room for, where the least has a unit.
func (tm *Time) named(whole, short, unit string) string {
	const least = 340 // of a window with room for short names, points
	return either(!tm.Layout.Compact, whole, either(tm.Layout.Window.W >= least, short, unit))
}

// samples is how many samples a flight has.
func samples(f *model.Flight) int { return len(f.Samples) }

// firstStrip is that of the altitude, or of what the observers of the goal do not know.
func (tm *Time) firstStrip() Strip {
	if tm.Inferring() {
		return tm.entropyStrip()
	}
	high := tm.most(1, func(f *model.Flight) (high float64) {
		for i := 0; i < len(f.Samples); i += 10 {
			high = math.Max(high, f.Samples[i].R.Z)
		}
		return high
	})
	strip := tm.strip(tm.Layout.Altitude, high*1.15, samples,
		func(f *model.Flight, i int) float64 { return f.Samples[i].R.Z })
	strip.Name = tm.named("altitude, km", "altitude, km", "km")
	return strip
}

// entropyStrip is what the observers do not know over time, bits, where the altitude is otherwise; that of the chosen
// observer is the strongest.
func (tm *Time) entropyStrip() Strip {
	strip := Strip{Area: tm.Layout.Altitude, Ink: tm.Theme().ObserverInk(), Now: math.NaN(),
		Values: ui.Scale{High: math.Max(1, math.Ceil(tm.Model.Inference.Bits))},
		Name:   tm.named("what observers of the goal do not know, bits", "bits not known", "bits")}
	f := tm.Model.Flight()
	add := func(i int, width float64, ink colour) {
		beliefs := tm.Model.Inference.Views[i].Beliefs
		strip.Curves = append(strip.Curves, Curve{N: 2 * len(beliefs), Width: width, Ink: ink,
			At: func(k int) (float64, float64) { // each holds until the next
				end := f.DurationS()
				if k/2+1 < len(beliefs) {
					end = f.TimeS(beliefs[k/2+1].Sample)
				}
				return either(k%2 == 0, f.TimeS(beliefs[k/2].Sample), end), beliefs[k/2].Entropy
			}})
	}
	for i := range tm.Model.Inference.Views {
		if i != tm.Observer {
			add(i, 1.2, tm.Theme().Muted)
		}
	}
	if tm.View() != nil {
		add(tm.Observer, 2.2, tm.Theme().ObserverInk())
	}
	if b := tm.Belief(); b != nil {
		strip.Now = b.Entropy
	}
	return strip
}

// turnStrip is that of the turn command.
func (tm *Time) turnStrip() Strip {
	strip := tm.strip(tm.Layout.Acceleration, 1000*tm.Model.Config.Vehicle.AccelLimitKmS2*1.1, samples,
		func(f *model.Flight, i int) float64 { return 1000 * r3.Norm(f.Samples[i].A) })
	strip.Name = tm.named("turn command, m/s²", "turn, m/s²", "m/s²")
	return strip
}

// offStrip is that of the angle off the line of sight, degrees, as far as there is one.
func (tm *Time) offStrip() Strip {
	high := tm.most(1, tm.mostOff)
	capture := tm.Model.Experiment.Scenario.CaptureKm
	sighted := func(f *model.Flight) int {
		n := len(f.Samples)
		for n > 1 && f.Errors.DistanceKm[n-1] < capture {
			n--
		}
		return n
	}
	strip := tm.strip(tm.Layout.Off, math.Min(180, 20*math.Ceil(1.1*high/20)), sighted,
		func(f *model.Flight, i int) float64 { return f.OffDeg(i, f.Target) })
	strip.Name = tm.named("off the line of sight, °", "off sight, °", "°")
	return strip
}

// eventMark is how an event of a flight is marked. The moments that decide go through the strips.
func (tm *Time) eventMark(f *model.Flight, e model.Event) Mark {
	t := tm.Theme()
	mark := Mark{TimeS: f.TimeS(e.Sample), Sign: NoSign}
	switch e.Kind {
	case model.Waypoint:
		mark.Sign, mark.Ink = Above, either(e.Leaves, t.WaypointInk(), t.Muted)
	case model.Crossing:
		mark.Sign, mark.Ink = Cross, t.Ink
	case model.Handover, model.GivenUp:
		mark.Sign, mark.Ink, mark.Through = Disc, t.Ink, true
	case model.GuessIn, model.GuessOut:
		mark.Sign, mark.Ink = Below, t.ObserverInk()
	case model.Recognised:
		mark.Sign, mark.Ink, mark.Through = Disc, t.CaughtInk(), true
	}
	return mark
}

// DrawStill draws what goes over time.
func (tm *Time) DrawStill(l *draw.List) {
	l.Rect(tm.Layout.Dock, tm.Theme().Background)
	if tm.Layout.Compact {
		tm.Timeline().DrawLine(l, tm.Theme(), tm.Model.Clock.EndS)
		return
	}
	tm.Panel(l, tm.Layout.Dock, "")
	if !tm.Layout.Altitude.Empty() {
		tm.stillStrips(l)
	}
	tm.Timeline().DrawLine(l, tm.Theme(), tm.Model.Clock.EndS)
}

// stillStrips draws what goes over time above the line, where there is room for any of it.
func (tm *Time) stillStrips(l *draw.List) {
	if t := tm.Timeline(); len(t.Strips) > 0 {
		t.DrawStrips(l, tm.Theme())
	}
}

// DrawMoving draws the moment on the timeline.
func (tm *Time) DrawMoving(l *draw.List) {
	tm.Timeline().DrawNow(l, tm.Theme(), tm.Model.Clock.TimeS)
}

// Operate goes to the moment where the pointer is on the timeline, and says what is there.
func (tm *Time) Operate() {
	t := tm.Timeline()
	over, sets, timeS := t.Operate(tm.UI)
	if over {
		tm.hintTimeline(t)
	}
	if sets {
		tm.Model.Clock.StopAt(timeS)
	}
}

// hintTimeline explains the event whose mark is under the pointer, or tells the values of the strips there.
func (tm *Time) hintTimeline(t *Timeline) {
	switch mark, onLine := t.MarkAt(tm.UI.Input.Pointer); {
	case !onLine:
		tm.hintMoment(t)
	case mark >= 0:
		tm.UI.Hint(true, draw.Rect{X: t.X(t.Marks[mark].TimeS) - 4, Y: t.Y() - 8, W: 8, H: 16},
			tm.EventText(tm.Why().Events[mark]))
	}
}

// hintMoment tells the values of the strips where the pointer is.
func (tm *Time) hintMoment(t *Timeline) {
	f, at := tm.Model.Flight(), tm.UI.Input.Pointer
	i := f.At(t.timeAt(at.X))
	text := fmt.Sprintf("%s s: altitude %s km, turn %s m/s², %s off the line of sight", chart.Fixed(f.TimeS(i), 1),
		chart.Fixed(f.Samples[i].R.Z, 2), chart.Fixed(1000*r3.Norm(f.Samples[i].A), 0), answer.Degrees(f.OffDeg(i, f.Target)))
	if v := tm.View(); v != nil && tm.Inferring() {
		if b := v.At(i); b != nil {
			text += fmt.Sprintf("; %s has %s bits left to learn", v.Name, chart.Fixed(b.Entropy, 1))
		}
	}
	tm.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 8, W: 8, H: 16}, text)
}

// mostOff returns the largest angle off the line of sight on the way, degrees.
func (tm *Time) mostOff(f *model.Flight) float64 {
	most := 0.0
	for i := 0; i < len(f.Samples); i += 5 {
		if f.Errors.DistanceKm[i] > tm.Model.Experiment.Scenario.CaptureKm {
			most = math.Max(most, f.OffDeg(i, f.Target))
		}
	}
	return most
}
