package screen

import (
	"image"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// However small the cells of the map are on screen, the rewards cover all of the grid and nothing beside it, each place
// once, by no more pieces than can be told apart.
func TestRewardsCoverAFineGrid(t *testing.T) {
	d := newDesk(t, 1280, 800)
	g, c := d.Model.Experiment.Mission.Grid, &d.plan.Map.Camera
	for _, cell := range []float64{6.3, 3, 2.9, 1.2, 0.45} {
		c.PointsPerKm = cell / g.SpacingKm
		list := draw.NewList(d.Atlas())
		list.Reset(d.Layout.Map, 1)
		d.plan.Shown().DrawGround(list)
		picture, pieces := image.NewRGBA(image.Rect(0, 0, 1280, 800)), 0
		draw.Raster(list, picture)
		for _, b := range list.Batches() {
			pieces += len(b.Vertices) / 4
		}
		low, high := g.Position(0), g.Position(g.States()-1)
		a, b := c.Screen(low.X-g.SpacingKm/2, high.Y+g.SpacingKm/2), c.Screen(high.X+g.SpacingKm/2, low.Y-g.SpacingKm/2)
		grid := draw.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}.Within(c.View)
		for y := range 800 {
			for x := range 1280 {
				at := draw.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}
				drawn := picture.RGBAAt(x, y).A == 255
				if grid.Inset(1).Contains(at) && !drawn || drawn && !grid.Inset(-1).Contains(at) {
					t.Fatalf("cells of %v points: a pixel at %d, %d of the grid %v is drawn: %v", cell, x, y, grid, drawn)
				}
			}
		}
		if most := int(grid.W*grid.H/6) + 8; pieces == 0 || pieces > most || pieces > g.States() {
			t.Errorf("cells of %v points: %d pieces, at most %d are wanted", cell, pieces, most)
		}
	}
}
