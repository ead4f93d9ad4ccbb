package panel

import (
	"math"
	"testing"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// However many flights there are, their dots lie in the chart, each at its distance, none over another; each is found
// where it lies. Flights of which nothing is known have none.
func TestFlightsLieAtTheirDistance(t *testing.T) {
	p := chart.New(draw.Rect{X: 10, Y: 20, W: 400, H: 120}, ui.Scale{High: 100}, ui.Scale{High: 1})
	for _, n := range []int{1, 30, 200, 1500} {
		e := model.Ensemble{Version: 1, Members: make([]*model.Member, n+1)} // the last is not there yet
		for i := range n {
			e.Members[i] = &model.Member{}
			e.Members[i].Run.DetectionKm = 60 + 2*math.Sin(float64(i)) // nearly all in one heap
			if i%5 == 0 {
				e.Members[i].Run.DetectionKm = float64(i % 100)
			}
		}
		var f Flights
		if !f.Pile(&p, &e) || f.Pile(&p, &e) || len(f.Dots) != n {
			t.Errorf("%d flights are not piled once", n)
		}
		for i, d := range f.Dots {
			if !p.Area.Contains(d.At) || math.Abs(p.PX(d.Km)-d.At.X) > 1e-9 {
				t.Fatalf("%d flights: the dot of %v km lies at %v", n, d.Km, d.At)
			}
			if i > 0 && f.Dots[i-1].Km > d.Km || n < 1000 && f.Nearest(d.At).Of != d.Of {
				t.Fatalf("%d flights: the dot of %v km is not where it is looked for", n, d.Km)
			}
			for _, other := range f.Dots[:i] {
				if away := math.Hypot(d.At.X-other.At.X, d.At.Y-other.At.Y); away < 0.5 {
					t.Fatalf("%d flights: two dots lie at %v", n, d.At)
				}
			}
		}
		lowest := f.Dots[0].At.Y
		if f.Hang(); f.Dots[0].At.Y != 2*p.Area.Bottom()-lowest {
			t.Errorf("%d flights: hung, %v lies at %v", n, lowest, f.Dots[0].At.Y)
		}
	}
	if new(Flights).Nearest(draw.Point{}) != nil {
		t.Error("a dot of no flights")
	}
}
