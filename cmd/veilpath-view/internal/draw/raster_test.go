package draw

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

// A triangle has the pixels whose middles lie in it, and of two that share an edge one has those on it: by integers, of
// triangles with corners on quarters of pixels, slivers and such as reach far out of the picture among them.
func TestTrianglesHaveThePixelsWhoseMiddlesLieInThem(t *testing.T) {
	const side, quarters = 24, 4
	random := rand.New(rand.NewPCG(1, 2))
	corner := func() (x, y int) {
		if random.IntN(4) == 0 {
			return random.IntN(40*side) - 20*side, random.IntN(40*side) - 20*side
		}
		return random.IntN(side * quarters), random.IntN(side * quarters)
	}
	drawn := 0
	for range 2000 {
		var x, y [3]int
		var v [3]Vertex
		for i := range v {
			x[i], y[i] = corner()
			if i == 2 && random.IntN(3) == 0 {
				x[2], y[2] = x[1]+random.IntN(5)-2, y[1]+random.IntN(5)-2
			}
			v[i] = Vertex{DstX: float32(x[i]) / quarters, DstY: float32(y[i]) / quarters, Custom2: solid, ColorR: 1, ColorG: 0.4,
				ColorA: 1}
		}
		got := image.NewRGBA(image.Rect(0, 0, side, side))
		rasterTriangle(got, got.Rect, nil, &v[0], &v[1], &v[2])
		if (x[1]-x[0])*(y[2]-y[0]) < (x[2]-x[0])*(y[1]-y[0]) { // corners go round to the right, y downwards
			x[1], y[1], x[2], y[2] = x[2], y[2], x[1], y[1]
		}
		for row := range side {
			for column := range side {
				in := true
				for i := range 3 {
					j := (i + 1) % 3
					dx, dy := x[j]-x[i], y[j]-y[i]
					off := dx*(4*row+2-y[i]) - dy*(4*column+2-x[i])
					in = in && (off > 0 || off == 0 && (dy < 0 || dy == 0 && dx > 0))
				}
				c := got.RGBAAt(column, row)
				if in != (c.A == 255) || in && (c.R != 255 || c.G != uint8(math.Round(0.4*255)) || c.B != 0) {
					t.Fatalf("triangle %v %v: pixel %d:%d is %v, within %t", x, y, column, row, c, in)
				}
				if in {
					drawn++
				}
			}
		}
	}
	if drawn < 10_000 {
		t.Errorf("only %d pixels are drawn", drawn)
	}
}
