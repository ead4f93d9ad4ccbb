package screen

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

func (s *Screen) distributionPlot() chart.Plot {
	far := math.Max(s.Model.Private.Run.DetectionKm, s.FarthestDot())
	for _, b := range s.Baselines() {
		far = math.Max(far, b.Km+6)
	}
	return chart.New(s.Layout.Distribution.Trim(14, 40+distributionRow*s.distributionRows(), 14, 34),
		ui.Scale{High: math.Max(answer.FarthestKm, math.Ceil(far/10)*10)}, ui.Scale{High: 1})
}

// distributionRow is the height of a line of text above the dots, points.
const distributionRow = 16

// distributionRows is how many lines of text there are above the dots: the mean and, where there is room, what noise
// does to it, or what is selected and compared; then what the intervals leave out.
func (s *Screen) distributionRows() float64 {
	return float64(max(either(s.noiseBelow(), 1, 2), s.selectedRows()+s.pairRows()) + len(s.leftOutLines()))
}

// leftOutLines say what the intervals leave out, where no headline has room for it.
func (s *Screen) leftOutLines() []string {
	if !s.Layout.Compact || s.LeftOut() == "" {
		return nil
	}
	return s.layers[topLayer].List.Wrap(s.Theme().Small, s.LeftOut(), s.Layout.Distribution.W-2*layout.Pad)
}

// noiseBelow reports whether what noise does stands below the dots, since a line above them would leave them too little
// room.
func (s *Screen) noiseBelow() bool {
	const low = 160 // points
	return s.Layout.Distribution.H < low
}

// narrowFlights is the width of the panel below which what is compared takes two lines, points.
const narrowFlights = 460

// mostSelectedRows is how many lines what is selected may take.
const mostSelectedRows = 2

// selectedLines returns what is selected in lines as wide as the panel; none where all flights are.
func (s *Screen) selectedLines() []string {
	if s.Selection.Kind == answer.AllFlights {
		return nil
	}
	return s.layers[topLayer].List.Wrap(s.Theme().Body, s.SelectionText(), s.Layout.Distribution.W-2*layout.Pad)
}

// selectedRows is how many lines say what is selected.
func (s *Screen) selectedRows() int { return min(len(s.selectedLines()), mostSelectedRows) }

// pairRows is how many lines say what is compared: one, in fewer words, where a selection is told too.
func (s *Screen) pairRows() int {
	if s.Model.Pair == nil {
		return 0
	}
	return either(s.Layout.Distribution.W < narrowFlights && s.selectedRows() == 0, 2, 1)
}

// dots returns the heaps, piled again when the ensemble has changed. Beside settings that are compared they have the
// upper half of the chart.
func (s *Screen) dots() *panel.Flights {
	p := s.distributionPlot()
	if s.mirrored() {
		p.Area.H = math.Floor(p.Area.H / 2)
	}
	s.heaps.Pile(&p, &s.Model.Ensemble)
	return &s.heaps
}

// mirrored reports whether the flights of the kept settings hang below those in force.
func (s *Screen) mirrored() bool {
	return s.Model.Pair != nil && s.distributionPlot().Area.H >= 2*leastHeap
}

// leastHeap is the least height of heaps, points, where those of two settings are drawn.
const leastHeap = 36

// keptDots returns the heaps of the kept settings, which hang from the middle of the chart.
func (s *Screen) keptDots() *panel.Flights {
	upper, h := s.distributionPlot(), &s.keptHeaps
	upper.Area.H = math.Floor(upper.Area.H / 2)
	if h.Pile(&upper, &s.Model.Pair.Ensemble) {
		h.Hang()
	}
	return h
}

