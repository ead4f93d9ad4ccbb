package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
)

// Surface is a panel that shows a quantity over two parameters as a heat map with contours.
type Surface struct {
	Title  string
	X, Y   Axis
	Xs, Ys []float64   // coordinates of Z: ascending, at least two each
	Z      [][]float64 // Z[i][j] at Xs[i], Ys[j]; NaN is unknown and stays blank
	ZLabel string      // the quantity with its unit
	Levels []float64   // levels of the contours, finite; nil for round ones, empty for none
	Strong []float64   // levels whose contours are drawn thick, beside the others
	Points []Series    // drawn on top, such as a chosen point
	Sides  []Side      // names of regions
}

// Side is the name of the region of a surface in which a quantity is above a level, or at or below it.
type Side struct {
	Name  string
	Level float64
	Above bool
}

const (
	contourCount = 9
	barWidth     = vg.Length(11)
	barGap       = vg.Length(4)
	barSteps     = 128
)

func (p *Surface) lay(s *sheet) (*frame, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("panel %q: %w", p.Title, err)
	}
	ends := func(centres []float64, a Axis) span {
		e := cellEdges(centres, a.Scale)
		return span{a.Scale, e[0], e[len(e)-1]}
	}
	// The cells fill the whole frame.
	across, up := p.X, p.Y
	xs, ys := ends(p.Xs, p.X), ends(p.Ys, p.Y)
	if across.Range == [2]float64{} {
		across.Range = [2]float64{xs.low, xs.high}
	}
	if up.Range == [2]float64{} {
		up.Range = [2]float64{ys.low, ys.high}
	}
	f, err := newFrame(p.Title, across, up, xs, ys)
	if err != nil {
		return nil, err
	}
	f.bare = true
	f.margin = []entry{p.barEntry(s)}
	for i := range p.Points {
		if err := p.Points[i].check(); err != nil {
			return nil, fmt.Errorf("panel %q: %w", p.Title, err)
		}
	}
	return f, nil
}

func (p *Surface) check() error {
	for _, side := range []struct {
		name   string
		values []float64
		scale  Scale
	}{{"Xs", p.Xs, p.X.Scale}, {"Ys", p.Ys, p.Y.Scale}} {
		if len(side.values) < 2 {
			return fmt.Errorf("%d %s, want at least 2", len(side.values), side.name)
		}
		for i, v := range side.values {
			if math.IsNaN(v) || math.IsInf(v, 0) || side.scale == Log && v <= 0 || i > 0 && v <= side.values[i-1] {
				return fmt.Errorf("%s %v at %d: want finite values in ascending order, above 0 on a logarithmic axis", side.name, v,
					i)
			}
		}
	}
	if len(p.Z) != len(p.Xs) {
		return fmt.Errorf("%d columns of Z for %d Xs", len(p.Z), len(p.Xs))
	}
	known := false
	for i, column := range p.Z {
		if len(column) != len(p.Ys) {
			return fmt.Errorf("column %d of Z has %d values for %d Ys", i, len(column), len(p.Ys))
		}
		for j, z := range column {
			if math.IsInf(z, 0) {
				return fmt.Errorf("value of Z at column %d, row %d is infinite, want a finite value or NaN", i, j)
			}
			known = known || !math.IsNaN(z)
		}
	}
	if !known {
		return fmt.Errorf("no finite values of Z")
	}
	for _, l := range p.Levels {
		if math.IsNaN(l) || math.IsInf(l, 0) {
			return fmt.Errorf("contour level %v, want finite ones", l)
		}
	}
	return nil
}

// zSpan returns the span of the quantity.
func (p *Surface) zSpan() span {
	s := emptySpan(Linear)
	for _, column := range p.Z {
		for _, z := range column {
			s.include(z)
		}
	}
	if !s.resolves() {
		return s.around()
	}
	return s
}

// levels returns the levels of the contours.
func (p *Surface) levels() []float64 {
	if p.Levels != nil {
		return p.Levels
	}
	var out []float64
	for _, t := range p.zSpan().ticks(contourCount) {
		out = append(out, t.value)
	}
	return out
}

