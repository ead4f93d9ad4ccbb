package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Brushing a hump of the distribution leaves its flights alone in every panel.
func TestBrushOfDistances(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDeskOf(t, size[0], size[1], 0)
		d.Tab = layout.TabFlights
		d.Model.SetEpsilon(0.3)
		d.wholeAxis()
		d.step(ui.Input{Outside: true})
		before, drawn := d.Model.MeanAlong(d.Chosen(), false).Mean[0], d.layers[fanLayer].List.Vertices()
		p := d.distribution.Plot()
		at := func(km float64) draw.Point { return draw.Point{X: p.PX(km), Y: p.Area.Center().Y} }
		d.drag(at(40), at(75))
		d.step(ui.Input{Outside: true})
		_, n := d.SelectedRuns()
		want := 0
		for _, m := range d.Model.Ensemble.Members {
			if in := m.Run.DetectionKm >= 40 && m.Run.DetectionKm <= 75; in {
				want++
			}
		}
		if n != want || n == 0 || n == d.Model.Runs() {
			t.Errorf("%d flights are selected, want %d of %d", n, want, d.Model.Runs())
		}
		if !strings.Contains(d.SelectionText(), "of 60 flights at 4") {
			t.Errorf("the selection is called %q", d.SelectionText())
		}
		if c := d.Model.MeanAlong(d.Chosen(), false); c.Runs != n || c.Mean[0] == before {
			t.Errorf("the mean along epsilon is of %d runs, %v km; before %v", c.Runs, c.Mean[0], before)
		}
		all := d.Model.Survey.Flights()
		if now := d.Survey().Flights(); now == 0 || now >= all {
			t.Errorf("the map of epsilon and radius is of %d flights, want the selected ones of %d", now, all)
		}
		i, j := slices.Index(d.Model.Survey.Epsilons, 0.3), slices.Index(d.Model.Survey.RadiiKm, 0.7)
		if mean, _ := d.Survey().MeanKm(i, j); mean < 40 || mean > 75 {
			t.Errorf("selected from 40 to 75 km, the flights have the mean %g km on the map of epsilon and radius", mean)
		}
		if mean := d.Summary().MeanKm; !strings.Contains(d.SelectionText(), "mean "+chart.Fixed(mean, 1)) ||
			mean == d.Model.Ensemble.Summary().MeanKm {
			t.Errorf("the mean marked along epsilon is %g km; %s", mean, d.SelectionText())
		}
		if low, high, ok := d.MeanInterval(); ok {
			t.Errorf("the mean of chosen flights is marked with the interval %g … %g km", low, high)
		}
		if now := d.layers[fanLayer].List.Vertices(); now >= drawn {
			t.Errorf("the map has %d vertices with %d flights, %d with all", now, n, drawn)
		}
		d.press(ui.Escape)
		if runs, _ := d.SelectedRuns(); runs != nil {
			t.Error("Escape does not end the selection")
		}
	}
}

// An area of the map selects the flights through it; the map is moved again afterwards.
func TestBrushOfAnArea(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.3)
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	path := d.Model.Ensemble.Members[3].Path[0]
	middle := path[len(path)/3]
	c := d.plan.Map.Camera.Screen(float64(middle.X), float64(middle.Y))
	d.do("brush")
	d.drag(draw.Point{X: c.X - 8, Y: c.Y - 8}, draw.Point{X: c.X + 8, Y: c.Y + 8})
	d.step(ui.Input{Outside: true})
	if _, n := d.SelectedRuns(); !d.IsSelected(3) || n == d.Model.Runs() {
		t.Errorf("%d of %d flights are selected, run 3: %v", n, d.Model.Runs(), d.IsSelected(3))
	}
	before := d.plan.Map.Camera.CenterX
	d.drag(draw.Point{X: 300, Y: 500}, draw.Point{X: 340, Y: 500})
	if d.plan.Map.Camera.CenterX == before {
		t.Error("the map cannot be moved any more")
	}
}

// A click on a track shows its flight, and the pointer over it names it.
func TestClickOnATrack(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.3)
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	for _, run := range []int{4, 17, 31} {
		path := d.Model.Ensemble.Members[run].Path[0]
		p := path[len(path)/2]
		at := d.plan.Map.Camera.Screen(p.X, p.Y)
		d.click(at)
		shown := d.Model.Ensemble.Members[d.Model.RunNumber].Path
		best := math.Inf(1)
		for a, b := range shown.Pieces {
			best = math.Min(best, at.Away(d.plan.Map.Camera.Screen(a.X, a.Y),
				d.plan.Map.Camera.Screen(b.X, b.Y)))
		}
		if best > 1 { // several runs may share a track there
			t.Errorf("a click on run %d shows run %d, which passes %v points off", run, d.Model.RunNumber, best)
		}
	}
}

