package report

import (
	"fmt"
	"math"

	"veilpath/internal/plot"
)

// Scale says how an axis spaces its values.
type Scale int

// The scales of an axis.
const (
	Linear Scale = iota
	Log
)

// logFrom is the smallest ratio of the largest to the smallest value for which ScaleFor chooses a logarithmic
// axis.
const logFrom = 30

// ScaleFor returns the scale for values: Log if all are above 0 and span a factor of 30 or more.
func ScaleFor(values []float64) Scale {
	s := spanOf(values...)
	if s.low > 0 && s.high >= logFrom*s.low {
		return Log
	}
	return Linear
}

// Axis is one axis of a panel.
type Axis struct {
	Label    string     // quantity with its unit: "Detection distance (km)"
	Scale    Scale      //
	FromZero bool       // begin a linear axis at 0
	Range    [2]float64 // ends of the axis; both 0 for those of the data
	Names    []string   // names of the values 1, 2 and so on, the only values of a vertical axis; nil for numbers
}

// span is the range of some values. An empty one has low above high.
type span struct{ low, high float64 }

func spanOf(values ...float64) span {
	s := span{math.Inf(1), math.Inf(-1)}
	s.include(values...)
	return s
}

// include widens a span to include values. NaN is ignored.
func (s *span) include(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) {
			s.low, s.high = min(s.low, v), max(s.high, v)
		}
	}
}

func (s span) contains(v float64) bool { return v >= s.low && v <= s.high }

// room is the space beyond the outermost values, as a fraction of their range.
const room = 0.04

// settle returns the scale of the axis for the span of the data.
func (a Axis) settle(s span) (plot.Scale, error) {
	if n := float64(len(a.Names)); n > 0 {
		return plot.Scale{Low: 0.5, High: n + 0.5}, nil
	}
	if a.Range != [2]float64{} {
		s = span{a.Range[0], a.Range[1]}
	}
	if !(s.low <= s.high) || math.IsNaN(0*(s.high-s.low)) || // one is infinite, or both
		a.Scale == Log && s.low <= 0 {
		return plot.Scale{}, fmt.Errorf("axis %q cannot extend from %v to %v: want finite values, above 0 on a logarithmic axis",
			a.Label, s.low, s.high)
	}
	if a.Range != [2]float64{} {
		return plot.Scale{Low: s.low, High: s.high, Log: a.Scale == Log}, nil
	}
	positive := s.low >= 0
	if a.FromZero && a.Scale == Linear {
		s.include(0)
	}
	if s.sole() {
		s = s.around(a.Scale)
	} else {
		scale := plot.Scale{Low: s.low, High: s.high, Log: a.Scale == Log}
		s = span{scale.Value(-room), scale.Value(1 + room)}
	}
	if a.Scale == Linear && positive && (a.FromZero || s.low < 0) {
		s.low = 0
	}
	return plot.Scale{Low: s.low, High: s.high, Log: a.Scale == Log}, nil
}

// sole reports whether the ends of a span differ by no more than rounding.
func (s span) sole() bool {
	const roundings = 1e-12 // some thousand times the relative accuracy of float64
	return s.high-s.low <= roundings*max(math.Abs(s.low), math.Abs(s.high))
}

// around returns a span with a single value in its middle.
func (s span) around(scale Scale) span {
	if scale == Log {
		return span{s.low / 2, s.high * 2}
	}
	half := max(math.Abs(s.low), math.Abs(s.high)) / 2
	if half == 0 {
		half = 1
	}
	return span{s.low - half, s.high + half}
}

// newChart returns a chart with the axes of a panel for the spans of its data.
func newChart(title string, across, up Axis, xs, ys span) (*plot.Chart, error) {
	c := &plot.Chart{Title: title, Note: up.Label, NameX: across.Label, Beside: true}
	var err error
	if c.X, err = across.settle(xs); err != nil {
		return nil, fmt.Errorf("panel %q: %w", title, err)
	}
	if c.Y, err = up.settle(ys); err != nil {
		return nil, fmt.Errorf("panel %q: %w", title, err)
	}
	if xs.sole() && across.Range == [2]float64{} {
		c.TicksX = []float64{xs.low}
	}
	if up.Names != nil {
		c.TextY = func(v float64) string { return up.Names[int(v)-1] }
		for i := range up.Names {
			c.TicksY = append(c.TicksY, float64(i+1))
		}
	}
	return c, nil
}
