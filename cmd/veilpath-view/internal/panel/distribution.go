package panel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Distribution is the panel of where the flights are recognised: a dot each, what they come to, and what is compared.
type Distribution struct {
	*Frame
	heaps, keptHeaps Flights
}

// Area is the panel.
func (ds *Distribution) Area() draw.Rect { return ds.Layout.Distribution }

// Plot is the chart with an axis of distances that the dots lie over.
func (ds *Distribution) Plot() chart.Plot {
	far := math.Max(ds.Model.Private.Run.DetectionKm, ds.FarthestDot())
	for _, b := range ds.Baselines() {
		far = math.Max(far, b.Km+6)
	}
	return chart.New(ds.Layout.Distribution.Trim(14, 40+distributionRow*ds.rows(), 14, 34),
		ui.Scale{High: math.Max(answer.FarthestKm, math.Ceil(far/10)*10)}, ui.Scale{High: 1})
}

// distributionRow is the height of a line of text above the dots, points.
const distributionRow = 16

// rows is how many lines of text there are above the dots: the mean and, where there is room, what noise
// does to it, or what is compared; then what the intervals leave out.
func (ds *Distribution) rows() float64 {
	return float64(max(either(ds.noiseBelow(), 1, 2), ds.pairRows()) + len(ds.leftOutLines()))
}

// leftOutLines say what the intervals leave out, where no headline has room for it.
func (ds *Distribution) leftOutLines() []string {
	if !ds.Layout.Compact || ds.LeftOut() == "" {
		return nil
	}
	return ds.UI.List.Wrap(ds.Theme().Small, ds.LeftOut(), ds.Layout.Distribution.W-2*layout.Pad)
}

// noiseBelow reports whether what noise does stands below the dots, since a line above them would leave them too little
// room.
func (ds *Distribution) noiseBelow() bool {
	const low = 160 // points
	return ds.Layout.Distribution.H < low
}

// narrowFlights is the width of the panel below which what is compared takes two lines, points.
const narrowFlights = 460

// pairRows is how many lines say what is compared.
func (ds *Distribution) pairRows() int {
	if ds.Model.Pair == nil {
		return 0
	}
	return either(ds.Layout.Distribution.W < narrowFlights, 2, 1)
}

// Dots returns the heaps, piled again when the ensemble has changed. Beside settings that are compared they have the
// upper half of the chart.
func (ds *Distribution) Dots() *Flights {
	p := ds.Plot()
	if ds.mirrored() {
		p.Area.H = math.Floor(p.Area.H / 2)
	}
	ds.heaps.Pile(&p, &ds.Model.Ensemble)
	return &ds.heaps
}

// mirrored reports whether the flights of the kept settings hang below those in force.
func (ds *Distribution) mirrored() bool {
	return ds.Model.Pair != nil && ds.Plot().Area.H >= 2*leastHeap
}

// leastHeap is the least height of heaps, points, where those of two settings are drawn.
const leastHeap = 36

// keptDots returns the heaps of the kept settings, which hang from the middle of the chart.
func (ds *Distribution) keptDots() *Flights {
	upper, h := ds.Plot(), &ds.keptHeaps
	upper.Area.H = math.Floor(upper.Area.H / 2)
	if h.Pile(&upper, &ds.Model.Pair.Ensemble) {
		h.Hang()
	}
	return h
}

// DrawStill draws where the flights of the ensemble were recognised.
func (ds *Distribution) DrawStill(l *draw.List) {
	t, p := ds.Theme(), ds.Plot()
	ds.Panel(l, ds.Layout.Distribution, "Where the flights are recognised")
	sum := ds.Model.Ensemble.Summary()
	ds.DrawText(l)
	p.GridX(l, t, 6)
	l.Rect(draw.Rect{X: p.Area.X, Y: p.Area.Bottom(), W: p.Area.W, H: 1}, t.Muted)
	foot := draw.Rect{X: p.Area.X, Y: p.Area.Bottom() + 15, W: p.Area.W, H: 14}
	spread := ds.spreadText()
	bare := strings.TrimPrefix(spread, "distance to the target, ")
	// What is never recognised matters more than the median.
	least := strings.Replace(bare, "; median "+chart.Fixed(sum.MedianKm, 1), "", 1)
	l.TextIn(t.Small, foot, draw.Center, t.Muted,
		fitting(l, t.Small, foot.W, spread, bare, least, strings.Replace(least, ds.NoiseVerdict(), "", 1)))
	var marks []draw.Rect
	if low, high, ok := ds.MeanInterval(); ok {
		left, right := p.PX(math.Max(0, low)), p.PX(math.Min(p.X.High, high))
		marks = append(marks, draw.Rect{X: left, Y: p.Area.Y, W: math.Max(1, right-left), H: p.Area.H})
		l.Rect(marks[0], ui.Faded(t.Ink, 0.16))
	}
	h := ds.Dots()
	if ds.mirrored() {
		ds.drawKeptDots(l, &p)
	}
	h.Draw(l, func(d *Dot) colour {
		return ui.Faded(ds.DistanceColour(d.Km), either(ds.Outdated(d.Of), 0.2, 1))
	})
	if sum.Runs > 0 {
		l.Rect(draw.Rect{X: p.PX(sum.MeanKm) - 0.75, Y: p.Area.Y, W: 1.5, H: p.Area.H}, t.Ink)
	}
	flags := ds.otherMeans()
	for _, b := range ds.Baselines() {
		flags = append(flags, flag{Km: b.Km, Ink: t.Ink, Text: b.Word + " " + chart.Fixed(b.Km, 1)})
	}
	drawFlags(l, t, &p, flags)
	for _, f := range flags {
		marks = append(marks, draw.Rect{X: p.PX(f.Km) - 1, Y: p.Area.Y, W: 2, H: p.Area.H})
	}
	ds.nameHumps(l, &p, marks)
}

