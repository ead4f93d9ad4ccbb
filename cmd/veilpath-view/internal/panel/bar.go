package panel

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/configs"
)

// Bar is the strip along the top: what is on show, and what everything else is found by.
type Bar struct {
	*Frame
}

// Draw draws the strip and works its buttons.
func (br *Bar) Draw() {
	t, l, r := br.Theme(), br.UI.List, br.Layout.Bar
	x := r.X + layout.Gap + 4
	x += l.TextIn(t.Title, draw.Rect{X: x, Y: r.Y, W: 90, H: r.H}, draw.Left, t.Ink, "veilpath") + 16
	find := draw.Rect{X: r.Right() - layout.TouchTarget - layout.CompactGap, Y: r.Y + 2, W: layout.TouchTarget,
		H: layout.TouchTarget}
	if br.Layout.Compact {
		br.Controls.Button("menu", find, menuIcon)
	} else {
		const width = 190
		find = draw.Rect{X: r.Right() - layout.Gap - width, Y: r.Y + 6, W: width, H: 26}
		br.findField(find)
	}
	l.TextIn(t.Body, draw.Rect{X: x, Y: r.Y, W: find.X - x - 10, H: r.H}, draw.Left, t.Muted,
		strings.Join(br.fitting(br.Subject(), find.X-x-10), subjectAir))
}

// findField draws what looks like a field for words and opens the palette.
func (br *Bar) findField(r draw.Rect) {
	t, l := br.Theme(), br.UI.List
	br.Controls.Button("menu", r, func(*draw.List, draw.Rect, colour) {})
	ink := either(br.Controls.On("menu"), t.OnAccent, t.Ink)
	at := draw.Point{X: r.X + 16, Y: r.Center().Y - 1.5}
	l.Ring(at, 4.5, 1.6, ink)
	l.Segment(draw.Point{X: at.X + 3.4, Y: at.Y + 3.4}, draw.Point{X: at.X + 8, Y: at.Y + 8}, 1.8, ink)
	l.TextIn(t.Body, r.Trim(32, 0, 8, 0), draw.Left, ink, "Find everything")
	l.TextIn(t.Body, r.Trim(0, 0, 12, 0), draw.Right, ink, "/")
}

// Subject says what is on show; delta always goes with epsilon.
func (br *Bar) Subject() []string {
	m := br.Model
	c := &m.Config
	parts := []string{"ε " + chart.Number(c.Privacy.Epsilon), "δ " + chart.Number(m.Experiment.Delta()),
		answer.HidingSigns(&m.World), fmt.Sprint("seed ", c.Study.Seed), fmt.Sprint("run ", m.RunNumber)}
	if m.Record != nil {
		parts = slices.Insert(parts, 0, m.Record.Name)
	}
	if radius := c.Adversary.RadiusKm; radius != br.Standard.Adversary.RadiusKm {
		parts = append(parts, "ρ "+chart.Km(radius))
	}
	if name := br.MissionName(); name != configs.DefaultPreset {
		parts = append(parts, either(name == "", "own mission", "mission "+name))
	}
	if br.OwnObserver() {
		parts = append(parts, "seen by "+m.Config.Adversary.Observer)
	}
	if others := br.OtherSettings(); others != "" {
		parts = append(parts, others)
	}
	if m.Pair != nil {
		parts = append(parts, br.KeptText())
	}
	return parts
}

// subjectAir parts what is said of the subject.
const subjectAir = "   "

// fitting leaves out of what is said of the subject what there is no room for: what hides the destination first, then
// delta, then the run, which the headline tells, then the seed.
func (br *Bar) fitting(parts []string, width float64) []string {
	m := br.Model
	for _, less := range []string{answer.HidingSigns(&m.World), "δ " + chart.Number(m.Experiment.Delta()),
		fmt.Sprint("run ", m.RunNumber), fmt.Sprint("seed ", m.Config.Study.Seed)} {
		if br.UI.List.Width(br.Theme().Body, strings.Join(parts, subjectAir)) <= width {
			break
		}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == less })
	}
	return parts
}
