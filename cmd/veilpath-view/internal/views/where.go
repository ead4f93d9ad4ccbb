package views

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/internal/phrase"
	"veilpath/internal/plot"
)

// ownTag is the tag of the flight on show, and deafTag of lines that stand for no flight.
const ownTag = -1

// goals are the targets of the mission, the true one first.
func (v *Views) goals() []r3.Vec {
	s := &v.Model.Experiment.Scenario
	return append([]r3.Vec{s.Target}, s.Others...)
}

// makeWhere makes the map: the fan of flights, the planned and the straight one, and the one on show, with where it is
// recognised. It is cropped to what matters of them.
func (v *Views) makeWhere() {
	m, t := v.Model, v.theme()
	f := m.Flight()
	c := plot.Chart{ID: "where", Panel: v.Layout.Where, TicksX: []float64{}, TicksY: []float64{}}
	v.fit(&c)
	v.cells(&c)
	for i := range v.members {
		c.Series = append(c.Series, path(&v.members[i], v.ink(&v.members[i]), v.off()))
	}
	for _, goal := range v.goals() {
		c.Series = append(c.Series, circle(goal, m.Config.Privacy.HandoverKm, ui.Faded(t.Muted, 0.6)))
	}
	if m.World.HasDirect() {
		s := track(&m.Nominal, 1.4, t.Ink)
		s.Dash, s.Gap = 5, 4
		c.Series = append(c.Series, s)
		c.Labels = append(c.Labels, beside(&m.Nominal, 0.45, plot.Point{X: 24, Y: 16}, "straight", t.Muted))
	}
	planned := track(&m.Planned, 1.4, t.WaypointInk())
	planned.Dash, planned.Gap = 2, 3
	c.Series = append(c.Series, planned)
	c.Labels = append(c.Labels, beside(&m.Planned, 0.62, plot.Point{X: 4, Y: -13}, "planned", t.WaypointInk()))
	if p := m.Pair; p != nil {
		c.Series = append(c.Series, track(&p.Private, 2, t.KeptInk()))
	}
	own := track(f, 3, t.PrivateInk())
	back := own
	back.Width, back.Ink = 6, ui.Faded(t.Panel, 0.8)
	own.Deaf, own.Tag = false, ownTag
	c.Series = append(c.Series, back, own)
	v.marks(&c, f)
	v.Where = c
}

// marks adds the start, the targets and the ring where the flight on show is recognised.
func (v *Views) marks(c *plot.Chart, f *model.Flight) {
	t, start := v.theme(), f.Samples[0].R
	c.Dots = append(c.Dots, plot.Dot{X: start.X, Y: start.Y, Radius: 4.5, Ink: t.Ink})
	if f.Run.Detected {
		at := f.Samples[f.Detection.Sample].R
		c.Dots = append(c.Dots, plot.Dot{X: at.X, Y: at.Y, Radius: 6.5, Ink: t.CaughtInk(), Ring: true})
		c.Labels = append([]plot.Label{{X: at.X, Y: at.Y, Shift: plot.Point{Y: 21}, Bold: true, Ink: t.CaughtInk(),
			Text: "recognised " + phrase.Fixed(f.Run.DetectionKm, 1) + " km"}}, c.Labels...)
	}
	if p := v.Model.Pair; p != nil && p.Private.Run.Detected {
		at := p.Private.Samples[p.Private.Detection.Sample].R
		c.Dots = append(c.Dots, plot.Dot{X: at.X, Y: at.Y, Radius: 5, Ink: t.KeptInk(), Ring: true})
	}
	c.Labels = append(c.Labels, plot.Label{X: start.X, Y: start.Y, Shift: plot.Point{X: 20, Y: 14}, Text: "start",
		Ink: t.Muted})
	for i, goal := range v.goals() {
		name := either(len(v.goals()) == 1, "target", fmt.Sprintf("goal %d", i+1))
		c.Dots = append(c.Dots, plot.Dot{X: goal.X, Y: goal.Y, Radius: 5, Ink: t.ObserverInk()})
		c.Labels = append(c.Labels, plot.Label{X: goal.X, Y: goal.Y, Shift: plot.Point{Y: -17}, Text: name, Ink: t.Ink})
	}
}

// fit has the map show the start, the targets, the planned flight and what nine of ten flights stay within; the odd
// flight that goes astray leaves the picture. Where one target lies beside the start and the map fills its width, the
// chart below gets the map's horizontal scale.
func (v *Views) fit(c *plot.Chart) {
	const air, least = 26, 0.05 // points, share of the flights beyond an end
	if !v.made.coarse || v.extent == [4]float64{} {
		v.extent = v.newExtent(least)
	}
	e := v.extent
	width, height := math.Max(1e-3, e[2]-e[0]), math.Max(1e-3, e[3]-e[1])
	area := c.Panel
	perKm := math.Min((area.W-2*air)/width, (area.H-2*air)/height)
	start, target := v.Model.Flight().Samples[0].R, v.Model.Flight().Target
	const along = 1.5 // times as far along as across
	v.linked = len(v.goals()) == 1 && target.X-start.X > along*math.Abs(target.Y-start.Y) &&
		(area.W-2*air)/width*height < area.H-24
	if v.linked {
		perKm = (area.W - 2*air) / width
	}
	x, y := (e[0]+e[2])/2, (e[1]+e[3])/2
	c.X = plot.Scale{Low: x - area.W/2/perKm, High: x + area.W/2/perKm}
	c.Y = plot.Scale{Low: y - area.H/2/perKm, High: y + area.H/2/perKm}
}

