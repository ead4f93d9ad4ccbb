package draw

import (
	"image/color"
	"math"
)

// longestMiter bounds how far a corner of a line reaches out, in half widths.
const longestMiter = 2

// shortestPiece is the length in pixels below which a piece of a line is left out.
const shortestPiece = 0.05

// Line draws a line through the points, width in points.
func (l *List) Line(points []Point, width float64, c color.NRGBA) {
	l.stroke(points, width, newPaint(c))
}

// Dashed draws a line in dashes of the given length and gap, in points.
func (l *List) Dashed(points []Point, width, dash, gap float64, c color.NRGBA) {
	p := newPaint(c)
	left, on := dash, true
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		if length > longestDashed {
			return
		}
		for at := 0.0; at < length; {
			step := math.Min(left, length-at)
			if on {
				l.stroke([]Point{along(a, b, at/length), along(a, b, (at+step)/length)}, width, p)
			}
			at, left = at+step, left-step
			if left <= 0 {
				on = !on
				left = dash
				if !on {
					left = gap
				}
			}
		}
	}
}

// longestDashed bounds the work of dashing a line that leaves the screen by far, in points.
const longestDashed = 20_000

func along(a, b Point, t float64) Point { return Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)} }

// Ring draws a circle's line.
func (l *List) Ring(center Point, radius, width float64, c color.NRGBA) {
	l.Line(Circle(center, radius, l.scale), width, c)
}

// Circle returns points on a circle, the first one again at the end, close enough for a smooth line.
func Circle(center Point, radius, scale float64) []Point {
	n := int(math.Max(16, math.Min(256, 4*math.Sqrt(radius*scale)*math.Pi)))
	points := make([]Point, n+1)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		points[i] = Point{X: center.X + radius*cos, Y: center.Y + radius*sin}
	}
	return points
}

// stroke adds a strip of two vertices a point, mitred at the corners, split where a batch is full.
func (l *List) stroke(points []Point, width float64, p paint) {
	const most = MaxBatchVertices/2 - 1
	for len(points) > most {
		l.strip(points[:most], width, p)
		points = points[most-1:]
	}
	l.strip(points, width, p)
}

func (l *List) strip(points []Point, width float64, p paint) {
	s := l.scale
	half := width * s / 2
	reach := half + 1
	b := l.batch(2 * len(points))
	first, count := len(b.Vertices), 0
	var last, n Point // place and normal of the piece before
	emit := func(at, normal Point, stretch float64) {
		x, y := normal.X*reach*stretch, normal.Y*reach*stretch
		b.Vertices = append(b.Vertices, p.at(at.X+x, at.Y+y, 0, reach, half), p.at(at.X-x, at.Y-y, 0, -reach, half))
		count++
	}
	pending := false
	for _, q := range points {
		at := Point{X: q.X * s, Y: q.Y * s}
		if !pending {
			last, pending = at, true
			continue
		}
		dx, dy := at.X-last.X, at.Y-last.Y
		length := math.Hypot(dx, dy)
		if length < shortestPiece {
			continue
		}
		normal := Point{X: -dy / length, Y: dx / length}
		if count == 0 {
			emit(last, normal, 1)
		} else {
			mx, my := n.X+normal.X, n.Y+normal.Y
			size := math.Hypot(mx, my)
			if size < 1e-6 {
				emit(last, n, 1)
			} else {
				emit(last, Point{X: mx / size, Y: my / size}, math.Min(longestMiter, 2/size))
			}
		}
		last, n = at, normal
	}
	if count == 0 {
		return
	}
	emit(last, n, 1)
	for i := range count - 1 {
		v := uint16(first + 2*i)
		b.Indices = append(b.Indices, v, v+1, v+2, v+1, v+3, v+2)
	}
}