// A stretch between two moments is played again and again.
func TestLoop(t *testing.T) {
	d := newDesk(t, 1280, 800)
	c := &d.Model.Clock
	c.Seek(30)
	d.do("loop")
	c.Seek(20)
	d.do("loop")
	if c.LoopFromS != 20 || c.LoopToS != 30 {
		t.Fatalf("the stretch is %v to %v s", c.LoopFromS, c.LoopToS)
	}
	c.Playing, c.Speed = true, 8
	for range 40 {
		d.step(ui.Input{ElapsedS: 0.2, Outside: true})
		if c.TimeS < 20 || c.TimeS > 30 || !c.Playing {
			t.Fatalf("at %v s, playing %v", c.TimeS, c.Playing)
		}
	}
	d.do("loop")
	c.Seek(29)
	d.step(ui.Input{ElapsedS: 0.2, Outside: true})
	if c.TimeS <= 30 {
		t.Error("the stretch is played still")
	}
}

// Compared settings are both on show, and the flights that crossed can be selected.
func TestCompare(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDeskOf(t, size[0], size[1], 0)
		d.Tab = layout.TabFlights
		d.Model.SetEpsilon(4)
		d.wholeAxis()
		d.do("compare")
		d.Model.SetEpsilon(0.2)
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
		if text := d.PairText(); !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "−") ||
			d.Difference().Runs != 60 || !strings.Contains(text, "crossed") {
			t.Errorf("the difference reads %q", text)
		}
		if d.KeptText() != "kept: epsilon 4" {
			t.Errorf("kept reads %q", d.KeptText())
		}
		d.clickOn("crossed")
		d.step(ui.Input{Outside: true})
		if _, n := d.SelectedRuns(); n == 0 || n == d.Model.Runs() {
			t.Errorf("%d flights crossed", n)
		}
		d.do("compare")
		if runs, _ := d.SelectedRuns(); d.Model.Pair != nil || runs != nil {
			t.Error("the comparison does not end")
		}
	}
}

// What is selected and what is compared are both told, whole, wherever the panel of the flights is: in fewer words
// where there is little room.
func TestFlightsTellAll(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}, {1460, 900}, {1900, 1100}, {2560, 1440}} {
		d := newDesk(t, size[0], size[1])
		d.Tab = layout.TabFlights
		d.do("compare")
		d.Model.SetEpsilon(0.3)
		for !d.Model.Ensemble.Complete() || !d.Model.Pair.Ensemble.Complete() {
			d.Model.Work()
			d.step(ui.Input{Outside: true})
		}
		var last draw.Rect
		written := func() []string {
			var lines []string
			list := draw.NewList(d.Atlas())
			list.OnText = func(r draw.Rect, _ colour, text string) { lines, last = append(lines, text), r }
			list.Reset(d.Layout.Distribution, 1)
			d.distribution.DrawText(list)
			for _, text := range lines {
				if w := list.Width(d.Theme().Body, text); w > d.Layout.Distribution.W-2*layout.Pad {
					t.Errorf("%v: %q is cut off", size, text)
				}
			}
			return lines
		}
		if got := strings.Join(written(), " "); got != d.PairText() {
			t.Errorf("%v: %q, want %q", size, got, d.PairText())
		}
		for _, c := range []answer.Selection{{Kind: answer.ByDistance, Spans: [2][2]float64{{5, 30}}},
			{Kind: answer.ByDistance, Spans: [2][2]float64{{10.5, 100.5}}}, {Kind: answer.ByCrossing},
			{Kind: answer.ByArea, Spans: [2][2]float64{{0, 100}, {0, 100}}}} {
			d.Choose(c)
			d.step(ui.Input{Outside: true})
			got := written()
			if text := strings.Join(got, " "); text != d.SelectionText()+" "+d.PairText() &&
				(text != d.SelectionText()+" "+d.ShortPairText() || size[0] > 1400) {
				t.Errorf("%v: %q, want %q and %q", size, got, d.SelectionText(), d.PairText())
			}
			if r := d.widget("crossed"); !r.Contains(last.Center()) || r.Overlaps(d.distribution.Plot().Area) && size[0] > 400 {
				t.Errorf("%v: %v selects the flights that crossed, which are told at %v", size, r, last)
			}
		}
	}
}