// stillDistribution draws where the flights of the ensemble were recognised.
func (s *Screen) stillDistribution(l *draw.List) {
	t, p := s.Theme(), s.distributionPlot()
	s.Panel(l, s.Layout.Distribution, "Where the flights are recognised")
	sum := s.Summary()
	s.distributionText(l)
	p.GridX(l, s.Theme(), 6)
	l.Rect(draw.Rect{X: p.Area.X, Y: p.Area.Bottom(), W: p.Area.W, H: 1}, t.Muted)
	foot := draw.Rect{X: p.Area.X, Y: p.Area.Bottom() + 15, W: p.Area.W, H: 14}
	spread := s.spreadText()
	if l.Width(t.Small, spread) > foot.W {
		spread = strings.TrimPrefix(spread, "distance to the target, ")
	}
	if l.Width(t.Small, spread) > foot.W { // what is never recognised matters more
		spread = strings.Replace(spread, "; median "+fixed(sum.MedianKm, 1), "", 1)
	}
	l.TextIn(t.Small, foot, draw.Center, t.Muted, spread)
	var marks []draw.Rect
	if sum.Runs > 1 && !s.Opening.Running {
		left, right := p.PX(math.Max(0, sum.CILowKm)), p.PX(math.Min(p.X.High, sum.CIHighKm))
		marks = append(marks, draw.Rect{X: left, Y: p.Area.Y, W: math.Max(1, right-left), H: p.Area.H})
		l.Rect(marks[0], ui.Faded(t.Ink, 0.16))
	}
	h := s.dots()
	if s.Opening.Running {
		return
	}
	if s.mirrored() {
		s.drawKeptDots(l, &p)
	}
	s.pairDots(l)
	h.Draw(l, func(d *panel.Dot) colour {
		return ui.Faded(s.DistanceColour(d.Km), either(s.IsSelected(d.Of.Run.Run), 1, 0.2))
	})
	if sum.Runs > 0 {
		l.Rect(draw.Rect{X: p.PX(sum.MeanKm) - 0.75, Y: p.Area.Y, W: 1.5, H: p.Area.H}, t.Ink)
	}
	flags := s.otherMeans()
	for _, b := range s.Baselines() {
		flags = append(flags, panel.Flag{Km: b.Km, Ink: t.Ink, Text: b.Word + " " + fixed(b.Km, 1)})
	}
	panel.DrawFlags(l, t, &p, flags)
	for _, f := range flags {
		marks = append(marks, draw.Rect{X: p.PX(f.Km) - 1, Y: p.Area.Y, W: 2, H: p.Area.H})
	}
	s.nameHumps(l, &p, marks)
}

// drawKeptDots draws the flights of the kept settings below those in force, in a colour of their own.
func (s *Screen) drawKeptDots(l *draw.List, p *chart.Plot) {
	t, middle := s.Theme(), p.Area.Y+math.Floor(p.Area.H/2)
	l.Rect(draw.Rect{X: p.Area.X, Y: middle - 0.5, W: p.Area.W, H: 1}, t.Muted)
	s.keptDots().Draw(l, func(d *panel.Dot) colour {
		return ui.Faded(s.Theme().KeptInk(), either(s.IsSelected(d.Of.Run.Run), 1, 0.25))
	})
	for i, name := range []string{"now", "kept"} {
		box := draw.Rect{X: p.Area.X + 4, Y: middle - 18 + 20*float64(i), W: 40, H: 15}
		l.TextIn(t.Small, box, draw.Left, either(i == 0, t.Ink, s.Theme().KeptInk()), name)
	}
}

// nameHumps names the humps of the whole ensemble beside their highest dots, clear of what is marked.
func (s *Screen) nameHumps(l *draw.List, p *chart.Plot, marks []draw.Rect) {
	w, ok := s.Model.Why()
	const least = 48 // points, of the dots
	if !ok || s.Selection.Kind != answer.AllFlights || p.Area.H < least || s.mirrored() {
		return
	}
	var taken []draw.Rect
	for _, hump := range []struct {
		model.Hump
		name string
	}{{w.Humps.Near, answer.NearHump}, {w.Humps.Far, answer.FarHump}} {
		taken = append(taken, s.dots().Name(l, s.Theme(), p, hump.NearKm, hump.FarKm,
			fmt.Sprintf("%s, %d", hump.name, hump.Flights), marks, taken))
	}
}

