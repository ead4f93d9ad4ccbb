package panel

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/planner"
)

// Where is the place of the map that a link asks for, which waits for the size of the window.
type Where struct {
	Zoom   float64
	Center *[2]float64 // km east and north; nil for the middle of the flights
}

// goTo gives the camera the place that a link asks for, once the map's size is known.
func (pl *Plan) goTo(l *Where) {
	pl.Map.Camera.PointsPerKm *= l.Zoom
	if l.Center != nil {
		pl.Map.Camera.CenterX, pl.Map.Camera.CenterY = l.Center[0], l.Center[1]
	}
}

// PlaceCamera gives the camera its window, and a first view. In a window of another size the picture is as
// much larger than the whole map as before, so that sizing a window back restores it. One that showed the whole map of
// another mission shows the whole of this one.
func (pl *Plan) PlaceCamera() {
	old, ground, whole := pl.Map.Camera.View, pl.ground, pl.Fitted && pl.Sees(pl.AsFitted)
	pl.ground = groundOf(pl.Model.Experiment.Mission.Grid)
	if pl.Layout.Map != old {
		pl.Reframe(pl.Layout.Map)
	}
	switch {
	case whole && (pl.ground != ground || pl.Layout.Map != old):
		pl.Fit()
	case !pl.Fitted:
		pl.Fit()
		if pl.Fitted = true; pl.Pending != nil {
			pl.goTo(pl.Pending)
			pl.Pending = nil
		}
	}
}

// Reframe gives the camera another view, in which the picture is as much larger than the whole map as before.
func (pl *Plan) Reframe(view draw.Rect) {
	before := pl.Whole().PointsPerKm
	pl.Map.Camera.View = view
	pl.Map.Camera.PointsPerKm *= pl.Whole().PointsPerKm / before
}

// ground is where the waypoints of a mission lie.
type ground struct {
	columns, rows int
	spacingKm     float64
	corner        r3.Vec
}

func groundOf(g *planner.Grid) ground { return ground{g.Columns, g.Rows, g.SpacingKm, g.Position(0)} }

// Sees reports whether the map shows what a camera does.
func (pl *Plan) Sees(c model.Camera) bool {
	now := &pl.Map.Camera
	return c.CenterX == now.CenterX && c.CenterY == now.CenterY && c.PointsPerKm == now.PointsPerKm
}

// Fit shows the whole map.
func (pl *Plan) Fit() {
	pl.fitTo(&pl.Map.Camera)
	pl.AsFitted = pl.Map.Camera
}

// Whole is the camera that shows all of the flights.
func (pl *Plan) Whole() model.Camera {
	whole := pl.Map.Camera
	pl.fitTo(&whole)
	return whole
}

// fitTo shows the flights: the direct one, the planned one and all goals, with room for those that go around. They do
// not depend on epsilon, so that the map stays while it is dragged.
func (pl *Plan) fitTo(camera *model.Camera) {
	scenario := &pl.Model.Experiment.Scenario
	low, high := scenario.Target, scenario.Target
	add := func(r r3.Vec) {
		low.X, low.Y = math.Min(low.X, r.X), math.Min(low.Y, r.Y)
		high.X, high.Y = math.Max(high.X, r.X), math.Max(high.Y, r.Y)
	}
	for _, f := range []*model.Flight{&pl.Model.Nominal, &pl.Model.Planned} {
		for _, sample := range f.Samples {
			add(sample.R)
		}
	}
	for _, other := range scenario.Others {
		add(other)
	}
	small := camera.View.W < smallMap || camera.View.H < smallMap
	around := either(small, 0.12, 0.16) * math.Hypot(high.X-low.X, high.Y-low.Y)
	camera.Fit(low.X-around/2, low.Y-around, high.X+around/2, high.Y+around, either(small, 4., 16))
}

// smallMap is the width or height below which a map has less room around the flights, points.
const smallMap = 380
