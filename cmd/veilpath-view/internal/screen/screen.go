package screen

import (
	"image/color"
	"io"
	"io/fs"
	"time"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/picture"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

type colour = color.NRGBA

// Shell is what the screen needs from the window or page around it.
type Shell interface {
	// Save keeps a file for the user and returns how to call the place.
	Save(name string, data []byte) (where string, err error)
	// Share puts the fragment into the address and calls copied with whether the address is in the clipboard
	// now; linked is false where there are no addresses.
	Share(fragment string, copied func(ok bool)) (linked bool)
	// Chooser returns what has the user choose files, or a folder, to open; nil where that cannot be done.
	Chooser() func(folder bool)
	// Remember keeps a value for the next use of the viewer, and Recall returns it; empty for none.
	Remember(key, value string)
	Recall(key string) string
}

// Screen is the viewer apart from the display.
type Screen struct {
	*panel.Frame
	telling
	plan         panel.Plan
	axis         panel.Axis
	distribution panel.Distribution
	transport    panel.Transport
	bar          panel.Bar
	why          panel.Why
	signs        panel.Key
	settings     panel.Settings
	Help         panel.Help
	headline     panel.Headline
	results      panel.Results
	time         panel.Time
	guesses      panel.Guesses
	beliefs      panel.Beliefs

	Pictures *picture.Pictures
	first    first

	Library []Entry    // recorded runs on offer
	palette panel.List // what is found and done by its name

	// WriteRuns writes flights as runs.parquet; nil where that cannot be done: the page would be twice as large.
	WriteRuns func(w io.Writer, runs []study.Run) error
	Still     bool // nothing moves by itself

	table   []control
	focused string // the control that has the focus of the document; empty for none
	shell   Shell
	now     func() time.Time
	layers  []*Layer
	seen    [needs]any  // of what layers depend on, in this frame
	lastTop *draw.List  // the moving layer of the frame before
	arrived chan func() // what is to be done with what was loaded or encoded beside the frames

	contrast   bool
	themed     bool            // the theme was chosen here
	themes     uint64          // changes with the theme
	tablesOpen map[string]bool // of the outline, by id
	past       past
	notice     notice
	linked     *string // what of the state the address leads to; nil for nothing
	looping    bool    // a stretch has begun and not ended
}

// New returns a screen for the model.
func New(m *model.Model, shell Shell, dark bool, now func() time.Time) (*Screen, error) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		return nil, err
	}
	answers, err := answer.New(m)
	if err != nil {
		return nil, err
	}
	s := &Screen{
		Frame: &panel.Frame{Answers: answers, UI: ui.NewContext(ui.NewTheme(dark)), Folded: layout.UsuallyFolded},
		shell: shell, now: now, arrived: make(chan func()), tablesOpen: map[string]bool{},
	}
	for i := range layerRows {
		s.layers = append(s.layers, &Layer{Name: layerRows[i].name, List: draw.NewList(atlas), Cached: i == fanLayer,
			Overlay: i == topLayer})
	}
	s.Controls, s.Legible, s.UI.List = s, s.legible, s.layers[topLayer].List
	f := s.Frame
	s.axis.Frame, s.distribution.Frame, s.results.Frame, s.beliefs.Frame = f, f, f, f
	s.bar.Frame, s.transport.Frame, s.settings.Frame = f, f, f
	s.plan = panel.Plan{Frame: f, ShowFan: true}
	s.headline = panel.Headline{Frame: f, Plan: &s.plan}
	s.time = panel.Time{Frame: f, Plan: &s.plan}
	s.guesses = panel.Guesses{Frame: f, Plan: &s.plan, Beliefs: &s.beliefs}
	s.signs = panel.Key{Frame: f, Plan: &s.plan}
	s.why = panel.Why{Frame: f, Plan: &s.plan, Time: &s.time}
	s.Help = panel.Help{Frame: f, Strokes: s.strokes}
	s.lastTop = draw.NewList(atlas)
	s.Pictures = picture.New(&s.plan, &s.headline, &s.guesses, &s.distribution, &s.axis, &s.time)
	m.Clock.Speed = usualSpeed
	s.table = s.rows()
	return s, s.SetStory(assets.Story)
}

// Camera returns the map's camera.
func (s *Screen) Camera() *model.Camera { return &s.plan.Map.Camera }

// Atlas returns the glyphs that the layers use.
func (s *Screen) Atlas() *draw.Atlas { return s.layers[groundLayer].List.Atlas }

// SetDark takes the dark or the light theme, as the system prefers, unless one was chosen here.
func (s *Screen) SetDark(dark bool) {
	if !s.themed {
		s.setTheme(dark)
	}
}