// otherMeans marks the mean of the kept settings, or else the published one, and that of the record. The published and
// the recorded are means of all flights: beside a selection they are left out.
func (s *Screen) otherMeans() (flags []panel.Flag) {
	known := s.Known()
	if pair := s.Model.Pair; pair != nil {
		kept := pair.Ensemble.Summary()
		if s.Selection.Kind != answer.AllFlights {
			kept = pair.Ensemble.Summarize(pair.Ensemble.Runs(s.IsSelected))
		}
		if kept.Runs > 0 {
			flags = append(flags, panel.Flag{Km: kept.MeanKm, Ink: s.Theme().KeptInk(), Text: "kept " + fixed(kept.MeanKm, 1)})
		}
	} else if known.InPaper && s.Selection.Kind == answer.AllFlights {
		flags = append(flags, panel.Flag{Km: known.Public, Ink: s.Theme().ObserverInk(),
			Text: "paper " + fixed(known.Public, 1)})
	}
	if known.OK && s.Selection.Kind == answer.AllFlights && known.Row.Runs != s.Model.Ensemble.Summary().Runs {
		flags = append(flags, panel.Flag{Km: known.Row.MeanKm, Ink: s.Theme().Ink,
			Text: "recorded " + fixed(known.Row.MeanKm, 1)})
	}
	return flags
}

// distributionText says what the flights come to: those selected, what they change, or all.
func (s *Screen) distributionText(l *draw.List) {
	t := s.Theme()
	r := draw.Rect{X: s.Layout.Distribution.X + layout.Pad, Y: s.Layout.Distribution.Y + 22, W: s.Layout.Distribution.W - 2*layout.Pad,
		H: distributionRow}
	selected, compared, left := s.selectedRows(), s.pairRows(), s.leftOutLines()
	foot := draw.Rect{X: r.X, Y: r.Y + distributionRow*(s.distributionRows()-float64(len(left))), W: r.W, H: r.H}
	l.Lines(t.Small, foot, draw.Left, t.Muted, left)
	if selected+compared == 0 {
		l.TextIn(t.Body, r, draw.Left, t.Ink, s.MeanText())
		if !s.noiseBelow() {
			r.Y += distributionRow
			whole, short := s.NoiseText(2, ", 95 %% interval %s … %s"), s.NoiseText(1, " (95 %%: %s … %s)")
			for _, noise := range []string{whole + s.NoiseVerdict(), short + s.NoiseVerdict(), short} {
				if l.Width(t.Body, noise) <= r.W || noise == short {
					l.TextIn(t.Body, r, draw.Left, t.Ink, noise)
					break
				}
			}
		}
	}
	if selected > 0 {
		l.Paragraph(t.Body, r, selected, t.Accent, strings.Join(s.selectedLines(), " "))
		r.Y += distributionRow * float64(selected)
	}
	if compared > 0 {
		text := s.PairText()
		if selected > 0 && l.Width(t.Body, text) > r.W {
			text = s.ShortPairText()
		}
		l.Paragraph(t.Body, r, compared, s.Theme().KeptInk(), text)
	}
}

// spreadText says how the flights spread whose dots are drawn.
func (s *Screen) spreadText() string {
	sum := s.Summary()
	if sum.Runs == 0 {
		return "distance to the target, km"
	}
	text := fmt.Sprintf("distance to the target, km; median %s", fixed(sum.MedianKm, 1))
	if s.noiseBelow() && s.Model.Pair == nil {
		text = fmt.Sprintf("%s; median %s", s.NoiseText(1, " (%s … %s)"), fixed(sum.MedianKm, 1))
	}
	if s.Selection.Kind != answer.AllFlights {
		text = fmt.Sprintf("km to the target; median %s of %d", fixed(sum.MedianKm, 1), sum.Runs)
	}
	if sum.NeverDetected > 0 {
		text += fmt.Sprintf("; %s %% never", fixed(100*sum.NeverDetected, 1))
	}
	if sum.Fallback > 0 {
		text += fmt.Sprintf("; %s %% fall-back", fixed(100*sum.Fallback, 1))
	}
	return text
}

