// Package screen is the viewer apart from the display: from a model and the user's input it says, frame by frame, what
// the window shows, as draw lists.
//
// All that can be set and done is a row of one table of controls (see rows.go). Buttons, keys, the help, links, the
// list
// of everything and the document beside the picture follow from it. The state of the viewer is one value, whose text is
// a link; undoing goes back through a list of them.
package screen

import (
	"encoding/json"
	"image/color"
	"io/fs"
	"time"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/list"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/cmd/veilpath-view/internal/views"
)

// Shell is what the screen needs from the window or page around it.
type Shell interface {
	// Save keeps a file for the user and returns how to call the place.
	Save(name string, data []byte) (where string, err error)
	// Share puts the fragment into the address and calls copied with whether the address is in the clipboard
	// now; linked is false where there are no addresses.
	Share(fragment string, copied func(ok bool)) (linked bool)
	// Chooser returns what has the user choose files, or a folder, to open; nil where that cannot be done.
	Chooser() func(folder bool)
	// Film records the window as a film until it is called again, and reports whether it does; nil where that cannot
	// be done.
	Film() func() bool
}

// Layer is a part of the frame.
type Layer struct {
	List    *draw.List
	Version uint64 // changes when the list does
}

// Screen is the viewer apart from the display.
type Screen struct {
	*views.Views
	Version string  // of the program, for what is saved; empty for none
	Library []Entry // recorded runs on offer
	Still   bool    // nothing moves by itself
	Touch   bool    // as a rule a finger is the pointer

	story      Story
	told       int    // the step of the story that is told, from 1; 0 for none
	telling    string // the state that the step is of
	before     *state // the story
	help       bool   // is open
	filming    bool
	palette    list.List // what is found and done by its name
	table      []control
	shell      Shell
	now        func() time.Time
	still, top *Layer
	lastTop    *draw.List // the moving layer of the frame before
	drawn      drawn
	arrived    chan func() // what is to be done with what was loaded beside the frames
	themed     bool        // the theme was chosen here
	past       past
	choosing   bool // the flight that is shown first is still to be chosen
}

// drawn is what the still layer depends on beside the charts.
type drawn struct {
	width, height, scale, scroll float64
	background                   color.NRGBA
	message, story, first        string
}

// New returns a screen for the model.
func New(m *model.Model, shell Shell, dark bool, now func() time.Time) (*Screen, error) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		return nil, err
	}
	s := &Screen{
		Views: &views.Views{Answers: answer.New(m), UI: ui.NewContext(ui.NewTheme(dark))},
		shell: shell, now: now, arrived: make(chan func()),
		still: &Layer{List: draw.NewList(atlas)}, top: &Layer{List: draw.NewList(atlas)},
		lastTop: draw.NewList(atlas),
	}
	s.Controls, s.UI.List = s, s.top.List
	s.table = s.rows()
	return s, json.Unmarshal(assets.Story, &s.story)
}

// Theme is the colours and the type.
func (s *Screen) Theme() *ui.Theme { return &s.UI.Theme }

// SetDark takes the dark or the light theme, as the system prefers, unless one was chosen here.
func (s *Screen) SetDark(dark bool) {
	if !s.themed {
		s.setTheme(dark)
	}
}

func (s *Screen) setTheme(dark bool) { s.UI.Theme = ui.NewTheme(dark) }

// Open shows a recorded run or study, or takes over a configuration; what is wrong is said on screen.
func (s *Screen) Open(name string, files fs.FS) {
	if !s.Model.Refused(s.Model.Open(name, files), func() { s.Open(name, files) }) {
		s.opened()
	}
}

// Advance takes a frame's input for a window of the given size in points and scale in pixels a point, and returns the
// layers to draw: what stays until something changes, and over it what moves with the clock or the pointer.
func (s *Screen) Advance(in ui.Input, width, height, scale float64) []*Layer {
	select {
	case do := <-s.arrived:
		do()
	default:
	}
	s.Model.SetInference(s.Inferred())
	s.Model.Demand(s.DemandKm)
	s.Model.Advance(in.ElapsedS)
	s.chooseFirst(in)
	s.Layout = views.NewLayout(width, height, s.Scroll, s.told > 0)
	made := s.Make(s.now())
	s.top.List, s.lastTop = s.lastTop, s.top.List
	l := s.top.List
	l.Reset(s.Layout.Window, scale)
	s.UI.Begin(l, in)
	s.keys(in.Keys)
	if s.covered() {
		s.UI.Block()
	}
	s.DrawBars()
	s.DrawTransport()
	s.tell()
	s.compareButton()
	s.Views.Operate()
	s.Layout = views.NewLayout(width, height, s.Scroll, s.told > 0)
	s.drawStill(s.Make(s.now()) || made, width, height, scale)
	s.DrawMoving(l)
	s.UI.DrawHint(s.Layout.Window)
	s.UI.Unblock()
	switch {
	case s.help:
		s.drawHelp(l)
	case s.palette.Open:
		s.palette.Draw(s.UI, s.Layout.Window, s.Layout.Narrow || s.Touch, s.offers())
	}
	s.UI.End()
	s.remember()
	if !l.Same(s.lastTop) {
		s.top.Version++
	}
	return []*Layer{s.still, s.top}
}

// drawStill draws what does not move again, if the charts or what stands beside them have changed.
func (s *Screen) drawStill(charts bool, width, height, scale float64) {
	first, second := s.Finding()
	now := drawn{width, height, scale, s.Scroll, s.Theme().Background, s.Model.Message.Text, s.storyText(), first + second}
	if !charts && now == s.drawn {
		return
	}
	s.drawn = now
	s.still.Version++
	l := s.still.List
	l.Reset(s.Layout.Window, scale)
	l.Rect(s.Layout.Window, s.Theme().Background)
	if s.told == 0 {
		s.DrawHeadline(l)
	}
	s.DrawStill(l)
}

// compareButton draws the button that keeps the settings on show to be compared with, and the one that chooses what the
// chart of the guess shows.
func (s *Screen) compareButton() {
	r, why := s.Layout.Comparison, s.Layout.Why
	s.Labelled("compare", draw.Rect{X: r.Right() - 94, Y: r.Y + 4, W: 86, H: 24},
		either(s.Model.Pair == nil, "Compare", "Drop B"))
	s.Labelled("quantity.list", draw.Rect{X: why.Right() - 94, Y: why.Y + 4, W: 86, H: 24},
		views.QuantityNames[s.Quantity])
}

// covered reports whether something lies over the view.
func (s *Screen) covered() bool { return s.help || s.palette.Open }

// Status is what is on screen in words, for a window's title and for those who cannot see it.
func (s *Screen) Status() string { return "veilpath: " + s.FlightText() }

// Begin shows first the flight that tells best what epsilon does, once that is known.
func (s *Screen) Begin() { s.remember(); s.choosing = true }

// chooseFirst shows that flight as if it had always been on show, unless the user has done something before.
func (s *Screen) chooseFirst(in ui.Input) {
	if len(in.Keys) > 0 || in.Down || in.Wheel != 0 || s.covered() || len(s.past.states) > 1 {
		s.choosing = false
	}
	if !s.choosing {
		return
	}
	if run, known := s.Telling(); known {
		s.choosing = false
		s.Model.Select(run)
		s.past = past{}
	}
}
