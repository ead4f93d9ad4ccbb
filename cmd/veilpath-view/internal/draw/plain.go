package draw

import (
	"image"
	"image/color"
	"math"
)

// Plain finds the parts of a picture that have one colour: a window fills them sooner than it copies them.
type Plain struct {
	size, tiles image.Point // pixels, and how many tiles
	paints      []paint
	mixed       []bool // a tile has several colours
}

// plainTile is the side of a square that is plain or not, pixels.
const plainTile = 64

// Begin begins a picture of one colour.
func (p *Plain) Begin(size image.Point, background color.NRGBA) {
	p.size = size
	p.tiles = image.Pt((size.X+plainTile-1)/plainTile, (size.Y+plainTile-1)/plainTile)
	p.paints, p.mixed = p.paints[:0], p.mixed[:0]
	for range p.tiles.X * p.tiles.Y {
		p.paints, p.mixed = append(p.paints, newPaint(background)), append(p.mixed, false)
	}
}

// Add draws a list over what there is.
func (p *Plain) Add(l *List) {
	for i := range l.Batches() {
		b := &l.Batches()[i]
		for k := 0; k+2 < len(b.Indices); k += 3 {
			r, ink := b.bounds(k), paint{}
			if b.isRect(k) {
				v := &b.Vertices[b.Indices[k]]
				ink, k = paint{v.ColorR, v.ColorG, v.ColorB, v.ColorA}, k+3
			}
			p.shape(r, ink)
		}
	}
}

// isRect reports whether the two triangles from an index on are a rectangle that is covered everywhere.
func (b *Batch) isRect(k int) bool {
	if k+5 >= len(b.Indices) || b.Indices[k+5] != b.Indices[k]+3 || b.Indices[k+4] != b.Indices[k+2] {
		return false
	}
	v := b.Vertices[b.Indices[k]:]
	return v[0].Custom3 == 0 && covers(&v[0]) && covers(&v[1]) && covers(&v[2]) && covers(&v[3]) &&
		v[0].DstX == v[3].DstX && v[1].DstX == v[2].DstX && v[0].DstY == v[1].DstY && v[2].DstY == v[3].DstY
}

// shape draws what covers all of a rectangle with an opaque colour, or some of it with another.
func (p *Plain) shape(r Rect, ink paint) {
	if r.Empty() {
		return
	}
	right, bottom := min(p.tiles.X-1, int(r.Right())/plainTile), min(p.tiles.Y-1, int(r.Bottom())/plainTile)
	for y := int(r.Y) / plainTile; y <= bottom; y++ {
		for x := int(r.X) / plainTile; x <= right; x++ {
			i := y*p.tiles.X + x
			if ink.a != 1 {
				p.mixed[i] = true
				continue
			}
			switch tile := p.area(x, y, x+1); {
			case r.Within(tile) == tile:
				p.paints[i], p.mixed[i] = ink, false
			case ink != p.paints[i]:
				p.mixed[i] = true
			}
		}
	}
}

// area is that of the tiles of a row from one to another less one.
func (p *Plain) area(x, y, end int) Rect {
	left, top := float64(x*plainTile), float64(y*plainTile)
	return Rect{left, top, math.Min(float64(end*plainTile), float64(p.size.X)) - left,
		math.Min(float64((y+1)*plainTile), float64(p.size.Y)) - top}
}

// Parts passes on the picture in rectangles that are plain, each with a vertex of its colour, or not.
func (p *Plain) Parts(part func(r Rect, plain bool, ink Vertex)) {
	for y := range p.tiles.Y {
		row := y * p.tiles.X
		for x, end := 0, 0; x < p.tiles.X; x = end {
			for end = x + 1; end < p.tiles.X && p.mixed[row+end] == p.mixed[row+x] &&
				(p.mixed[row+x] || p.paints[row+end] == p.paints[row+x]); {
				end++
			}
			part(p.area(x, y, end), !p.mixed[row+x], p.paints[row+x].at(0, 0, 0, 0, solid))
		}
	}
}
