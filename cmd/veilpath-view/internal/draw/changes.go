package draw

import (
	"image"
	"math"
)

// Changes finds which parts of a picture change from one frame to the next.
type Changes struct {
	// Parts are rectangles of pixels outside of which nothing changes: a few at most, which do not overlap.
	Parts []image.Rectangle

	size      image.Point // of the picture, tiles
	last, now []uint64    // a hash of the shapes that touch a tile, in their order
	begun     uint64      // how often the atlas was begun again
}

// tile is the side of a square in which changes are distinguished, pixels.
const tile = 32

// mostParts is how many rectangles there are at most. Every one has the shapes gone through once more.
const mostParts = 5

// Begin begins a frame without changes.
func (c *Changes) Begin() { c.Parts = c.Parts[:0] }

// Add adds a rectangle that changes. Those that overlap are joined; where there are too many, the two that waste the
// fewest pixels.
func (c *Changes) Add(r image.Rectangle) {
	if r.Empty() {
		return
	}
	c.Parts = append(c.Parts, r)
	area := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
	for {
		least, a, b := math.MaxInt, 0, 0
		for i, p := range c.Parts {
			for k, q := range c.Parts[:i] {
				wasted := area(p.Union(q)) - area(p) - area(q)
				if p.Overlaps(q) {
					wasted = 0
				}
				if wasted < least {
					least, a, b = wasted, k, i
				}
			}
		}
		if least > 0 && len(c.Parts) <= mostParts {
			return
		}
		c.Parts[a] = c.Parts[a].Union(c.Parts[b])
		c.Parts = append(c.Parts[:b], c.Parts[b+1:]...)
	}
}

// Compare adds where the lists draw something else than those of the frame before, in a picture of the given size.
func (c *Changes) Compare(width, height int, lists ...*List) {
	size := image.Pt((width+tile-1)/tile, (height+tile-1)/tile)
	c.last, c.now = c.now, c.last
	if size != c.size {
		c.size, c.last, c.now = size, make([]uint64, size.X*size.Y), make([]uint64, size.X*size.Y)
		c.Add(image.Rect(0, 0, width, height))
	}
	clear(c.now)
	for _, l := range lists {
		// Places of glyphs that were looked up before the atlas was begun again are those of others until the next frame.
		atlas := mixed(c.begun) ^ l.Atlas.begun
		c.begun = l.Atlas.begun
		for i := range l.Batches() {
			c.touch(&l.Batches()[i], atlas)
		}
	}
	for y := range size.Y {
		for x := 0; x < size.X; x++ {
			first := x
			for x < size.X && c.now[y*size.X+x] != c.last[y*size.X+x] {
				x++
			}
			c.Add(image.Rect(first*tile, y*tile, min(x*tile, width), min((y+1)*tile, height)))
		}
	}
}

// touch goes on to the shapes of a batch.
func (c *Changes) touch(b *Batch, atlas uint64) {
	batch := atlas
	for _, x := range [...]float64{b.Clip.X, b.Clip.Y, b.Clip.W, b.Clip.H} {
		batch = mixed(batch ^ math.Float64bits(x))
	}
	for i := 0; i+2 < len(b.Indices); i += 3 {
		if r := b.bounds(i); !r.Empty() {
			v0, v1, v2 := &b.Vertices[b.Indices[i]], &b.Vertices[b.Indices[i+1]], &b.Vertices[b.Indices[i+2]]
			c.mix(r, v2.mixed(v1.mixed(v0.mixed(batch))))
		}
	}
}

// mix makes the hashes of the tiles that a shape touches depend on its own.
func (c *Changes) mix(r Rect, shape uint64) {
	for y := int(r.Y) / tile; y <= min(c.size.Y-1, int(r.Bottom())/tile); y++ {
		for x := int(r.X) / tile; x <= min(c.size.X-1, int(r.Right())/tile); x++ {
			h := &c.now[y*c.size.X+x]
			*h = mixed(*h ^ shape)
		}
	}
}

// mixed spreads every bit of a hash over the others.
func mixed(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// mixed goes on with a hash to a vertex.
func (v *Vertex) mixed(h uint64) uint64 {
	for _, pair := range [...][2]float32{
		{v.DstX, v.DstY}, {v.SrcX, v.SrcY}, {v.ColorR, v.ColorG}, {v.ColorB, v.ColorA}, {v.Custom0, v.Custom1},
		{v.Custom2, v.Custom3},
	} {
		h = mixed(h ^ uint64(math.Float32bits(pair[0]))<<32 ^ uint64(math.Float32bits(pair[1])))
	}
	return h
}
