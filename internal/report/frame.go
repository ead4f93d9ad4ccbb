package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// frame is the layout of a panel: its axes, the labels around the data, and the area of the data.
type frame struct {
	title    string
	across   Axis
	up       Axis
	xs, ys   span
	xt, yt   []tick
	margin   []entry
	callouts []callout
	xHidden  bool    // the panel below shows the horizontal axis for both
	bare     bool    // no grid
	floor    float64 // no vertical ticks below this
	sole     []tick  // tick of the only horizontal value

	data vg.Rectangle
	room spacing // around the data: left is the same for all panels of a column, and top for all panels of a row
}

// callout labels a vertical reference line above the data.
type callout struct {
	at    float64
	label string
}

// newFrame determines the axes from the spans of the data.
func newFrame(title string, across, up Axis, xs, ys span) (*frame, error) {
	f := &frame{title: title, across: across, up: up, floor: math.Inf(-1)}
	var err error
	if !xs.resolves() && xs.low == xs.high {
		f.sole = []tick{{xs.low, minus(strconv.FormatFloat(xs.low, 'g', 6, 64))}}
	}
	if f.xs, err = across.settle(xs); err != nil {
		return nil, fmt.Errorf("panel %q: %w", title, err)
	}
	if f.ys, err = up.settle(ys); err != nil {
		return nil, fmt.Errorf("panel %q: %w", title, err)
	}
	return f, nil
}

// tick chooses the ticks for a panel of roughly this size.
func (f *frame) tick(cell vg.Point) {
	f.xt = f.sole
	if f.xt == nil {
		f.xt = f.xs.ticks(max(2, int((cell.X-typicalRight)/xTickEvery)))
	}
	if f.up.Names != nil {
		f.yt = f.yt[:0]
		for i, name := range f.up.Names {
			f.yt = append(f.yt, tick{float64(i + 1), name})
		}
		return
	}
	up := f.ys.ticks(max(2, int((cell.Y-typicalBottom)/yTickEvery)))
	f.yt = append(f.yt, slices.DeleteFunc(up, func(t tick) bool { return t.value < f.floor })...)
}

func (f *frame) x(v float64) vg.Length {
	return f.data.Min.X + vg.Length(f.xs.at(v))*f.data.Size().X
}

func (f *frame) y(v float64) vg.Length {
	return f.data.Min.Y + vg.Length(f.ys.at(v))*f.data.Size().Y
}

func (f *frame) point(x, y float64) vg.Point { return vg.Point{X: f.x(x), Y: f.y(y)} }

const (
	tickLength = vg.Length(3)
	tickGap    = vg.Length(4)
	labelGap   = vg.Length(5)
	titleGap   = vg.Length(9)
	titleLead  = vg.Length(5) // above the title of a panel
)

// spacing is the room around the data of a panel.
type spacing struct{ left, right, bottom, top vg.Length }

func (f *frame) spacing(s *sheet) spacing {
	var around spacing
	for _, t := range f.yt {
		around.left = max(around.left, s.width(tickType, t.label))
	}
	around.left += tickGap
	if f.up.Label != "" {
		around.left += labelGap + labelType.size
	}
	around.bottom = tickLength
	if !f.xHidden {
		around.bottom += tickGap + tickType.size
		if f.across.Label != "" {
			around.bottom += labelGap + labelType.size
		}
	}
	if f.title != "" {
		around.top = s.height(panelType, f.title) + titleGap
	}
	if len(f.callouts) > 0 {
		around.top += keyType.size + tickGap
	}
	for _, e := range f.margin {
		around.right = max(around.right, marginGap+e.width)
	}
	// Half a tick label may extend beyond the end of the axis.
	if n := len(f.xt); n > 0 && !f.xHidden {
		around.right = max(around.right, s.width(tickType, f.xt[n-1].label)/2)
	}
	return around
}

// marginHeight returns the height that the entries of the margin need.
func (f *frame) marginHeight() vg.Length {
	total := vg.Length(0)
	for _, e := range f.margin {
		total += e.height
	}
	return total
}

// drawGround draws the grid under the data.
func (f *frame) drawGround(s *sheet) {
	if f.bare {
		return
	}
	for _, t := range f.xt {
		if t.label != "" {
			x := f.x(t.value)
			s.line(stroke{color: s.palette.Grid, width: hairline}, vg.Point{X: x, Y: f.data.Min.Y},
				vg.Point{X: x, Y: f.data.Max.Y})
		}
	}
	for _, t := range f.yt {
		if t.label != "" && t.value >= f.floor {
			y := f.y(t.value)
			s.line(stroke{color: s.palette.Grid, width: hairline}, vg.Point{X: f.data.Min.X, Y: y},
				vg.Point{X: f.data.Max.X, Y: y})
		}
	}
}

// drawAround draws axes, labels and margin around the data.
func (f *frame) drawAround(s *sheet) {
	axis := stroke{color: s.palette.Muted, width: hairline}
	s.line(axis, f.data.Min, vg.Point{X: f.data.Max.X, Y: f.data.Min.Y})
	for _, t := range f.xt {
		x, length := f.x(t.value), tickLength
		if t.label == "" {
			length /= 2
		}
		s.line(axis, vg.Point{X: x, Y: f.data.Min.Y}, vg.Point{X: x, Y: f.data.Min.Y - length})
		if !f.xHidden {
			s.write(tickType, s.palette.Muted, vg.Point{X: x, Y: f.data.Min.Y - tickLength - tickGap}, anchor{0.5, 1}, t.label)
		}
	}
	for _, t := range f.yt {
		s.write(tickType, s.palette.Muted, vg.Point{X: f.data.Min.X - tickGap, Y: f.y(t.value)}, anchor{1, 0.5}, t.label)
	}
	middle := vg.Point{X: (f.data.Min.X + f.data.Max.X) / 2, Y: (f.data.Min.Y + f.data.Max.Y) / 2}
	if !f.xHidden {
		below := f.data.Min.Y - tickLength - tickGap - tickType.size - labelGap
		s.write(labelType, s.palette.Ink, vg.Point{X: middle.X, Y: below}, anchor{0.5, 1}, f.across.Label)
	}
	s.writeUpwards(labelType, s.palette.Ink, vg.Point{X: f.data.Min.X - f.room.left + labelType.size, Y: middle.Y},
		f.up.Label)
	f.drawTop(s)
	f.drawMargin(s)
}

// drawTop draws the labels of vertical lines and the title above them.
func (f *frame) drawTop(s *sheet) {
	top := f.data.Max.Y
	if len(f.callouts) > 0 {
		wanted := make([]vg.Length, len(f.callouts))
		widths := make([]vg.Length, len(f.callouts))
		for i, g := range f.callouts {
			wanted[i], widths[i] = f.x(g.at), s.width(keyType, g.label)+keyType.size
		}
		for i, x := range spread(wanted, widths, f.data.Min.X, f.data.Max.X) {
			s.write(keyType, s.palette.Ink, vg.Point{X: x, Y: top + tickGap}, anchor{0.5, 0}, f.callouts[i].label)
		}
	}
	s.write(panelType, s.palette.Ink, vg.Point{X: f.data.Min.X, Y: top + f.room.top - titleLead}, anchor{0, 1}, f.title)
}
