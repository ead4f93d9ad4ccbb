package screen

import (
	"math"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// binding is a key, what it does, and how the help says so.
type binding struct {
	keys []ui.Key
	name string // as shown
	does string
	do   func(s *Screen, k ui.Key)
}

// bindings lists all keys in the order of the help.
func bindings() []binding {
	return []binding{
		{[]ui.Key{ui.Space}, "Space", "play, pause", func(s *Screen, _ ui.Key) { s.Model.Clock.Toggle() }},
		{[]ui.Key{".", ","}, ". ,", "one step on, back", func(s *Screen, k ui.Key) { s.stepBy(either(k == ".", 1, -1)) }},
		{[]ui.Key{ui.ArrowRight, ui.ArrowLeft}, "→ ←", "five seconds on, back", func(s *Screen, k ui.Key) {
			s.Model.Clock.Seek(s.Model.Clock.TimeS + float64(either(k == ui.ArrowRight, 5, -5)))
		}},
		{[]ui.Key{"+", "=", "-"}, "+ -", "faster, slower",
			func(s *Screen, k ui.Key) { s.Model.Clock.Faster(either(k == "-", -1, 1)) }},
		{[]ui.Key{ui.Home, ui.End}, "Home End", "to the start, to the end", func(s *Screen, k ui.Key) {
			s.Model.Clock.Seek(float64(either(k == ui.Home, 0, 1)) * s.Model.Clock.EndS)
		}},
		{[]ui.Key{"h"}, "h", "to where privacy is disabled", func(s *Screen, _ ui.Key) { s.seekHandover() }},
		{[]ui.Key{"r"}, "r", "to where the target is recognised", func(s *Screen, _ ui.Key) { s.seekCaught() }},
		{[]ui.Key{"e", "w"}, "e w", "next event, event before, explained",
			func(s *Screen, k ui.Key) { s.stepEvent(k == "e") }},
		{[]ui.Key{"v"}, "v", "follow the vehicle", func(s *Screen, _ ui.Key) { s.camera.Follow = !s.camera.Follow }},
		{[]ui.Key{"i"}, "i", "tilt the map: altitudes, shadows",
			func(s *Screen, _ ui.Key) { s.camera.Tilted = !s.camera.Tilted }},
		{[]ui.Key{"0"}, "0", "the whole map", func(s *Screen, _ ui.Key) { s.fit() }},
		{[]ui.Key{"z", "x"}, "z x", "zoom in, out", func(s *Screen, k ui.Key) {
			s.camera.Zoom(math.Pow(1.25, float64(either(k == "z", 1, -1))), s.layout.Map.Center())
		}},
		{[]ui.Key{ui.ArrowUp, ui.ArrowDown}, "↑ ↓", "epsilon up, down", func(s *Screen, k ui.Key) {
			s.Model.SetEpsilon(clampTo(model.Rounded(s.Model.Config.Privacy.Epsilon*math.Pow(1.1,
				float64(either(k == ui.ArrowUp, 1, -1)))), model.MinEpsilon, model.MaxEpsilon))
		}},
		{[]ui.Key{"]", "["}, "] [", "next run, run before",
			func(s *Screen, k ui.Key) { s.Model.Select(s.Model.RunNumber + either(k == "]", 1, -1)) }},
		{[]ui.Key{"n"}, "n", "new sample", func(s *Screen, _ ui.Key) { s.Model.NewSample() }},
		{[]ui.Key{"u", "y"}, "u y", "undo, do again", func(s *Screen, k ui.Key) { s.undo(either(k == "u", -1, 1)) }},
		{[]ui.Key{"j"}, "j", "the story, next step", func(s *Screen, _ ui.Key) { s.tellOn(1) }},
		{[]ui.Key{"g"}, "g", "type the number of a run, then Enter",
			func(s *Screen, _ ui.Key) { s.typing, s.typed = true, "" }},
		{[]ui.Key{"b"}, "b", "keep these settings to compare with", func(s *Screen, _ ui.Key) { s.toggleCompare() }},
		{[]ui.Key{"s"}, "s", "select flights by an area of the map", func(s *Screen, _ ui.Key) { s.brushing = !s.brushing }},
		{[]ui.Key{"k"}, "k", "keep out of cells that are clicked",
			func(s *Screen, _ ui.Key) { s.keepingOut = !s.keepingOut }},
		{[]ui.Key{"o"}, "o", "loop: from here, to here, no more", func(s *Screen, _ ui.Key) { s.loop() }},
		{[]ui.Key{"d"}, "d", "direct flight, planned flight, private flight", func(s *Screen, _ ui.Key) {
			s.Model.SetShown(map[model.Shown]model.Shown{model.ShowPrivate: model.ShowDirect,
				model.ShowDirect: model.ShowPlanned}[s.Model.Show])
		}},
		{[]ui.Key{"1", "2", "3", "4", "5"}, "1 … 5", "map: private reward, true, noise, off, belief",
			func(s *Screen, k ui.Key) { s.chooseHeat(Heat(k[0] - '1')) }},
		{[]ui.Key{"6"}, "6", "compared settings: two maps, one", func(s *Screen, _ ui.Key) { s.toggleBeside() }},
		{[]ui.Key{"7"}, "7", "fold panels away, show them", func(s *Screen, _ ui.Key) { s.listPanels() }},
		{[]ui.Key{"8"}, "8", "other recordings", func(s *Screen, _ ui.Key) {
			if len(s.Library) > 0 {
				s.toggleList(&s.ShowLibrary)
			}
		}},
		{[]ui.Key{"9"}, "9", "set and do everything by arrow keys and Enter",
			func(s *Screen, _ ui.Key) { s.toggleList(&s.ShowCommands) }},
		{[]ui.Key{"f", "a"}, "f a", "fan, policy arrows", func(s *Screen, k ui.Key) {
			if k == "f" {
				s.toggleFan()
			} else {
				s.ShowHead = !s.ShowHead
			}
		}},
		{[]ui.Key{"p", "c", "l"}, "p c l", "save picture, save config, copy link", func(s *Screen, k ui.Key) {
			map[ui.Key]func(){"p": s.savePicture, "c": s.saveConfig, "l": s.share}[k]()
		}},
		{[]ui.Key{"m"}, "m", "choose who watches", func(s *Screen, _ ui.Key) { s.toggleList(&s.ShowObservers) }},
		{[]ui.Key{"q"}, "q", "save panels, moving pictures, files",
			func(s *Screen, _ ui.Key) { s.toggleList(&s.ShowExport) }},
		{[]ui.Key{"t"}, "t", "dark, light", func(s *Screen, _ ui.Key) { s.SetDark(!s.theme().Dark) }},
		{[]ui.Key{ui.Escape}, "Esc", "all flights again, and close what is open", func(s *Screen, _ ui.Key) {
			if !s.ShowHelp {
				s.choose(selection{})
				s.brushing, s.keepingOut = false, false
			}
			s.ShowHelp = false
		}},
		{[]ui.Key{"?"}, "?", "this page", func(s *Screen, _ ui.Key) { s.ShowHelp = !s.ShowHelp }},
	}
}

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}

