package panel

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Story is a step of a story, with buttons that lead on.
type Story struct {
	Title, Text string
	Last        bool // Next ends the story
	Departed    bool // what the step tells of is no longer on show
}

// Turn is where a button of a story leads.
type Turn int

// The turns of a story.
const (
	Stay  Turn = iota
	Back       // to the step before
	Next       // to the next one
	Close      // to what was on show before the story
	Again      // to what the step tells of
)

// Sizes of a step, points.
const (
	storyTitle   = 22
	storyLine    = 17
	storyButtons = 3*56 + 8 // the width of the buttons, for a mouse
	storyButton  = 26       // the height of one
	buttonAir    = 6
)

// Operate draws the frame of the step in an area, with its buttons at the foot for fingers and at the right for a
// mouse. It returns which one is pressed, and the room for the text.
func (p *Story) Operate(c *ui.Context, r draw.Rect, fingers bool) (turn Turn, text draw.Rect) {
	c.List.Frame(r, ui.Corner+1, 1.5, c.Theme.Accent, c.Theme.Panel)
	h, buttons := float64(storyButton), draw.Rect{}
	if text = r.Inset(pad); fingers {
		h = finger
		rows := 1.
		if p.Departed {
			rows = 2
		}
		buttons, text = text.CutBottom(rows*(finger+buttonAir) - buttonAir)
	} else {
		buttons, text = text.CutRight(storyButtons)
	}
	row, rest := buttons.CutBottom(h)
	w := (row.W - 2*listAir) / 3
	next := "Next"
	if p.Last {
		next = "Done"
	}
	for i, b := range []struct {
		id, label string
		turn      Turn
	}{{"story.back", "Back", Back}, {"story.on", next, Next}, {"story.end", "Close", Close}} {
		if c.Button(b.id, draw.Rect{X: row.X + (w+listAir)*float64(i), Y: row.Y, W: w, H: h}, b.label, "") {
			turn = b.turn
		}
	}
	if p.Departed {
		again, _ := rest.Trim(0, 0, 0, buttonAir).CutBottom(h)
		if c.Button("story.again", again, "Show this step", "") {
			turn = Again
		}
	}
	return turn, text
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
