package draw

import (
	"image/color"
	"math"
	"slices"
)

// Vertex is a corner of the mesh in pixels. Its fields are those of an ebiten vertex, in the same order:
// destination, place in the atlas, premultiplied colour, then the local frame (Custom0, Custom1), the
// radius (Custom2) and 1 for text (Custom3).
type Vertex struct {
	DstX, DstY                         float32
	SrcX, SrcY                         float32
	ColorR, ColorG, ColorB, ColorA     float32
	Custom0, Custom1, Custom2, Custom3 float32
}

// Batch is triangles of a frame that are drawn at once.
type Batch struct {
	Clip     Rect // in pixels
	Fills    bool // they are rectangles that are covered everywhere
	Vertices []Vertex
	Indices  []uint16
}

// MaxBatchVertices is how many vertices a batch has at most: as many as 16-bit indices can tell apart.
const MaxBatchVertices = 1<<16 - 1

// List collects a frame, or a part of one, in the order of drawing. Reset makes it empty; its storage is
// reused.
type List struct {
	Atlas *Atlas
	// OnText, if set, is called with every line of text and its rectangle, points.
	OnText func(r Rect, c color.NRGBA, text string)

	scale   float64
	clips   []Rect // in pixels, innermost last
	batches []Batch
	used    int
}

// NewList returns an empty list whose text uses the atlas.
func NewList(atlas *Atlas) *List { return &List{Atlas: atlas, scale: 1} }

// Reset empties the list for an area of the given points, at a scale of so many pixels a point.
func (l *List) Reset(area Rect, scale float64) {
	l.scale, l.used = scale, 0
	l.clips = append(l.clips[:0], l.pixels(area))
}

// Scale returns the pixels a point.
func (l *List) Scale() float64 { return l.scale }

// Batches returns what was collected; it holds until the next Reset.
func (l *List) Batches() []Batch { return l.batches[:l.used] }

// Vertices returns how many vertices were collected.
func (l *List) Vertices() int {
	n := 0
	for _, b := range l.Batches() {
		n += len(b.Vertices)
	}
	return n
}

// Same reports whether two lists hold the same drawing.
func (l *List) Same(other *List) bool {
	a, b := l.Batches(), other.Batches()
	return l.scale == other.scale && slices.EqualFunc(a, b, func(x, y Batch) bool {
		return x.Clip == y.Clip && slices.Equal(x.Vertices, y.Vertices) &&
			slices.Equal(x.Indices, y.Indices)
	})
}

func (l *List) pixels(r Rect) Rect {
	x, y := math.Round(r.X*l.scale), math.Round(r.Y*l.scale)
	return Rect{X: x, Y: y, W: math.Round(r.Right()*l.scale) - x, H: math.Round(r.Bottom()*l.scale) - y}
}

// Clip restricts drawing to a rectangle, inside the present one, until Unclip.
func (l *List) Clip(r Rect) {
	l.clips = append(l.clips, l.pixels(r).Within(l.clips[len(l.clips)-1]))
}

// Unclip ends the latest Clip.
func (l *List) Unclip() {
	l.clips = l.clips[:len(l.clips)-1]
}

// batch returns the batch to add so many vertices to.
func (l *List) batch(vertices int) *Batch { return l.batchOf(false, vertices) }

// batchOf returns the batch to add so many vertices to, of rectangles that are filled or of anything.
func (l *List) batchOf(fills bool, vertices int) *Batch {
	clip := l.clips[len(l.clips)-1]
	if l.used > 0 {
		if b := &l.batches[l.used-1]; b.Clip == clip && b.Fills == fills && len(b.Vertices)+vertices <= MaxBatchVertices {
			return b
		}
	}
	if l.used == len(l.batches) {
		l.batches = append(l.batches, Batch{})
	}
	b := &l.batches[l.used]
	*b = Batch{Clip: clip, Fills: fills, Vertices: b.Vertices[:0], Indices: b.Indices[:0]}
	l.used++
	return b
}

// paint is a colour ready for vertices.
type paint struct{ r, g, b, a float32 }

func newPaint(c color.NRGBA) paint {
	a := float32(c.A) / 255
	return paint{float32(c.R) / 255 * a, float32(c.G) / 255 * a, float32(c.B) / 255 * a, a}
}

