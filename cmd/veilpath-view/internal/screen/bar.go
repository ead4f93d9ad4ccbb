package screen

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

// barButton is a button on the bar.
type barButton struct {
	id, label, hint string
	on              bool
	do              func()
	name            string // in a list
}

// bar is the strip along the top: what is on show, and what can be taken away.
func (s *Screen) bar() {
	t, l, r := s.theme(), s.UI.List, s.layout.Bar
	x := r.X + gap + 4
	x += l.TextIn(t.Title, draw.Rect{X: x, Y: r.Y, W: 90, H: r.H}, draw.Left, t.Ink, "veilpath") + 16
	if s.layout.Compact {
		s.compactBar(x)
		return
	}
	width := func(b barButton) float64 { return math.Max(28, l.Width(t.Body, b.label)+20) }
	buttons := fitButtons(s.barButtons(), r.W-x-gap, width)
	right := r.Right() - gap
	for i := len(buttons) - 1; i >= 0; i-- {
		b := buttons[i]
		w := width(b)
		right -= w
		if s.UI.Toggle("bar."+b.id, draw.Rect{X: right, Y: r.Y + 6, W: w, H: 26}, b.label, b.hint, b.on) {
			b.do()
		}
		right -= 6
	}
	l.TextIn(t.Body, draw.Rect{X: x, Y: r.Y, W: right - x - 10, H: r.H}, draw.Left, t.Muted, s.subject())
}

// fitButtons leaves buttons out, of which keys and lists do the same, until the others fit.
func fitButtons(buttons []barButton, room float64, width func(barButton) float64) []barButton {
	for _, less := range []string{"yaml", "png", "planned", "direct", "theme"} {
		whole := 0.0
		for _, b := range buttons {
			whole += width(b) + 6
		}
		if whole <= room {
			break
		}
		buttons = slices.DeleteFunc(buttons, func(b barButton) bool { return b.id == less })
	}
	return buttons
}

// compactBar has room for what is on show and the menu.
func (s *Screen) compactBar(x float64) {
	t, r := s.theme(), s.layout.Bar
	button := draw.Rect{X: r.Right() - touchTarget - compactGap, Y: r.Y + 2, W: touchTarget, H: touchTarget}
	if s.UI.IconButton("bar.menu", button, "Menu", s.ShowMenu, menuIcon) {
		s.ShowMenu = !s.ShowMenu
	}
	s.UI.List.TextIn(t.Body, draw.Rect{X: x, Y: r.Y, W: button.X - x - 4, H: r.H}, draw.Left, t.Muted, s.subject())
}

