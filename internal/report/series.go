package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Mark selects how a series is drawn.
type Mark int

// The marks of a series.
const (
	Computed  Mark = iota // a solid line, with dots if they are few: computed values
	Published             // rings on a pale line: values printed in the paper
	Bound                 // a dashed line: a bound, or a second line of the same colour
	Exact                 // a thin solid line: a closed form
	Points                // dots without a line
	Range                 // only the interval, in a pale colour: the range of a share of the values
)

// Series is a curve, a scatter or a range over two axes.
type Series struct {
	Label string    // label in the margin, which may contain \n; empty for none
	Mark  Mark      //
	Hue   int       // colour, 0..4, one per quantity
	Shape int       // of Points, 0..2: discs, squares, triangles, for more series than colours
	X, Y  []float64 // of equal length; a NaN in Y interrupts the line
	// Low and High are the ends of an interval at each X, drawn as a band, or as a bar at a single point. Nil for
	// none; NaN for unknown.
	Low, High []float64
	Names     []string // written beside the points; nil for none
}

// Add appends a point.
func (s *Series) Add(x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// AddInterval appends a point with its interval.
func (s *Series) AddInterval(x, y, low, high float64) {
	s.Add(x, y)
	s.Low, s.High = append(s.Low, low), append(s.High, high)
}

// check returns an error unless the series can be drawn.
func (s *Series) check() error {
	what := strings.ReplaceAll(s.Label, "\n", " ")
	switch {
	case len(s.X) == 0:
		return fmt.Errorf("series %q has no points", what)
	case s.Mark < Computed || s.Mark > Range:
		return fmt.Errorf("series %q has mark %d, want one of the named marks", what, s.Mark)
	case s.Hue < 0 || s.Hue >= hues:
		return fmt.Errorf("series %q has hue %d, want 0 to %d", what, s.Hue, hues-1)
	case s.Shape < 0 || s.Shape >= shapes:
		return fmt.Errorf("series %q has shape %d, want 0 to %d", what, s.Shape, shapes-1)
	case s.Mark == Range && (s.Low == nil || s.High == nil):
		return fmt.Errorf("series %q is a range without an interval", what)
	}
	lengths := []struct {
		name     string
		length   int
		optional bool
	}{
		{"Y", len(s.Y), s.Mark == Range}, {"Low", len(s.Low), true}, {"High", len(s.High), true},
		{"Names", len(s.Names), true},
	}
	for _, l := range lengths {
		if l.length != len(s.X) && !(l.optional && l.length == 0) {
			return fmt.Errorf("series %q has %d X and %d %s, want equal numbers", what, len(s.X), l.length, l.name)
		}
	}
	if (s.Low == nil) != (s.High == nil) {
		return fmt.Errorf("series %q has only one end of its intervals", what)
	}
	for i, x := range s.X {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("series %q has X %v at %d, want finite numbers", what, x, i)
		}
	}
	return nil
}

// drawn reports whether the series has a known value, and so leaves a mark.
func (s *Series) drawn() bool {
	known := func(v float64) bool { return !math.IsNaN(v) }
	return slices.ContainsFunc(s.Y, known) || slices.ContainsFunc(s.Low, known) && slices.ContainsFunc(s.High, known)
}

// include widens spans to include the series.
func (s *Series) include(xs, ys *span) {
	for _, x := range s.X {
		xs.include(x)
	}
	for _, values := range [][]float64{s.Y, s.Low, s.High} {
		for _, y := range values {
			ys.include(y)
		}
	}
}

// level returns the rightmost value of the series, or the middle of its rightmost interval.
func (s *Series) level() float64 {
	at, level := math.Inf(-1), math.NaN()
	for i, x := range s.X {
		var y float64
		if s.Mark == Range {
			y = (s.Low[i] + s.High[i]) / 2
		} else {
			y = s.Y[i]
		}
		if x >= at && !math.IsNaN(y) {
			at, level = x, y
		}
	}
	return level
}