func (p paint) at(x, y, dx, dy, radius float64) Vertex {
	return Vertex{
		DstX: float32(x), DstY: float32(y),
		ColorR: p.r, ColorG: p.g, ColorB: p.b, ColorA: p.a,
		Custom0: float32(dx), Custom1: float32(dy), Custom2: float32(radius),
	}
}

// solid is the radius of what is covered everywhere.
const solid = 1

func (b *Batch) quad(v0, v1, v2, v3 Vertex) {
	n := uint16(len(b.Vertices))
	b.Vertices = append(b.Vertices, v0, v1, v2, v3)
	b.Indices = append(b.Indices, n, n+1, n+2, n, n+2, n+3)
}

// largeArea is how many pixels a rectangle has for which a batch of its own takes less time than a shader that looks
// for curves and glyphs, without a graphics card.
const largeArea = 1 << 13

// area adds a rectangle given in pixels.
func (l *List) area(x, y, w, h float64, p paint) {
	if w <= 0 || h <= 0 {
		return
	}
	b := l.batchOf(w*h >= largeArea, 4)
	at := func(x, y float64) Vertex { return p.at(x, y, 0, 0, solid) }
	b.quad(at(x, y), at(x+w, y), at(x+w, y+h), at(x, y+h))
}

// Rect fills a rectangle; its edges fall on whole pixels.
func (l *List) Rect(r Rect, c color.NRGBA) {
	q := l.pixels(r)
	l.area(q.X, q.Y, q.W, q.H, newPaint(c))
}

// RoundRect fills a rectangle with rounded corners.
func (l *List) RoundRect(r Rect, radius float64, c color.NRGBA) {
	q, p := l.pixels(r), newPaint(c)
	rad := math.Min(radius*l.scale, math.Min(q.W, q.H)/2)
	if rad < 1 {
		l.area(q.X, q.Y, q.W, q.H, p)
		return
	}
	l.area(q.X+rad, q.Y, q.W-2*rad, q.H, p)
	l.area(q.X, q.Y+rad, rad, q.H-2*rad, p)
	l.area(q.Right()-rad, q.Y+rad, rad, q.H-2*rad, p)
	for _, corner := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		cx, cy := q.X+rad, q.Y+rad
		if corner[0] > 0 {
			cx = q.Right() - rad
		}
		if corner[1] > 0 {
			cy = q.Bottom() - rad
		}
		dx, dy := corner[0]*rad, corner[1]*rad
		// The half pixel keeps the edge of the arc in line with the straight edges.
		edge := rad - 0.5
		l.batch(4).quad(p.at(cx, cy, 0, 0, edge), p.at(cx+dx, cy, dx, 0, edge), p.at(cx+dx, cy+dy, dx, dy, edge),
			p.at(cx, cy+dy, 0, dy, edge))
	}
}

// Frame outlines a rectangle with rounded corners by filling it twice, the border's width apart.
func (l *List) Frame(r Rect, radius, width float64, border, fill color.NRGBA) {
	l.RoundRect(r, radius, border)
	l.RoundRect(r.Inset(width), math.Max(0, radius-width), fill)
}

// Disc fills a circle.
func (l *List) Disc(center Point, radius float64, c color.NRGBA) {
	p, x, y, rad := newPaint(c), center.X*l.scale, center.Y*l.scale, radius*l.scale
	d := rad + 1
	l.batch(4).quad(p.at(x-d, y-d, -d, -d, rad), p.at(x+d, y-d, d, -d, rad), p.at(x+d, y+d, d, d, rad),
		p.at(x-d, y+d, -d, d, rad))
}

// Triangle fills a triangle with hard edges; neighbours that share an edge leave no seam.
func (l *List) Triangle(a, b, c Point, col color.NRGBA) {
	p, s := newPaint(col), l.scale
	batch := l.batch(3)
	n := uint16(len(batch.Vertices))
	batch.Vertices = append(batch.Vertices, p.at(a.X*s, a.Y*s, 0, 0, solid), p.at(b.X*s, b.Y*s, 0, 0, solid),
		p.at(c.X*s, c.Y*s, 0, 0, solid))
	batch.Indices = append(batch.Indices, n, n+1, n+2)
}

// Band fills the area between two lines with the same number of points.
func (l *List) Band(low, high []Point, c color.NRGBA) {
	for i := 1; i < len(low); i++ {
		l.Triangle(low[i-1], high[i-1], high[i], c)
		l.Triangle(low[i-1], high[i], low[i], c)
	}
}
