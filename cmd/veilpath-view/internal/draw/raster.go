package draw

import (
	"image"
	"math"
)

// Raster draws a list into a picture without a graphics card, as the shader of package view does. Pixels are those of
// the list; the picture's corner is where bounds begin. It is for files; a window is drawn much sooner by the card.
func Raster(l *List, picture *image.RGBA) {
	for _, b := range l.Batches() {
		clip := image.Rect(int(b.Clip.X), int(b.Clip.Y), int(b.Clip.Right()),
			int(b.Clip.Bottom())).Intersect(picture.Bounds())
		if clip.Empty() {
			continue
		}
		if b.Picture != nil {
			stretch(picture, clip, b.Picture, b.Target)
			continue
		}
		for i := 0; i+2 < len(b.Indices); i += 3 {
			rasterTriangle(picture, clip, l.Atlas, &b.Vertices[b.Indices[i]], &b.Vertices[b.Indices[i+1]],
				&b.Vertices[b.Indices[i+2]])
		}
	}
}

// stretch draws a picture over a rectangle without smoothing.
func stretch(to *image.RGBA, clip image.Rectangle, p *Picture, r Rect) {
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		v := int(math.Floor((float64(y) + 0.5 - r.Y) / r.H * float64(p.Height)))
		if v < 0 || v >= p.Height {
			continue
		}
		for x := clip.Min.X; x < clip.Max.X; x++ {
			u := int(math.Floor((float64(x) + 0.5 - r.X) / r.W * float64(p.Width)))
			if u < 0 || u >= p.Width {
				continue
			}
			c := p.RGBA[4*(v*p.Width+u):]
			blend(to, x, y, float32(c[0])/255, float32(c[1])/255, float32(c[2])/255, float32(c[3])/255)
		}
	}
}

// rasterTriangle fills a triangle. A pixel belongs to it when its middle does; on an edge, when that is a left or an
// upper one, so that of two triangles which share an edge one has it.
func rasterTriangle(to *image.RGBA, clip image.Rectangle, atlas *Atlas, a, b, c *Vertex) {
	area := edge(a, b, c.DstX, c.DstY)
	if area == 0 {
		return
	}
	if area < 0 {
		b, c, area = c, b, -area
	}
	box := image.Rect(
		int(math.Floor(float64(min(a.DstX, b.DstX, c.DstX)))), int(math.Floor(float64(min(a.DstY, b.DstY, c.DstY)))),
		int(math.Ceil(float64(max(a.DstX, b.DstX, c.DstX))))+1,
		int(math.Ceil(float64(max(a.DstY, b.DstY, c.DstY))))+1).Intersect(clip)
	t := triangle{to: to, atlas: atlas, a: a, b: b, c: c, area: area, ink: opaque(a), glyph: a.Custom3 > 0.5}
	t.whole = !t.glyph && covers(a) && covers(b) && covers(c)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		s := t.row(float32(y)+0.5, box.Min.X, box.Max.X)
		if !t.whole || t.ink[3] != 255 {
			s.from, s.till = s.right, s.right
		}
		t.pixels(y, s.left, s.from)
		fill(to.Pix[to.PixOffset(s.from, y):to.PixOffset(s.till, y)], t.ink)
		t.pixels(y, s.till, s.right)
	}
}

// triangle is one that is filled, its corners round to the right, y downwards.
type triangle struct {
	to           *image.RGBA
	atlas        *Atlas
	a, b, c      *Vertex
	area         float32
	ink          [4]byte
	glyph, whole bool // of text; all of a pixel is covered
}

// pixels draws those of a row, from left to right less one, whose middles lie within.
func (t *triangle) pixels(y, left, right int) {
	a, b, c := t.a, t.b, t.c
	py := float32(y) + 0.5
	for x := left; x < right; x++ {
		px := float32(x) + 0.5
		u, v, w := edge(b, c, px, py), edge(c, a, px, py), edge(a, b, px, py)
		if !inside(u, b, c) || !inside(v, c, a) || !inside(w, a, b) {
			continue
		}
		cover := float32(1)
		if !t.whole {
			cover = coverAt(t.atlas, a, b, c, u/t.area, v/t.area, w/t.area)
		}
		switch {
		case cover == 1 && t.ink[3] == 255:
			copy(t.to.Pix[t.to.PixOffset(x, y):], t.ink[:])
		case cover > 0:
			blend(t.to, x, y, a.ColorR*cover, a.ColorG*cover, a.ColorB*cover, a.ColorA*cover)
		}
	}
}

