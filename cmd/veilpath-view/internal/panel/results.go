package panel

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// Results is the panel of the table of the results.
type Results struct {
	*Frame
}

// Area is the panel.
func (rs *Results) Area() draw.Rect { return rs.Layout.Results }

// Operate does nothing: the table is read.
func (rs *Results) Operate() {}

// DrawStill draws the panel of the results.
func (rs *Results) DrawStill(l *draw.List) { rs.Panel(l, rs.Layout.Results, "Results") }

// Around the rows of the results, points.
const resultsTop, resultsBottom = 28, 4

// DrawMoving writes the table of the results, and how many rows there is no room for.
func (rs *Results) DrawMoving(l *draw.List) {
	if left := len(rs.Results()) - rs.Write(l); left > 0 {
		l.TextIn(rs.Theme().Small, headOf(rs.Layout.Results), draw.Right, rs.Theme().Muted,
			fmt.Sprintf("%d more", left))
	}
}

// Write writes the table of the results, as many rows as there is room for, and returns how many.
func (rs *Results) Write(l *draw.List) int {
	area := rs.Layout.Results.Trim(layout.Pad, resultsTop, layout.Pad, resultsBottom)
	return Table(rs.Results()).Draw(l, rs.Theme(), area)
}
