package panel

import (
	"image/color"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Frame is what the panels of a window share: what is on show, where they are, and by what they are worked.
type Frame struct {
	*answer.Answers
	UI       *ui.Context
	Layout   layout.Layout
	Scale    float64       // pixels a point
	Folded   layout.Panels // away, of a wide layout
	Tab      layout.Tab    // of a compact layout
	Controls Controls

	// Legible notes the lines that do writes into a list, so that they can be selected and found.
	Legible func(l *draw.List, do func())

	colourKm float64 // that the strongest colour of a distance stands for
}

// Controls draws the widgets of controls, by their ids, and does what they ask for.
type Controls interface {
	// Button draws a button, with its label or an icon.
	Button(id string, r draw.Rect, icon func(*draw.List, draw.Rect, colour))
	// On reports whether a switch is on, and Short is the text of a button.
	On(id string) bool
	Short(id string) string
	// Choice draws the buttons of one of several. Widget is the name of the buttons.
	Choice(id, widget string, r draw.Rect, hints []string)
	// Slider draws the slider of a number.
	Slider(r draw.Rect, slider ui.Slider)
	// Ask has a number typed, and Asks does when an area is clicked.
	Ask(id string)
	Asks(id string, r draw.Rect)
}

// Pane is a panel that is drawn and worked where the layout has room for it.
type Pane interface {
	Area() draw.Rect         // empty where it has none
	DrawStill(l *draw.List)  // what stays while nothing that it shows changes
	DrawMoving(l *draw.List) // what moves with the clock or the pointer
	Operate()                // what the pointer does
}

type colour = color.NRGBA

// touchable returns a height, or what a finger needs where the layout is made for fingers.
func (f *Frame) touchable(height float64) float64 {
	if f.Layout.Compact {
		return math.Max(height, layout.TouchTarget)
	}
	return height
}

// DistanceColour is brighter the farther from the target a flight was recognised.
func (f *Frame) DistanceColour(km float64) colour { return f.Theme().Shade(km / f.colourKm) }

// Outdated reports whether a flight of the ensemble is one of other settings, until it is flown anew. Flights that
// follow epsilon at once are never called so.
func (f *Frame) Outdated(m *model.Member) bool {
	return !f.Model.HasAxis() && f.Model.Ensemble.Outdated(m)
}

// DragsEpsilon reports whether epsilon is being dragged.
func (f *Frame) DragsEpsilon() bool { return f.UI.Holding("epsilon") || f.UI.Holding("axis") }

// ScaleColours has the strongest colour stand for a round distance that no flight is recognised beyond.
func (f *Frame) ScaleColours() {
	const step = 20 // km
	far := math.Max(f.FarthestDot(), f.Model.Private.Run.PlannedKm)
	f.colourKm = math.Max(step, step*math.Ceil(far/step))
}

// Theme is the colours and the type.
func (f *Frame) Theme() *ui.Theme { return &f.UI.Theme }

// Panel draws the background of a part of the window, with a title.
func (f *Frame) Panel(l *draw.List, r draw.Rect, title string) {
	l.RoundRect(r, ui.Corner+1, f.Theme().Panel)
	if title != "" {
		at := draw.Rect{X: r.X + layout.Pad, Y: r.Y + 6, W: r.W - 2*layout.Pad, H: 16}
		l.TextIn(f.Theme().Strong, at, draw.Left, f.Theme().Ink, title)
	}
}

// Times is the axis that the strips and the scrubber share, s.
func (f *Frame) Times() ui.Scale { return ui.Scale{High: f.most(0, (*model.Flight).DurationS)} }

// most is the largest value of the flights that are shown or can be at once, and no less than least.
func (f *Frame) most(least float64, of func(*model.Flight) float64) float64 {
	flights := []*model.Flight{&f.Model.Private, &f.Model.Planned, &f.Model.Nominal}
	if p := f.Model.Pair; p != nil {
		flights = append(flights, &p.Private)
	}
	for _, f := range flights {
		least = math.Max(least, of(f))
	}
	return least
}

// plotArea returns the area of a chart's plot within its panel.
func plotArea(panel draw.Rect) draw.Rect { return panel.Trim(46, 28, 14, 34) }

// headOf is the place at the right of a panel's title, beside what folds it away.
func headOf(panel draw.Rect) draw.Rect {
	return panel.Trim(layout.Pad, 7, layout.FoldWidth+6, panel.H-23)
}
