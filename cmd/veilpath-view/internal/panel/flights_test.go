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

// The name of a hump stands next to its dots and in the panel, wherever the mean and the baselines are; where only a
// mark is free, it stands on that.
func TestNamesStandByTheirHump(t *testing.T) {
	p := chart.New(draw.Rect{X: 14, Y: 20, W: 320, H: 160}, ui.Scale{High: 80}, ui.Scale{High: 1})
	line := func(km, w float64) draw.Rect { return draw.Rect{X: p.PX(km), Y: p.Area.Y, W: w, H: p.Area.H} }
	for name, marks := range map[string][]draw.Rect{
		"none":                         nil,
		"a baseline in the near hump":  {line(17.2, 2)},
		"the mean beside it":           {line(17.2, 2), line(34, 20)},
		"the mean before the far hump": {line(52, 16), line(60.8, 2)},
		"baselines in both":            {line(17, 2), line(24, 2), line(30, 16), line(58, 2), line(60.8, 2), line(63, 2)},
	} {
		for _, near := range []int{38, 100, 127} {
			e := model.Ensemble{Version: 1, Members: make([]*model.Member, 200)}
			for i := range e.Members {
				e.Members[i] = &model.Member{}
				e.Members[i].Run.DetectionKm = either(i < near, 17+6*math.Sin(float64(i))*math.Sin(float64(i)), 60.5)
			}
			var f Flights
			f.Pile(&p, &e)
			first := f.nameBox(&p, 17, 23, draw.Point{X: 86, Y: nameLine}, marks, nil)
			second := f.nameBox(&p, 60.5, 60.5, draw.Point{X: 78, Y: nameLine}, marks, []draw.Rect{first})
			for i, box := range []draw.Rect{first, second} {
				left, right := p.PX(either(i == 0, 17., 60.5)), p.PX(either(i == 0, 23., 60.5))
				const near = 26 // points
				if box.Empty() || box.Right() < left-near || box.X > right+near || box.X < p.Area.X-14 ||
					box.Right() > p.Area.Right()+14 || first.Overlaps(second) {
					t.Errorf("%s, %d of 200 near: name %d stands at %v, its dots from %v to %v", name, near, i, box, left, right)
				}
				for _, d := range f.Dots {
					if box.Contains(d.At) {
						t.Fatalf("%s, %d near: name %d covers a dot at %v km", name, near, i, d.Km)
					}
				}
			}
		}
	}
}

// Left of all dots the one closest to the target is pointed at, however many stand in its column, and right of all the
// farthest.
func TestEdgesOfTheFlightsAreTheExtremes(t *testing.T) {
	p := chart.New(draw.Rect{W: 300, H: 120}, ui.Scale{High: 100}, ui.Scale{High: 1})
	e := model.Ensemble{Version: 1, Members: make([]*model.Member, 12)}
	for i := range e.Members {
		e.Members[i] = &model.Member{}
		e.Members[i].Run.DetectionKm = 17 + 0.01*float64(i)
	}
	var f Flights
	f.Pile(&p, &e)
	first, last := &f.Dots[0], &f.Dots[len(f.Dots)-1]
	middle := f.Dots[5].At.Y
	for want, x := range map[*Dot]float64{first: first.At.X - 1, last: last.At.X + 1} {
		if got := f.Nearest(draw.Point{X: x, Y: middle}); got != want {
			t.Errorf("at %v it is %v, want %v", x, got, want)
		}
	}
}