// barButtons are the buttons of the bar, or of the menu.
func (s *Screen) barButtons() []barButton {
	t := s.theme()
	theme := either(t.Dark, "Light", "Dark")
	buttons := []barButton{
		{"planned", "Planned", "Show the planned flight, which has no noise (d, d)", s.Model.Show == model.ShowPlanned,
			func() { s.toggleShown(model.ShowPlanned) }, "Planned flight"},
		{"direct", "Direct", "Show the flight straight to the target (d)", s.Model.Show == model.ShowDirect,
			func() { s.toggleShown(model.ShowDirect) }, "Direct flight"},
		{"fan", "Fan", "Draw the flights of the ensemble (f)", s.fanShown(), s.toggleFan, "All flights"},
		{"observer", "Observer", "Choose who watches: now " + s.Model.Config.Adversary.Observer + ", who " +
			meaning(s.Model.Config.Adversary.Observer) + " (m)", s.ShowObservers, func() { s.toggleList(&s.ShowObservers) },
			"Observer"},
		{"mission", "Mission", "Choose what is flown" + either(s.missionName() == "", "", ": now "+s.missionName()) +
			", and the mechanism of privacy: now " + spoken(s.Model.Config.Privacy.Mechanism), s.ShowMissions,
			func() { s.toggleList(&s.ShowMissions) }, "Mission"},
		{"story", "Story", "Told in steps: " + s.Story.Title + " (j)", s.told > 0, s.toggleStory, "Story"},
		{"compare", "Compare", "Keep these settings, and compare what you change with them: the same noise, on one clock (b)",
			s.Model.Pair != nil, s.toggleCompare, either(s.Model.Pair != nil, "End comparison", "Compare")},
		{"beside", "Two maps", "Show the kept settings on a map of their own, or over the others (6)", s.Beside,
			s.toggleBeside, either(s.Beside, "Maps over each other", "Maps side by side")},
		{"png", "Picture", "Save the map as a PNG picture, at twice the resolution (p)", false, s.savePicture,
			"Save picture"},
		{"yaml", "Config", "Save the settings on screen as a YAML configuration for veilpath run and study (c)", false,
			s.saveConfig, "Save settings"},
		{"export", "Save", "Save panels as SVG or PNG, the flight as a moving picture, and files of the study (q)",
			s.ShowExport, func() { s.toggleList(&s.ShowExport) }, "Save more"},
		{"link", "Link", "Copy a link to exactly this (l)", false, s.share, "Copy link"},
		{"panels", "Panels", "Fold panels away, or show them again (7)", s.ShowPanels, s.listPanels, "Panels"},
		{"theme", theme, "Change between dark and light (t)", false, func() { s.SetDark(!t.Dark) }, theme + " theme"},
		{"help", "?", "Keys and signs (?)", s.ShowHelp, func() { s.ShowHelp = !s.ShowHelp }, "Help"},
	}
	buttons = slices.DeleteFunc(buttons, func(b barButton) bool {
		return b.id == "beside" && s.Model.Pair == nil || b.id == "panels" && s.layout.Compact
	})
	var records []barButton
	if len(s.Library) > 1 {
		records = append(records, barButton{"library", "Recordings", "Open another of the recorded runs (8)", s.ShowLibrary,
			func() { s.toggleList(&s.ShowLibrary) }, "Recordings"})
	}
	if n := len(s.Model.Points()); n > 1 {
		label := fmt.Sprintf("Point %d of %d", s.known().point+1, n)
		if s.known().point < 0 {
			label = fmt.Sprintf("%d points", n)
		}
		records = append(records, barButton{"points", label, "Show another point of the sweep", s.ShowPoints,
			func() { s.toggleList(&s.ShowPoints) }, "Points of the sweep"})
	}
	return append(records, buttons...)
}

// toggleShown shows a baseline, or the private flight again.
func (s *Screen) toggleShown(baseline model.Shown) {
	s.Model.SetShown(either(s.Model.Show == baseline, model.ShowPrivate, baseline))
}

// fanShown reports whether the flights of the ensemble are drawn: beside a baseline they are not.
func (s *Screen) fanShown() bool { return s.ShowFan && !s.Model.ShowsBaseline() }

// toggleFan shows the ensemble or hides it; beside a baseline it shows it with the private one.
func (s *Screen) toggleFan() {
	s.ShowFan = !s.fanShown()
	if s.ShowFan {
		s.Model.SetShown(model.ShowPrivate)
	}
}

// heatShown is the map that is drawn: baselines have no private reward and no noise, and neither have flights of
// mechanisms that make none.
func (s *Screen) heatShown() Heat {
	if (s.Model.ShowsBaseline() || s.Model.Flight().Rewards == nil) && (s.Heat == HeatPrivate || s.Heat == HeatNoise) {
		return HeatTrue
	}
	return s.Heat
}

// chooseHeat shows a reward map, with the flight that it is of.
func (s *Screen) chooseHeat(h Heat) {
	s.Heat = h
	if s.Model.ShowsBaseline() && (h == HeatPrivate || h == HeatNoise) {
		s.Model.SetShown(model.ShowPrivate)
	}
}

// subject says what is on show; delta always goes with epsilon.
func (s *Screen) subject() string {
	m := s.Model
	c := &m.Config
	text := fmt.Sprintf("ε %s   δ %s   %s   seed %d   run %d", number(c.Privacy.Epsilon), number(m.Experiment.Delta()),
		hidingSigns(&m.World), c.Study.Seed, m.RunNumber)
	if m.Record != nil {
		text = m.Record.Name + "   " + text
	}
	if m.Pair != nil {
		text += "   " + s.keptText()
	}
	return text
}

// The files that are saved.
const (
	pictureName = "veilpath.png"
	configName  = "veilpath.yaml"
)

func (s *Screen) savePicture() { s.shell.SaveFrame(pictureName) }

