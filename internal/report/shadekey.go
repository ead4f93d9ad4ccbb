package report

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

const (
	scaleWidth  = vg.Length(112)
	scaleHeight = vg.Length(7)
	scaleSteps  = 56
	seam        = vg.Length(0.4) // overlap of neighbouring cells, so that the page does not show between them
)

// scaleEntry returns the key to the shades of a distribution.
func (d *Distribution) scaleEntry(s *sheet, h histogram) entry {
	label := fmt.Sprintf("share of %s per %s %s", d.What, strconv.FormatFloat(h.width, 'g', -1, 64), d.Unit)
	above := s.height(keyType, label)
	return entry{
		level:  math.NaN(),
		width:  max(scaleWidth+12, s.width(keyType, label)),
		height: above + scaleHeight + tickGap + tickType.size + entryGap,
		draw: func(s *sheet, box vg.Rectangle) {
			top := box.Max.Y - entryGap
			s.write(keyType, s.palette.Ink, vg.Point{X: box.Min.X, Y: top}, anchor{0, 1}, label)
			bar := vg.Rectangle{
				Min: vg.Point{X: box.Min.X, Y: top - above - scaleHeight},
				Max: vg.Point{X: box.Min.X + scaleWidth, Y: top - above},
			}
			for i := range scaleSteps {
				from, to := float64(i)/scaleSteps, float64(i+1)/scaleSteps
				at := (from + to) / 2
				s.box(h.shade(s, at*at*h.most), vg.Rectangle{
					Min: vg.Point{X: bar.Min.X + scaleWidth*vg.Length(from), Y: bar.Min.Y},
					Max: vg.Point{X: min(bar.Max.X, bar.Min.X+scaleWidth*vg.Length(to)+seam), Y: bar.Max.Y},
				})
			}
			h.drawShares(s, bar)
		},
	}
}

// drawShares labels the key with round percentages, from the largest down as far as there is room.
func (h *histogram) drawShares(s *sheet, bar vg.Rectangle) {
	free := bar.Max.X + 12
	for _, percent := range []float64{100, 75, 50, 25, 10, 5, 2, 1, 0.5, 0.2, 0.1} {
		share := percent / 100
		if share > h.most*(1+1e-9) {
			continue
		}
		x := bar.Min.X + scaleWidth*vg.Length(math.Sqrt(share/h.most))
		text := strconv.FormatFloat(percent, 'g', -1, 64) + " %"
		half := s.width(tickType, text) / 2
		if x+half > free || x-half < bar.Min.X-4 {
			continue
		}
		s.line(stroke{color: s.palette.Muted, width: hairline}, vg.Point{X: x, Y: bar.Min.Y},
			vg.Point{X: x, Y: bar.Min.Y - 2})
		s.write(tickType, s.palette.Muted, vg.Point{X: x, Y: bar.Min.Y - tickGap}, anchor{0.5, 1}, text)
		free = x - half - 6
	}
}
