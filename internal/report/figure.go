package report

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
)

// Figure is a titled sheet of panels. A zero Figure with panels can be drawn.
type Figure struct {
	Title    string // the finding, in one sentence
	Subtitle string // what was measured, and under which settings
	Note     string // sources and caveats, below the panels
	Panels   []Panel
	Columns  int  // panels per row; 0 for 1
	SharedX  bool // panels above each other share one horizontal axis, labelled at the bottom

	WidthInches, HeightInches float64        // 0 for 9 x 7.5; the figure grows in height if labels need it
	Palette                   assets.Palette // zero for the light one
}

// Panel is one pair of axes of a figure: a Chart, a Distribution, a Surface or a MissionMap.
type Panel interface {
	// lay checks the panel and determines its axes and margin.
	lay(s *sheet) (*frame, error)
	// draw draws the data into f.data.
	draw(s *sheet, f *frame)
}

const (
	defaultWidth, defaultHeight = 9, 7.5        // inches
	largestSide                 = 100           // inches
	border                      = vg.Length(18) // around everything
	panelGap                    = vg.Length(20) // between neighbouring panels
	headerGap                   = vg.Length(13) // between the header and the panels
	smallestData                = vg.Length(50) // width and height below which data are not readable
	xTickEvery                  = vg.Length(45)
	yTickEvery                  = vg.Length(26)
	typicalRight, typicalBottom = vg.Length(140), vg.Length(50)
)

// size returns the size of the figure.
func (f *Figure) size() (w, h vg.Length, err error) {
	width, height := f.WidthInches, f.HeightInches
	if width == 0 {
		width = defaultWidth
	}
	if height == 0 {
		height = defaultHeight
	}
	if !(width > 0 && width <= largestSide && height > 0 && height <= largestSide) {
		return 0, 0, fmt.Errorf("size of %v x %v inches, want more than 0 and at most %v", width, height, largestSide)
	}
	return vg.Length(width) * vg.Inch, vg.Length(height) * vg.Inch, nil
}

// layout holds the places of a figure's parts.
type layout struct {
	width, height         vg.Length
	body                  vg.Rectangle // within the border
	title, subtitle, note string       // broken into lines
	frames                []*frame
}

// lay lays the figure out. If labels need more height, the figure gets higher.
func (f *Figure) lay(letters *lettering) (*layout, error) {
	if len(f.Panels) == 0 {
		return nil, errors.New("no panels to draw")
	}
	w, h, err := f.size()
	for err == nil {
		var l *layout
		l, err = f.layIn(letters, w, h)
		crowded := (*crowdedError)(nil)
		if !errors.As(err, &crowded) || h >= largestSide*vg.Inch {
			return l, err
		}
		rows := (len(f.Panels) + max(1, f.Columns) - 1) / max(1, f.Columns)
		h, err = min(h+vg.Length(rows)*(crowded.need-crowded.have+1), largestSide*vg.Inch), nil // 1 for rounding
	}
	return nil, err
}

// layIn is lay with a fixed size. The error is a *crowdedError if only the height is too small.
func (f *Figure) layIn(letters *lettering, w, h vg.Length) (*layout, error) {
	s := &sheet{lettering: letters, palette: f.palette()}
	l := &layout{width: w, height: h, body: vg.Rectangle{Min: vg.Point{X: border, Y: border},
		Max: vg.Point{X: w - border, Y: h - border}}}
	l.title = s.wrap(titleType, f.Title, l.body.Size().X)
	l.subtitle = s.wrap(subtitleType, f.Subtitle, l.body.Size().X)
	l.note = s.wrap(noteType, f.Note, l.body.Size().X)
	panels := l.body
	if f.Title != "" {
		panels.Max.Y -= s.height(titleType, l.title)
	}
	if f.Subtitle != "" {
		panels.Max.Y -= s.height(subtitleType, l.subtitle)
	}
	if f.Title != "" || f.Subtitle != "" {
		panels.Max.Y -= headerGap
	}
	if f.Note != "" {
		panels.Min.Y += s.height(noteType, l.note) + headerGap/2
	}
	var err error
	l.frames, err = f.arrange(s, panels)
	return l, err
}