// drawKeptDots draws the flights of the kept settings below those in force, in a colour of their own.
func (ds *Distribution) drawKeptDots(l *draw.List, p *chart.Plot) {
	t, middle := ds.Theme(), p.Area.Y+math.Floor(p.Area.H/2)
	l.Rect(draw.Rect{X: p.Area.X, Y: middle - 0.5, W: p.Area.W, H: 1}, t.Muted)
	ds.keptDots().Draw(l, func(d *Dot) colour {
		return t.KeptInk()
	})
	for i, name := range []string{"now", "kept"} {
		box := draw.Rect{X: p.Area.X + 4, Y: middle - 18 + 20*float64(i), W: 40, H: 15}
		l.TextIn(t.Small, box, draw.Left, either(i == 0, t.Ink, t.KeptInk()), name)
	}
}

// nameHumps names the humps of the whole ensemble beside their highest dots, clear of what is marked.
func (ds *Distribution) nameHumps(l *draw.List, p *chart.Plot, marks []draw.Rect) {
	w, ok := ds.Model.Why()
	const least = 48 // points, of the dots
	if !ok || p.Area.H < least || ds.mirrored() {
		return
	}
	var taken []draw.Rect
	for _, hump := range []struct {
		model.Hump
		name string
	}{{w.Humps.Near, answer.NearHump}, {w.Humps.Far, answer.FarHump}} {
		lines := []string{fmt.Sprintf("%s, %d", hump.name, hump.Flights),
			fmt.Sprintf("%s … %s km", chart.Fixed(hump.NearKm, 1), chart.Fixed(hump.FarKm, 1))}
		if n := hump.GivenUp; n > 0 { // which stand in the same heap
			lines = []string{lines[0], fmt.Sprintf("and %d %s", n, either(n == 1, "fall-back", "fall-backs")), lines[1]}
		}
		name := func(lines []string, marks, taken []draw.Rect) draw.Rect {
			return ds.Dots().Name(l, ds.Theme(), p, hump.NearKm, hump.FarKm, lines, marks, taken)
		}
		box := name(lines, nil, slices.Concat(taken, marks))
		if box.Empty() {
			box = name(lines[:len(lines)-1], marks, taken)
		}
		taken = append(taken, box)
	}
}

// otherMeans marks the mean of the kept settings, or else the published one, and that of the record.
func (ds *Distribution) otherMeans() (flags []flag) {
	known := ds.Known()
	if pair := ds.Model.Pair; pair != nil {
		kept := pair.Ensemble.Summary()
		if kept.Runs > 0 {
			flags = append(flags, flag{Km: kept.MeanKm, Ink: ds.Theme().KeptInk(), Text: "kept " + chart.Fixed(kept.MeanKm, 1)})
		}
	} else if known.InPaper {
		flags = append(flags, flag{Km: known.Public, Ink: ds.Theme().ObserverInk(),
			Text: "paper " + chart.Fixed(known.Public, 1)})
	}
	if known.OK && known.Row.Runs != ds.Model.Ensemble.Summary().Runs {
		flags = append(flags, flag{Km: known.Row.MeanKm, Ink: ds.Theme().Ink,
			Text: "recorded " + chart.Fixed(known.Row.MeanKm, 1)})
	}
	return flags
}

