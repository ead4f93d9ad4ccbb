//go:build viewer || js

package view

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

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
	plain    draw.Plain     // of the picture that is kept
	atlas    *ebiten.Image
	glyphs   []byte // of the part of the atlas that has changed, RGBA
	drawn    map[*screen.Layer]drawnLayer
	cache    map[*screen.Layer]cachedLayer
	touching draw.Batch // what of a batch touches the parts of the window that are drawn
	vertices []ebiten.Vertex
	indices  []uint16
}

// drawnLayer is what a picture has of a layer.
type drawnLayer struct {
	area    image.Rectangle // pixels
	version uint64
}

type cachedLayer struct {
	drawnLayer
	image *ebiten.Image
}

func newCanvas() (*canvas, error) {
	c := &canvas{drawn: map[*screen.Layer]drawnLayer{}, cache: map[*screen.Layer]cachedLayer{},
		vertices: make([]ebiten.Vertex, 0, draw.MaxBatchVertices)}
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

// still brings the picture of what does not move up to date: it draws the layers of the areas in which one has changed
// since the last call, and all of them where whole is set or one has another place. It passes on which parts it drew,
// pixels.
func (c *canvas) still(picture *ebiten.Image, layers []*screen.Layer, background color.NRGBA, whole bool,
	drew func(image.Rectangle)) {
	some := whole
	for _, layer := range layers {
		c.takeGlyphs(layer.List.Atlas)
		if !layer.Overlay && c.drawn[layer].area != pixels(layer) {
			whole = true
		}
	}
	if whole {
		picture.Fill(background)
		drew(picture.Bounds())
	}
	for i, end := 0, 0; i < len(layers); i = end {
		for end = i + 1; end < len(layers) && layers[end].Area == layers[i].Area; {
			end++
		}
		if stack := layers[i:end]; !layers[i].Overlay && (whole || slices.ContainsFunc(stack, c.changed)) {
			area := pixels(layers[i])
			c.stack(picture.SubImage(area).(*ebiten.Image), stack)
			drew(area)
			some = true
		}
	}
	if some {
		c.findPlain(picture.Bounds().Size(), layers, background)
	}
}

// findPlain finds which parts of the picture of what does not move have one colour.
func (c *canvas) findPlain(size image.Point, layers []*screen.Layer, background color.NRGBA) {
	c.plain.Begin(size, background)
	for _, layer := range layers {
		if !layer.Overlay {
			c.plain.Add(layer.List)
		}
	}
}

// show shows the picture of what does not move, pixel by pixel, at least in some parts. A software renderer fills what
// is plain in a third of the time that it takes to copy it.
func (c *canvas) show(window ebiten.FinalScreen, picture *ebiten.Image, parts []image.Rectangle) {
	for _, plain := range []bool{false, true} {
		c.vertices, c.indices = c.vertices[:0], c.indices[:0]
		c.plain.Parts(func(r draw.Rect, is bool, ink draw.Vertex) {
			if is != plain || !r.Touches(parts) {
				return
			}
			n := uint16(len(c.vertices))
			for _, at := range r.Outline()[:4] {
				v := ebiten.Vertex(ink)
				v.DstX, v.DstY, v.SrcX, v.SrcY = float32(at.X), float32(at.Y), float32(at.X), float32(at.Y)
				c.vertices = append(c.vertices, v)
			}
			c.indices = append(c.indices, n, n+1, n+2, n, n+2, n+3)
		})
		if len(c.indices) == 0 {
			continue
		}
		shader, options := c.fill, &ebiten.DrawTrianglesShaderOptions{Blend: ebiten.BlendCopy}
		if !plain {
			shader, options.Images[0] = c.copy, picture
		}
		window.DrawTrianglesShader(c.vertices, c.indices, shader, options)
	}
}

// changed reports whether a layer is not as it was drawn.
func (c *canvas) changed(layer *screen.Layer) bool { return c.drawn[layer].version != layer.Version }

// stack draws layers of one area over each other.
func (c *canvas) stack(part *ebiten.Image, layers []*screen.Layer) {
	for _, layer := range layers {
		if layer.Cached && layer.List.Vertices() > manyVertices {
			c.cached(part, layer)
		} else {
			c.list(part, layer.List)
		}
		c.drawn[layer] = drawnLayer{pixels(layer), layer.Version}
	}
}

// manyVertices is how many a list has for which a picture of its own takes less time than its triangles, without a
// graphics card.
const manyVertices = 1 << 15

// cached draws a layer by a picture of it, which is drawn where the layer has changed.
func (c *canvas) cached(part *ebiten.Image, layer *screen.Layer) {
	now := drawnLayer{pixels(layer), layer.Version}
	made := c.cache[layer]
	if made.image == nil || made.area != now.area {
		if made.image != nil {
			made.image.Deallocate()
		}
		made.image = ebiten.NewImageWithOptions(now.area, &ebiten.NewImageOptions{Unmanaged: true})
	}
	if made.drawnLayer != now {
		made.image.Clear()
		c.list(made.image, layer.List)
		made.drawnLayer = now
	}
	c.cache[layer] = made
	options := &ebiten.DrawImageOptions{}
	options.GeoM.Translate(float64(now.area.Min.X), float64(now.area.Min.Y))
	part.DrawImage(made.image, options)
}

// moving draws what lies over the still picture, at least in some parts: for each of them a software renderer goes
// through all triangles.
func (c *canvas) moving(window ebiten.FinalScreen, layers []*screen.Layer, parts []image.Rectangle) {
	for _, layer := range layers {
		if !layer.Overlay {
			continue
		}
		batches := layer.List.Batches()
		for i := range batches {
			c.touching.Take(&batches[i], parts)
			c.triangles(window, &c.touching, !c.touching.Within())
		}
	}
}

// pixels is the area of a layer in pixels.
func pixels(layer *screen.Layer) image.Rectangle {
	s, r := layer.List.Scale(), layer.Area
	return image.Rect(int(math.Round(r.X*s)), int(math.Round(r.Y*s)), int(math.Round(r.Right()*s)),
		int(math.Round(r.Bottom()*s)))
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
