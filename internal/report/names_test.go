package report

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
	"veilpath/sim/study"
)

// nameBoxes is a canvas that keeps where names are written.
type nameBoxes struct{ boxes []vg.Rectangle }

func (*nameBoxes) Line(stroke, []vg.Point)               {}
func (*nameBoxes) Area(color.NRGBA, []vg.Point)          {}
func (*nameBoxes) Disc(color.NRGBA, vg.Point, vg.Length) {}
func (c *nameBoxes) Letter(style typeStyle, _ color.NRGBA, start vg.Point, _ bool, glyphs []glyph) {
	width := glyphs[len(glyphs)-1].at.X + style.size/2
	c.boxes = append(c.boxes, vg.Rectangle{Min: start, Max: start.Add(vg.Point{X: width, Y: capHeight * style.size})})
}

// Names of crowded points do not lie on each other, and points apart all have their names.
func TestNamesDoNotLieOnEachOther(t *testing.T) {
	letters, err := newLettering()
	if err != nil {
		t.Fatal(err)
	}
	for apart, all := range map[float64]bool{0.3: false, 30: true} {
		series := Series{Mark: Points}
		for k := range 12 {
			series.X, series.Y = append(series.X, 50+apart*float64(k)), append(series.Y, 50+apart*float64(k))
			series.Names = append(series.Names, "0.4717")
		}
		c := &nameBoxes{}
		s := &sheet{lettering: letters, canvas: c, palette: assets.LightPalette()}
		f := &frame{data: vg.Rectangle{Max: vg.Point{X: 400, Y: 400}}, xs: span{Linear, 0, 400}, ys: span{Linear, 0, 400}}
		f.drawNames(s, []Series{series})
		if n := len(c.boxes); n < 2 || n == 12 != all {
			t.Errorf("%v apart: %d names of 12 points", apart, n)
		}
		for i, a := range c.boxes {
			for _, b := range c.boxes[:i] {
				if overlap(a, b) > 0.1*overlap(a, a) {
					t.Errorf("%v apart: names at %v and %v", apart, a.Min, b.Min)
				}
			}
		}
	}
}

// No column reaches to an epsilon below 0.
func TestColumnsStayAboveZero(t *testing.T) {
	values := study.NewSample([]float64{1.5})
	for _, at := range [][]float64{{0.2, 1, 4}, {0.2, 0.9}, {1}, {3, 4}} {
		d := &Distribution{At: at, Values: func(int) study.Sample { return values }}
		letters, err := newLettering()
		if err != nil {
			t.Fatal(err)
		}
		f, err := d.lay(&sheet{lettering: letters})
		if err != nil || f.xs.low < 0 || math.IsNaN(f.xs.low) {
			t.Errorf("columns at %v: the axis begins at %v, %v", at, f.xs.low, err)
		}
	}
}
