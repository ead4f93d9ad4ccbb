package panel

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Story is a step of a story, with buttons that lead on.
type Story struct {
	Title, Text string
	Last        bool // Next ends the story
	Departed    bool // what the step tells of is no longer on show
}

// Sizes of a step, points.
const (
	storyTitle   = 22
	storyLine    = 17
	storyButtons = 3*56 + 8 // the width of the buttons, for a mouse
	storyButton  = 26       // the height of one
)

// Frame draws the frame of the step in an area, and has button draw the buttons: at the foot for fingers and at the
// right for a mouse. It returns the room for the text.
func (p *Story) Frame(c *ui.Context, r draw.Rect, fingers bool,
	button func(id string, r draw.Rect, label string)) (text draw.Rect) {
	c.List.Frame(r, ui.Corner+1, 1.5, c.Theme.Accent, c.Theme.Panel)
	h, buttons := float64(storyButton), draw.Rect{}
	if text = r.Inset(layout.Pad); fingers {
		h = layout.TouchTarget
		rows := either(p.Departed, 2., 1)
		buttons, text = text.CutBottom(rows*(layout.TouchTarget+layout.ButtonAir) - layout.ButtonAir)
	} else {
		buttons, text = text.CutRight(storyButtons)
	}
	row, rest := buttons.CutBottom(h)
	w := (row.W - 2*listAir) / 3
	for i, b := range [][2]string{{"story.back", "Back"}, {"story.on", either(p.Last, "Done", "Next")},
		{"story.end", "Close"}} {
		button(b[0], draw.Rect{X: row.X + (w+listAir)*float64(i), Y: row.Y, W: w, H: h}, b[1])
	}
	if p.Departed {
		again, _ := rest.Trim(0, 0, 0, layout.ButtonAir).CutBottom(h)
		button("story.again", again, "Show this step")
	}
	return text
}

// Draw writes the step, as much of it as there is room for.
func (p *Story) Draw(l *draw.List, t *ui.Theme, r draw.Rect) {
	title, text := r.CutTop(storyTitle)
	style := t.Title
	if l.Width(style, p.Title) > title.W {
		style = t.Strong
	}
	l.TextIn(style, title, draw.Left, t.Ink, p.Title)
	line := draw.Rect{X: text.X, Y: text.Y, W: text.W - 8, H: storyLine}
	l.Paragraph(t.Body, line, max(1, int((text.H+4)/storyLine)), t.Ink, p.Text)
}
