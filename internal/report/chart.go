package report

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// Chart is a panel of series over two axes.
type Chart struct {
	Title      string
	X, Y       Axis
	Series     []Series // drawn in order of their marks, the least conspicuous first
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

func (c *Chart) lay(s *sheet) (*frame, error) {
	if len(c.Series) == 0 {
		return nil, fmt.Errorf("panel %q has no series", c.Title)
	}
	xs, ys := emptySpan(c.X.Scale), emptySpan(c.Y.Scale)
	for i := range c.Series {
		if err := c.Series[i].check(); err != nil {
			return nil, fmt.Errorf("panel %q: %w", c.Title, err)
		}
		c.Series[i].include(&xs, &ys)
	}
	if err := includeReferences(c.References, &xs, &ys); err != nil {
		return nil, fmt.Errorf("panel %q: %w", c.Title, err)
	}
	f, err := newFrame(c.Title, c.X, c.Y, xs, ys)
	if err != nil {
		return nil, err
	}
	f.nameReferences(s, c.References)
	for i := range c.Series {
		series := &c.Series[i]
		if series.Label != "" && series.drawn() {
			f.margin = append(f.margin, keyEntry(s, series.level(), series.Label, series.swatch))
		}
	}
	return f, nil
}

func (c *Chart) draw(s *sheet, f *frame) {
	for i := range c.Series {
		c.Series[i].drawIntervals(s, f)
	}
	f.drawReferences(s, c.References)
	for _, mark := range []Mark{Published, Bound, Exact, Computed, Points} {
		for i := range c.Series {
			if c.Series[i].Mark == mark {
				c.Series[i].drawLine(s, f)
			}
		}
	}
	f.drawNames(s, c.Series)
}

// includeReferences widens spans to include reference lines.
func includeReferences(references []Reference, xs, ys *span) error {
	for _, r := range references {
		if math.IsNaN(r.At) || math.IsInf(r.At, 0) {
			return errors.New("reference \"" + r.Label + "\" is not at a finite value")
		}
		if r.Vertical {
			xs.include(r.At)
		} else {
			ys.include(r.At)
		}
	}
	return nil
}

func (r *Reference) stroke(s *sheet) stroke {
	line := stroke{color: s.palette.Muted, width: hairline}
	if r.Strong {
		line = stroke{color: s.palette.Ink, width: 1.3, dashes: dashed}
	}
	if r.Dotted {
		line.dashes = dotted
	}
	return line
}

// nameReferences labels horizontal references in the margin and vertical ones above the data.
func (f *frame) nameReferences(s *sheet, references []Reference) {
	for _, r := range references {
		switch {
		case r.Label == "":
		case r.Vertical:
			f.callouts = append(f.callouts, callout{r.At, r.Label})
		default:
			f.margin = append(f.margin, keyEntry(s, r.At, r.Label, func(s *sheet, box vg.Rectangle) {
				y := (box.Min.Y + box.Max.Y) / 2
				s.line(r.stroke(s), vg.Point{X: box.Min.X, Y: y}, vg.Point{X: box.Max.X, Y: y})
			}))
		}
	}
}

func (f *frame) drawReferences(s *sheet, references []Reference) {
	for _, r := range references {
		a := vg.Point{X: f.data.Min.X, Y: f.y(r.At)}
		b := vg.Point{X: f.data.Max.X, Y: a.Y}
		if r.Vertical {
			a = vg.Point{X: f.x(r.At), Y: f.data.Min.Y}
			b = vg.Point{X: a.X, Y: f.data.Max.Y}
		}
		if inside(f.data, a) && inside(f.data, b) {
			s.line(r.stroke(s), a, b)
		}
	}
}
