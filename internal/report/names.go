package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

const (
	nameGap     = vg.Length(5) // from a point to its name
	farNameGap  = vg.Length(12)
	namePadding = vg.Length(2)   // around a name on a coloured ground
	traceStep   = vg.Length(3)   // between the boxes that cover a line
	mostHidden  = 0.08           // of the area of a name, by another one
	farPenalty  = vg.Length(0.5) // square points; enough to prefer the nearer of two free places
)

// drawNames writes names beside points, each where it covers least. A name that would lie on an earlier one everywhere
// is left out.
func (f *frame) drawNames(s *sheet, series []Series) {
	var taken, names []vg.Rectangle
	for i := range series {
		taken = append(taken, f.trace(&series[i], s)...)
	}
	for i := range series {
		for k, name := range series[i].Names {
			at := f.point(series[i].X[k], series[i].Y[k])
			if name == "" || math.IsNaN(series[i].Y[k]) || !inside(f.data, at) {
				continue
			}
			below, above := series[i].reach(f, k)
			box := f.placeName(s, at, below, above, name, taken)
			if slices.ContainsFunc(names, func(n vg.Rectangle) bool { return hidden(n, box) }) {
				continue
			}
			taken, names = append(taken, box), append(names, box)
			if f.bare {
				s.box(faded(s.palette.Background, 0.8), vg.Rectangle{
					Min: box.Min.Sub(vg.Point{X: namePadding, Y: namePadding}),
					Max: box.Max.Add(vg.Point{X: namePadding, Y: namePadding}),
				})
			}
			s.write(noteType, s.palette.Ink, box.Min, anchor{0, 0}, name)
		}
	}
}

// hidden reports whether two names are too close to be read, with the space around them.
func hidden(a, b vg.Rectangle) bool {
	around := vg.Point{X: namePadding, Y: namePadding}
	return overlap(vg.Rectangle{Min: a.Min.Sub(around), Max: a.Max.Add(around)}, b) > mostHidden*overlap(b, b)
}

// trace returns boxes that cover the points, lines and bars of a series.
func (f *frame) trace(series *Series, s *sheet) []vg.Rectangle {
	var out []vg.Rectangle
	cover := func(a, b vg.Point, radius vg.Length) {
		line := []vg.Point{a, b}
		for d := vg.Length(0); d <= length(line); d += traceStep {
			out = append(out, around(along(line, d), radius))
		}
	}
	for k, y := range series.Y {
		if math.IsNaN(y) {
			continue
		}
		at := f.point(series.X[k], y)
		out = append(out, around(at, ringRadius))
		if k > 0 && series.stroke(s).width > 0 && !math.IsNaN(series.Y[k-1]) {
			cover(f.point(series.X[k-1], series.Y[k-1]), at, 1)
		}
		if series.Low != nil && series.Mark == Points && !math.IsNaN(series.Low[k]) && !math.IsNaN(series.High[k]) {
			low, high := f.point(series.X[k], series.Low[k]), f.point(series.X[k], series.High[k])
			cover(low, high, 1)
			for _, end := range []vg.Point{low, high} {
				cover(end.Sub(vg.Point{X: capWidth}), end.Add(vg.Point{X: capWidth}), 1)
			}
		}
	}
	return out
}

// reach returns how far the error bar of point k extends below and above it.
func (s *Series) reach(f *frame, k int) (below, above vg.Length) {
	if s.Low == nil || s.Mark != Points || math.IsNaN(s.Low[k]) || math.IsNaN(s.High[k]) {
		return 0, 0
	}
	at := f.y(s.Y[k])
	return at - f.y(s.Low[k]), f.y(s.High[k]) - at
}

// placeName returns the box beside a point, or beyond an end of its error bar, that overlaps least with the taken
// boxes and with the area outside the frame.
func (f *frame) placeName(s *sheet, at vg.Point, below, above vg.Length, name string,
	taken []vg.Rectangle) vg.Rectangle {
	size := vg.Point{X: s.width(noteType, name), Y: capHeight * noteType.size}
	var best vg.Rectangle
	least := vg.Length(math.Inf(1))
	consider := func(middle vg.Point, penalty vg.Length) {
		low := middle.Sub(vg.Point{X: size.X / 2, Y: size.Y / 2})
		box := vg.Rectangle{Min: low, Max: low.Add(size)}
		hidden := size.X*size.Y - overlap(box, f.data) + penalty
		for _, t := range taken {
			hidden += overlap(box, t)
		}
		if hidden < least {
			best, least = box, hidden
		}
	}
	for far, gap := range []vg.Length{nameGap, farNameGap} {
		penalty := vg.Length(far) * farPenalty
		for _, side := range []struct{ x, y vg.Length }{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1},
			{-1, -1}} {
			diagonal := vg.Length(1)
			if side.x != 0 && side.y != 0 {
				diagonal = 0.7
			}
			consider(at.Add(vg.Point{X: side.x * (gap*diagonal + size.X/2), Y: side.y * (gap*diagonal + size.Y/2)}), penalty)
		}
	}
	if below+above > 0 {
		consider(at.Add(vg.Point{Y: above + nameGap + size.Y/2}), farPenalty)
		consider(at.Sub(vg.Point{Y: below + nameGap + size.Y/2}), farPenalty)
	}
	return best
}

func around(p vg.Point, radius vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: p.Sub(vg.Point{X: radius, Y: radius}), Max: p.Add(vg.Point{X: radius, Y: radius})}
}

// overlap returns the area two rectangles share.
func overlap(a, b vg.Rectangle) vg.Length {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	return max(0, w) * max(0, h)
}