// DrawText writes what the flights come to, or what is compared.
func (ds *Distribution) DrawText(l *draw.List) {
	t := ds.Theme()
	r, _ := ds.Layout.Distribution.Trim(layout.Pad, 22, layout.Pad, 0).CutTop(distributionRow)
	compared, left := ds.pairRows(), ds.leftOutLines()
	foot := draw.Rect{X: r.X, Y: r.Y + distributionRow*(ds.rows()-float64(len(left))), W: r.W, H: r.H}
	l.Lines(t.Small, foot, draw.Left, t.Muted, left)
	if compared == 0 {
		l.TextIn(t.Body, r, draw.Left, t.Ink, fitting(l, t.Body, r.W, ds.MeanText(answer.WholeInterval),
			ds.MeanText(answer.ShortInterval), ds.MeanText(answer.LeastInterval), ds.MeanText(answer.NoInterval)))
		if !ds.noiseBelow() {
			r.Y += distributionRow
			verdict, least := ds.NoiseVerdict(), ds.NoiseText(1, answer.LeastInterval)
			l.TextIn(t.Body, r, draw.Left, t.Ink, fitting(l, t.Body, r.W, ds.NoiseText(2, answer.WholeInterval)+verdict,
				ds.NoiseText(1, answer.ShortInterval)+verdict, least+verdict, least))
		}
	}
	if compared > 0 {
		l.Paragraph(t.Body, r, compared, t.KeptInk(), ds.PairText())
	}
}

// fitting is the first of some texts that fits a width, the last one where none does.
func fitting(l *draw.List, style draw.Style, width float64, texts ...string) (text string) {
	for _, text = range texts {
		if l.Width(style, text) <= width {
			break
		}
	}
	return text
}

// spreadText says how the flights spread whose dots are drawn.
func (ds *Distribution) spreadText() string {
	sum := ds.Model.Ensemble.Summary()
	if sum.Runs == 0 {
		return "distance to the target, km"
	}
	text := fmt.Sprintf("distance to the target, km; median %s", chart.Fixed(sum.MedianKm, 1))
	if ds.noiseBelow() && ds.Model.Pair == nil {
		text = fmt.Sprintf("%s%s; median %s", ds.NoiseText(1, answer.LeastInterval), ds.NoiseVerdict(),
			chart.Fixed(sum.MedianKm, 1))
	}
	if sum.NeverDetected > 0 {
		text += fmt.Sprintf("; %s %% never", chart.Fixed(100*sum.NeverDetected, 1))
	}
	if sum.Fallback > 0 {
		text += fmt.Sprintf("; %s %% fall-back", chart.Fixed(100*sum.Fallback, 1))
	}
	return text
}

// Operate shows the flight whose dot is clicked.
func (ds *Distribution) Operate() {
	p := ds.Plot()
	over, _, clicked := ds.UI.Area("distribution", p.Area.Inset(-4))
	if !over {
		return
	}
	d := ds.Dots().Nearest(ds.UI.Input.Pointer)
	if d == nil {
		ds.hintDistance(&p)
		return
	}
	ds.UI.SetCursor(ui.Hand)
	ds.UI.Hint(true, ds.besides(d.At.X), answer.MemberText(d.Of))
	if clicked {
		ds.Model.Select(d.Of.Run.Run)
	}
}

// hintDistance says how many flights are recognised on either side of where the pointer is.
func (ds *Distribution) hintDistance(p *chart.Plot) {
	x := ds.UI.Input.Pointer.X
	km := max(0, min(p.X.High, p.XAt(x)))
	farther, never, all := 0, 0, ds.Dots().Dots
	for _, d := range all {
		switch {
		case !d.Of.Run.Detected:
			never++
		case d.Km > km:
			farther++
		}
	}
	text := fmt.Sprintf("%s km: %d of %d flights are recognised farther from the target, %d nearer", chart.Fixed(km, 1),
		farther, len(all), len(all)-farther-never)
	if never > 0 {
		text += fmt.Sprintf(", %d never", never)
	}
	ds.UI.Hint(true, ds.besides(x), text+".")
}

// besides is what the hint of a place across stands beside: all of the panel, whose dots and answers stay to be seen.
func (ds *Distribution) besides(x float64) draw.Rect {
	return draw.Rect{X: x - 4, Y: ds.Layout.Distribution.Y, W: 8, H: ds.Layout.Distribution.H}
}

// DrawMoving marks where the flight on show lies: by its dot, or where it is none of the ensemble, by its
// distance.
func (ds *Distribution) DrawMoving(l *draw.List) {
	if ds.Model.ShowsBaseline() {
		return
	}
	for _, at := range ds.ShownAt() {
		l.Disc(at, 6, ds.Theme().Panel)
		l.Disc(at, 4.2, ds.Theme().PrivateInk())
		l.Ring(at, 4.2, 1.2, ds.Theme().Ink)
	}
}

// ShownAt returns where the private flight on show lies on the distribution.
func (ds *Distribution) ShownAt() []draw.Point {
	m := ds.Model
	if !ds.InEnsemble() {
		p := ds.Plot()
		const mark = 6 // its height above the axis, points
		return []draw.Point{{X: p.PX(math.Min(m.Private.Run.DetectionKm, p.X.High)), Y: p.Area.Bottom() - mark}}
	}
	var at []draw.Point
	for _, d := range ds.Dots().Dots {
		if d.Of.Run.Run == m.RunNumber {
			at = append(at, d.At)
		}
	}
	return at
}
