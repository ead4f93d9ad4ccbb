package views

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/internal/phrase"
	"veilpath/internal/plot"
)

// Quantity is what the chart below the map shows along the flights.
type Quantity int

// The quantities.
const (
	Guess    Quantity = iota // how far off the observer's guess is
	Altitude                 // km
	Turn                     // turn command, m/s²
	Off                      // between the heading and the line of sight, degrees
)

// QuantityNames are what lists and links call the quantities.
var QuantityNames = []string{"guess", "altitude", "turn", "angle"}

// along is the place of a moment along the chart: the distance to the target, or the way that is still to fly where
// flights fly away from a target.
func (v *Views) along(distanceKm, leftKm float64) float64 {
	if len(v.goals()) > 1 {
		return leftKm
	}
	return distanceKm
}

// placesOf are the places along the chart of the samples of a flight. Those of the one on show are asked for often.
func (v *Views) placesOf(f *model.Flight) []float64 {
	if f == v.Model.Flight() {
		return v.places.Get(v.Model.Version, func() []float64 { return v.newPlaces(f) })
	}
	return v.newPlaces(f)
}

func (v *Views) newPlaces(f *model.Flight) []float64 {
	places := make([]float64, len(f.Samples))
	left := 0.0
	for i := len(f.Samples) - 1; i >= 0; i-- {
		if i+1 < len(f.Samples) {
			left += r3.Norm(r3.Sub(f.Samples[i+1].R, f.Samples[i].R))
		}
		places[i] = v.along(f.Errors.DistanceKm[i], left)
	}
	return places
}

// makeWhy makes the chart that explains recognition: the error of the observer's guess over the distance to the target,
// of all flights behind that on show. A flight is recognised where its curve stays below the radius, a line that is
// dragged. It is the time line too.
func (v *Views) makeWhy() {
	c := plot.Chart{ID: "why", Panel: v.Layout.Why, Margins: plot.Margins{Top: 32, Bottom: 22}, RightY: true, Free: 94,
		Note: either(len(v.goals()) > 1, "over the way still to fly, km", "over the distance to the target, km")}
	v.scaleWhy(&c)
	v.heaps, v.hung, v.hanging = nil, nil, plot.Hanging{}
	switch {
	case v.Quantity != Guess:
		v.makeQuantity(&c)
	case v.Inferring():
		v.makeBeliefs(&c)
	default:
		v.makeGuess(&c)
	}
	v.Why = c
}

// scaleWhy gives the chart its horizontal scale: that of the map where they are linked; otherwise one in which the part
// before the hand-over, which says little, has a third of the width at most.
func (v *Views) scaleWhy(c *plot.Chart) {
	if v.linked {
		target := v.Model.Flight().Target.X
		c.X = plot.Scale{Low: target - v.Where.X.Low, High: target - v.Where.X.High}
		return
	}
	c.Margins.Left, c.Margins.Right = 26, 40
	if v.made.coarse && v.farKm > 0 {
		c.X = plot.Scale{Low: v.farKm}
		return
	}
	far := []float64{slices.Max(v.placesOf(v.Model.Flight()))}
	for i := range v.members {
		most := 0.0
		for _, g := range v.members[i].Guess() {
			most = math.Max(most, v.along(float64(g.DistanceKm), float64(g.LeftKm)))
		}
		far = append(far, most)
	}
	const common, handover = 0.95, 1.5
	v.farKm = math.Min(quantile(far, common), handover*v.Model.Config.FarthestHandoverKm())
	c.X = plot.Scale{Low: v.farKm}
}

// makeGuess makes the chart of the guess.
func (v *Views) makeGuess(c *plot.Chart) {
	m, t := v.Model, v.theme()
	radius := m.RadiusOf(m.RunNumber)
	c.Title = "How far off the guess is, km"
	if o, err := adversary.Find(m.Config.Adversary.Observer); err == nil && o.Goal {
		c.Title = "How far from the target half of the belief reaches, km"
	}
	c.Y = plot.Scale{Low: math.Min(0.03, radius/4), High: 500, Log: true}
	c.BelowInk = ui.Faded(t.ObserverInk(), 0.1)
	line := func(points []model.GuessPoint) plot.Series {
		return plot.Series{N: len(points), At: func(i int) (x, y float64) {
			return v.along(float64(points[i].DistanceKm), float64(points[i].LeftKm)), float64(points[i].ErrorKm)
		}}
	}
	for i := range v.members {
		s := line(v.members[i].Guess())
		s.Width, s.Ink, s.Off, s.Tag = 1, v.ink(&v.members[i]), v.off(), v.members[i].Run.Run
		c.Series = append(c.Series, s)
	}
	if m.Pair != nil {
		s := line(m.Pair.Private.Guess())
		s.Width, s.Ink, s.Deaf = 2, t.KeptInk(), true
		c.Series = append(c.Series, s)
	}
	own := line(m.Flight().Guess())
	own.Width, own.Ink, own.Tag = 2.8, t.PrivateInk(), ownTag
	c.Series = append(c.Series, own)
	c.References = []plot.Reference{{ID: "radius", Name: "ρ " + answer.Km(radius), At: radius, Drags: true,
		Ink: t.ObserverInk()}}
	if at, ok := v.crossing(); ok {
		c.Dots = []plot.Dot{{X: at.X, Y: at.Y, Radius: 6.5, Ink: t.CaughtInk(), Ring: true}}
	}
	v.hang(c)
}