func (s *Screen) saveConfig() {
	where, err := s.shell.Save(configName, s.Model.ExportYAML(configName))
	if err != nil {
		s.Model.Say(true, "the configuration was not saved: %v", err)
		return
	}
	if s.Model.ChangedByHand() {
		s.Model.Say(false, "Saved %s. No settings repeat this flight, which was changed by hand; a link (l) does.", where)
		return
	}
	run := "--run " + strconv.Itoa(s.Model.RunNumber)
	flies := map[model.Shown]string{model.ShowPrivate: run, model.ShowPlanned: "--epsilon none " + run,
		model.ShowDirect: "--nominal"}[s.Model.Show]
	s.Model.Say(false, "Saved %s. veilpath run --config %s %s flies this flight.", where, configName, flies)
}

func (s *Screen) share() {
	linked := s.shell.Share(s.Link(), func(ok bool) {
		if ok {
			s.Model.Say(false, "The address of this page now leads to exactly this, and is in the clipboard.")
		} else {
			s.Model.Say(false, "The address of this page now leads to exactly this. The browser did not let it be copied: "+
				"copy it from the address bar.")
		}
	})
	if !linked {
		s.Model.Say(false, "Links work in a browser: veilpath view serves this as a page.")
	}
}

// The drawings on buttons.
func menuIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	for i := range 3 {
		l.Rect(draw.Rect{X: r.X, Y: r.Y + r.H*(0.12+0.33*float64(i)), W: r.W, H: 2}, ink)
	}
}

func playIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	l.Polygon([]draw.Point{{X: r.X + r.W*0.12, Y: r.Y}, {X: r.Right(), Y: r.Center().Y},
		{X: r.X + r.W*0.12, Y: r.Bottom()}}, ink)
}

func pauseIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	l.Rect(draw.Rect{X: r.X + r.W*0.1, Y: r.Y, W: r.W * 0.28, H: r.H}, ink)
	l.Rect(draw.Rect{X: r.X + r.W*0.62, Y: r.Y, W: r.W * 0.28, H: r.H}, ink)
}

func startIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	l.Rect(draw.Rect{X: r.X, Y: r.Y, W: r.W * 0.2, H: r.H}, ink)
	l.Polygon([]draw.Point{{X: r.Right(), Y: r.Y}, {X: r.X + r.W*0.25, Y: r.Center().Y}, {X: r.Right(), Y: r.Bottom()}},
		ink)
}

func backIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	c := r.Center()
	l.Line([]draw.Point{{X: c.X + r.W*0.22, Y: r.Y}, {X: c.X - r.W*0.28, Y: c.Y}, {X: c.X + r.W*0.22, Y: r.Bottom()}}, 2,
		ink)
}

func forwardIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	c := r.Center()
	l.Line([]draw.Point{{X: c.X - r.W*0.22, Y: r.Y}, {X: c.X + r.W*0.28, Y: c.Y}, {X: c.X - r.W*0.22, Y: r.Bottom()}}, 2,
		ink)
}

func handoverIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	c := r.Center()
	l.Polygon([]draw.Point{{X: c.X, Y: r.Y}, {X: r.Right(), Y: c.Y}, {X: c.X, Y: r.Bottom()}, {X: r.X, Y: c.Y}}, ink)
}

func caughtIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	l.Ring(r.Center(), r.W*0.45, 2, ink)
	l.Disc(r.Center(), r.W*0.17, ink)
}

func fitIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	d := r.W * 0.35
	for _, c := range [4][4]float64{{r.X, r.Y, 1, 1}, {r.Right(), r.Y, -1, 1}, {r.X, r.Bottom(), 1, -1},
		{r.Right(), r.Bottom(), -1, -1}} {
		l.Line([]draw.Point{{X: c[0] + d*c[2], Y: c[1]}, {X: c[0], Y: c[1]}, {X: c[0], Y: c[1] + d*c[3]}}, 1.8, ink)
	}
}

func followIcon(l *draw.List, r draw.Rect, ink color.NRGBA) {
	c, q := r.Center(), r.W*0.28
	l.Ring(c, q, 1.8, ink)
	for _, d := range [4][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		l.Segment(draw.Point{X: c.X + d[0]*q, Y: c.Y + d[1]*q}, draw.Point{X: c.X + d[0]*r.W*0.56, Y: c.Y + d[1]*r.W*0.56},
			1.8, ink)
	}
}
