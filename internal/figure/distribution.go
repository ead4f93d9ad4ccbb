package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"veilpath/internal/axis"
	"veilpath/internal/plot"
	"veilpath/sim/study"
)

// distribution is a panel that shows how the distances of flights spread at every epsilon, as a column of cells. Cells
// with more flights are darker, so several modes show as several bands. Flights that are never recognised have a row of
// their own below the axis.
type distribution struct {
	title      string
	x, y       Axis        // y is linear
	columns    []column    // ascending
	references []Reference // horizontal
}

// column is the flights of an epsilon.
type column struct {
	epsilon, mean float64
	distances     study.Sample // at least one, finite, at least 0, km
}

// histogram counts the values of columns in cells of equal height.
type histogram struct {
	width  float64 // of a cell, km
	shares [][]float64
	zeros  []float64 // share of zeros in each column; nil where there are none
	most   float64   // largest share of a cell
}

const (
	fewestCells, mostCells = 40, 60
	zeroRow                = 0.11 // height of the row of zeros relative to the axis
	columnFill             = 0.9  // width of a column relative to the distance of its nearest neighbour
	widestColumn           = 0.12 // relative to the axis
	overhang               = 0.05 // room for the outer columns relative to the axis
	faintest               = 0.16 // place on the ramp of the smallest share
)

func (d *distribution) chart() (*plot.Chart, error) {
	h, highest := d.count()
	xs, ys := spanOf(), span{0, highest}
	for _, of := range d.columns {
		xs.include(of.epsilon)
	}
	if whole := (plot.Scale{Low: xs.low, High: xs.high, Log: d.x.Scale == Log}); !xs.sole() {
		xs.include(whole.Value(1 + overhang))
		if low := whole.Value(-overhang); low > 0 || xs.low < 0 {
			xs.include(low)
		}
	}
	for _, r := range d.references {
		ys.include(r.At)
	}
	c, err := newChart(d.title, d.x, d.y, xs, ys)
	if err != nil {
		return nil, err
	}
	addReferences(c, d.references)
	if h.zeros != nil {
		c.TicksY = append(plot.Ticks(c.Y, 5), -0.65*zeroRow*c.Y.High)
		c.TextY = func(v float64) string {
			if v < 0 {
				return "never"
			}
			return strconv.FormatFloat(v+0, 'g', 6, 64) // +0 so that -0 reads 0
		}
		c.Y.Low = -zeroRow * c.Y.High
	}
	lines := plot.Series{N: 3 * len(d.columns), Deaf: true, Width: 3.4, Ink: light.Background}
	ends := make([][2]float64, len(d.columns))
	for i := range d.columns {
		ends[i] = d.ends(c.X, i)
		cell := func(low, high, share float64) {
			if share > 0 {
				c.Cells = append(c.Cells, plot.Cell{X0: ends[i][0], Y0: low, X1: ends[i][1], Y1: high,
					Ink: shade(light, faintest+(1-faintest)*math.Sqrt(share/h.most))})
			}
		}
		for k, share := range h.shares[i] {
			cell(float64(k)*h.width, float64(k+1)*h.width, share)
		}
		if h.zeros != nil {
			cell(0.95*c.Y.Low, 0.35*c.Y.Low, h.zeros[i])
		}
	}
	lines.At = func(i int) (x, y float64) {
		if i%3 == 2 {
			return ends[i/3][1], math.NaN() // a gap to the next column
		}
		return ends[i/3][i%3], d.columns[i/3].mean
	}
	c.Series = append(c.Series, lines) // a rim that shows on dark cells
	lines.Width, lines.Ink, lines.Name = 1.5, light.Ink, "mean"
	c.Series = append(c.Series, lines)
	c.Key = h.key()
	return c, nil
}

// ends returns where a column begins and ends.
func (d *distribution) ends(x plot.Scale, column int) [2]float64 {
	middle, apart := x.Share(d.columns[column].epsilon), widestColumn/columnFill
	for _, j := range []int{column - 1, column + 1} {
		if j >= 0 && j < len(d.columns) {
			apart = min(apart, math.Abs(x.Share(d.columns[j].epsilon)-middle))
		}
	}
	half := columnFill * apart / 2
	return [2]float64{x.Value(max(0, middle-half)), x.Value(min(1, middle+half))}
}

// count makes the histogram of every column and returns the largest value.
func (d *distribution) count() (h histogram, highest float64) {
	total := 0
	h.zeros = make([]float64, len(d.columns))
	for i, of := range d.columns {
		total += of.distances.Len()
		for v, n := range of.distances.All() {
			highest = max(highest, v)
			if v == 0 {
				h.zeros[i] += float64(n) / float64(of.distances.Len())
			}
		}
	}
	h.most = slices.Max(h.zeros)
	if h.most == 0 {
		h.zeros = nil
	}
	// Rice's rule, limited to what a page can show.
	cells := min(max(2*math.Cbrt(float64(total)), fewestCells), mostCells)
	h.width = 1
	if highest > 0 {
		h.width = axis.RoundUp(highest/cells, 1, 2, 2.5, 5)
	}
	for _, of := range d.columns {
		shares := make([]float64, int(highest/h.width)+1)
		for v, n := range of.distances.All() {
			if v > 0 {
				k := int(v / h.width)
				shares[k] += float64(n) / float64(of.distances.Len())
				h.most = max(h.most, shares[k])
			}
		}
		h.shares = append(h.shares, shares)
	}
	return h, highest
}

// key says what the shades mean. They follow the square root of the share, so that a mode of a few percent is visible
// beside a large one.
func (h *histogram) key() *plot.Key {
	k := &plot.Key{Text: fmt.Sprintf("share of flights per %g km", h.width), Inks: ramp(faintest)}
	for _, percent := range []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 25, 50, 75, 100} {
		if at := math.Sqrt(percent / 100 / h.most); at < 1+1e-9 {
			k.Ticks = append(k.Ticks, plot.KeyTick{Share: at, Text: fmt.Sprintf("%g %%", percent)})
		}
	}
	return k
}
