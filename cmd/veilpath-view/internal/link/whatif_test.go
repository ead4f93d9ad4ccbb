package link

import (
	"maps"
	"testing"
	"veilpath/cmd/veilpath-view/internal/model"

	"gonum.org/v1/gonum/spatial/r3"
)

// Places of waypoints that were moved by hand come back from a link to the last digit.
func TestLinkHoldsPlacesExactly(t *testing.T) {
	moved := map[int]r3.Vec{3: {X: -71.23, Y: 1.0 / 3, Z: 10.125}, 40: {X: 1e-7, Y: -2, Z: 9}}
	back, err := ParseWhatIf(WriteMoved(model.WhatIf{Moved: moved}), "")
	if err != nil || !maps.Equal(back.Moved, moved) {
		t.Errorf("%v came back as %v, %v", moved, back.Moved, err)
	}
}
