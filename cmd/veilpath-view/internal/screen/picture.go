package screen

import "veilpath/cmd/veilpath-view/internal/draw"

// pictureScale is how many times finer than the window a saved picture is.
const pictureScale = 2

// Picture returns what a saved picture shows, finer than the window: the headline and the map at this
// moment, without buttons, messages and the pointer.
func (s *Screen) Picture() *Layer {
	head, plan := s.layout.Headline, s.layout.maps()
	area := draw.Rect{X: plan.X, Y: head.Y, W: plan.W, H: plan.Bottom() - head.Y}
	list := draw.NewList(s.Atlas())
	scale := s.scale
	s.scale *= pictureScale
	defer func() { s.scale = scale }()
	list.Reset(area, s.scale) // which measures of texts need
	area = s.withSign(list, area)
	list.Reset(area, s.scale)
	list.Rect(area, s.theme().Background)
	s.sign(list, area)
	s.headline(list)
	list.Clip(plan)
	s.stillMaps(list)
	s.movingMaps(list)
	list.Unclip()
	return &Layer{Name: "picture", Area: area, List: list, Version: 1}
}