// drawOn draws the figure with a layout.
func (f *Figure) drawOn(c canvas, letters *lettering, l *layout) {
	s := &sheet{lettering: letters, canvas: c, palette: f.palette()}
	s.box(s.palette.Background, vg.Rectangle{Max: vg.Point{X: l.width, Y: l.height}})
	top := vg.Point{X: l.body.Min.X, Y: l.body.Max.Y}
	if f.Title != "" {
		s.write(titleType, s.palette.Ink, top, anchor{0, 1}, l.title)
		top.Y -= s.height(titleType, l.title)
	}
	if f.Subtitle != "" {
		s.write(subtitleType, s.palette.Muted, top.Sub(vg.Point{Y: 2}), anchor{0, 1}, l.subtitle)
	}
	if f.Note != "" {
		s.write(noteType, s.palette.Muted, l.body.Min, anchor{0, 0}, l.note)
	}
	for i, frame := range l.frames {
		frame.drawGround(s)
		f.Panels[i].draw(s, frame)
		frame.drawAround(s)
	}
}

func (f *Figure) palette() assets.Palette {
	if f.Palette == (assets.Palette{}) {
		return assets.LightPalette()
	}
	return f.Palette
}

// arrange lays the panels out in rows and columns with their data areas aligned.
func (f *Figure) arrange(s *sheet, area vg.Rectangle) ([]*frame, error) {
	columns := max(1, f.Columns)
	rows := (len(f.Panels) + columns - 1) / columns
	frames := make([]*frame, len(f.Panels))
	for i, p := range f.Panels {
		var err error
		if frames[i], err = p.lay(s); err != nil {
			return nil, err
		}
		if f.SharedX && i >= columns {
			if err := shareX(frames[i-columns], frames[i]); err != nil {
				return nil, err
			}
		}
	}
	if f.SharedX {
		for i := len(frames) - 1 - columns; i >= 0; i-- {
			frames[i].xs, frames[i].xHidden = frames[i+columns].xs, true
		}
	}
	cell := vg.Point{
		X: (area.Size().X+panelGap)/vg.Length(columns) - panelGap,
		Y: (area.Size().Y+panelGap)/vg.Length(rows) - panelGap,
	}
	lefts, rights := make([]vg.Length, columns), make([]vg.Length, columns)
	tops, bottoms := make([]vg.Length, rows), make([]vg.Length, rows)
	for i, frame := range frames {
		frame.tick(cell)
		around := frame.spacing(s)
		c := i % columns
		lefts[c], rights[c] = max(lefts[c], around.left), max(rights[c], around.right)
	}
	for i, frame := range frames {
		frame.title = s.wrap(panelType, frame.title, cell.X-lefts[i%columns])
		around := frame.spacing(s)
		r := i / columns
		tops[r], bottoms[r] = max(tops[r], around.top), max(bottoms[r], around.bottom)
	}
	width := (area.Size().X - sum(lefts) - sum(rights) - panelGap*vg.Length(columns-1)) / vg.Length(columns)
	height := (area.Size().Y - sum(tops) - sum(bottoms) - panelGap*vg.Length(rows-1)) / vg.Length(rows)
	if width < smallestData || height < smallestData {
		return nil, fmt.Errorf("%d x %d panels leave %.0f x %.0f points for data, want at least %.0f each: make the figure "+
			"larger or its labels shorter",
			columns, rows, width.Points(), height.Points(), smallestData.Points())
	}
	y := area.Max.Y
	for r := range rows {
		y -= tops[r] + height
		x := area.Min.X
		for c := range columns {
			x += lefts[c]
			if i := r*columns + c; i < len(frames) {
				frames[i].room = spacing{left: lefts[c], right: rights[c], bottom: bottoms[r], top: tops[r]}
				frames[i].data = vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + width, Y: y + height}}
				if p, ok := f.Panels[i].(interface{ fit(*frame) }); ok {
					p.fit(frames[i])
				}
				if need := frames[i].marginHeight(); need > height {
					return nil, &crowdedError{frames[i].title, need, height}
				}
			}
			x += width + rights[c] + panelGap
		}
		y -= bottoms[r] + panelGap
	}
	return frames, nil
}

// crowdedError reports that the labels beside a panel need more height.
type crowdedError struct {
	panel      string
	need, have vg.Length
}

func (e *crowdedError) Error() string {
	return fmt.Sprintf("panel %q: its labels need %.0f points of height, and the highest figure has %.0f: "+
		"use fewer labels",
		e.panel, e.need.Points(), e.have.Points())
}

// shareX widens the horizontal axis of the lower frame to include that of the upper one.
func shareX(upper, lower *frame) error {
	if upper.xs.scale != lower.xs.scale {
		return fmt.Errorf("panels %q and %q share an axis, but only one of them is logarithmic", upper.title, lower.title)
	}
	lower.xs.include(upper.xs.low)
	lower.xs.include(upper.xs.high)
	return nil
}

func sum(lengths []vg.Length) vg.Length {
	total := vg.Length(0)
	for _, l := range lengths {
		total += l
	}
	return total
}
