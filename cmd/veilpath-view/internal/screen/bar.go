package screen

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// bar is the strip along the top: what is on show, and what everything else is found by.
func (s *Screen) bar() {
	t, l, r := s.Theme(), s.UI.List, s.Layout.Bar
	x := r.X + layout.Gap + 4
	x += l.TextIn(t.Title, draw.Rect{X: x, Y: r.Y, W: 90, H: r.H}, draw.Left, t.Ink, "veilpath") + 16
	find := draw.Rect{X: r.Right() - layout.TouchTarget - layout.CompactGap, Y: r.Y + 2, W: layout.TouchTarget, H: layout.TouchTarget}
	if s.Layout.Compact {
		s.Button("menu", find, panel.MenuIcon)
	} else {
		const width = 190
		find = draw.Rect{X: r.Right() - layout.Gap - width, Y: r.Y + 6, W: width, H: 26}
		s.findField(find)
	}
	l.TextIn(t.Body, draw.Rect{X: x, Y: r.Y, W: find.X - x - 10, H: r.H}, draw.Left, t.Muted,
		strings.Join(s.fitting(s.subject(), find.X-x-10), subjectAir))
}

// findField draws what looks like a field for words and opens the palette.
func (s *Screen) findField(r draw.Rect) {
	t, l := s.Theme(), s.UI.List
	s.Button("menu", r, func(*draw.List, draw.Rect, colour) {})
	ink := either(s.row("menu").isOn(), t.OnAccent, t.Ink)
	at := draw.Point{X: r.X + 16, Y: r.Center().Y - 1.5}
	l.Ring(at, 4.5, 1.6, ink)
	l.Segment(draw.Point{X: at.X + 3.4, Y: at.Y + 3.4}, draw.Point{X: at.X + 8, Y: at.Y + 8}, 1.8, ink)
	l.TextIn(t.Body, r.Trim(32, 0, 8, 0), draw.Left, ink, "Find everything")
	l.TextIn(t.Body, r.Trim(0, 0, 12, 0), draw.Right, ink, "/")
}

// toggleShown shows a baseline, or the private flight again.
func (s *Screen) toggleShown(baseline model.Shown) {
	s.Model.SetShown(either(s.Model.Show == baseline, model.ShowPrivate, baseline))
}

// toggleFan shows the ensemble or hides it; beside a baseline it shows it with the private one.
func (s *Screen) toggleFan() {
	s.ShowFan = !s.FanShown()
	if s.ShowFan {
		s.Model.SetShown(model.ShowPrivate)
	}
}

// chooseHeat shows a reward map, with the flight that it is of.
func (s *Screen) chooseHeat(h answer.Heat) {
	s.Heat = h
	if s.Model.ShowsBaseline() && (h == answer.HeatPrivate || h == answer.HeatNoise) {
		s.Model.SetShown(model.ShowPrivate)
	}
}

// subject says what is on show; delta always goes with epsilon.
func (s *Screen) subject() []string {
	m := s.Model
	c := &m.Config
	parts := []string{"ε " + number(c.Privacy.Epsilon), "δ " + number(m.Experiment.Delta()), answer.HidingSigns(&m.World),
		fmt.Sprint("seed ", c.Study.Seed), fmt.Sprint("run ", m.RunNumber)}
	if m.Record != nil {
		parts = slices.Insert(parts, 0, m.Record.Name)
	}
	if s.OwnObserver() {
		parts = append(parts, "seen by "+m.ObserverTitle())
	}
	if m.Pair != nil {
		parts = append(parts, s.KeptText())
	}
	return parts
}

// subjectAir parts what is said of the subject.
const subjectAir = "   "

// fitting leaves out of what is said of the subject what there is no room for: what hides the destination first, then
// delta, then the run, which the headline tells, then the seed.
func (s *Screen) fitting(parts []string, width float64) []string {
	m := s.Model
	for _, less := range []string{answer.HidingSigns(&m.World), "δ " + number(m.Experiment.Delta()),
		fmt.Sprint("run ", m.RunNumber), fmt.Sprint("seed ", m.Config.Study.Seed)} {
		if s.UI.List.Width(s.Theme().Body, strings.Join(parts, subjectAir)) <= width {
			break
		}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == less })
	}
	return parts
}

// configName is the file of the settings that are saved.
const configName = "veilpath.yaml"

// saveConfig saves the settings, and says which command flies the flight on show with them.
func (s *Screen) saveConfig() {
	where, err := s.shell.Save(configName, s.Model.ExportYAML(configName, s.Pictures.Version))
	if err != nil {
		s.Model.Say(true, "the configuration was not saved: %v", err)
		return
	}
	if s.Model.ChangedByHand() {
		s.Model.Say(false, "Saved %s. No settings repeat this flight, which was changed by hand; a link does.", where)
		return
	}
	s.Model.Say(false, "Saved %s. veilpath run --config %s %s flies this flight.", where, configName, s.Model.RunFlags())
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
