package report

import (
	"fmt"
	"math"
	"strings"
)

// Mark is how a series is drawn, the same in every figure.
type Mark int

// The marks of a series.
const (
	Computed  Mark = iota // a solid line, with dots when they are few: what veilpath computed
	Published             // rings on a pale line: what the paper printed
	Bound                 // a dashed line: an upper or lower bound, or another line of a colour
	Exact                 // a thin solid line: a closed form
	Points                // dots without a line
	Range                 // the interval only, palely: where a share of the values lies
)

// Series is a curve, a scatter or a range over two axes.
type Series struct {
	Label string    // named in the margin, lines broken at \n; none when empty
	Mark  Mark      //
	Hue   int       // colour, 0..4, one per quantity
	X, Y  []float64 // of the same length; a NaN Y interrupts the line
	// Low and High bound an interval around each Y, drawn as a band, or as a bar where a point stands
	// alone; nil for none, NaN where unknown.
	Low, High []float64
	Names     []string // written beside the points; nil for none
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
			return fmt.Errorf("series %q has %d X and %d %s, want as many", what, len(s.X), l.length, l.name)
		}
	}
	if (s.Low == nil) != (s.High == nil) {
		return fmt.Errorf("series %q has one end of its intervals only", what)
	}
	for i, x := range s.X {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("series %q has X %v at %d, want finite numbers", what, x, i)
		}
	}
	return nil
}

// include widens spans to hold the series.
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

// level is where the series ends at the right: its last value, or the middle of its last interval.
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