func clampTo(v, low, high float64) float64 { return math.Max(low, math.Min(high, v)) }

func (s *Screen) keys(pressed []ui.Key) {
	for _, k := range pressed {
		if s.listed() {
			if k == ui.Escape {
				s.closeLists()
			}
			continue // the list has the keys
		}
		if s.typing {
			s.typeRun(k)
			continue
		}
		for _, b := range bindings() {
			for _, own := range b.keys {
				if own == k {
					b.do(s, k)
				}
			}
		}
	}
}

// typeRun takes a key while the number of a run is typed.
func (s *Screen) typeRun(k ui.Key) {
	const most = 9 // digits
	switch {
	case k == ui.Enter:
		if run, err := strconv.Atoi(s.typed); err == nil {
			s.Model.Select(run)
		}
		s.typing = false
	case k == ui.Escape:
		s.typing = false
	case k == ui.Backspace && s.typed != "":
		s.typed = s.typed[:len(s.typed)-1]
	case len(k) == 1 && k[0] >= '0' && k[0] <= '9' && len(s.typed) < most:
		s.typed += string(k)
	}
}

// loop begins a stretch to be played again and again, ends it, and forgets it.
func (s *Screen) loop() {
	c := &s.Model.Clock
	switch {
	case c.LoopToS > 0:
		c.LoopFromS, c.LoopToS, s.looping = 0, 0, false
		s.Model.Say(false, "No stretch is played again.")
	case !s.looping:
		c.LoopFromS, s.looping = c.TimeS, true
		s.Model.Say(false, "The stretch begins at %s s. Go to where it ends and press o again.", fixed(c.TimeS, 1))
	default:
		c.LoopFromS, c.LoopToS = math.Min(c.LoopFromS, c.TimeS), math.Max(c.LoopFromS, c.TimeS)
		s.looping = false
		s.Model.Say(false, "%s to %s s are played again and again; o ends that.", fixed(c.LoopFromS, 1), fixed(c.LoopToS, 1))
	}
}

