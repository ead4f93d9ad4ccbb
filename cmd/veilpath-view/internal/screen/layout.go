package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/layout"
)

// touchable returns a height, or what a finger needs where the layout is made for fingers.
func (s *Screen) touchable(height float64) float64 {
	if s.layout.Compact {
		return math.Max(height, layout.TouchTarget)
	}
	return height
}