// chooseTheme has the dark or the light theme stay, whatever the system prefers.
func (s *Screen) chooseTheme(dark bool) {
	s.themed = true
	s.setTheme(dark)
}

// SetContrast chooses stronger contrasts, or the usual ones.
func (s *Screen) SetContrast(strong bool) {
	s.contrast = strong
	s.setTheme(s.Theme().Dark)
}

func (s *Screen) setTheme(dark bool) {
	s.UI.Theme = ui.NewTheme(dark)
	if s.contrast {
		s.UI.Theme = ui.NewContrastTheme(dark)
	}
	s.UI.Theme.SetCompact(s.Layout.Compact)
	s.themes++
}

// Open shows a recorded run or study, takes over a configuration or tells a story; what is wrong is said on screen.
func (s *Screen) Open(name string, files fs.FS) {
	if s.openStory(files) {
		return
	}
	if !s.Model.Refused(s.Model.Open(name, files), func() { s.Open(name, files) }) {
		s.opened()
	}
}

// Advance takes a frame's input for a window of the given size in points and scale in pixels a point, and
// returns the layers to draw, in order.
func (s *Screen) Advance(in ui.Input, width, height, scale float64) []*Layer {
	select {
	case do := <-s.arrived:
		do()
	default:
	}
	if s.Inferring() != s.Model.Inference.Wanted() {
		s.Model.SetInference(s.Inferring())
	}
	s.Model.Advance(in.ElapsedS)
	s.chooseFirst(in)
	top := s.layers[topLayer]
	top.List, s.lastTop = s.lastTop, top.List
	s.frame(in, width, height, scale)
	if s.newLayout(width, height) != s.Layout { // what was done needs another one
		s.frame(in.Settled(), width, height, scale)
	}
	s.UI.End()
	s.remember()
	s.dropNotice()
	if !top.List.Same(s.lastTop) {
		top.Version++
	}
	return s.layers
}

// frame lays the window out, does what the input asks for and draws.
func (s *Screen) frame(in ui.Input, width, height, scale float64) {
	s.Layout, s.Scale = s.newLayout(width, height), scale
	s.Compact = s.Layout.Compact
	s.ScaleColours()
	s.UI.Theme.SetCompact(s.Layout.Compact)
	s.plan.PlaceCamera()
	top := s.layers[topLayer]
	top.Area = s.Layout.Window
	top.List.Reset(s.Layout.Window, scale)
	top.Texts = top.Texts[:0]
	s.UI.Begin(top.List, in)
	s.keys(in.Keys)
	if s.covered() {
		s.UI.Block()
	}
	s.bar.Draw()
	s.tabs()
	if s.told == 0 || s.Layout.Compact {
		s.legible(top.List, func() { s.headline.Draw(top.List) })
	}
	s.tell(top.List)
	s.axis.DrawSlider()
	s.settings.Draw()
	s.transport.Draw()
	s.headline.Operate()
	s.time.Operate()
	s.eachPane(panel.Pane.Operate)
	s.foldButtons()
	s.plan.Operate()
	s.plan.FollowVehicle()
	s.plan.Shown().PlaceCards()
	s.layAll()
	s.plan.DrawMoving(top.List)
	s.time.DrawMoving(top.List)
	s.eachPane(func(p panel.Pane) { p.DrawMoving(top.List) })
	s.plan.DrawValues(top.List)
	s.dim(top.List)
	s.legible(top.List, func() { s.headline.DrawMessage(top.List) })
	s.headline.DrawStop(top.List) // not to be selected: what lies over the picture takes the pointer
	s.UI.DrawHint(s.Layout.Window)
	s.UI.Unblock()
	s.overlay(top.List)
	s.drawFocus(top.List)
}

// overlay draws what lies over the view, if anything does.
func (s *Screen) overlay(l *draw.List) {
	switch {
	case s.Help.Open:
		s.Help.Draw(l)
	case s.palette.Open:
		s.palette.Draw(s.UI, s.Layout.Window, s.Layout.Compact || s.Touch, s.offers())
	}
}

// newLayout lays a window out as it is used.
func (s *Screen) newLayout(width, height float64) layout.Layout {
	shape := layout.Shape{Tab: s.Tab, Folded: s.Folded, Belief: s.Inferring(), Touch: s.Touch}
	l := layout.New(width, height, shape)
	if !l.Compact {
		shape.Tab = either(s.told > 0, layout.TabStory, layout.TabSettings)
		l = layout.New(width, height, shape)
	}
	return l
}

// covered reports whether something lies over the view.
func (s *Screen) covered() bool { return s.Help.Open || s.palette.Open }

// Status is what is on screen in words, for a window's title and for those who cannot see it.
func (s *Screen) Status() string { return "veilpath: " + s.FlightText() }