func (p *Surface) draw(s *sheet, f *frame) {
	zs := p.zSpan()
	xe, ye := cellEdges(p.Xs, p.X.Scale), cellEdges(p.Ys, p.Y.Scale)
	for i, column := range p.Z {
		for j, z := range column {
			cell := vg.Rectangle{
				Min: vg.Point{X: max(f.x(xe[i]), f.data.Min.X), Y: max(f.y(ye[j]), f.data.Min.Y)},
				Max: vg.Point{X: min(f.x(xe[i+1])+seam, f.data.Max.X), Y: min(f.y(ye[j+1])+seam, f.data.Max.Y)},
			}
			if !math.IsNaN(z) && cell.Min.X < cell.Max.X && cell.Min.Y < cell.Max.Y {
				s.box(s.palette.Ramp(zs.at(z)), cell)
			}
		}
	}
	p.drawContours(s, f, zs)
	for i := range p.Points {
		p.Points[i].drawIntervals(s, f)
		p.Points[i].drawLine(s, f)
	}
	named := slices.Clone(p.Points)
	slices.Reverse(named) // what lies on top is named first
	f.drawNames(s, named)
	for _, side := range p.Sides {
		if x, y, found := p.deepest(side); found {
			p.nameSide(s, f, f.point(x, y), side.Name)
		}
	}
}

// nameSide writes the name of a side around a point, within the frame.
func (p *Surface) nameSide(s *sheet, f *frame, at vg.Point, name string) {
	size := vg.Point{X: s.width(labelType, name) + 2*nameGap, Y: 2.2 * capHeight * labelType.size}
	at.X = min(max(at.X, f.data.Min.X+size.X/2), f.data.Max.X-size.X/2)
	at.Y = min(max(at.Y, f.data.Min.Y+size.Y/2), f.data.Max.Y-size.Y/2)
	low := at.Sub(vg.Point{X: size.X / 2, Y: size.Y / 2})
	s.box(faded(s.palette.Background, 0.8), vg.Rectangle{Min: low, Max: low.Add(size)})
	s.write(labelType, s.palette.Ink, at, anchor{0.5, 0.5}, name)
}

// deepest returns the point of a side that is farthest from the other side and from the points drawn on top. A name
// may lie near the frame rather than near the other side.
func (p *Surface) deepest(side Side) (x, y float64, found bool) {
	const columns, nearFrame = 48, 0.05
	type place struct{ u, v float64 } // shares of the panel
	at := func(i, j int) place {
		return place{float64(i) / float64(len(p.Xs)-1), float64(j) / float64(len(p.Ys)-1)}
	}
	var within [][2]int
	var outside []place
	for i := 0; i < len(p.Xs); i += max(1, len(p.Xs)/columns) {
		for j, z := range p.Z[i] {
			if !math.IsNaN(z) && (z > side.Level) == side.Above {
				within = append(within, [2]int{i, j})
			} else {
				outside = append(outside, at(i, j))
			}
		}
	}
	for _, points := range p.Points {
		for k, point := range points.X {
			i, _ := slices.BinarySearch(p.Xs, point)
			j, _ := slices.BinarySearch(p.Ys, points.Y[k])
			outside = append(outside, at(i, j))
		}
	}
	best := -1.0
	for _, w := range within {
		a := at(w[0], w[1])
		nearest := min(a.u, 1-a.u, a.v, 1-a.v) + nearFrame
		for _, b := range outside {
			nearest = min(nearest, math.Hypot(a.u-b.u, a.v-b.v))
		}
		if nearest > best {
			x, y, best, found = p.Xs[w[0]], p.Ys[w[1]], nearest, true
		}
	}
	return x, y, found
}

// contours returns the levels of all contours, each once.
func (p *Surface) contours() []float64 {
	thin := slices.DeleteFunc(slices.Clone(p.levels()), func(l float64) bool { return slices.Contains(p.Strong, l) })
	return append(thin, p.Strong...)
}

