package screen

import (
	"fmt"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

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

// difference is the paired difference of the flights on show.
func (s *Screen) difference() model.Difference {
	p, e := s.Model.Pair, &s.Model.Ensemble
	return s.compared.get([3]uint64{e.Version, p.Ensemble.Version, s.selection.version}, func() model.Difference {
		return p.Difference(&s.Model.World, s.isSelected)
	})
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

// pairDots rings the dots of flights that crossed between the humps, below the dots, whose colours tell distances.
func (s *Screen) pairDots(l *draw.List) {
	if s.Model.Pair == nil {
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
	_, clicked := s.UI.Spot("crossed", r, fmt.Sprintf("%s, over %d pairs of flights with the same noise; crossed are "+
		"those on the other side of the gap between the humps. %s. Click to select %s.", s.pairText(),
		s.difference().Runs, s.keptText(),
		either(s.selection.kind == byCrossing, "all flights again", "the flights that crossed")))
	if clicked {
		s.toggleCrossed()
	}
}

// toggleCrossed selects the flights that crossed, or all again.
func (s *Screen) toggleCrossed() {
	s.choose(selection{kind: either(s.selection.kind == byCrossing, allFlights, byCrossing)})
}
