//go:build viewer || js

package view

import (
	"embed"
	"fmt"
	"image"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/screen"
)

//go:embed shader.kage shapes.kage fill.kage
var sources embed.FS

// canvas draws layers.
type canvas struct {
	// Shaders of anything, of what has no glyphs, and of areas of one colour. Without a graphics card the latter take
	// less time: a glyph is looked up for all pixels where one may be.
	shader, shapes, fill *ebiten.Shader

	still    *ebiten.Image // what does not move
	version  uint64        // of that
	atlas    *ebiten.Image
	glyphs   []byte // of the part of the atlas that has changed, RGBA
	vertices []ebiten.Vertex
}

func newCanvas() (*canvas, error) {
	c := &canvas{vertices: make([]ebiten.Vertex, 0, draw.MaxBatchVertices)}
	for name, to := range map[string]**ebiten.Shader{"shader.kage": &c.shader, "shapes.kage": &c.shapes,
		"fill.kage": &c.fill} {
		source, err := sources.ReadFile(name)
		if err == nil {
			*to, err = ebiten.NewShader(source)
		}
		if err != nil {
			return nil, fmt.Errorf("compiling the shader %s: %w", name, err)
		}
	}
	return c, nil
}

// draw draws the layer that does not move, from the picture that is kept of it where it has not changed, and over it
// the one that does.
func (c *canvas) draw(window *ebiten.Image, layers []*screen.Layer, background color.NRGBA) {
	still, moving := layers[0], layers[1]
	c.takeGlyphs(still.List.Atlas)
	size := window.Bounds()
	if c.still == nil || c.still.Bounds() != size {
		if c.still != nil {
			c.still.Deallocate()
		}
		c.still, c.version = ebiten.NewImageWithOptions(size, &ebiten.NewImageOptions{Unmanaged: true}), 0
	}
	if c.version != still.Version {
		c.version = still.Version
		c.still.Fill(background)
		c.list(c.still, still.List)
	}
	window.DrawImage(c.still, &ebiten.DrawImageOptions{Blend: ebiten.BlendCopy})
	c.list(window, moving.List)
}

// list draws a list's batches.
func (c *canvas) list(target *ebiten.Image, l *draw.List) {
	for _, b := range l.Batches() {
		clip := image.Rect(int(b.Clip.X), int(b.Clip.Y), int(b.Clip.Right()), int(b.Clip.Bottom())).Intersect(target.Bounds())
		if clip.Empty() || len(b.Indices) == 0 {
			continue
		}
		shader, options := c.shapes, &ebiten.DrawTrianglesShaderOptions{}
		if b.Fills {
			shader = c.fill
		}
		c.vertices = c.vertices[:0]
		for _, v := range b.Vertices {
			if v.Custom3 != 0 {
				shader, options.Images[0] = c.shader, c.atlas
			}
			c.vertices = append(c.vertices, ebiten.Vertex(v))
		}
		target.SubImage(clip).(*ebiten.Image).DrawTrianglesShader(c.vertices, b.Indices, shader, options)
	}
}

// takeGlyphs copies new glyphs to the graphics card.
func (c *canvas) takeGlyphs(a *draw.Atlas) {
	r := a.Changed
	if c.atlas == nil {
		r = image.Rect(0, 0, a.Side(), a.Side())
		c.atlas = ebiten.NewImageWithOptions(r, &ebiten.NewImageOptions{Unmanaged: true})
	}
	if r.Empty() {
		return
	}
	c.glyphs = c.glyphs[:0]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, alpha := range a.Pixels[y*a.Side()+r.Min.X : y*a.Side()+r.Max.X] {
			c.glyphs = append(c.glyphs, alpha, alpha, alpha, alpha)
		}
	}
	c.atlas.SubImage(r).(*ebiten.Image).WritePixels(c.glyphs)
	a.Clean()
}
