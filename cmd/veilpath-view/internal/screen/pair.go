package screen

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/answer"
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

// pairDots rings the dots of flights that crossed between the humps, below the dots, whose colours tell distances.
func (s *Screen) pairDots(l *draw.List) {
	if s.Model.Pair == nil {
		return
	}
	d := s.Difference()
	crossed := map[int]bool{}
	for _, runs := range [][]int{d.Nearer, d.Farther} {
		for _, run := range runs {
			crossed[run] = true
		}
	}
	h := s.dots()
	for _, dot := range h.Dots {
		if crossed[dot.Of.Run.Run] {
			l.Ring(dot.At, h.Radius+1, 1, s.Theme().Ink)
		}
	}
}

// operatePair selects the flights that crossed when the line that counts them is clicked.
func (s *Screen) operatePair(r draw.Rect) {
	if s.Model.Pair == nil {
		return
	}
	_, clicked := s.UI.Spot("crossed", r, fmt.Sprintf("%s, over %d pairs of flights with the same noise; crossed are "+
		"those on the other side of the gap between the humps. %s. Click to select %s.", s.PairText(),
		s.Difference().Runs, s.KeptText(),
		either(s.Selection.Kind == answer.ByCrossing, "all flights again", "the flights that crossed")))
	if clicked {
		s.toggleCrossed()
	}
}

// toggleCrossed selects the flights that crossed, or all again.
func (s *Screen) toggleCrossed() {
	s.Choose(answer.Selection{Kind: either(s.Selection.Kind == answer.ByCrossing, answer.AllFlights, answer.ByCrossing)})
}