// whatItIs says what there is to see.
const whatItIs = "The vehicle flies from waypoint to waypoint by a policy. The policy was planned for rewards with " +
	"noise on them, so that nobody can tell the " +
	"true ones: that is ε-differential privacy. An observer extrapolates the flight, and has recognised the target when " +
	"the guess stays within ρ of it. " +
	"A smaller ε is more noise, and as a rule the plan loses more of its value. The planned flight has no noise: what " +
	"differs from it, the noise does. " +
	"From the dashed circle on privacy is disabled and the vehicle flies straight in."

// howToPoint says what the mouse does.
const howToPoint = "Drag the map to move it, a waypoint or the target to change it; turn the wheel to zoom. Click a " +
	"track or a dot to see that flight, drag over the dots to select flights. " +
	"Drop a folder that veilpath study or run wrote, or a configuration, to open it."

// howToTouch says what fingers do.
const howToTouch = "Drag the map to move it, spread two fingers or turn the wheel to zoom, tap twice for the whole. " +
	"Tap a dot of the flights to see that one, a cell of ε × ρ to go there. " +
	"Rest a finger on something to learn what it is. Tap the open panel's name to fold it away."

// compactHelp covers the view with what there is to see, what fingers do and, where there is room for all, the keys.
func (s *Screen) compactHelp(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	const row = 19
	box := w.Inset(gap)
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(14)
	l.TextIn(t.Headline, draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: 24}, draw.Left, t.Ink,
		"A flight with a secret destination")
	y := inner.Y + 32
	for _, paragraph := range []string{whatItIs, howToTouch} {
		for _, line := range l.Wrap(t.Body, paragraph, inner.W) {
			l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: inner.W, H: row}, draw.Left, t.Muted, line)
			y += row
		}
		y += row / 2
	}
	const column = 340
	columns := max(1, int(inner.W/column))
	if keys := inner.Trim(0, y-inner.Y, 0, 0); keys.H >= keyRow*float64(keyRows(columns)) {
		s.listKeys(l, keys, columns)
	}
	if over, _, clicked := s.UI.Area("help", w); over && clicked {
		s.ShowHelp = false
	}
}

// keyRow is the height of a key in the help, points.
const keyRow = 20

// keyRows is how many rows the keys take in so many columns.
func keyRows(columns int) int { return (len(bindings()) + columns - 1) / columns }

// listKeys tells the keys and what they do.
func (s *Screen) listKeys(l *draw.List, area draw.Rect, columns int) {
	t, rows, w := s.theme(), keyRows(columns), area.W/float64(columns)
	for i, b := range bindings() {
		r := draw.Rect{X: area.X + w*float64(i/rows), Y: area.Y + keyRow*float64(i%rows), W: w, H: keyRow}
		l.TextIn(t.Strong, draw.Rect{X: r.X, Y: r.Y, W: 70, H: r.H}, draw.Left, t.Accent, b.name)
		l.TextIn(t.Body, r.Trim(76, 0, 2, 0), draw.Left, t.Ink, b.does)
	}
}

// help covers the view with the keys and what the pointer does.
func (s *Screen) help(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	l.Rect(w, ui.Faded(t.Background, 0.7))
	if s.layout.Compact {
		s.compactHelp(l)
		return
	}
	const width, columns = 780, 2
	listed := keyRow * float64(keyRows(columns))
	height := listed + 200
	box := draw.Rect{X: w.Center().X - width/2, Y: w.Center().Y - height/2, W: width, H: height}
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(24)
	l.TextIn(t.Headline, draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: 24}, draw.Left, t.Ink,
		"A flight with a secret destination")
	y := inner.Y + 32
	for _, line := range l.Wrap(t.Body, whatItIs, inner.W) {
		l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: inner.W, H: 17}, draw.Left, t.Muted, line)
		y += 17
	}
	y += 12
	s.listKeys(l, inner.Trim(0, y-inner.Y, 0, 0), columns)
	y += listed + 10
	for _, line := range l.Wrap(t.Body, howToPoint, inner.W) {
		l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: inner.W, H: 17}, draw.Left, t.Muted, line)
		y += 17
	}
	if over, _, clicked := s.UI.Area("help", w); over && clicked {
		s.ShowHelp = false
	}
}
