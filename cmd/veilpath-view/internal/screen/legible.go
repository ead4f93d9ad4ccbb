package screen

import (
	"image/color"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// Text is a line that is on screen: its capitals' left, top, width and height, points.
type Text struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	W    float64 `json:"w"`
	H    float64 `json:"h"`
	Text string  `json:"text"`
}

// legible notes the lines that do writes into the list of a layer, so that a document can lay them over the picture to
// be selected and found.
func (s *Screen) legible(l *draw.List, do func()) {
	before := l.OnText
	defer func() { l.OnText = before }()
	for _, layer := range s.layers {
		if layer.List != l {
			continue
		}
		l.OnText = func(r draw.Rect, c color.NRGBA, text string) {
			if layer.Texts = append(layer.Texts, Text{r.X, r.Y, r.W, r.H, text}); before != nil {
				before(r, c, text)
			}
		}
	}
	do()
}

// texts returns the lines of the headline, of why the flight was recognised, of the story and of messages as they are
// on screen; none while something lies over them.
func (s *Screen) texts() []Text {
	texts := []Text{}
	if s.covered() {
		return texts
	}
	for _, layer := range s.layers {
		texts = append(texts, layer.Texts...)
	}
	return texts
}
