package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
)

const (
	hues       = len(assets.Palette{}.Series)
	shapes     = 3
	mostDots   = 45 // a line with more points has no dots, because they would run together
	dotRadius  = vg.Length(2.3)
	ringRadius = vg.Length(3.1)
	capWidth   = vg.Length(3) // half the width of an error bar's cap

	bandOpacity      = 0.24
	rangeOpacity     = 0.10
	publishedOpacity = 0.55
	crowdedOpacity   = 0.38 // of a published line too dense for rings
)

func (s *Series) color(sh *sheet) color.NRGBA { return sh.palette.Series[s.Hue] }

func (s *Series) bandColor(sh *sheet) color.NRGBA {
	if s.Mark == Range {
		return faded(s.color(sh), rangeOpacity)
	}
	return faded(s.color(sh), bandOpacity)
}

// drawIntervals draws successive known intervals as bands and single ones as bars.
func (s *Series) drawIntervals(sh *sheet, f *frame) {
	known := func(i int) bool {
		return i < len(s.Low) && !math.IsNaN(s.Low[i]) && !math.IsNaN(s.High[i])
	}
	for from := 0; from < len(s.Low); from++ {
		to := from
		for known(to) && (s.Mark != Points || to == from) {
			to++
		}
		switch {
		case to-from == 1:
			s.drawBar(sh, f, from)
		case to-from > 1:
			var band []vg.Point
			for i := from; i < to; i++ {
				band = append(band, f.point(s.X[i], s.Low[i]))
			}
			for i := to - 1; i >= from; i-- {
				band = append(band, f.point(s.X[i], s.High[i]))
			}
			sh.area(s.bandColor(sh), clipArea(f.data, band)...)
		}
		from = max(from, to-1)
	}
}

func (s *Series) drawBar(sh *sheet, f *frame, i int) {
	low, high := f.point(s.X[i], s.Low[i]), f.point(s.X[i], s.High[i])
	st := stroke{color: s.color(sh), width: thinLine}
	if s.Mark == Range {
		st = stroke{color: s.bandColor(sh), width: 2 * capWidth}
	}
	for _, piece := range clip(f.data, []vg.Point{low, high}) {
		sh.line(st, piece...)
	}
	for _, end := range []vg.Point{low, high} {
		if s.Mark != Range && inside(f.data, end) {
			sh.line(st, end.Sub(vg.Point{X: capWidth}), end.Add(vg.Point{X: capWidth}))
		}
	}
}

// stroke returns the line of a series. Its width is 0 for a series without a line.
func (s *Series) stroke(sh *sheet) stroke {
	c := s.color(sh)
	switch s.Mark {
	case Computed:
		return stroke{color: c, width: curveWidth}
	case Published:
		if s.crowded() {
			return stroke{color: faded(c, crowdedOpacity), width: 2.3 * curveWidth}
		}
		return stroke{color: faded(c, publishedOpacity), width: thinLine}
	case Bound:
		return stroke{color: c, width: 1.4, dashes: dashed}
	case Exact:
		return stroke{color: c, width: thinLine}
	default:
		return stroke{color: c}
	}
}

func (s *Series) crowded() bool { return len(s.X) > mostDots }

// drawLine draws the line of a series and its dots.
func (s *Series) drawLine(sh *sheet, f *frame) {
	var run []vg.Point
	flush := func() {
		for _, piece := range clip(f.data, run) {
			sh.line(s.stroke(sh), piece...)
		}
		run = run[:0]
	}
	for i, y := range s.Y {
		if math.IsNaN(y) {
			flush()
			continue
		}
		run = append(run, f.point(s.X[i], y))
	}
	flush()
	for i, y := range s.Y {
		if p := f.point(s.X[i], y); !math.IsNaN(y) && inside(f.data, p) && (s.Mark == Points || !s.crowded() || s.alone(i)) {
			s.drawDot(sh, p)
		}
	}
}

// alone reports whether point i has no known neighbour, so that no line reaches it.
func (s *Series) alone(i int) bool {
	gap := func(i int) bool { return i < 0 || i >= len(s.Y) || math.IsNaN(s.Y[i]) }
	return gap(i-1) && gap(i+1)
}

func (s *Series) drawDot(sh *sheet, at vg.Point) {
	switch s.Mark {
	case Computed:
		sh.canvas.Disc(s.color(sh), at, dotRadius)
	case Points:
		s.drawPoint(sh, sh.palette.Background, at, ringRadius+0.7)
		s.drawPoint(sh, s.color(sh), at, ringRadius)
	case Published:
		sh.canvas.Disc(s.color(sh), at, ringRadius+0.45)
		sh.canvas.Disc(sh.palette.Background, at, ringRadius-0.45)
	case Bound, Exact:
		if s.alone(0) && len(s.X) == 1 {
			sh.canvas.Disc(s.color(sh), at, dotRadius)
		}
	}
}

// drawPoint draws the shape of Points of a radius.
func (s *Series) drawPoint(sh *sheet, c color.NRGBA, at vg.Point, radius vg.Length) {
	var corners []vg.Point // of unit radius, around the origin
	switch s.Shape {
	case 0:
		sh.canvas.Disc(c, at, radius)
		return
	case 1:
		corners = []vg.Point{{X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}, {X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}}
	case 2:
		corners = []vg.Point{{X: -1.15, Y: -0.8}, {X: 1.15, Y: -0.8}, {Y: 1.2}}
	}
	for i, corner := range corners {
		corners[i] = at.Add(corner.Scale(radius))
	}
	sh.canvas.Area(c, corners)
}

// swatch draws a sample of the series into a box.
func (s *Series) swatch(sh *sheet, box vg.Rectangle) {
	middle := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
	if s.Low != nil && s.Mark == Points {
		sh.line(stroke{color: s.color(sh), width: thinLine}, vg.Point{X: middle.X, Y: box.Min.Y},
			vg.Point{X: middle.X, Y: box.Max.Y})
	} else if s.Low != nil {
		sh.box(s.bandColor(sh), vg.Rectangle{
			Min: vg.Point{X: box.Min.X, Y: middle.Y - 4.5}, Max: vg.Point{X: box.Max.X, Y: middle.Y + 4.5},
		})
	}
	if s.Mark == Range {
		return
	}
	if st := s.stroke(sh); st.width > 0 {
		sh.line(st, vg.Point{X: box.Min.X, Y: middle.Y}, vg.Point{X: box.Max.X, Y: middle.Y})
	}
	if s.Mark == Points || !s.crowded() {
		s.drawDot(sh, middle)
	}
}