// The distribution and the legend are of the selected flights, and say of how many.
func TestSelectionIsEverywhere(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.3)
	d.settled()
	legend := func() string {
		for _, entry := range d.legend() {
			if strings.HasSuffix(entry, " … 80 km") {
				if w := draw.NewList(d.Atlas()).Width(d.Theme().Small, entry); w > panel.LegendWidth-36 {
					t.Errorf("%q is %v points wide", entry, w)
				}
				return entry
			}
		}
		return ""
	}
	written := func() string {
		var lines []string
		list := draw.NewList(d.Atlas())
		list.OnText = func(_ draw.Rect, _ colour, text string) { lines = append(lines, text) }
		list.Reset(d.Layout.Distribution, 1)
		d.distribution.DrawStill(list)
		return strings.Join(lines, " ")
	}
	if text := written(); legend() != "60 flights, 0 … 80 km" || strings.Contains(text, " of 60") {
		t.Errorf("all flights: %q, %q", legend(), text)
	}
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{5, 30}}})
	d.step(ui.Input{Outside: true})
	var km []float64
	for _, m := range d.Model.Ensemble.Members {
		if m.Run.DetectionKm >= 5 && m.Run.DetectionKm <= 30 {
			km = append(km, m.Run.DetectionKm)
		}
	}
	sum := d.Summary()
	if sum.Runs != len(km) || sum.MedianKm < 5 || sum.MedianKm > 30 || sum.MeanKm < 5 || sum.CIHighKm > slices.Max(km) {
		t.Errorf("the summary of %d flights is %+v", len(km), sum)
	}
	if text := written(); legend() != fmt.Sprintf("%d of 60, 0 … 80 km", len(km)) ||
		!strings.Contains(text, fmt.Sprintf("median %.1f of %d", sum.MedianKm, len(km))) {
		t.Errorf("%d flights selected: %q, %q", len(km), legend(), text)
	}
	d.Model.SetRuns(200)
	d.settled()
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{0, 100}}})
	legend()
	d.Model.SetRadius(0.1)
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{0, 30}}})
	never := 0
	for _, m := range d.Model.Ensemble.Members {
		never += either(m.Run.Detected, 0, 1)
	}
	if text := d.SelectionText(); never == 0 || !strings.Contains(text, fmt.Sprintf(", %d never, mean", never)) {
		t.Errorf("with %d flights that are never recognised the selection is %q", never, text)
	}
}

// A click on what is compared selects the flights that crossed, and all again, and says before which.
func TestSelectionOfCrossedEnds(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("compare")
	d.Model.SetEpsilon(0.3)
	d.settled()
	for _, want := range []string{"select the flights that crossed.", "select all flights again."} {
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Pointer: d.widget("crossed").Center()})
		if text := d.UI.HintText(); !strings.HasSuffix(text, want) {
			t.Errorf("the hint is %q, want %q", text, want)
		}
		d.clickOn("crossed")
	}
	for _, want := range []answer.Selected{answer.ByCrossing, answer.AllFlights} {
		if err := d.Operate("crossed", ""); err != nil || d.Selection.Kind != want {
			t.Errorf("the outline's button selects %v, want %v: %v", d.Selection.Kind, want, err)
		}
	}
}

// Rings around the flights that crossed leave the dots the colours that tell their distances.
func TestCrossedDotsKeepTheirColours(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetRuns(300)
	d.do("compare")
	d.Model.SetEpsilon(0.3)
	for range 4 {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
	}
	crossed := d.Difference().Nearer
	if len(crossed) == 0 {
		t.Fatal("no flight crossed")
	}
	picture := d.shapes()
	for _, dot := range d.distribution.Dots().Dots {
		if !slices.Contains(crossed, dot.Of.Run.Run) || dot.Of.Run.Run == d.Model.RunNumber {
			continue
		}
		want, got := d.DistanceColour(dot.Km), picture.RGBAAt(int(dot.At.X), int(dot.At.Y))
		const near = 40
		if math.Abs(float64(got.R)-float64(want.R)) > near || math.Abs(float64(got.B)-float64(want.B)) > near {
			t.Errorf("run %d at %v km is %v, want %v", dot.Of.Run.Run, dot.Km, got, want)
		}
	}
}

// Flights of the settings before are dimmed until they are flown anew.
func TestOutdatedFlightsAreDimmed(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("study.noise=independent&study.runs=60")
	d.settled()
	light := func() (sums []int) {
		d.step(ui.Input{Outside: true})
		d.written(false)
		picture := d.shapes()
		for _, dot := range d.distribution.Dots().Dots {
			c := picture.RGBAAt(int(dot.At.X), int(dot.At.Y))
			sums = append(sums, int(c.R)+int(c.G)+int(c.B))
		}
		return sums
	}
	before := light()
	d.Model.SetEpsilon(0.5)
	dimmed := 0
	for i, sum := range light() {
		if sum < before[i]-20 {
			dimmed++
		}
	}
	if d.Model.Ensemble.Complete() || dimmed < len(before)/2 {
		t.Errorf("before they are flown anew %d of %d dots are dimmed", dimmed, len(before))
	}
}

// Where no flight is selected that is said, and nothing waits for flights.
func TestNoneIsSelected(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.Folded = 0
	d.wholeAxis()
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{69, 98}}})
	texts := d.written(false)
	said := func(words string) bool {
		return slices.ContainsFunc(texts, func(w written) bool { return strings.Contains(w.text, words) })
	}
	if !said("none is selected") || said("flying …") || said("selected –") || said("NaN") {
		t.Errorf("of no flights it is said: %v", texts)
	}
}
