package report

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"veilpath/internal/axis"
	"veilpath/sim/study"
)

// Distribution is a panel that shows the distribution of values at every place along X, as a column of cells.
// Cells with more values are darker, so several modes show as several bands.
type Distribution struct {
	Title  string
	X, Y   Axis                          // Y must be linear
	At     []float64                     // places of the columns, ascending
	Values func(column int) study.Sample // at least one each, finite, at least 0
	// ZeroLabel, if not empty, labels a separate row of the zeros below the axis.
	ZeroLabel  string
	What       string    // what the values belong to: "flights"
	Unit       string    // of a value: "km"
	Centre     []float64 // value of a line across each column, such as its mean; nil for none
	CentreName string
	References []Reference // horizontal
}

// histogram counts the values of columns in cells of equal height.
type histogram struct {
	width  float64 // of a cell, in units of the values
	shares [][]float64
	zeros  []float64 // share of zeros in each column
	most   float64   // largest share of a cell
}

const (
	fewestCells, mostCells = 40, 60
	zeroRow                = 0.11 // height of the row of zeros relative to the axis
	zeroMiddle             = 0.65 * zeroRow
	columnFill             = 0.9 // width of a column relative to the distance of its nearest neighbour
	widestColumn           = vg.Length(64)
	narrowColumn           = vg.Length(6) // columns at this distance have no gap
	widestOverhang         = 0.08         // room for the outer columns relative to the axis
	faintest               = 0.16         // place on the ramp of the smallest share
)

func (d *Distribution) lay(s *sheet) (*frame, error) {
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("panel %q: %w", d.Title, err)
	}
	xs, ys := emptySpan(d.X.Scale), emptySpan(Linear)
	edges := cellEdges(d.At, d.X.Scale)
	whole := span{d.X.Scale, d.At[0], d.At[len(d.At)-1]}
	if whole.resolves() {
		low := max(edges[0], whole.value(-widestOverhang))
		if d.At[0] >= 0 {
			low = max(low, 0)
		}
		xs.include(low)
		xs.include(min(edges[len(edges)-1], whole.value(1+widestOverhang)))
	} else {
		xs.include(whole.low)
	}
	h, highest := d.count()
	ys.include(0)
	ys.include(highest)
	if err := includeReferences(d.References, &xs, &ys); err != nil {
		return nil, fmt.Errorf("panel %q: %w", d.Title, err)
	}
	up := d.Y
	up.FromZero = true
	f, err := newFrame(d.Title, d.X, up, xs, ys)
	if err != nil {
		return nil, err
	}
	if h.zeros != nil {
		f.floor = 0
		f.yt = append(f.yt, tick{-zeroMiddle * f.ys.high, d.ZeroLabel})
		f.ys.low = -zeroRow * f.ys.high
	}
	f.nameReferences(s, d.References)
	if d.Centre != nil {
		f.margin = append(f.margin, keyEntry(s, d.Centre[len(d.Centre)-1], d.CentreName, func(s *sheet, box vg.Rectangle) {
			drawCentre(s, box.Min.X+3, box.Max.X-3, (box.Min.Y+box.Max.Y)/2)
		}))
	}
	f.margin = append(f.margin, d.scaleEntry(s, h))
	return f, nil
}

func (d *Distribution) check() error {
	if len(d.At) == 0 {
		return fmt.Errorf("no columns")
	}
	if d.Centre != nil && len(d.Centre) != len(d.At) {
		return fmt.Errorf("%d centres for %d columns", len(d.Centre), len(d.At))
	}
	for i, x := range d.At {
		if math.IsNaN(x) || math.IsInf(x, 0) || d.X.Scale == Log && x <= 0 || i > 0 && x <= d.At[i-1] {
			return fmt.Errorf("column %d at %v: want finite places in ascending order, above 0 on a logarithmic axis", i, x)
		}
		values := d.Values(i)
		if values.Len() == 0 {
			return fmt.Errorf("column at %v has no values", x)
		}
		for v := range values.All() {
			if !(v >= 0) || math.IsInf(v, 0) {
				return fmt.Errorf("column at %v has the value %v, want finite ones of at least 0", x, v)
			}
		}
	}
	return nil
}

