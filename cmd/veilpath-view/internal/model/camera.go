package model

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/axis"
)

// Camera maps the plane, km east and north, to an area of the screen.
type Camera struct {
	CenterX, CenterY float64 // km
	PointsPerKm      float64
	Follow           bool // keep the vehicle in the middle
	View             draw.Rect
}

// Closest and farthest zoom, points a km.
const (
	minPointsPerKm = 0.02
	maxPointsPerKm = 2000
)

// Screen returns where a place on the ground lies on screen.
func (c *Camera) Screen(x, y float64) draw.Point {
	m := c.View.Center()
	return draw.Point{X: m.X + (x-c.CenterX)*c.PointsPerKm, Y: m.Y - (y-c.CenterY)*c.PointsPerKm}
}

// Place returns where a place above the ground lies on screen.
func (c *Camera) Place(r r3.Vec) draw.Point { return c.Screen(r.X, r.Y) }

// World is the inverse of Screen.
func (c *Camera) World(p draw.Point) (x, y float64) {
	m := c.View.Center()
	return c.CenterX + (p.X-m.X)/c.PointsPerKm, c.CenterY - (p.Y-m.Y)/c.PointsPerKm
}

// Pan moves the picture by so many points and ends following.
func (c *Camera) Pan(dx, dy float64) {
	c.Follow = false
	c.CenterX -= dx / c.PointsPerKm
	c.CenterY += dy / c.PointsPerKm
}

// Zoom enlarges by a factor about a point that stays where it is; while following, about the vehicle.
func (c *Camera) Zoom(factor float64, about draw.Point) {
	x, y := c.World(about)
	c.PointsPerKm = math.Max(minPointsPerKm, math.Min(maxPointsPerKm, c.PointsPerKm*factor))
	if c.Follow {
		return
	}
	nx, ny := c.World(about)
	c.CenterX += x - nx
	c.CenterY += y - ny
}

// Fit shows a rectangle of the plane with a margin in points.
func (c *Camera) Fit(minX, minY, maxX, maxY, margin float64) {
	c.Follow = false
	c.CenterX, c.CenterY = (minX+maxX)/2, (minY+maxY)/2
	w, h := math.Max(1, c.View.W-2*margin), math.Max(1, c.View.H-2*margin)
	scale := math.Min(w/math.Max(maxX-minX, 1e-3), h/math.Max(maxY-minY, 1e-3))
	c.PointsPerKm = math.Max(minPointsPerKm, math.Min(maxPointsPerKm, scale))
}

// ScaleBar returns a round length, km, of at most so many points, and its length on screen.
func (c *Camera) ScaleBar(most float64) (km, points float64) {
	// 1, 2 and 5 times a power of ten are inverse to such numbers.
	km = 1 / axis.RoundUp(c.PointsPerKm/most, 1, 2, 5)
	return km, km * c.PointsPerKm
}