// drawContours draws level lines and writes the level on the longest line of each.
func (p *Surface) drawContours(s *sheet, f *frame, zs span) {
	xs, ys := make([]vg.Length, len(p.Xs)), make([]vg.Length, len(p.Ys))
	for i, x := range p.Xs {
		xs[i] = f.x(x)
	}
	for j, y := range p.Ys {
		ys[j] = f.y(y)
	}
	type tag struct {
		at    vg.Point
		text  string
		color color.NRGBA
	}
	var tags []tag
	var taken []vg.Rectangle
	for _, level := range p.contours() {
		strong := slices.Contains(p.Strong, level)
		ground := s.palette.Ramp(zs.at(level))
		ink := readable(s.palette, ground)
		text := minus(fmt.Sprintf("%.4g", level))
		size := vg.Point{X: s.width(noteType, text), Y: capHeight * noteType.size}
		var best []vg.Point
		for _, line := range contour(xs, ys, p.Z, level) {
			for _, piece := range clip(f.data, line) {
				if strong {
					s.line(stroke{color: s.palette.Background, width: 2.6 * curveWidth}, piece...)
					s.line(stroke{color: s.palette.Series[1], width: 1.6 * curveWidth}, piece...)
				} else {
					s.line(stroke{color: faded(ink, 0.75), width: thinLine}, piece...)
				}
				if length(piece) > length(best) {
					best = piece
				}
			}
		}
		if length(best) < 3*size.X {
			continue // a label would cover the line
		}
		at, box := placeOnLine(best, size, f.data, taken)
		taken = append(taken, box)
		tags = append(tags, tag{at, text, ink})
		s.box(ground, box)
	}
	for _, t := range tags {
		s.write(noteType, t.color, t.at, anchor{0.5, 0.5}, t.text)
	}
}

// placeOnLine returns the point of a line, and the box around it, where a text of a given size covers least of the
// taken boxes. It prefers the middle of the line, and the box stays within the frame.
func placeOnLine(line []vg.Point, size vg.Point, within vg.Rectangle, taken []vg.Rectangle) (vg.Point, vg.Rectangle) {
	const padding = 2 // points around the text
	var at vg.Point
	var box vg.Rectangle
	least := vg.Length(math.Inf(1))
	for _, share := range []vg.Length{0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82} {
		half := vg.Point{X: size.X/2 + padding, Y: size.Y/2 + padding}
		p := along(line, share*length(line))
		p.X = min(max(p.X, within.Min.X+half.X), within.Max.X-half.X)
		p.Y = min(max(p.Y, within.Min.Y+half.Y), within.Max.Y-half.Y)
		b := vg.Rectangle{Min: p.Sub(half), Max: p.Add(half)}
		covered := vg.Length(0)
		for _, t := range taken {
			covered += overlap(b, t)
		}
		if covered < least {
			at, box, least = p, b, covered
		}
	}
	return at, box
}

// readable returns ink or background, whichever has more contrast with a ground.
func readable(p assets.Palette, ground color.NRGBA) color.NRGBA {
	light := func(c color.NRGBA) float64 { return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B) }
	if math.Abs(light(p.Ink)-light(ground)) >= math.Abs(light(p.Background)-light(ground)) {
		return p.Ink
	}
	return p.Background
}

// barEntry returns the key to the colours: a bar as high as the panel.
func (p *Surface) barEntry(s *sheet) entry {
	zs := p.zSpan()
	ticks := zs.ticks(contourCount)
	widest := vg.Length(0)
	for _, t := range ticks {
		widest = max(widest, s.width(tickType, t.label))
	}
	label := strings.ReplaceAll(p.ZLabel, "\n", " ")
	return entry{
		level:  math.NaN(),
		width:  barWidth + barGap + widest + labelGap + labelType.size,
		height: smallestData,
		draw: func(s *sheet, box vg.Rectangle) {
			bar := vg.Rectangle{Min: box.Min, Max: vg.Point{X: box.Min.X + barWidth, Y: box.Max.Y}}
			y := func(fraction float64) vg.Length { return bar.Min.Y + vg.Length(fraction)*bar.Size().Y }
			for i := range barSteps {
				from, to := float64(i)/barSteps, float64(i+1)/barSteps
				s.box(s.palette.Ramp((from+to)/2), vg.Rectangle{
					Min: vg.Point{X: bar.Min.X, Y: y(from)}, Max: vg.Point{X: bar.Max.X, Y: min(bar.Max.Y, y(to)+seam)},
				})
			}
			for _, t := range ticks {
				s.write(tickType, s.palette.Muted, vg.Point{X: bar.Max.X + barGap, Y: y(zs.at(t.value))}, anchor{0, 0.5}, t.label)
			}
			middle := vg.Point{X: bar.Max.X + barGap + widest + labelGap + labelType.size*capHeight, Y: y(0.5)}
			s.writeUpwards(labelType, s.palette.Ink, middle, label)
		},
		fills: true,
	}
}