// fill makes pixels of one colour.
func fill(pixels []byte, colour [4]byte) {
	for done := copy(pixels, colour[:]); done < len(pixels); done *= 2 {
		copy(pixels[done:], pixels[:done])
	}
}

// span is a part of a row of pixels: in front of left and from right on their middles lie outside of a triangle, and
// from from to till less one within.
type span struct{ left, from, till, right int }

// row narrows the pixels of a row, from left to right less one, to those whose middles may lie within: a few beside it,
// as rounding wants, and none less.
func (t *triangle) row(py float32, left, right int) span {
	low, high := float64(left), float64(right)
	first, last := low, high
	for _, e := range [3][2]*Vertex{{t.b, t.c}, {t.c, t.a}, {t.a, t.b}} {
		p, q := e[0], e[1]
		slope := float64(q.DstY) - float64(p.DstY)
		if slope == 0 {
			if !inside(edge(p, q, p.DstX, py), p, q) {
				return span{left, left, left, left}
			}
			continue
		}
		off := (float64(q.DstX) - float64(p.DstX)) * (float64(py) - float64(p.DstY)) / slope
		at, margin := float64(p.DstX)+off, 2+1e-5*math.Abs(off) // far more than rounding
		if slope > 0 {
			high, last = min(high, at+margin), min(last, at-margin)
		} else {
			low, first = max(low, at-margin), max(first, at+margin)
		}
	}
	if !(low < high) {
		return span{left, left, left, left}
	}
	s := span{left: int(low), right: int(high)}
	s.from, s.till = s.right, s.right
	if first < last {
		s.from, s.till = int(math.Ceil(first)), int(last)
		if s.from > s.till {
			s.from = s.till
		}
	}
	return s
}

// covers reports whether what is drawn covers all pixels near a corner, which is no glyph's: its frame has no width
// there, and more than half a pixel of radius.
func covers(v *Vertex) bool { return v.Custom0 == 0 && v.Custom1 == 0 && v.Custom2 > 0.6 }

// opaque is the colour of a corner as a pixel has it, with an opacity of 255 only where nothing shows through.
func opaque(v *Vertex) (pixel [4]byte) {
	if v.ColorA == 1 {
		for i, value := range [4]float32{v.ColorR, v.ColorG, v.ColorB, v.ColorA} {
			pixel[i] = byte(min(255, 255*value+0.5))
		}
	}
	return pixel
}

// coverAt is how much of a pixel is covered at a place in a triangle, given by the shares of its corners.
func coverAt(atlas *Atlas, a, b, c *Vertex, u, v, w float32) float32 {
	if a.Custom3 > 0.5 {
		return atlas.cover(u*a.SrcX+v*b.SrcX+w*c.SrcX, u*a.SrcY+v*b.SrcY+w*c.SrcY)
	}
	dx, dy := u*a.Custom0+v*b.Custom0+w*c.Custom0, u*a.Custom1+v*b.Custom1+w*c.Custom1
	radius := u*a.Custom2 + v*b.Custom2 + w*c.Custom2
	return max(0, min(1, radius+0.5-float32(math.Hypot(float64(dx), float64(dy)))))
}

// edge is twice the area of the triangle that an edge makes with a point, above 0 on its right, y downwards.
func edge(a, b *Vertex, x, y float32) float32 {
	return (b.DstX-a.DstX)*(y-a.DstY) - (b.DstY-a.DstY)*(x-a.DstX)
}

// inside reports whether a point with that value of an edge lies within.
func inside(value float32, a, b *Vertex) bool {
	if value != 0 {
		return value > 0
	}
	return (a.DstY == b.DstY && b.DstX > a.DstX) || b.DstY < a.DstY
}

// cover is what a glyph covers of a place in the atlas.
func (a *Atlas) cover(x, y float32) float32 {
	i, j := int(x), int(y)
	if i < 0 || j < 0 || i >= atlasSide || j >= atlasSide {
		return 0
	}
	return float32(a.Pixels[j*atlasSide+i]) / 255
}

// blend lays a premultiplied colour over a pixel.
func blend(to *image.RGBA, x, y int, r, g, b, alpha float32) {
	p := to.Pix[to.PixOffset(x, y):]
	for i, v := range [4]float32{r, g, b, alpha} {
		p[i] = byte(min(255, 255*v+float32(p[i])*(1-alpha)+0.5))
	}
}
