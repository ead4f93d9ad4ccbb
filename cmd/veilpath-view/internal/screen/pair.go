package screen

import (
	"fmt"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// keptInk is the colour of the settings that were kept to compare with.
func (s *Screen) keptInk() colour { return s.theme().Marks[4] }

// toggleCompare keeps the settings on show to compare with, or ends the comparison.
func (s *Screen) toggleCompare() {
	if s.Model.Pair != nil {
		s.Model.DropWorld()
		s.Model.Say(false, "The comparison has ended. The settings on show stay.")
		return
	}
	s.Model.KeepWorld()
	s.Model.SetShown(model.ShowPrivate)
	s.Model.Say(false, "These settings are kept. Change any of them: both are shown, with the same noise, on one clock.")
}

// comparison is the difference on show, worked out once for every change.
type comparison struct {
	flown, kept, selected uint64
	difference            model.Difference
}

func (s *Screen) difference() model.Difference {
	p, c := s.Model.Pair, &s.comparison
	flown, kept := s.Model.Ensemble.Version, p.Ensemble.Version
	if c.flown != flown || c.kept != kept || c.selected != s.selection.version {
		*c = comparison{flown, kept, s.selection.version, p.Difference(&s.Model.Ensemble, s.isSelected)}
	}
	return c.difference
}

// pairText is the paired difference in words.
func (s *Screen) pairText() string {
	d := s.difference()
	if d.Runs == 0 {
		return "flying the kept settings …"
	}
	if s.sameSettings() {
		return "the same settings: change one to compare"
	}
	text := signed(d.MeanKm, 1) + " km"
	if d.Runs > 1 {
		text += fmt.Sprintf(" (95 %% %s to %s)", signed(d.LowKm, 1), signed(d.HighKm, 1))
	}
	if n := len(d.Nearer) + len(d.Farther); n > 0 {
		text += fmt.Sprintf("; crossed: %d nearer, %d farther", len(d.Nearer), len(d.Farther))
	}
	return text
}

// sameSettings reports whether nothing has been changed since settings were kept to compare with.
func (s *Screen) sameSettings() bool {
	kept, now := s.Model.Pair.Config, s.Model.Config
	return kept.Study.Seed == now.Study.Seed && model.Differs(kept, now) == "" && model.Differs(now, kept) == ""
}

// shortPairText is pairText where there is little room.
func (s *Screen) shortPairText() string {
	return strings.NewReplacer("95 % ", "", "crossed: ", "").Replace(s.pairText())
}

// signed writes a difference with its sign.
func signed(v float64, decimals int) string {
	text := fixed(v, decimals)
	if v > 0 && text[0] != '-' {
		return "+" + text
	}
	return text
}

// keptText names the kept settings.
func (s *Screen) keptText() string {
	if differs := model.Differs(s.Model.Pair.Config, s.Model.Config); differs != "" {
		return "kept: " + differs
	}
	return "kept: the same settings"
}

// over returns the kept settings where they are drawn over the others, nil where not.
func (s *Screen) over() *model.Pair {
	if s.Model.ShowsBaseline() || s.beside() {
		return nil
	}
	return s.Model.Pair
}

// keptFlight draws the flight of the kept settings.
func (s *Screen) keptFlight(l *draw.List) {
	if p := s.over(); p != nil {
		s.path(l, &p.Private, len(p.Private.Samples), 4.5, s.theme().Background)
		s.path(l, &p.Private, len(p.Private.Samples), 1.8, s.keptInk())
	}
}

// movingKept draws the vehicle of the kept settings at this moment.
func (s *Screen) movingKept(l *draw.List) {
	p := s.over()
	if p == nil {
		return
	}
	now := p.Private.Samples[p.Private.At(s.Model.Clock.TimeS)]
	vehicle(l, s.camera.Place(now.R), now.V.X, -now.V.Y*s.camera.Squeeze(), 7, s.theme().Background, s.keptInk())
}

// keptMarks names where the kept flight was recognised.
func (s *Screen) keptMarks() []mark {
	p := s.over()
	if p == nil || !p.Private.Run.Detected {
		return nil
	}
	r := p.Private.Samples[p.Private.Detection.Sample].R
	return []mark{{at: s.camera.Place(r), clear: 9, ink: s.keptInk(),
		name: "kept: " + fixed(p.Private.Run.DetectionKm, 1) + " km", radius: 6,
		sign: func(l *draw.List, at draw.Point) {
			l.Disc(at, 6.5, s.theme().Background)
			l.Ring(at, 5, 2, s.keptInk())
		}}}
}

// pairDots rings the dots of flights that crossed between the humps.
func (s *Screen) pairDots(l *draw.List) {
	if s.Model.Pair == nil || s.selection.kind == bySettings { // which shows flights of other epsilons
		return
	}
	d := s.difference()
	crossed := map[int]bool{}
	for _, runs := range [][]int{d.Nearer, d.Farther} {
		for _, run := range runs {
			crossed[run] = true
		}
	}
	h := s.dots()
	for _, dot := range h.Dots {
		if crossed[dot.Of.Run.Run] {
			l.Ring(dot.At, h.Radius+1, 1, s.theme().Ink)
		}
	}
}

// operatePair selects the flights that crossed when the line that counts them is clicked.
func (s *Screen) operatePair(r draw.Rect) {
	if s.Model.Pair == nil {
		return
	}
	over, _, clicked := s.UI.Area("crossed", r)
	s.UI.Hint(over, r, fmt.Sprintf("%s, over %d pairs of flights with the same noise; crossed are those on the other "+
		"side of the gap between the humps. %s. Click to select %s.", s.pairText(), s.difference().Runs, s.keptText(),
		either(s.selection.kind == byCrossing, "all flights again", "the flights that crossed")))
	if over {
		s.UI.SetCursor(ui.Hand)
	}
	if clicked {
		s.toggleCrossed()
	}
}

// toggleCrossed selects the flights that crossed, or all again.
func (s *Screen) toggleCrossed() {
	s.choose(selection{kind: either(s.selection.kind == byCrossing, allFlights, byCrossing)})
}
