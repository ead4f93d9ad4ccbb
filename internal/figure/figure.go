package figure

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"veilpath/internal/plot"
)

// Figure is a titled sheet of panels. A zero Figure with panels can be drawn.
type Figure struct {
	Title    string // the finding, in one sentence
	Subtitle string // what was measured, and under which settings
	Note     string // sources and caveats, below the panels
	Panels   []Panel
	Columns  int  // panels per row; 0 for 1
	SharedX  bool // panels above each other share one horizontal axis, labelled at the bottom
	SharedY  bool // panels beside each other share one vertical axis, labelled at the left

	WidthInches, HeightInches float64 // 0 for 9 x 7.5; the figure grows in height if labels need it

	square bool // both axes of every panel have the same scale
}

// Panel is one pair of axes of a figure: such as a Chart or a MissionMap.
type Panel interface {
	// chart returns the panel as a chart that has no place yet.
	chart() (*plot.Chart, error)
}

// PNGResolution is the default resolution of pictures in dots per inch.
const PNGResolution = 150

// The sizes of a figure, in points.
const (
	inch                        = 72
	defaultWidth, defaultHeight = 9, 7.5 // inches
	largestSide                 = 100    // inches
	border                      = 18.0   // around everything
	panelGap                    = 18.0   // between neighbouring panels
	headerGap                   = 12.0   // between the header and the panels
	subtitleGap                 = 3.0    // between the title and the subtitle
	titleGap                    = 6.0    // between the title of a panel and its data
	smallestData                = 50.0   // width and height below which data are not readable
	lineHeight                  = 1.22   // of the size of the type
)

var (
	titleType    = plot.Style{Size: 14, Bold: true}
	subtitleType = plot.Style{Size: 10}
	noteType     = plot.Style{Size: 8.5}
)

// layout holds the places of a figure's parts.
type layout struct {
	width, height         float64
	title, subtitle, note []string // in lines
	charts                []*plot.Chart
	headings              [][2][]string // title and name of the vertical axis of every chart, in lines
}

// WriteSVG writes the figure as an SVG element, for a file or a page of HTML, with its title and subtitle for
// screen readers. If the figure cannot be drawn, nothing is written.
func (f *Figure) WriteSVG(w io.Writer) error {
	var page file
	l, err := f.lay(&page)
	if err == nil {
		style := ""
		if wide := l.width / inch / defaultWidth; wide > 1 {
			style = fmt.Sprintf(` style="--wide: %.3g"`, wide) // pages scale the figure by it
		}
		err = page.writeSVG(w, l.width, l.height, f.Title, f.Subtitle, style, func() { l.draw(&page) })
	}
	if err != nil {
		return fmt.Errorf("figure: figure %q: %w", f.Title, err)
	}
	return nil
}

// WritePNG writes the figure as a PNG image. If the figure cannot be drawn, nothing is written.
func (f *Figure) WritePNG(w io.Writer) error { return f.WritePNGAt(w, PNGResolution) }

// WritePNGAt is WritePNG with a resolution in dots per inch. Text that would be too small to read is left out.
func (f *Figure) WritePNGAt(w io.Writer, dots int) error {
	var page file
	l, err := f.lay(&page)
	if err == nil {
		err = page.writePNG(w, l.width, l.height, dots, func() { l.draw(&page) })
	}
	if err != nil {
		return fmt.Errorf("figure: figure %q: %w", f.Title, err)
	}
	return nil
}

// lay lays the figure out: panels in rows and columns, with their data aligned. If labels need more height, the figure
// gets higher.
func (f *Figure) lay(ruler plot.Canvas) (*layout, error) {
	width, height := cmp.Or(f.WidthInches, defaultWidth)*inch, cmp.Or(f.HeightInches, defaultHeight)*inch
	if !(width > 0 && width <= largestSide*inch && height > 0 && height <= largestSide*inch) {
		return nil, fmt.Errorf("size of %v x %v inches, want more than 0 and at most %v", f.WidthInches, f.HeightInches,
			largestSide)
	}
	if len(f.Panels) == 0 {
		return nil, errors.New("no panels to draw")
	}
	l := &layout{width: width, height: height}
	inside := width - 2*border
	l.title, l.subtitle, l.note = wrap(ruler, titleType, f.Title, inside), wrap(ruler, subtitleType, f.Subtitle, inside),
		wrap(ruler, noteType, f.Note, inside)

	columns := max(1, f.Columns)
	rows := (len(f.Panels) + columns - 1) / columns
	top := border + l.headHeight()
	foot := border + linesHeight(noteType, l.note)
	if f.Note != "" {
		foot += headerGap
	}
	cell := plot.Rect{W: (inside+panelGap)/float64(columns) - panelGap,
		H: (height-top-foot+panelGap)/float64(rows) - panelGap}
	for _, p := range f.Panels {
		c, err := p.chart()
		if err != nil {
			return nil, err
		}
		c.Panel = cell.Trim(0, 0, 100, 40) // about where its data will be, which says how many ticks there are
		l.charts = append(l.charts, c)
	}
	if err := f.share(l.charts, columns); err != nil {
		return nil, err
	}
	lefts, rights := make([]float64, columns), make([]float64, columns)
	tops, bottoms := make([]float64, rows), make([]float64, rows)
	least := smallestData
	for i, c := range l.charts {
		r, k := i/columns, i%columns
		least = max(least, c.Fit(ruler, &look))
		lefts[k], rights[k] = max(lefts[k], c.Margins.Left), max(rights[k], c.Margins.Right)
		bottoms[r] = max(bottoms[r], c.Margins.Bottom)
		l.headings = append(l.headings, [2][]string{wrap(ruler, look.Strong, c.Title, cell.W),
			wrap(ruler, look.Small, c.Note, cell.W)})
		tops[r] = max(tops[r], headingHeight(l.headings[i])+c.Margins.Top)
	}
	w := (inside - sum(lefts) - sum(rights) - panelGap*float64(columns-1)) / float64(columns)
	if w < smallestData {
		return nil, fmt.Errorf("%d panels in a row leave %.0f points for data, want at least %.0f: make the figure larger "+
			"or its labels shorter", columns, w, smallestData)
	}
	h := max(least, (height-top-foot-sum(tops)-sum(bottoms)-panelGap*float64(rows-1))/float64(rows))
	y := top
	for r := range rows {
		x := border
		for k := 0; k < columns && r*columns+k < len(l.charts); k++ {
			c := l.charts[r*columns+k]
			c.Panel = plot.Rect{X: x, Y: y, W: lefts[k] + w + rights[k], H: tops[r] + h + bottoms[r]}
			c.Margins = plot.Margins{Left: lefts[k], Top: tops[r], Right: rights[k], Bottom: bottoms[r]}
			if f.square {
				widen(c)
			}
			x += c.Panel.W + panelGap
		}
		y += tops[r] + h + bottoms[r] + panelGap
	}
	l.height = y - panelGap + foot
	if l.height > largestSide*inch {
		return nil, fmt.Errorf("its labels need a height of %.0f inches, and the highest figure has %d: use fewer labels",
			l.height/inch, largestSide)
	}
	return l, nil
}

