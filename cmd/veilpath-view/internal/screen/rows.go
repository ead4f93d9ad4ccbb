package screen

import (
	"math"
	"slices"
	"strconv"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// rows is the table of all controls, in the order of the palette and of the help. A control is added by its row here.
func (s *Screen) rows() []control {
	return slices.Concat(s.playRows(), s.privacyRows(), s.compareRows(), s.storyRows(), s.menuRows(), s.flightRows(),
		s.observerRows(), s.mapRows(), s.panelRows(), s.saveRows(), s.wallRows())
}

// press is a stroke that does what a button does.
func press(name string, do func(), keys ...ui.Key) []stroke {
	return []stroke{{keys: keys, name: name, do: func(ui.Key) { do() }}}
}

// toggled is a control that switches a value on and off.
func toggled(at *bool, c control) control {
	c.on, c.do = func() bool { return *at }, func() { *at = !*at }
	return c
}

// playRows are the controls of the clock.
func (s *Screen) playRows() []control {
	c := &s.Model.Clock
	return []control{
		{id: "play", label: "Play", also: "pause stop", short: "Play", hint: "Play and pause",
			keys: []stroke{{[]ui.Key{ui.Space}, "Space", "play, pause", func(ui.Key) { c.Toggle() }}},
			on:   func() bool { return c.Playing }, do: c.Toggle},
		{id: "time", label: "Moment of the flight", also: "time clock", keys: []stroke{
			{[]ui.Key{ui.ArrowRight, ui.ArrowLeft}, "→ ←", "five seconds on, back",
				func(k ui.Key) { c.Seek(c.TimeS + float64(either(k == ui.ArrowRight, 5, -5))) }},
			{[]ui.Key{"e", "w"}, "e w", "next event, event before, explained",
				func(k ui.Key) { s.stepEvent(k == "e") }}},
			quantity: quantity{span: func() (float64, float64) { return 0, math.Ceil(c.EndS) },
				get:  func() float64 { return math.Round(c.TimeS) },
				set:  c.StopAt,
				text: func(v float64) string { return chart.Fixed(v, 0) + " s" }}},
		{id: "loop", label: "Loop: from here, to here, no more", says: s.loopName,
			on: func() bool { return s.looping || c.Looping() }, do: s.loop, link: s.loopLink()},
		{id: "speed", label: "Speed of the clock", also: "faster slower", link: s.speedLink(), quantity: quantity{log: true,
			span: func() (float64, float64) { return model.MinSpeed, model.MaxSpeed },
			get:  func() float64 { return c.Speed }, set: func(v float64) { c.Speed = v },
			text: func(v float64) string { return chart.Number(v) + " seconds a second" }}},
	}
}

func (s *Screen) loopName() string {
	return either(s.looping, "Loop: to here", either(s.Model.Clock.Looping(), "End the loop", "Loop: from here"))
}

// privacyRows are the controls of what hides the destination.
func (s *Screen) privacyRows() []control {
	m := s.Model
	kinds := []string{configs.Classical, configs.Analytic}
	return []control{
		{id: "privacy", label: "Privacy settings", short: "Privacy",
			hint: "Radius, decay, flights, mechanism, observer and map",
			keys: press("p", s.togglePrivacy, "p"), on: s.privacyShown, do: s.togglePrivacy},
		{id: "epsilon", label: "Epsilon, privacy", also: "ε strength", keys: []stroke{
			{[]ui.Key{ui.ArrowUp, ui.ArrowDown}, "↑ ↓", "epsilon up, down", func(k ui.Key) {
				epsilon := m.ChosenEpsilon() * math.Pow(1.1, float64(either(k == ui.ArrowUp, 1, -1)))
				m.SetEpsilon(max(model.MinEpsilon, min(model.MaxEpsilon, model.Rounded(epsilon))))
			}}},
			quantity: quantity{log: true, span: func() (float64, float64) { return model.MinEpsilon, model.MaxEpsilon },
				get: m.ChosenEpsilon, set: m.SetEpsilon, round: model.Rounded,
				text: func(v float64) string { return chart.Number(v) + ", smaller is more private" }}},
		{id: "demand", label: "Hidden on average until", there: m.HasAxis, link: s.demandLink(), quantity: quantity{
			span: func() (float64, float64) { return 0, s.DemandMost() }, get: s.DemandNow, set: s.SetDemand,
			round: func(v float64) float64 { return math.Round(2*v) / 2 }, text: s.DemandText, none: s.NoDemand}},
		{id: "radius", label: "Radius of recognition", also: "rho ρ", quantity: quantity{log: true,
			span: func() (float64, float64) { return model.MinRadius, model.MaxRadius },
			get:  func() float64 { return m.Config.Adversary.RadiusKm },
			set:  m.SetRadius, round: model.Rounded, text: chart.Km}},
		{id: "lambda", label: "Decay that the observer expects", also: "lambda λ", quantity: quantity{log: true,
			span: func() (float64, float64) { return model.MinLambda, model.MaxLambda },
			get:  func() float64 { return m.Config.Adversary.LambdaPerS },
			set:  m.SetLambda, round: model.Rounded,
			text: func(v float64) string { return chart.Number(v) + " per second" }}},
		{id: "runs", label: "Flights of the ensemble", quantity: quantity{log: true,
			span: func() (float64, float64) { return model.MinRuns, model.MaxRuns },
			get:  func() float64 { return float64(m.Runs()) }, set: func(v float64) { m.SetRuns(int(math.Round(v))) },
			round: func(v float64) float64 { return float64(model.RoundRuns(v)) },
			text:  func(v float64) string { return strconv.Itoa(int(v)) }}},
		{id: "calibration", label: "Calibration of the noise", there: m.Calibrated, choice: choice{kinds,
			func() int { return slices.Index(kinds, m.Config.Privacy.Calibration) },
			func(i int) { m.SetCalibration(kinds[i]) }, false}},
		{id: "mission", label: "Mission and mechanism", short: "Mission",
			hint: "Choose what is flown, and the mechanism of privacy", on: s.shows(missionSection),
			do: s.toggles(missionSection)},
	}
}

// compareRows are the controls of a comparison of settings.
func (s *Screen) compareRows() []control {
	compared := func() bool { return s.Model.Pair != nil }
	return []control{
		{id: "compare", label: "Compare", short: "Compare", also: "difference", on: compared,
			keys: press("c", s.toggleCompare, "c"),
			says: func() string { return either(compared(), "End comparison", "Compare") },
			hint: "Keep these settings, and compare what you change with them: the same noise, on one clock",
			do:   s.toggleCompare, link: s.keptLink()},
	}
}

// storyRows are the controls of the story.
func (s *Screen) storyRows() []control {
	told := func() bool { return s.told > 0 }
	return []control{
		{id: "story", label: "Story", short: "Story", hint: "The paper told in steps, with the live view", on: told,
			keys: press("s", s.toggleStory, "s"), do: s.toggleStory},
		{id: "story.on", label: "Next step of the story", do: func() { s.tellOn(1) }, keys: []stroke{
			{[]ui.Key{ui.PageDown, ui.PageUp}, "Page ↓ ↑", "the story: next step, step before",
				func(k ui.Key) { s.tellOn(either(k == ui.PageDown, 1, -1)) }}}},
		{id: "story.again", label: "Show the step of the story again",
			there: func() bool { return told() && s.departed() != "" }, do: func() { s.tellOn(0) }},
		{id: "story.back", label: "Step of the story before", there: told, do: func() { s.tellOn(-1) }},
		{id: "story.end", label: "End the story", there: told, do: s.endStory},
	}
}

// menuRows find, undo and explain.
func (s *Screen) menuRows() []control {
	return []control{
		{id: "menu", label: "Find everything", short: "Find", hint: "Find and do everything by its name",
			keys: press("/ or Ctrl K", func() { s.palette.Begin("") }, "/", ui.Find), on: s.shows(""), do: s.toggles("")},
		{id: "undo", label: "Undo", keys: press("Ctrl Z", func() { s.undo(-1) }, ui.Undo), do: func() { s.undo(-1) }},
		{id: "redo", label: "Redo: do again what was undone", do: func() { s.undo(1) },
			keys: press("Ctrl Shift Z", func() { s.undo(1) }, ui.Redo)},
		{id: "escape", label: "close what is open", keys: []stroke{{[]ui.Key{ui.Escape}, "Esc",
			"close, end a mode or the story", func(ui.Key) { s.close() }}}, do: s.close},
		{id: "stop", label: "Stop: keep what is on show, prepare nothing", there: s.Model.Preparing,
			do: func() { s.Model.StopPreparing() }},
		{id: "help", label: "Help", hint: "Keys and signs", keys: press("?", s.toggleHelp, "?"),
			on: func() bool { return s.Help.Open }, do: s.toggleHelp},
		{id: "theme", label: "Light theme", also: "dark", do: func() { s.chooseTheme(!s.Theme().Dark) },
			says: func() string { return either(s.Theme().Dark, "Light theme", "Dark theme") }, link: s.themeLink()},
	}
}

// flightRows choose the flight on show.
func (s *Screen) flightRows() []control {
	m := s.Model
	shown := func(baseline model.Shown) (func() bool, func()) {
		return func() bool { return m.Show == baseline }, func() { s.Model.ToggleShown(baseline) }
	}
	planned, showPlanned := shown(model.ShowPlanned)
	direct, showDirect := shown(model.ShowDirect)
	return []control{
		{id: "run", label: "Flight on show", keys: []stroke{{[]ui.Key{"]", "["}, "] [", "next flight, flight before",
			func(k ui.Key) { m.Select(m.RunNumber + either(k == "]", 1, -1)) }}},
			quantity: quantity{most: largestRun,
				span: func() (float64, float64) { return 0, float64(max(m.Runs()-1, m.RunNumber)) },
				get:  func() float64 { return float64(m.RunNumber) }, set: func(v float64) { m.Select(int(v)) },
				text: func(v float64) string { return "run " + strconv.Itoa(int(v)) }}},
		{id: "run.reacts", label: "The flight that epsilon changes most", there: m.HasAxis, do: s.showReacting},
		{id: "run.closest", label: "The flight recognised closest to its target", also: "nearest near hump",
			do: func() { s.Model.ShowExtreme(-1) }},
		{id: "run.farthest", label: "The flight recognised farthest from its target", also: "furthest far hump",
			do: func() { s.Model.ShowExtreme(1) }},
		{id: "planned", label: "Planned flight, without noise", on: planned, do: showPlanned},
		{id: "direct", label: "Direct flight", on: direct, do: showDirect},
		{id: "sample", label: "New sample", also: "seed noise", short: "New sample",
			hint: "Draw all noise again, from the next seed",
			do:   m.NewSample},
		{id: "fan", label: "Fan: all flights on the map", on: s.plan.FanShown, do: s.plan.ToggleFan,
			link: link.Switch(link.Fan, &s.plan.ShowFan, true)},
	}
}

// largestRun bounds the numbers of runs that can be set.
const largestRun = 999_999_999

// observerRows choose who watches.
func (s *Screen) observerRows() []control {
	m := s.Model
	var names []string
	for _, o := range model.Observers() {
		names = append(names, o.Name)
	}
	goals := adversary.GoalNames()
	return []control{
		{id: "observer", label: "Observer: who watches", short: "Observer", on: s.shows(watcherSection),
			do: s.toggles(watcherSection), hint: "Choose the observer, and whose guesses are drawn too", link: s.alsoLink()},
		{id: "adversary", label: "Observer", choice: choice{names,
			func() int { return slices.Index(names, m.Config.Adversary.Observer) },
			func(i int) { m.SetObserver(names[i]) }, true}},
		{id: "goal", label: "Observer of the goal", there: s.Inferring, link: s.goalLink(),
			choice: choice{goals, func() int { return s.Observer }, func(i int) { s.Observer = i }, false}},
	}
}

// mapRows say what is on the map, and where it is.
func (s *Screen) mapRows() []control {
	c := &s.plan.Map.Camera
	zoom := func(factor float64) func() { return func() { c.Zoom(factor, s.Layout.Map.Center()) } }
	const step = 1.25
	return []control{
		{id: "map", label: "Map", link: s.heatLink(), choice: choice{heatNames, func() int { return int(s.HeatShown()) },
			func(i int) { s.ChooseHeat(answer.Heat(i)) }, false}},
		{id: "fit", label: "Fit the whole map", also: "reset zoom", do: s.plan.Fit},
		{id: "zoom-in", label: "Enlarge the map", also: "zoom in", do: zoom(step)},
		{id: "zoom-out", label: "Show more of the map", also: "zoom out", do: zoom(1 / step)},
		toggled(&c.Follow, control{id: "follow", label: "Follow the vehicle", link: s.followLink()}),
	}
}

// panelRows say which panels there are.
func (s *Screen) panelRows() []control {
	return []control{
		{id: "panels", label: "Panels", on: s.shows(panelSection), do: s.toggles(panelSection),
			there: func() bool { return !s.Layout.Compact }, link: s.foldedLink()},
	}
}

// saveRows are what can be taken away and opened.
func (s *Screen) saveRows() []control {
	chooses := func() bool { return s.shell.Chooser() != nil }
	return []control{
		{id: "open", label: "Open files", there: chooses, do: func() { s.shell.Chooser()(false) },
			hint: "Open what study, run or tune wrote, a configuration or a story"},
		{id: "open.folder", label: "Open a folder", there: chooses, do: func() { s.shell.Chooser()(true) }},
		{id: "link", label: "Copy link", also: "share url address", hint: "Copy a link to exactly this", do: s.share},
		{id: "export", label: "Save", hint: "Save the picture, and files of the study",
			on: s.shows(saveSection), do: s.toggles(saveSection)},
		{id: "library", label: "Recordings", hint: "Open another of the recorded runs", on: s.shows(recordSection),
			there: func() bool { return len(s.Library) > 1 }, do: s.toggles(recordSection)},
		{id: "points", label: "Points of the sweep", hint: "Show another point of the sweep", on: s.shows(pointSection),
			there: func() bool { return len(s.Model.Points()) > 1 }, do: s.toggles(pointSection)},
	}
}

// wallRows keep all flights out of cells.
func (s *Screen) wallRows() []control {
	m := s.Model
	flownTo := func() bool { _, ok := m.FlownTo(); return ok }
	return []control{
		{id: "keepout", label: "Wall: keep the flights out of an area, to avoid it, cell by cell",
			also: "obstacle forbidden zone",
			on:   func() bool { return s.plan.KeepingOut }, do: func() { s.plan.SetKeepingOut(!s.plan.KeepingOut) }},
		{id: "keep-out", label: "Keep all flights out of the cell that is flown to now", there: flownTo, do: func() {
			if state, ok := m.FlownTo(); ok {
				m.KeepOut(map[int]bool{state: true}, true)
			}
		}},
		{id: "allow", label: "Allow all cells", there: func() bool { return m.Experiment.Mission.Grid.KeepsOut() },
			do: m.AllowAll},
	}
}
