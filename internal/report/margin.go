package report

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"veilpath/internal/pool"
)

// entry is a label in the margin to the right of a panel.
type entry struct {
	level         float64 // preferred height, as a value of the vertical axis; NaN for the bottom
	width, height vg.Length
	draw          func(s *sheet, box vg.Rectangle)
	fills         bool // the entry is as high as the panel, and the only one
}

const (
	marginGap   = vg.Length(10) // between the data and the margin
	swatchWidth = vg.Length(20)
	swatchGap   = vg.Length(6)
	entryGap    = vg.Length(4) // least space between two entries
)

// keyEntry returns an entry with a sample of a mark and its label.
func keyEntry(s *sheet, level float64, label string, swatch func(*sheet, vg.Rectangle)) entry {
	indent := swatchWidth + swatchGap
	return entry{
		level:  level,
		width:  indent + s.width(keyType, label),
		height: s.height(keyType, label) + entryGap,
		draw: func(s *sheet, box vg.Rectangle) {
			middle := (box.Min.Y + box.Max.Y) / 2
			half := lineSpacing * keyType.size / 2
			swatch(s, vg.Rectangle{
				Min: vg.Point{X: box.Min.X, Y: middle - half},
				Max: vg.Point{X: box.Min.X + swatchWidth, Y: middle + half},
			})
			s.write(keyType, s.palette.Ink, vg.Point{X: box.Min.X + indent, Y: middle}, anchor{0, 0.5}, label)
		},
	}
}

// drawMargin draws the entries beside the data, each as near to its level as the others allow.
func (f *frame) drawMargin(s *sheet) {
	left := f.data.Max.X + marginGap
	if len(f.margin) == 1 && f.margin[0].fills {
		f.margin[0].draw(s, vg.Rectangle{Min: vg.Point{X: left, Y: f.data.Min.Y},
			Max: vg.Point{X: left + f.margin[0].width, Y: f.data.Max.Y}})
		return
	}
	wanted := make([]vg.Length, len(f.margin))
	heights := make([]vg.Length, len(f.margin))
	for i, e := range f.margin {
		wanted[i], heights[i] = f.data.Min.Y, e.height
		if !math.IsNaN(e.level) {
			wanted[i] = min(max(f.y(e.level), f.data.Min.Y), f.data.Max.Y)
		}
	}
	for i, middle := range spread(wanted, heights, f.data.Min.Y, f.data.Max.Y) {
		e := f.margin[i]
		e.draw(s, vg.Rectangle{
			Min: vg.Point{X: left, Y: middle - e.height/2},
			Max: vg.Point{X: left + e.width, Y: middle + e.height/2},
		})
	}
}

// spread returns the middles of boxes with the given heights so that none overlap, their order is that of the
// wanted places, and the sum of squared distances from the wanted places is smallest. The boxes stay between low
// and high if they fit, and otherwise above low.
func spread(wanted, heights []vg.Length, low, high vg.Length) []vg.Length {
	order := slices.Collect(pool.Numbers(0, len(wanted)))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wanted[a], wanted[b]) })

	// After subtracting the heights stacked below each box, the middles need only be in order. That is an isotonic
	// regression, solved by pooling adjacent violators.
	type run struct {
		mean vg.Length
		size int
	}
	var pools []run
	stacked := make([]vg.Length, len(order))
	total := vg.Length(0)
	for k, i := range order {
		stacked[k] = total + heights[i]/2
		total += heights[i]
		p := run{wanted[i] - stacked[k], 1}
		for len(pools) > 0 && pools[len(pools)-1].mean > p.mean {
			q := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			p = run{(p.mean*vg.Length(p.size) + q.mean*vg.Length(q.size)) / vg.Length(p.size+q.size), p.size + q.size}
		}
		pools = append(pools, p)
	}
	middles := make([]vg.Length, len(order))
	k := 0
	for _, p := range pools {
		base := max(low, min(p.mean, high-total))
		for range p.size {
			middles[order[k]] = base + stacked[k]
			k++
		}
	}
	return middles
}