// operateDistribution shows the flight whose dot is clicked.
func (s *Screen) operateDistribution() {
	p := s.distributionPlot()
	line := draw.Rect{X: s.Layout.Distribution.X + layout.Pad, Y: s.Layout.Distribution.Y + 20,
		W: s.Layout.Distribution.W - 2*layout.Pad, H: 2 + distributionRow*s.distributionRows()}
	line = line.Trim(0, distributionRow*float64(s.selectedRows()), 0, 0)
	if s.Layout.Compact {
		line.Y, line.H = line.Center().Y-layout.TouchTarget/2, layout.TouchTarget
	}
	s.operatePair(line)
	over, _, clicked := s.UI.Area("distribution", p.Area.Inset(-4))
	if s.brushDistribution(&p) || !over {
		return
	}
	d := s.dots().Nearest(s.UI.Input.Pointer)
	strayed := s.UI.Strayed() >= panel.BrushFrom
	if clicked && !strayed && d == nil {
		s.Choose(answer.Selection{})
	}
	if strayed && s.UI.Holding("distribution") {
		return
	}
	if d == nil {
		s.hintDistance(&p)
		return
	}
	s.UI.SetCursor(ui.Hand)
	s.UI.Hint(true, draw.Rect{X: d.At.X - 4, Y: d.At.Y - 4, W: 8, H: 8}, answer.MemberText(d.Of))
	if clicked && !strayed {
		s.Model.Select(d.Of.Run.Run)
	}
}

// hintDistance says how many flights are recognised on either side of where the pointer is.
func (s *Screen) hintDistance(p *chart.Plot) {
	x := s.UI.Input.Pointer.X
	km := clampTo(p.X.Value((x-p.Area.X)/p.Area.W), 0, p.X.High)
	farther, never, all := 0, 0, s.dots().Dots
	for _, d := range all {
		switch {
		case !d.Of.Run.Detected:
			never++
		case d.Km > km:
			farther++
		}
	}
	text := fmt.Sprintf("%s km: %d of %d flights are recognised farther from the target, %d nearer", fixed(km, 1), farther,
		len(all), len(all)-farther-never)
	if never > 0 {
		text += fmt.Sprintf(", %d never", never)
	}
	s.UI.Hint(true, draw.Rect{X: x - 4, Y: p.Area.Y, W: 8, H: p.Area.H}, text+". Drag to select flights.")
}

// movingDistribution marks where the flight on show lies: by its dot, or where it is none of the ensemble, by its
// distance.
func (s *Screen) movingDistribution(l *draw.List) {
	if s.Opening.Running {
		s.openingFall(l)
		return
	}
	if s.Model.ShowsBaseline() {
		return
	}
	for _, at := range s.shownAt() {
		l.Disc(at, 6, s.Theme().Panel)
		l.Disc(at, 4.2, s.Theme().PrivateInk())
		l.Ring(at, 4.2, 1.2, s.Theme().Ink)
	}
}

// shownAt returns where the private flight on show lies on the distribution.
func (s *Screen) shownAt() []draw.Point {
	m := s.Model
	if !s.InEnsemble() {
		p := s.distributionPlot()
		const mark = 6 // its height above the axis, points
		return []draw.Point{{X: p.PX(math.Min(m.Private.Run.DetectionKm, p.X.High)), Y: p.Area.Bottom() - mark}}
	}
	var at []draw.Point
	for _, d := range s.dots().Dots {
		if d.Of.Run.Run == m.RunNumber {
			at = append(at, d.At)
		}
	}
	return at
}
