package report

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// nameGap separates a point from its name.
const nameGap = vg.Length(5)

// drawNames writes names beside points, each on the side where it hides least.
func (f *frame) drawNames(s *sheet, series []Series) {
	var taken []vg.Rectangle
	for i := range series {
		for k, y := range series[i].Y {
			if !math.IsNaN(y) {
				taken = append(taken, around(f.point(series[i].X[k], y), ringRadius))
			}
		}
	}
	for i := range series {
		for k, name := range series[i].Names {
			at := f.point(series[i].X[k], series[i].Y[k])
			if name == "" || math.IsNaN(series[i].Y[k]) || !inside(f.data, at) {
				continue
			}
			box := f.placeName(s, at, name, taken)
			taken = append(taken, box)
			s.write(noteType, s.palette.Ink, box.Min, anchor{0, 0}, name)
		}
	}
}

// placeName returns the box beside a point that overlaps least with what is there and with the outside.
func (f *frame) placeName(s *sheet, at vg.Point, name string, taken []vg.Rectangle) vg.Rectangle {
	size := vg.Point{X: s.width(noteType, name), Y: capHeight * noteType.size}
	offsets := []vg.Point{
		{X: nameGap, Y: -size.Y / 2}, {X: -nameGap - size.X, Y: -size.Y / 2}, // right, left
		{X: -size.X / 2, Y: nameGap}, {X: -size.X / 2, Y: -nameGap - size.Y}, // above, below
		{X: nameGap, Y: nameGap / 2}, {X: nameGap, Y: -nameGap/2 - size.Y},
		{X: -nameGap - size.X, Y: nameGap / 2}, {X: -nameGap - size.X, Y: -nameGap/2 - size.Y},
	}
	var best vg.Rectangle
	least := vg.Length(math.Inf(1))
	for _, o := range offsets {
		box := vg.Rectangle{Min: at.Add(o), Max: at.Add(o).Add(size)}
		hidden := size.X*size.Y - overlap(box, f.data)
		for _, t := range taken {
			hidden += overlap(box, t)
		}
		if hidden < least {
			best, least = box, hidden
		}
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