// share gives charts above and beside each other the same axes where they share them, and texts to the outer ones.
func (f *Figure) share(charts []*plot.Chart, columns int) error {
	blank := func(float64) string { return "" }
	for i, c := range charts {
		for k, o := range charts {
			if f.SharedX && i%columns == k%columns {
				if c.X.Log != o.X.Log {
					return fmt.Errorf("panels %q and %q share an axis, but only one of them is logarithmic", c.Title, o.Title)
				}
				c.X.Low, c.X.High, c.TicksX = min(c.X.Low, o.X.Low), max(c.X.High, o.X.High), nil
			}
			if f.SharedY && i/columns == k/columns {
				c.Y.Low, c.Y.High = min(c.Y.Low, o.Y.Low), max(c.Y.High, o.Y.High)
			}
		}
	}
	for i, c := range charts {
		if f.SharedX && i+columns < len(charts) {
			c.TextX, c.NameX = blank, ""
		}
		if f.SharedY && i%columns > 0 {
			c.TextY, c.Note = blank, ""
		}
	}
	return nil
}

// widen widens one axis of a chart so that both have the same scale.
func widen(c *plot.Chart) {
	area := c.Area()
	unit := min(area.W/(c.X.High-c.X.Low), area.H/(c.Y.High-c.Y.Low)) // points
	for _, axis := range []struct {
		*plot.Scale
		length float64
	}{{&c.X, area.W}, {&c.Y, area.H}} {
		more := (axis.length/unit - (axis.High - axis.Low)) / 2
		axis.Low, axis.High = axis.Low-more, axis.High+more
	}
}

func (l *layout) headHeight() float64 {
	h := linesHeight(titleType, l.title) + linesHeight(subtitleType, l.subtitle)
	if h > 0 {
		h += subtitleGap + headerGap
	}
	return h
}

// linesHeight returns the height of some lines. None are as high as one that is empty.
func linesHeight(s plot.Style, lines []string) float64 {
	if len(lines) == 1 && lines[0] == "" {
		return 0
	}
	return float64(len(lines)) * lineHeight * s.Size
}

func headingHeight(heading [2][]string) float64 {
	h := linesHeight(look.Strong, heading[0]) + linesHeight(look.Small, heading[1])
	if h > 0 {
		h += titleGap
	}
	return h
}

func (l *layout) draw(page plot.Canvas) {
	page.Rect(plot.Rect{W: l.width, H: l.height}, light.Background)
	at := plot.Rect{X: border, Y: border, W: l.width - 2*border}
	at.Y = writeLines(page, titleType, at, light.Ink, l.title) + subtitleGap
	writeLines(page, subtitleType, at, light.Muted, l.subtitle)
	for i, c := range l.charts {
		c.Draw(page, &look)
		area := c.Area()
		page.Line([]plot.Point{{X: area.X, Y: area.Bottom()}, {X: area.Right(), Y: area.Bottom()}}, hairline, light.Muted)
		at := plot.Rect{X: c.Panel.X, Y: c.Panel.Y, W: c.Panel.W}
		at.Y = writeLines(page, look.Strong, at, light.Ink, l.headings[i][0])
		writeLines(page, look.Small, at, light.Muted, l.headings[i][1])
	}
	at.Y = l.height - border - linesHeight(noteType, l.note)
	writeLines(page, noteType, at, light.Muted, l.note)
}

func sum(lengths []float64) (total float64) {
	for _, l := range lengths {
		total += l
	}
	return total
}
