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
		for i := 0; i+2 < len(b.Indices); i += 3 {
			rasterTriangle(picture, clip, l.Atlas, &b.Vertices[b.Indices[i]], &b.Vertices[b.Indices[i+1]],
				&b.Vertices[b.Indices[i+2]])
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
	for y := box.Min.Y; y < box.Max.Y; y++ {
		py := float32(y) + 0.5
		from, end := rowOf(a, b, c, py, box.Min.X, box.Max.X)
		for x := from; x < end; x++ {
			px := float32(x) + 0.5
			u, v, w := edge(b, c, px, py), edge(c, a, px, py), edge(a, b, px, py)
			if !inside(u, b, c) || !inside(v, c, a) || !inside(w, a, b) {
				continue
			}
			if cover := coverAt(atlas, a, b, c, u/area, v/area, w/area); cover > 0 {
				blend(to, x, y, a.ColorR*cover, a.ColorG*cover, a.ColorB*cover, a.ColorA*cover)
			}
		}
	}
}

// rowOf narrows the pixels [from, end) of a row down to those whose middles may lie in a triangle of an area above 0.
func rowOf(a, b, c *Vertex, y float32, from, end int) (int, int) {
	const rounding = 1 // pixels
	for _, e := range [3][2]*Vertex{{a, b}, {b, c}, {c, a}} {
		rise := e[1].DstY - e[0].DstY
		if rise == 0 {
			continue
		}
		at := e[0].DstX + (e[1].DstX-e[0].DstX)*(y-e[0].DstY)/rise
		if rise > 0 && at < float32(end) {
			end = min(end, int(max(at, float32(from)))+1+rounding)
		} else if rise < 0 && at > float32(from) {
			from = max(from, int(min(at, float32(end)))-rounding)
		}
	}
	return from, end
}

// coverAt is how much of a pixel is covered at a place in a triangle, given by the shares of its corners.
func coverAt(atlas *Atlas, a, b, c *Vertex, u, v, w float32) float32 {
	if a.Custom3 > 0.5 {
		return atlas.cover(u*a.SrcX+v*b.SrcX+w*c.SrcX, u*a.SrcY+v*b.SrcY+w*c.SrcY)
	}
	dx, dy := u*a.Custom0+v*b.Custom0+w*c.Custom0, u*a.Custom1+v*b.Custom1+w*c.Custom1
	radius := u*a.Custom2 + v*b.Custom2 + w*c.Custom2
	switch cover := radius + 0.5 - float32(math.Sqrt(float64(dx*dx+dy*dy))); { // a switch takes less than min and max
	case cover < 0:
		return 0
	case cover < 1:
		return cover
	}
	return 1
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
		p[i] = byte(min(255, int(255*v+float32(p[i])*(1-alpha)+0.5)))
	}
}
