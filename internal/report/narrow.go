package report

import (
	"bytes"
	"errors"
	"html/template"

	"gonum.org/v1/plot/vg"
)

// narrowWidth is the width of figures for narrow screens, inches. Their letters can be read on a phone.
const narrowWidth = 4.8

// Narrow returns the figure for narrow screens, with its panels below each other.
func (f *Figure) Narrow() *Figure {
	narrow := *f
	narrow.WidthInches = narrowWidth
	_, h, err := f.size()
	if columns := max(1, f.Columns); err == nil && columns > 1 {
		rows := (len(f.Panels) + columns - 1) / columns
		narrow.Columns = 1
		narrow.HeightInches = min(float64(h/vg.Inch)*float64(len(f.Panels))/float64(rows), largestSide)
	}
	return &narrow
}

// drawing is a figure on a page, for wide and for narrow screens, in the colours of the page.
type drawing struct{ Wide, Narrow template.HTML }

// drawn draws a figure for a page.
func (f *Figure) drawn() (drawing, error) {
	var wide, narrow bytes.Buffer
	if err := errors.Join(f.WriteSVG(&wide), f.Narrow().WriteSVG(&narrow)); err != nil {
		return drawing{}, err
	}
	return drawing{themed(wide.String()), themed(narrow.String())}, nil
}
