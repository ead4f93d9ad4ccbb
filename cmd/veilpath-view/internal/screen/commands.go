package screen

import (
	"math"
	"slices"
	"strconv"
)

// commands lists all that can be set and done, as the outline does, for keys alone.
func (s *Screen) commands() []item {
	var items []item
	add := func(id, text string, on bool, turn func(int), choose func()) {
		items = append(items, item{id: "command." + id, text: text, on: on, turn: turn, choose: choose})
	}
	for _, slider := range s.outlineSliders() {
		add(slider.ID, slider.Label+": "+slider.Text, false, func(steps int) {
			s.setOutline(slider.ID, clampTo(slider.stepped(steps), slider.Low, slider.High))
		}, nil)
	}
	for _, c := range s.outlineChoices() {
		add(c.ID, c.Label+": "+spoken(c.Value), false, func(steps int) {
			n := len(c.Options)
			s.chooseOutline(c, c.Options[(slices.Index(c.Options, c.Value)+steps+n)%n])
		}, nil)
	}
	for _, b := range append(s.barButtons(), s.outlineButtons()...) {
		add(b.id, b.name, b.on, nil, b.do)
	}
	for i, e := range s.why().events {
		f := s.Model.Flight()
		add("event."+strconv.Itoa(i), when(f, e.Sample)+": "+s.eventText(e), false, nil, func() {
			s.Model.Clock.Playing = false
			s.Model.Clock.Seek(f.TimeS(e.Sample))
		})
	}
	return items
}

// stepped is the value so many steps on: forty of them go through a slider of equal ratios, others have whole ones.
func (t *outlineSlider) stepped(steps int) float64 {
	if t.Log {
		const through = 40
		return t.Value * math.Pow(t.High/t.Low, float64(steps)/through)
	}
	return t.Value + float64(steps)
}
