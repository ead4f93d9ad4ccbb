package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"veilpath/assets"
	"veilpath/internal/plot"
)

// Chart is a panel of series over two axes.
type Chart struct {
	Title      string
	X, Y       Axis
	Series     []Series // drawn in order
	References []Reference
}

// Reference is a line across the panel at a value for comparison.
type Reference struct {
	Label    string
	At       float64 // must be finite
	Vertical bool    // at a value of X rather than Y
	Strong   bool    // dashed in ink, rather than thin and grey
	Dotted   bool    // dotted, for a second line of its kind
}

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
	Label string    // beside the panel, which may contain \n; empty for none
	Mark  Mark      //
	Hue   int       // colour, 0..4, one per quantity
	Shape int       // of Points: 0 for discs, 1 for rings, for more series than colours
	X, Y  []float64 // of equal length; a NaN in Y interrupts the line
	// Low and High are the ends of an interval at each X, drawn as a band, or as a bar at a single point. Nil for
	// none; NaN for unknown.
	Low, High []float64
	Names     []string // written beside the points; nil for none
}

const (
	hues       = len(assets.Palette{}.Series)
	shapes     = 2
	mostDots   = 45 // a line with more points has no dots, because they would run together
	curveWidth = 1.8
	hairline   = 0.6 // width of grid lines and thin references
)

// light is the palette of figures; pages give its colours those of the reader's browser.
var light = assets.LightPalette()

// look is the colours and the type of panels.
var look = plot.Look{Panel: light.Background, Ink: light.Ink, Muted: light.Muted, Grid: light.Grid,
	Strong: plot.Style{Bold: true, Size: 10.5}, Small: plot.Style{Size: 9.5}, Hair: hairline}

// Add appends a point.
func (s *Series) Add(x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// AddInterval appends a point with its interval.
func (s *Series) AddInterval(x, y, low, high float64) {
	s.Add(x, y)
	s.Low, s.High = append(s.Low, low), append(s.High, high)
}

// drawn reports whether the series has a known value, and so leaves a mark.
func (s *Series) drawn() bool {
	known := func(v float64) bool { return !math.IsNaN(v) }
	return slices.ContainsFunc(s.Y, known) || slices.ContainsFunc(s.Low, known) && slices.ContainsFunc(s.High, known)
}

func (c *Chart) chart() (*plot.Chart, error) {
	xs, ys := spanOf(), spanOf()
	for i := range c.Series {
		s := &c.Series[i]
		xs.include(s.X...)
		ys.include(slices.Concat(s.Y, s.Low, s.High)...)
	}
	for _, r := range c.References {
		if r.Vertical {
			xs.include(r.At)
		} else {
			ys.include(r.At)
		}
	}
	made, err := newChart(c.Title, c.X, c.Y, xs, ys)
	if err != nil {
		return nil, err
	}
	for i := range c.Series {
		addSeries(made, &c.Series[i])
	}
	addReferences(made, c.References)
	return made, nil
}

// addSeries adds a series with the names of its points.
func addSeries(c *plot.Chart, s *Series) {
	ink := light.Series[s.Hue]
	drawn := plot.Series{N: len(s.X), Low: s.Low, High: s.High, Shade: 0.24, Ink: ink, At: func(i int) (x, y float64) {
		if s.Y == nil {
			return s.X[i], math.NaN()
		}
		return s.X[i], s.Y[i]
	}}
	if s.drawn() {
		drawn.Name = s.Label
	}
	few := len(s.X) <= mostDots
	dot := func(radius float64) plot.Dot { return plot.Dot{Radius: radius, Ink: ink} }
	switch s.Mark {
	case Computed:
		drawn.Width = curveWidth
		if few {
			drawn.Mark = dot(2.3)
		}
	case Published:
		drawn.Width, drawn.Ink = 2.3*curveWidth, plot.Faded(ink, 0.38)
		if few {
			drawn.Width, drawn.Ink, drawn.Mark = 1, plot.Faded(ink, 0.55), dot(3.1)
			drawn.Mark.Ring = true
		}
	case Bound:
		drawn.Width, drawn.Dash, drawn.Gap = 1.4, 5, 3
	case Exact:
		drawn.Width = 1
	case Points:
		drawn.Mark, drawn.Bars = dot(3.1), s.Low != nil
		drawn.Mark.Ring = s.Shape > 0
	case Range:
		drawn.Shade = 0.1
	}
	if len(s.X) == 1 && s.Mark != Range && s.Mark != Published && s.Mark != Points {
		drawn.Mark, drawn.Bars = dot(2.3), s.Low != nil
	}
	c.Series = append(c.Series, drawn)
	for i, name := range s.Names {
		if name != "" && !math.IsNaN(s.Y[i]) {
			c.Labels = append(c.Labels, plot.Label{X: s.X[i], Y: s.Y[i], Text: name, Ink: light.Ink, Near: true})
		}
	}
}

// addReferences adds lines for comparison.
func addReferences(c *plot.Chart, references []Reference) {
	for _, r := range references {
		line := plot.Reference{Name: r.Label, At: r.At, Upright: r.Vertical, Solid: true, Width: hairline, Ink: light.Muted}
		if r.Strong {
			line.Solid, line.Width, line.Dash, line.Ink = false, 1.3, 4, light.Ink
		}
		if r.Dotted {
			line.Solid, line.Dash = false, 2
		}
		c.References = append(c.References, line)
	}
}

// shades is the number of steps of the ramp in figures.
const shades = 64

// shade returns the step of the ramp of a palette that is nearest to a magnitude in [0, 1].
func shade(p assets.Palette, magnitude float64) color.NRGBA {
	return p.Ramp(math.Round(magnitude*(shades-1)) / (shades - 1))
}

// ramp returns some colours of the ramp, from 0 to 1.
func ramp(from float64) (inks []color.NRGBA) {
	const steps = 40
	for i := range steps {
		inks = append(inks, shade(light, from+(1-from)*(float64(i)+0.5)/steps))
	}
	return inks
}

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
	if a.Range != [2]float64{} {
		s = span{a.Range[0], a.Range[1]}
	}
	if !(s.low <= s.high) || math.IsNaN(0*(s.high-s.low)) || // one is infinite, or both
		a.Scale == Log && s.low <= 0 {
		return plot.Scale{}, fmt.Errorf("axis %q cannot extend from %v to %v: want finite values, above 0 on a "+
			"logarithmic axis", a.Label, s.low, s.high)
	}
	if a.Range != [2]float64{} {
		return plot.Scale{Low: s.low, High: s.high, Log: a.Scale == Log}, nil
	}
	positive := s.low >= 0
	if a.FromZero && a.Scale == Linear {
		s.include(0)
	}
	scale := plot.Scale{Low: s.low, High: s.high, Log: a.Scale == Log}
	switch half := max(math.Abs(s.low), math.Abs(s.high)) / 2; {
	case !s.sole():
		scale.Low, scale.High = scale.Value(-room), scale.Value(1+room)
	case scale.Log: // a single value is in the middle
		scale.Low, scale.High = s.low/2, s.high*2
	default:
		scale.Low, scale.High = s.low-cmp.Or(half, 1), s.high+cmp.Or(half, 1)
	}
	if a.Scale == Linear && positive && (a.FromZero || scale.Low < 0) {
		scale.Low = 0
	}
	return scale, nil
}

// sole reports whether the ends of a span differ by no more than rounding.
func (s span) sole() bool {
	const roundings = 1e-12 // some thousand times the relative accuracy of float64
	return s.high-s.low <= roundings*max(math.Abs(s.low), math.Abs(s.high))
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
	return c, nil
}