// newExtent returns the ends of what the map shows, km: west, south, east and north.
func (v *Views) newExtent(beyond float64) [4]float64 {
	e := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	add := func(x, y float64) {
		e = [4]float64{math.Min(e[0], x), math.Min(e[1], y), math.Max(e[2], x), math.Max(e[3], y)}
	}
	for _, goal := range v.goals() {
		add(goal.X, goal.Y)
	}
	for _, s := range v.Model.Planned.Samples {
		add(s.R.X, s.R.Y)
	}
	var ends [4][]float64
	for i := range v.members {
		own := [4]float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
		for _, p := range v.members[i].Path {
			own = [4]float64{math.Min(own[0], p.X), math.Min(own[1], p.Y), math.Min(own[2], -p.X), math.Min(own[3], -p.Y)}
		}
		for k := range ends {
			ends[k] = append(ends[k], own[k])
		}
	}
	if len(v.members) > 0 {
		add(quantile(ends[0], beyond), quantile(ends[1], beyond))
		add(-quantile(ends[2], beyond), -quantile(ends[3], beyond))
	}
	return e
}

// path is a flight of the fan as a line.
func path(f *many, ink color.NRGBA, off float64) plot.Series {
	return plot.Series{N: len(f.Path), Width: 1.2, Ink: ink, Off: off, Tag: f.Run.Run,
		At: func(i int) (x, y float64) { return f.Path[i].X, f.Path[i].Y }}
}

// track is the line of a flight as it is now: another may be on show before the chart is made anew.
func track(f *model.Flight, width float64, ink color.NRGBA) plot.Series {
	samples := f.Samples
	return plot.Series{N: len(samples), Width: width, Ink: ink, Deaf: true,
		At: func(i int) (x, y float64) { return samples[i].R.X, samples[i].R.Y }}
}

// circle is a dashed circle around a place.
func circle(at r3.Vec, radiusKm float64, ink color.NRGBA) plot.Series {
	const sides = 180
	return plot.Series{N: sides + 1, Width: 1, Ink: ink, Dash: 3, Gap: 4, Deaf: true, At: func(i int) (x, y float64) {
		a := 2 * math.Pi * float64(i) / sides
		return at.X + radiusKm*math.Cos(a), at.Y + radiusKm*math.Sin(a)
	}}
}

// beside is a name beside a line, a share of the way along it.
func beside(f *model.Flight, share float64, shift plot.Point, text string, ink color.NRGBA) plot.Label {
	at := f.Samples[int(share*float64(len(f.Samples)-1))].R
	return plot.Label{X: at.X, Y: at.Y, Shift: shift, Text: text, Ink: ink}
}

// cells paints the cells of the grid: those that are kept out of, and what is chosen to be on the map.
func (v *Views) cells(c *plot.Chart) {
	m, t := v.Model, v.theme()
	g := m.Experiment.Mission.Grid
	paint := func(state int, ink color.NRGBA) {
		at, half := g.Position(state), g.SpacingKm/2
		c.Cells = append(c.Cells, plot.Cell{X0: at.X - half, Y0: at.Y - half, X1: at.X + half, Y1: at.Y + half, Ink: ink})
	}
	switch belief := v.Belief(); {
	case belief != nil:
		const faintest = 9 // bits: 1 in 512 has the faintest colour
		for i, p := range belief.Posterior {
			if share := 1 + math.Log2(p)/faintest; share > 0 {
				paint(m.Inference.States[i], assets.Mix(t.Panel, t.ObserverInk(), 0.1+0.85*share))
			}
		}
	case v.HeatShown() == answer.HeatNoise:
		noise, most := v.noise()
		for state, n := range noise {
			side := either(n < 0, t.Series[0], t.Series[1])
			paint(state, assets.Mix(t.Panel, side, 0.6*math.Abs(n)/most))
		}
	}
	for state := range g.States() {
		if g.KeptOut(state) {
			paint(state, t.Hover)
		} else if v.Walling {
			at := g.Position(state)
			c.Dots = append(c.Dots, plot.Dot{X: at.X, Y: at.Y, Radius: 1.5, Ink: ui.Faded(t.Muted, 0.6)})
		}
	}
}

// noise is what was added to the rewards of the flight on show, on average over the moves at a waypoint, and the
// largest of that.
func (v *Views) noise() (mean []float64, most float64) {
	truth, private := v.Model.Experiment.Mission.Rewards.Joint, v.Model.Flight().Rewards
	moves := v.Model.Experiment.Mission.Grid.Moves.Count()
	mean, most = make([]float64, len(truth)/moves), 1e-9
	for i := range truth {
		mean[i/moves] += (private[i] - truth[i]) / float64(moves)
	}
	for _, n := range mean {
		most = math.Max(most, math.Abs(n))
	}
	return mean, most
}
