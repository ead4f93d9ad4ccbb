package panel

import (
	"image/color"
	"math"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// line is a timeline of 100 s on 1000 points, with two marks at one place and one beside them.
func line() *Timeline {
	return &Timeline{Line: draw.Rect{X: 50, Y: 200, W: 1000, H: 26}, All: draw.Rect{X: 50, Y: 100, W: 1000, H: 126},
		Times: ui.Scale{High: 100}, Marks: []Mark{{TimeS: 40}, {TimeS: 40, Sign: Disc}, {TimeS: 42}}}
}

// The mark under the pointer is the nearest one, of two at one place the later; fingers reach farther.
func TestMarkAt(t *testing.T) {
	for _, test := range []struct {
		x, y    float64
		fingers bool
		want    int
		onLine  bool
	}{
		{450, 206, false, 1, true}, {455, 206, false, 1, true}, {466, 206, false, 2, true}, {480, 206, false, -1, true},
		{480, 214, true, 2, true}, {450, 190, false, -1, false}, {450, 190, true, -1, false}, {450, 200, true, 1, true},
	} {
		l := line()
		l.Fingers = test.fingers
		mark, onLine := l.MarkAt(draw.Point{X: test.x, Y: test.y})
		if mark != test.want || onLine != test.onLine {
			t.Errorf("%+v: mark %d, on the line: %v", test, mark, onLine)
		}
	}
}

// A press on the strips or the line goes to the moment there.
func TestTimelineGoesToThePointer(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	c, list, l := ui.NewContext(ui.NewTheme(true)), draw.NewList(atlas), line()
	for _, down := range []bool{false, true} {
		list.Reset(draw.Rect{W: 1200, H: 400}, 1)
		c.Begin(list, ui.Input{Pointer: draw.Point{X: 300, Y: 120}, Down: down})
		over, sets, timeS := l.Operate(c)
		c.End()
		if !over || sets != down || math.Abs(timeS-25) > 1e-9 {
			t.Errorf("down: %v; over %v, sets %v to %v s", down, over, sets, timeS)
		}
	}
}

// A curve is drawn in its strip, with the moment on it where its value is known.
func TestStripsDrawTheMoment(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	theme, list, l := ui.NewTheme(true), draw.NewList(atlas), line()
	ink := color.NRGBA{R: 255, A: 255}
	vertices := func(now float64) int {
		l.Strips = []Strip{{Name: "altitude", Area: draw.Rect{X: 50, Y: 100, W: 1000, H: 80}, Values: ui.Scale{High: 10},
			Now: now, Ink: ink, Curves: []Curve{{N: 3, Width: 1, Ink: ink,
				At: func(i int) (float64, float64) { return 40 * float64(i), float64(i * i) }}}}}
		list.Reset(draw.Rect{W: 1200, H: 400}, 1)
		l.DrawStrips(list, &theme)
		l.DrawLine(list, &theme, 100)
		l.DrawNow(list, &theme, 40)
		return list.Vertices()
	}
	if with, without := vertices(1), vertices(math.NaN()); with != without+4 {
		t.Errorf("%d vertices with the moment on the curve, %d without", with, without)
	}
}

// The name of a strip stands where no curve goes, if there is such a place.
func TestNamesOfStripsStayOffTheCurves(t *testing.T) {
	l := line()
	for name, value := range map[string]func(float64) float64{"rising": func(s float64) float64 { return s / 10 },
		"falling": func(s float64) float64 { return 10 - s/10 }, "high": func(float64) float64 { return 9 }} {
		s := &Strip{Area: draw.Rect{X: 50, Y: 100, W: 300, H: 30}, Values: ui.Scale{High: 10}, Curves: []Curve{{N: 5000,
			At: func(i int) (float64, float64) { return float64(i) / 50, value(float64(i) / 50) }}}}
		box, p := l.nameArea(s, 70), l.plot(s)
		for i := range s.Curves[0].N {
			if at := p.At(s.Curves[0].At(i)); box.Contains(at) {
				t.Fatalf("%s: the name at %v covers %v", name, box, at)
			}
		}
		if box.Within(s.Area) != box {
			t.Errorf("%s: the name at %v leaves its strip", name, box)
		}
	}
}

// A strip that is lower than a line has a name too.
func TestLowStripsAreNamed(t *testing.T) {
	s := Strip{Name: "altitude", Area: draw.Rect{X: 50, Y: 100, W: 250, H: 12}, Values: ui.Scale{High: 10}}
	l := Timeline{Times: ui.Scale{High: 100}, Strips: []Strip{s}}
	if box := l.nameArea(&s, 60); box.Empty() || box.Y < s.Area.Y || box.Bottom() > s.Area.Bottom() {
		t.Errorf("its name stands at %v", box)
	}
}
