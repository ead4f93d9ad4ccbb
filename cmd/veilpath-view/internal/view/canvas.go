//go:build viewer || js

package view

import (
	_ "embed"
	"fmt"
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/screen"
)

//go:embed shader.kage
var shaderSource []byte

// canvas draws layers.
type canvas struct {
	shader   *ebiten.Shader
	atlas    *ebiten.Image
	glyphs   []byte // of the part of the atlas that has changed, RGBA
	kept     map[*screen.Layer]*keptLayer
	pictures map[*draw.Picture]*keptPicture
	vertices []ebiten.Vertex
}

type keptLayer struct {
	image   *ebiten.Image
	version uint64
}

type keptPicture struct {
	image   *ebiten.Image
	version uint64
}

func newCanvas() (*canvas, error) {
	shader, err := ebiten.NewShader(shaderSource)
	if err != nil {
		return nil, fmt.Errorf("compiling the shader: %w", err)
	}
	return &canvas{shader: shader, kept: map[*screen.Layer]*keptLayer{}, pictures: map[*draw.Picture]*keptPicture{}}, nil
}

// draw draws the layers onto the target, redoing those that have changed.
func (c *canvas) draw(target *ebiten.Image, layers []*screen.Layer) {
	if len(layers) == 0 {
		return
	}
	c.takeGlyphs(layers[0].List.Atlas)
	for _, layer := range layers {
		if layer.Overlay {
			c.list(target, layer.List)
			continue
		}
		if layer.Area.Empty() {
			continue // a panel that is folded away; a picture without pixels cannot be made
		}
		kept := c.keep(layer)
		options := &ebiten.DrawImageOptions{Blend: ebiten.BlendCopy}
		options.GeoM.Translate(float64(kept.image.Bounds().Min.X), float64(kept.image.Bounds().Min.Y))
		target.DrawImage(kept.image, options)
	}
}

// keep returns the layer's picture, up to date.
func (c *canvas) keep(layer *screen.Layer) *keptLayer {
	s := layer.List.Scale()
	r := layer.Area
	bounds := image.Rect(int(math.Round(r.X*s)), int(math.Round(r.Y*s)), int(math.Round(r.Right()*s)), int(math.Round(r.Bottom()*s)))
	kept := c.kept[layer]
	if kept == nil || kept.image.Bounds() != bounds {
		if kept != nil {
			kept.image.Deallocate()
		}
		kept = &keptLayer{image: ebiten.NewImageWithOptions(bounds, &ebiten.NewImageOptions{Unmanaged: true})}
		c.kept[layer] = kept
	}
	if kept.version != layer.Version {
		kept.image.Clear()
		c.list(kept.image, layer.List)
		kept.version = layer.Version
	}
	return kept
}

// capture draws a layer into a picture of its own.
func (c *canvas) capture(layer *screen.Layer) *image.RGBA {
	c.takeGlyphs(layer.List.Atlas)
	kept := c.keep(layer)
	defer func() {
		kept.image.Deallocate()
		delete(c.kept, layer)
	}()
	size := kept.image.Bounds()
	picture := image.NewRGBA(image.Rect(0, 0, size.Dx(), size.Dy()))
	kept.image.ReadPixels(picture.Pix)
	return picture
}

// list draws a list's batches.
func (c *canvas) list(target *ebiten.Image, l *draw.List) {
	for _, b := range l.Batches() {
		clip := image.Rect(int(b.Clip.X), int(b.Clip.Y), int(b.Clip.Right()), int(b.Clip.Bottom())).Intersect(target.Bounds())
		if clip.Empty() {
			continue
		}
		part := target.SubImage(clip).(*ebiten.Image)
		if b.Picture != nil {
			c.picture(part, b.Picture, b.Target)
			continue
		}
		if len(b.Indices) == 0 {
			continue
		}
		c.vertices = c.vertices[:0]
		for _, v := range b.Vertices {
			c.vertices = append(c.vertices, ebiten.Vertex(v))
		}
		options := &ebiten.DrawTrianglesShaderOptions{Images: [4]*ebiten.Image{c.atlas}}
		part.DrawTrianglesShader(c.vertices, b.Indices, c.shader, options)
	}
}

func (c *canvas) picture(target *ebiten.Image, p *draw.Picture, r draw.Rect) {
	kept := c.pictures[p]
	if kept == nil || kept.image.Bounds().Dx() != p.Width || kept.image.Bounds().Dy() != p.Height {
		if kept != nil {
			kept.image.Deallocate()
		}
		kept = &keptPicture{image: ebiten.NewImage(p.Width, p.Height)}
		c.pictures[p] = kept
	}
	if kept.version != p.Version {
		kept.image.WritePixels(p.RGBA)
		kept.version = p.Version
	}
	options := &ebiten.DrawImageOptions{}
	options.GeoM.Scale(r.W/float64(p.Width), r.H/float64(p.Height))
	options.GeoM.Translate(r.X, r.Y)
	target.DrawImage(kept.image, options)
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