// crossing is where the flight on show is recognised in the chart of the guess.
func (v *Views) crossing() (at plot.Point, ok bool) {
	f := v.Model.Flight()
	if !f.Run.Detected {
		return at, false
	}
	i := f.Detection.Sample
	return plot.Point{X: v.placesOf(f)[i], Y: math.Min(v.Model.RadiusOf(v.Model.RunNumber), f.Errors.ErrorKm[i])}, true
}

// heap is flights that are recognised at about the same place.
type heap struct {
	from, to      float64 // points
	nearKm, farKm float64
	n             int
}

// hang has flights hang from the line of the radius where they are recognised, and counts those of a heap.
func (v *Views) hang(c *plot.Chart) {
	area := c.Area()
	var xs []float64
	for _, m := range v.Model.Ensemble.Members {
		if m == nil || !m.Run.Detected {
			continue
		}
		x := m.Run.DetectionKm
		if len(v.goals()) > 1 {
			for _, g := range m.Guess() {
				if float64(g.DistanceKm) <= m.Run.DetectionKm {
					x = float64(g.LeftKm)
					break
				}
			}
		}
		xs, v.hung = append(xs, c.PX(x)), append(v.hung, m)
	}
	top := math.Max(area.Y, math.Min(area.Bottom()-30, c.PY(v.Model.RadiusOf(v.Model.RunNumber))))
	v.hanging = plot.Hang(xs, top, math.Max(14, area.Bottom()-top-24))
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, xs[a]-xs[b])) })
	const gap = 40 // points that part heaps
	for _, i := range order {
		km, n := v.hung[i].Run.DetectionKm, len(v.heaps)
		if n == 0 || xs[i]-v.heaps[n-1].to > gap {
			v.heaps, n = append(v.heaps, heap{from: xs[i], nearKm: km, farKm: km}), n+1
		}
		h := &v.heaps[n-1]
		h.to, h.n = xs[i], h.n+1
		h.nearKm, h.farKm = math.Min(h.nearKm, km), math.Max(h.farKm, km)
	}
}

// drawHeaps draws the flights that hang, with their counts.
func (v *Views) drawHeaps(l *draw.List) {
	area, t := v.Why.Area(), v.theme()
	l.Clip(area)
	for i, at := range v.hanging.Places {
		ink, pitch := v.shade(v.hung[i].Run.DetectionKm), v.hanging.Pitch
		if v.hanging.Bar {
			l.Rect(draw.Rect{X: at.X - pitch/2, Y: at.Y - pitch/2, W: pitch, H: pitch}, ink)
		} else {
			l.Disc(at, 0.43*pitch, ink)
		}
	}
	l.Unclip()
	const most = 4 // heaps that have room for a count
	var taken []draw.Rect
	for i, h := range v.heaps {
		near, far := phrase.Fixed(h.nearKm, 0), phrase.Fixed(h.farKm, 0)
		text := fmt.Sprintf("%d at %s km", h.n, either(near == far, near, near+"–"+far))
		w := l.Width(t.Small, text) + 6
		box := draw.Rect{X: h.from - w - 12, Y: area.Bottom() - 19, W: w, H: 16}
		if i == len(v.heaps)-1 && (i > 0 || box.X < area.X) && h.to+12+w < v.Why.Panel.Right()-4 {
			box.X = h.to + 12
		}
		box.X = math.Max(area.X+4, box.X)
		for slices.ContainsFunc(taken, box.Overlaps) {
			box.Y -= 17
		}
		if len(v.heaps) > most && h.n < len(v.hung)/20 {
			continue
		}
		taken = append(taken, box)
		l.RoundRect(box, 3, ui.Faded(t.Panel, 0.85))
		l.TextIn(t.Small, box.Trim(3, 0, 0, 0), draw.Left, v.shade(h.nearKm), text)
	}
	if never := v.Model.Ensemble.Summary().NeverDetected; never > 0 {
		text := fmt.Sprintf("%s %% never", phrase.Fixed(100*never, 0))
		l.TextIn(t.Small, draw.Rect{X: area.Right() - 130, Y: area.Y + 2, W: 84, H: 16}, draw.Right, t.Muted, text)
	}
}

