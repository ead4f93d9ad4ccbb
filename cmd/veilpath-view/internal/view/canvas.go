//go:build viewer || js

package view

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/screen"
)

//go:embed shader.kage
var shaderSource []byte

//go:embed shapes.kage
var shapesSource []byte

//go:embed clipped.kage
var clippedSource []byte

//go:embed copy.kage
var copySource []byte

//go:embed fill.kage
var fillSource []byte

// canvas draws layers.
type canvas struct {
	shader   *ebiten.Shader
	shapes   *ebiten.Shader // of no glyphs: a software renderer looks one up for all pixels where one may be
	clipped  *ebiten.Shader // which takes a software renderer longer
	copy     *ebiten.Shader // of a picture
	fill     *ebiten.Shader // with a colour
	atlas    *ebiten.Image
	glyphs   []byte // of the part of the atlas that has changed, RGBA
	vertices []ebiten.Vertex
}

func newCanvas() (*canvas, error) {
	c := &canvas{vertices: make([]ebiten.Vertex, 0, draw.MaxBatchVertices)}
	for _, s := range []struct {
		to     **ebiten.Shader
		source []byte
	}{{&c.shader, shaderSource}, {&c.shapes, shapesSource}, {&c.clipped, clippedSource}, {&c.copy, copySource},
		{&c.fill, fillSource}} {
		shader, err := ebiten.NewShader(s.source)
		if err != nil {
			return nil, fmt.Errorf("compiling a shader: %w", err)
		}
		*s.to = shader
	}
	return c, nil
}

// still draws what does not move into the picture that is kept.
func (c *canvas) still(picture *ebiten.Image, layers []*screen.Layer, background color.NRGBA) {
	picture.Fill(background)
	for _, layer := range layers {
		if !layer.Overlay {
			c.list(picture, layer.List)
		}
	}
}

// show shows the picture of what does not move, pixel by pixel.
func (c *canvas) show(window ebiten.FinalScreen, picture *ebiten.Image) {
	b := picture.Bounds()
	corner := func(x, y int) ebiten.Vertex {
		return ebiten.Vertex{DstX: float32(x), DstY: float32(y), SrcX: float32(x), SrcY: float32(y), ColorR: 1, ColorG: 1,
			ColorB: 1, ColorA: 1}
	}
	corners := []ebiten.Vertex{corner(b.Min.X, b.Min.Y), corner(b.Max.X, b.Min.Y), corner(b.Max.X, b.Max.Y),
		corner(b.Min.X, b.Max.Y)}
	window.DrawTrianglesShader(corners, []uint16{0, 1, 2, 0, 2, 3}, c.copy, &ebiten.DrawTrianglesShaderOptions{
		Blend: ebiten.BlendCopy, Images: [4]*ebiten.Image{picture}})
}

// moving draws what lies over the still picture.
func (c *canvas) moving(window ebiten.FinalScreen, layers []*screen.Layer) {
	for _, layer := range layers {
		if !layer.Overlay {
			continue
		}
		batches := layer.List.Batches()
		for i := range batches {
			clip, all := batches[i].Clip, window.Bounds()
			whole := clip.X <= 0 && clip.Y <= 0 && clip.Right() >= float64(all.Dx()) && clip.Bottom() >= float64(all.Dy())
			c.triangles(window, &batches[i], !whole)
		}
	}
}

// list draws a list's batches.
func (c *canvas) list(target *ebiten.Image, l *draw.List) {
	batches := l.Batches()
	for i := range batches {
		b := &batches[i]
		clip := image.Rect(int(b.Clip.X), int(b.Clip.Y), int(b.Clip.Right()), int(b.Clip.Bottom())).Intersect(target.Bounds())
		if clip.Empty() {
			continue
		}
		c.triangles(target.SubImage(clip).(*ebiten.Image), b, false)
	}
}

// triangles draws those of a batch, clipped where that is asked for. On a window ebiten clips parts of pictures as if
// it were upside down, where it draws by OpenGL; a shader clips instead, by the places of fragments, which it is told
// where it needs no others: glyphs have no local frame, all else no place in the atlas.
func (c *canvas) triangles(target ebiten.FinalScreen, b *draw.Batch, clipped bool) {
	if len(b.Indices) == 0 {
		return
	}
	c.vertices = c.vertices[:0]
	glyphs, opaque := false, true
	for _, v := range b.Vertices {
		glyphs, opaque = glyphs || v.Custom3 != 0, opaque && v.ColorA == 1
		if clipped && v.Custom3 == 0 {
			v.SrcX, v.SrcY = v.DstX, v.DstY
		} else if clipped {
			v.Custom0, v.Custom1 = v.DstX, v.DstY
		}
		c.vertices = append(c.vertices, ebiten.Vertex(v))
	}
	shader, options := c.shader, &ebiten.DrawTrianglesShaderOptions{Images: [4]*ebiten.Image{c.atlas}}
	if clip := b.Clip; b.Fills {
		shader, options.Images[0] = c.fill, nil
		if opaque {
			options.Blend = ebiten.BlendCopy
		}
	} else if !clipped && !glyphs {
		shader, options.Images[0] = c.shapes, nil
	} else if clipped {
		shader, options.Uniforms = c.clipped, map[string]any{
			"Clip": []float32{float32(clip.X), float32(clip.Y), float32(clip.Right()), float32(clip.Bottom())}}
	}
	target.DrawTrianglesShader(c.vertices, b.Indices, shader, options)
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
