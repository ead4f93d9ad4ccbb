package report

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"veilpath/internal/png"
)

// PNGResolution is the default resolution of pictures in dots per inch.
const PNGResolution = 150

// WritePNG writes the figure as a PNG image. If the figure cannot be drawn, nothing is written.
func (f *Figure) WritePNG(w io.Writer) error { return f.WritePNGAt(w, PNGResolution) }

// WritePNGAt is WritePNG with a resolution in dots per inch. Text that would be too small to read is left out.
func (f *Figure) WritePNGAt(w io.Writer, dots int) error {
	letters, err := newLettering()
	if err != nil {
		return err
	}
	l, err := f.lay(letters)
	if err != nil {
		return fmt.Errorf("report: figure %q: %w", f.Title, err)
	}
	drawing := &raster{vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(dots)), letters, nil}
	f.drawOn(drawing, letters, l)
	if err := png.Encode(w, drawing.Image().(*image.RGBA), ""); err != nil {
		return fmt.Errorf("report: figure %q as PNG: %w", f.Title, err)
	}
	return nil
}

// raster draws pixels.
type raster struct {
	*vgimg.Canvas
	letters *lettering
	text    vg.Path // storage for the outline of a text
}

func (r *raster) Line(st stroke, points []vg.Point) {
	r.SetColor(st.color)
	r.SetLineWidth(st.width)
	r.SetLineDash(st.dashes, 0)
	r.Stroke(polygon(points))
}

func (r *raster) Area(c color.NRGBA, points []vg.Point) {
	if c.A == math.MaxUint8 && r.isPage(points) {
		draw.Draw(r.Image().(*image.RGBA), r.Image().Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
		return
	}
	path := polygon(points)
	path.Close()
	r.SetColor(c)
	r.Fill(path)
}

// isPage reports whether a shape is a box, starting at its lower left corner, that covers every pixel.
func (r *raster) isPage(points []vg.Point) bool {
	if len(points) != 4 || points[0] != (vg.Point{}) || points[1].Y != 0 || points[3].X != 0 {
		return false
	}
	far, size := points[2], r.Image().Bounds().Size()
	return far == (vg.Point{X: points[1].X, Y: points[3].Y}) && far.X.Dots(r.DPI()) >= float64(size.X) &&
		far.Y.Dots(r.DPI()) >= float64(size.Y)
}

func (r *raster) Disc(c color.NRGBA, at vg.Point, radius vg.Length) {
	var path vg.Path
	path.Move(vg.Point{X: at.X + radius, Y: at.Y})
	path.Arc(at, radius, 0, 2*math.Pi)
	path.Close()
	r.SetColor(c)
	r.Fill(path)
}

// smallestType is the smallest drawn size of text in pixels.
const smallestType = 3

func (r *raster) Letter(style typeStyle, c color.NRGBA, start vg.Point, upwards bool, glyphs []glyph) {
	if style.size.Dots(r.DPI()) < smallestType {
		return
	}
	unit := 1 / vg.Length(r.letters.face(style).UnitsPerEm())
	path := r.text[:0]
	for _, g := range glyphs {
		point := func(s sfnt.Segment, k int) vg.Point {
			p := vg.Point{
				X: g.at.X + vg.Length(s.Args[k].X)*unit*g.size,
				Y: g.at.Y - vg.Length(s.Args[k].Y)*unit*g.size,
			}
			if upwards {
				p.X, p.Y = -p.Y, p.X
			}
			return p.Add(start)
		}
		for _, s := range r.letters.segments(style, g.index) {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(point(s, 0))
			case sfnt.SegmentOpLineTo:
				path.Line(point(s, 0))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(s, 0), point(s, 1))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(s, 0), point(s, 1), point(s, 2))
			}
		}
	}
	r.text = path
	if len(path) > 0 {
		r.SetColor(c)
		r.Fill(path)
	}
}

func polygon(points []vg.Point) vg.Path {
	path := make(vg.Path, 0, len(points)+1) // one more for closing it
	path.Move(points[0])
	for _, p := range points[1:] {
		path.Line(p)
	}
	return path
}