// makeBeliefs makes the chart of what the observer of the goal believes: the probability of the true target.
func (v *Views) makeBeliefs(c *plot.Chart) {
	m, t, n := v.Model, v.theme(), &v.Model.Inference
	c.Title, c.Y = "How probable the true target is, %", plot.Scale{High: 100}
	if len(n.Beliefs) == 0 {
		c.Empty = either(n.Problem == "", "Planning for every goal that is possible …", n.Problem)
		return
	}
	places, beliefs, own := v.placesOf(m.Flight()), n.Beliefs, n.Own
	c.Series = []plot.Series{{N: 2 * len(beliefs), Width: 2.8, Deaf: true, Ink: t.PrivateInk(),
		At: func(k int) (x, y float64) {
			sample := len(places) - 1
			if next := (k + 1) / 2; next < len(beliefs) {
				sample = beliefs[next].Sample
			}
			return places[sample], 100 * beliefs[k/2].Posterior[own]
		}}}
	x, y := c.Series[0].At(2*len(beliefs) - 2)
	c.Labels = []plot.Label{{X: x, Y: y, Shift: plot.Point{X: -40, Y: -12}, Text: v.Inferred().Name, Ink: t.PrivateInk(),
		Bold: true}}
	c.References = []plot.Reference{{ID: "half", Name: "half", At: 50, Ink: t.ObserverInk()}}
	if b := v.Belief(); b != nil {
		c.Note = fmt.Sprintf("%s bits of %s left to learn now", phrase.Fixed(b.Entropy, 1), phrase.Fixed(n.Bits, 1))
	}
}

// makeQuantity makes the chart of another quantity of the flights on show.
func (v *Views) makeQuantity(c *plot.Chart) {
	m, t := v.Model, v.theme()
	value := v.quantityOf()
	planned, own := m.Planned, *m.Flight() // another may be on show before the chart is made anew
	inks := []plot.Series{{Width: 1.4, Ink: t.WaypointInk(), Dash: 2, Gap: 3}, {Width: 2.8, Ink: t.PrivateInk()}}
	c.Title = []string{Altitude: "Altitude, km", Turn: "Turn command, m/s²",
		Off: "Angle off the line of sight, °"}[v.Quantity]
	for k, f := range []*model.Flight{&planned, &own} {
		const most = 800 // points of a curve
		s, places, step := inks[k], v.placesOf(f), 1+len(f.Samples)/most
		s.N, s.Deaf = len(f.Samples)/step, true
		s.At = func(i int) (x, y float64) { return places[i*step], value(f, i*step) }
		for i := range s.N {
			_, y := s.At(i)
			c.Y.High = math.Max(c.Y.High, 1.08*y)
		}
		c.Series = append(c.Series, s)
	}
}

// quantityOf returns the quantity of a sample of a flight.
func (v *Views) quantityOf() func(f *model.Flight, i int) float64 {
	return []func(f *model.Flight, i int) float64{
		Guess:    func(f *model.Flight, i int) float64 { return f.Errors.ErrorKm[i] },
		Altitude: func(f *model.Flight, i int) float64 { return f.Samples[i].R.Z },
		Turn:     func(f *model.Flight, i int) float64 { return 1000 * r3.Norm(f.Samples[i].A) },
		Off:      func(f *model.Flight, i int) float64 { return f.OffDeg(i, f.Target) },
	}[v.Quantity]
}

// drawJoint draws the line from the ring on the map to the crossing in the chart.
func (v *Views) drawJoint(l *draw.List) {
	to, ok := v.crossing()
	if !ok || v.Quantity != Guess || v.Inferring() {
		return
	}
	f := v.Model.Flight()
	at := f.Samples[f.Detection.Sample].R
	a, b := v.Where.At(at.X, at.Y), v.Why.At(to.X, to.Y)
	elbow := v.Layout.Why.Y - 5
	l.Dashed([]draw.Point{{X: a.X, Y: a.Y + 8}, {X: a.X, Y: elbow}, {X: b.X, Y: elbow}, {X: b.X, Y: b.Y - 8}}, 1.2, 1.5, 4,
		ui.Faded(v.theme().CaughtInk(), 0.8))
}