// count makes the histogram of every column and returns the largest value.
func (d *Distribution) count() (h histogram, highest float64) {
	total, zeros := 0, 0
	for i := range d.At {
		for v, n := range d.Values(i).All() {
			total += n
			highest = max(highest, v)
			if v == 0 {
				zeros += n
			}
		}
	}
	// Rice's rule, limited to what a page can show.
	cells := min(max(2*math.Cbrt(float64(total)), fewestCells), mostCells)
	h.width = 1
	if highest > 0 {
		h.width = axis.RoundUp(highest/cells, 1, 2, 2.5, 5)
	}
	apart := d.ZeroLabel != "" && zeros > 0
	if apart {
		h.zeros = make([]float64, len(d.At))
	}
	h.shares = make([][]float64, len(d.At))
	for i := range d.At {
		values := d.Values(i)
		runs := float64(values.Len())
		column := make([]float64, int(highest/h.width)+1)
		for v, n := range values.All() {
			share := float64(n) / runs
			if v == 0 && apart {
				h.zeros[i] = share
				h.most = max(h.most, share)
				continue
			}
			k := int(v / h.width)
			column[k] += share
			h.most = max(h.most, column[k])
		}
		h.shares[i] = column
	}
	return h, highest
}

// shade returns the colour of a share. The ramp follows the square root of the share, so that a mode of a few
// percent is visible beside a large one.
func (h *histogram) shade(s *sheet, share float64) color.NRGBA {
	return s.palette.Ramp(faintest + (1-faintest)*math.Sqrt(share/h.most))
}

func (d *Distribution) draw(s *sheet, f *frame) {
	h, _ := d.count()
	f.drawReferences(s, d.References)
	for i, x := range d.At {
		half := d.halfWidth(f, i)
		cell := func(low, high, share float64) {
			r := vg.Rectangle{
				Min: vg.Point{X: f.x(x) - half, Y: max(f.y(low)-seam, f.data.Min.Y)},
				Max: vg.Point{X: f.x(x) + half, Y: min(f.y(high), f.data.Max.Y)},
			}
			if share > 0 && r.Min.Y < r.Max.Y {
				s.box(h.shade(s, share), r)
			}
		}
		for k, share := range h.shares[i] {
			cell(float64(k)*h.width, float64(k+1)*h.width, share)
		}
		if h.zeros != nil {
			cell(0.95*f.ys.low, 0.35*f.ys.low, h.zeros[i])
		}
		if d.Centre != nil && !math.IsNaN(d.Centre[i]) {
			drawCentre(s, f.x(x)-half, f.x(x)+half, f.y(d.Centre[i]))
		}
	}
}

// halfWidth returns half the width of a column on the page.
func (d *Distribution) halfWidth(f *frame, i int) vg.Length {
	x := f.x(d.At[i])
	apart := widestColumn / columnFill
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(d.At) {
			apart = min(apart, max(f.x(d.At[j])-x, x-f.x(d.At[j])))
		}
	}
	if apart <= narrowColumn {
		return (apart + seam) / 2
	}
	return min(columnFill*apart/2, x-f.data.Min.X, f.data.Max.X-x)
}

// drawCentre draws a line that is visible on light and dark cells.
func drawCentre(s *sheet, left, right, y vg.Length) {
	a, b := vg.Point{X: left, Y: y}, vg.Point{X: right, Y: y}
	s.line(stroke{color: s.palette.Background, width: 3.4}, a, b)
	s.line(stroke{color: s.palette.Ink, width: 1.5}, a, b)
}

// cellEdges returns the edges of cells around ascending centres: half-way between centres on the scale of the
// axis. The outer cells are symmetric.
func cellEdges(centres []float64, scale Scale) []float64 {
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if scale == Log {
		to, from = math.Log, math.Exp
	}
	n := len(centres)
	edges := make([]float64, n+1)
	if n == 1 {
		edges[0], edges[1] = centres[0], centres[0]
		return edges
	}
	for i := 1; i < n; i++ {
		edges[i] = from((to(centres[i-1]) + to(centres[i])) / 2)
	}
	edges[0] = from(to(centres[0])*1.5 - to(centres[1])/2)
	edges[n] = from(to(centres[n-1])*1.5 - to(centres[n-2])/2)
	return edges
}
