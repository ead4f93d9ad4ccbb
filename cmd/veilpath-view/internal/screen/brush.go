package screen

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
)

// brush selects flights by what lies between the ends of one axis or two.
type brush struct {
	kind answer.Selected
	name string // in links
	axes []brushAxis
}

// brushAxis is an axis of a brush with its two ends.
type brushAxis struct {
	ids, labels [2]string
	text        func(float64) string
	limits      func(*Screen) (low, high float64)
}

const throughArea = "Select flights through an area of the map, "

// brushes are those there are. The order of the axes is that of a selection.
var brushes = []brush{
	{answer.ByDistance, "km", []brushAxis{
		{[2]string{"select-from", "select-to"},
			[2]string{"Select flights recognised from", "Select flights recognised up to"}, km1,
			func(s *Screen) (float64, float64) { return 0, s.FarthestKm() }}}},
	{answer.ByArea, "area", []brushAxis{
		{[2]string{"select-west", "select-east"}, [2]string{throughArea + "from the west", throughArea + "to the east"},
			chart.Km, func(s *Screen) (float64, float64) { low, high := s.GridKm(); return low.X, high.X }},
		{[2]string{"select-south", "select-north"}, [2]string{throughArea + "from the south", throughArea + "to the north"},
			chart.Km, func(s *Screen) (float64, float64) { low, high := s.GridKm(); return low.Y, high.Y }}}},
}

// km1 writes a distance with one decimal.
func km1(v float64) string { return chart.Fixed(v, 1) + " km" }

// selectRows select flights by numbers, those that the brushes have.
func (s *Screen) selectRows() []control {
	var rows []control
	for b := range brushes {
		for i, axis := range brushes[b].axes {
			for end := range 2 {
				rows = append(rows, control{id: axis.ids[end], label: axis.labels[end],
					quantity: quantity{hand: true, text: axis.text,
						span: func() (float64, float64) { return axis.limits(s) },
						set:  func(v float64) { s.brushTo(&brushes[b], i, end, v) },
						get: func() float64 {
							c := s.brushed(&brushes[b])
							low, high := axis.limits(s)
							return max(low, min(high, c.Spans[i][end]))
						}}})
			}
		}
	}
	return rows
}

// brushed returns what a brush has selected, or all that it can.
func (s *Screen) brushed(b *brush) answer.Selection {
	if s.Selection.Kind == b.kind {
		return s.Selection
	}
	c := answer.Selection{Kind: b.kind}
	for i := range b.axes {
		c.Spans[i][0], c.Spans[i][1] = b.axes[i].limits(s)
	}
	return c
}

// brushTo moves an end of an axis, and the other one where it is passed. All that the brush can select is all flights.
func (s *Screen) brushTo(b *brush, axis, end int, v float64) {
	c := s.brushed(b)
	c.Spans[axis][end] = v
	other := &c.Spans[axis][1-end]
	*other = either(end == 0, math.Max(*other, v), math.Min(*other, v))
	if s.selectsAll(b, &c) {
		c = answer.Selection{}
	}
	s.Choose(c)
}

// selectsAll reports whether a selection has all that its brush can select.
func (s *Screen) selectsAll(b *brush, c *answer.Selection) bool {
	const rounding = 1e-9 // of a slider's ends
	for i, axis := range b.axes {
		low, high := axis.limits(s)
		near := rounding * (high - low)
		if c.Spans[i][0] > low+near || c.Spans[i][1] < high-near {
			return false
		}
	}
	return true
}

// selectionLink is a selection as a link holds it.
func selectionLink(c *answer.Selection) string {
	at := slices.IndexFunc(brushes, func(b brush) bool { return b.kind == c.Kind })
	if at < 0 {
		return "crossed"
	}
	var parts []string
	for i := range brushes[at].axes {
		for _, v := range c.Spans[i] {
			parts = append(parts, chart.Fixed(v, 2))
		}
	}
	return brushes[at].name + ":" + strings.Join(parts, ",")
}

var errSelection = errors.New("no selection")

// parseSelection reads what selectionLink writes; nothing is all flights.
func parseSelection(text string) (answer.Selection, error) {
	switch text {
	case "":
		return answer.Selection{}, nil
	case "crossed":
		return answer.Selection{Kind: answer.ByCrossing}, nil
	}
	name, numbers, _ := strings.Cut(text, ":")
	for _, b := range brushes {
		if name != b.name {
			continue
		}
		c := answer.Selection{Kind: b.kind}
		parts := strings.Split(numbers, ",")
		if len(parts) != 2*len(b.axes) {
			return answer.Selection{}, errSelection
		}
		for i, part := range parts {
			v, err := strconv.ParseFloat(part, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return answer.Selection{}, errSelection
			}
			c.Spans[i/2][i%2] = v
		}
		return c, nil
	}
	return answer.Selection{}, fmt.Errorf("%w: %s", errSelection, name)
}
