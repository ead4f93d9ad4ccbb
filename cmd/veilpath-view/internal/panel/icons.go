package panel

import "veilpath/cmd/veilpath-view/internal/draw"

// menuIcon, playIcon and pauseIcon are drawings on buttons.
func menuIcon(l *draw.List, r draw.Rect, ink colour) {
	for i := range 3 {
		l.Rect(draw.Rect{X: r.X, Y: r.Y + r.H*(0.12+0.33*float64(i)), W: r.W, H: 2}, ink)
	}
}

func playIcon(l *draw.List, r draw.Rect, ink colour) {
	l.Polygon([]draw.Point{{X: r.X + r.W*0.12, Y: r.Y}, {X: r.Right(), Y: r.Center().Y},
		{X: r.X + r.W*0.12, Y: r.Bottom()}}, ink)
}

func pauseIcon(l *draw.List, r draw.Rect, ink colour) {
	l.Rect(draw.Rect{X: r.X + r.W*0.1, Y: r.Y, W: r.W * 0.28, H: r.H}, ink)
	l.Rect(draw.Rect{X: r.X + r.W*0.62, Y: r.Y, W: r.W * 0.28, H: r.H}, ink)
}

var backIcon, forwardIcon = chevron(-1), chevron(1)

// chevron points to the right, or to the left where way is negative.
func chevron(way float64) func(l *draw.List, r draw.Rect, ink colour) {
	return func(l *draw.List, r draw.Rect, ink colour) {
		c := r.Center()
		tail := c.X - way*r.W*0.22
		l.Line([]draw.Point{{X: tail, Y: r.Y}, {X: c.X + way*r.W*0.28, Y: c.Y}, {X: tail, Y: r.Bottom()}}, 2, ink)
	}
}
