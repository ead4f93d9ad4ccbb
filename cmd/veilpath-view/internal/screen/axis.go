package screen

import (
	"math"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// plot is a chart's frame: an area with an axis each way.
type plot struct {
	area draw.Rect
	x, y ui.Scale
}

func (p *plot) at(x, y float64) draw.Point {
	return draw.Point{X: p.px(x), Y: p.py(y)}
}

func (p *plot) px(x float64) float64 { return p.area.X + p.area.W*p.x.Share(x) }

func (p *plot) py(y float64) float64 { return p.area.Bottom() - p.area.H*p.y.Share(y) }

// ticks returns round values on a scale, at most so many.
func ticks(s ui.Scale, most int) []float64 {
	low, high := math.Min(s.Low, s.High), math.Max(s.Low, s.High)
	if s.Log {
		return powerTicks(low, high, most)
	}
	step := roundStep((high - low) / float64(most))
	var values []float64
	const rounding = 1e-9 // of a step
	for i := math.Ceil(low/step - rounding); i*step <= high+rounding*step; i++ {
		values = append(values, i*step)
	}
	return values
}

// roundStep returns 1, 2 or 5 times a power of ten that is at least the step.
func roundStep(step float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= step*(1-1e-9) {
			return m * unit
		}
	}
	return 10 * unit
}

// powerTicks returns powers of ten, every one or, when there are too many, every second or third.
func powerTicks(low, high float64, most int) []float64 {
	first, last := math.Ceil(math.Log10(low)-1e-9), math.Floor(math.Log10(high)+1e-9)
	every := math.Max(1, math.Ceil((last-first+1)/float64(most)))
	var values []float64
	for e := last; e >= first; e -= every {
		values = append(values, math.Pow(10, e))
	}
	return values
}

// number writes a value with as few digits as tell it.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', 6, 64) } // +0 so that -0 reads 0

// fixed writes a value with so many decimals.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if text[0] == '-' && isZero(text[1:]) {
		return text[1:]
	}
	return text
}

// thousands writes a whole number in groups of three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func isZero(text string) bool {
	for _, r := range text {
		if r != '0' && r != '.' {
			return false
		}
	}
	return true
}

// gridY draws horizontal grid lines with their values left of the plot.
func (s *Screen) gridY(l *draw.List, p *plot, most int) {
	for _, v := range ticks(p.y, most) {
		y := p.py(v)
		l.Rect(draw.Rect{X: p.area.X, Y: y - 0.5, W: p.area.W, H: 1}, s.theme().Grid)
		l.TextIn(s.theme().Small, draw.Rect{X: p.area.X - 50, Y: y - 7, W: 44, H: 14}, draw.Right, s.theme().Muted, number(v))
	}
}

// gridX draws vertical grid lines with their values below the plot.
func (s *Screen) gridX(l *draw.List, p *plot, most int) {
	for _, v := range ticks(p.x, most) {
		x := p.px(v)
		l.Rect(draw.Rect{X: x - 0.5, Y: p.area.Y, W: 1, H: p.area.H}, s.theme().Grid)
		l.TextIn(s.theme().Small, draw.Rect{X: x - 24, Y: p.area.Bottom() + 2, W: 48, H: 14}, draw.Center, s.theme().Muted,
			number(v))
	}
}

// mostAPixel is how many values a pixel's width of a curve is drawn from.
const mostAPixel = 4

// curve draws y over x, with a gap where y is infinite.
func (s *Screen) curve(l *draw.List, p *plot, n int, at func(i int) (x, y float64), width float64, c colour) {
	line, low := s.thinned(flightOff), lowest(p.y)
	add := func(i int) {
		x, y := at(i)
		if math.IsInf(y, 0) {
			l.Line(line.End(), width, c)
			line.Begin()
			return
		}
		line.Add(p.at(x, math.Max(y, low)))
	}
	every := max(1, n/int(mostAPixel*p.area.W*s.scale+1))
	for i := 0; i < n-1; i += every {
		add(i)
	}
	if n > 0 {
		add(n - 1)
	}
	l.Line(line.End(), width, c)
}

// lowest keeps zero off a logarithmic axis: a value below the axis lies just below its area.
func lowest(scale ui.Scale) float64 {
	if scale.Log {
		return math.Min(scale.Low, scale.High) / 2
	}
	return math.Inf(-1)
}
