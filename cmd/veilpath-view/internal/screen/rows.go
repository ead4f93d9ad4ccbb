package screen

import (
	"math"
	"slices"
	"strconv"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/cmd/veilpath-view/internal/views"
	"veilpath/internal/phrase"
)

// rows is the table of all controls, in the order of the palette and of the help. A control is added by its row here.
func (s *Screen) rows() []control {
	return slices.Concat(s.flightRows(), s.privacyRows(), s.observerRows(), s.menuRows(), s.saveRows())
}

// press is a stroke that does what a button does.
func press(name string, do func(), keys ...ui.Key) []stroke {
	return []stroke{{keys: keys, name: name, do: func(ui.Key) { do() }}}
}

// flightRows are the controls of the clock and of the flight on show.
func (s *Screen) flightRows() []control {
	m, c := s.Model, &s.Model.Clock
	shown := func(baseline model.Shown) (func() bool, func()) {
		return func() bool { return m.Show == baseline }, func() { m.ToggleShown(baseline) }
	}
	planned, showPlanned := shown(model.ShowPlanned)
	direct, showDirect := shown(model.ShowDirect)
	chart := func(i int) { s.Quantity = views.Quantity(i) }
	next := func(by int) func() { return func() { m.Select(m.RunNumber + by) } }
	return []control{
		{id: "play", label: "Play", also: "pause stop", keys: press("Space", c.Toggle, ui.Space),
			on: func() bool { return c.Playing }, do: c.Toggle},
		{id: "time", label: "Moment of the flight", also: "time clock", keys: []stroke{
			{[]ui.Key{"e", "w"}, "e w", "next event, event before, explained", func(k ui.Key) { s.stepEvent(k == "e") }}},
			quantity: quantity{span: func() (float64, float64) { return 0, math.Ceil(c.EndS) },
				get: func() float64 { return math.Round(c.TimeS) }, set: c.StopAt,
				text: func(v float64) string { return phrase.Fixed(v, 0) + " s" }}},
		{id: "run", label: "Flight on show", quantity: quantity{most: largestRun,
			span: func() (float64, float64) { return 0, float64(max(m.Runs()-1, m.RunNumber)) },
			get:  func() float64 { return float64(m.RunNumber) }, set: func(v float64) { m.Select(int(v)) },
			text: func(v float64) string { return "flight " + strconv.Itoa(int(v)) }}},
		{id: "run.next", label: "Next flight", keys: press("→", next(1), ui.ArrowRight), do: next(1)},
		{id: "run.before", label: "Flight before", keys: press("←", next(-1), ui.ArrowLeft), do: next(-1)},
		{id: "planned", section: flightSection, label: "Planned flight, without noise", on: planned, do: showPlanned},
		{id: "direct", section: flightSection, label: "Direct flight", on: direct, do: showDirect},
		{id: "quantity", label: "The chart below the map shows", section: quantitySection,
			link: link.Word(link.Quantity, true, views.QuantityNames, 0, func() int { return int(s.Quantity) }, chart),
			choice: choice{of(views.QuantityNames...), of(views.QuantityNames...), func() int { return int(s.Quantity) },
				chart}},
		{id: "quantity.list", label: "What the chart below the map shows", on: s.shows(quantitySection),
			do: s.toggles(quantitySection)},
	}
}

// largestRun bounds the numbers of runs that can be set.
const largestRun = 999_999_999

// privacyRows are the controls of what hides the destination, and of the flights.
func (s *Screen) privacyRows() []control {
	m := s.Model
	compared := func() bool { return m.Pair != nil }
	missions := func(text func(model.Mission) string) func() []string {
		return func() (texts []string) {
			for _, mission := range model.Missions() {
				texts = append(texts, text(mission))
			}
			return texts
		}
	}
	names := missions(func(n model.Mission) string { return n.Name })
	titles := missions(func(n model.Mission) string { return n.Name + ": " + n.Title })
	ways, meanings := named(model.Mechanisms())
	return []control{
		{id: "epsilon", label: "Epsilon, privacy", also: "ε strength", keys: []stroke{
			{[]ui.Key{ui.ArrowUp, ui.ArrowDown}, "↑ ↓", "epsilon up, down", func(k ui.Key) {
				epsilon := m.ChosenEpsilon() * math.Pow(1.1, float64(either(k == ui.ArrowUp, 1, -1)))
				m.SetEpsilon(max(model.MinEpsilon, min(model.MaxEpsilon, model.Rounded(epsilon))))
			}}},
			quantity: quantity{log: true, span: func() (float64, float64) { return model.MinEpsilon, model.MaxEpsilon },
				get: m.ChosenEpsilon, set: m.SetEpsilon, round: model.Rounded,
				text: func(v float64) string { return answer.Number(v) + ", smaller is more private" }}},
		{id: "radius", label: "Radius of recognition", also: "rho ρ", quantity: quantity{log: true,
			span: func() (float64, float64) { return model.MinRadius, model.MaxRadius },
			get:  func() float64 { return m.Config.Adversary.RadiusKm },
			set:  m.SetRadius, round: model.Rounded, text: answer.Km}},
		{id: "demand", label: "Hidden on average until", there: m.HasAxis, link: s.demandLink(), quantity: quantity{
			span: func() (float64, float64) { return 0, s.DemandMost() }, get: s.DemandNow, set: s.SetDemand,
			round: func(v float64) float64 { return math.Round(2*v) / 2 }, text: answer.Km, none: s.NoDemand}},
		{id: "demand.drop", label: "Demand nothing", there: func() bool { return s.DemandKm > 0 },
			do: func() { s.DemandKm = 0 }},
		{id: "compare", label: "Compare", also: "difference B", on: compared, keys: press("c", s.toggleCompare, "c"),
			says: func() string { return either(compared(), "End comparison", "Compare") },
			hint: "Keep these settings as B, and compare what you change with them, on the same noise",
			do:   s.toggleCompare, link: link.Of(link.Kept, true, m.KeptFragment, model.ParseKept, m.Compare)},
		{id: "runs", section: flightSection, label: "Number of flights", also: "ensemble", quantity: quantity{log: true,
			span: func() (float64, float64) { return model.MinRuns, model.MaxRuns },
			get:  func() float64 { return float64(m.Runs()) }, set: func(v float64) { m.SetRuns(int(math.Round(v))) },
			round: model.Rounded,
			text:  func(v float64) string { return strconv.Itoa(int(v)) }}},
		{id: "flights", label: "Flights", hint: "Choose how many flights, and draw their noise anew",
			on: s.shows(flightSection), do: s.toggles(flightSection)},
		{id: "sample", section: flightSection, label: "New sample", also: "seed noise", do: m.NewSample,
			hint: "Draw all noise again, from the next seed"},
		{id: "mission", label: "Mission and mechanism", hint: "Choose what is flown, and the mechanism of privacy",
			on: s.shows(missionSection), do: s.toggles(missionSection)},
		{id: "mission.name", section: missionSection, label: "Mission", choice: choice{names, titles,
			func() int { return slices.Index(names(), s.MissionName()) },
			func(i int) { m.SetMission(model.Missions()[i]) }}},
		{id: "keepout", section: missionSection, label: "Wall: keep the flights out of cells that are clicked on the map",
			also: "obstacle forbidden zone", on: func() bool { return s.Walling }, do: func() {
				if s.Walling = !s.Walling; s.Walling {
					m.Say(false, "Click cells of the map: all flights are planned around them. Esc ends this.")
				}
			}},
		{id: "allow", section: missionSection, label: "Take all walls away", do: m.AllowAll,
			there: func() bool { return m.Experiment.Mission.Grid.KeepsOut() }},
		{id: "mechanism", section: missionSection, label: "Mechanism", choice: choice{of(ways...), of(meanings...),
			func() int { return slices.Index(ways, m.Config.Privacy.Mechanism) },
			func(i int) { m.SetMechanism(ways[i]) }}},
	}
}

// named returns the names of choices, and the names with what they mean.
func named(choices []model.Choice) (names, texts []string) {
	for _, c := range choices {
		names, texts = append(names, c.Name), append(texts, answer.Spoken(c.Name)+": "+c.Meaning)
	}
	return names, texts
}

// observerRows choose who watches, and what of it is on the map.
func (s *Screen) observerRows() []control {
	m := s.Model
	names, meanings := named(model.Observers())
	goals := adversary.GoalNames()
	var beliefs []string
	for _, goal := range goals {
		beliefs = append(beliefs, "the belief of "+answer.Spoken(goal)+" on the map")
	}
	return []control{
		{id: "observer", label: "Observer: who watches", hint: "Choose the observer", on: s.shows(watcherSection),
			do: s.toggles(watcherSection)},
		{id: "adversary", section: watcherSection, label: "Observer", also: "watcher", choice: choice{of(names...),
			of(meanings...), func() int { return slices.Index(names, m.Config.Adversary.Observer) },
			func(i int) { m.SetObserver(names[i]) }}},
		{id: "goal", section: watcherSection, label: "Observer of the goal", link: s.goalLink(), choice: choice{of(goals...),
			of(beliefs...), func() int { return either(s.Inferring(), s.Observer, -1) },
			func(i int) { s.ChooseHeat(answer.HeatBelief); s.Observer = i }}},
		{id: "map", section: watcherSection, label: "On the map", link: link.Word(link.Heat, true, heatNames,
			int(answer.HeatOff), func() int { return int(s.Heat) }, func(i int) { s.Heat = answer.Heat(i) }),
			choice: choice{of(heatNames...), of("the noise on the rewards", "neither noise nor belief", "a belief"),
				func() int { return int(s.HeatShown()) }, func(i int) { s.ChooseHeat(answer.Heat(i)) }}},
	}
}

// heatNames are what can be painted as links and lists call it, by Heat.
var heatNames = []string{"noise", "off", "belief"}

// menuRows find, undo and explain.
func (s *Screen) menuRows() []control {
	told := func() bool { return s.told > 0 }
	return []control{
		{id: "menu", label: "Find everything", hint: "Find and do everything by its name",
			keys: press("/ or Ctrl K", func() { s.palette.Begin("") }, "/", ui.Find), on: s.shows(""), do: s.toggles("")},
		{id: "story", label: "Story", hint: "Five steps that play, with the live views", on: told,
			keys: press("s", s.toggleStory, "s"), do: s.toggleStory},
		{id: "story.on", label: "Next step of the story", do: func() { s.tellOn(1) }, keys: []stroke{
			{[]ui.Key{ui.PageDown, ui.PageUp}, "Page ↓ ↑", "the story: next step, step before",
				func(k ui.Key) { s.tellOn(either(k == ui.PageDown, 1, -1)) }}}},
		{id: "story.again", label: "Show the step of the story again", there: s.departed, do: func() { s.tellOn(0) }},
		{id: "story.back", label: "Step of the story before", there: told, do: func() { s.tellOn(-1) }},
		{id: "story.end", label: "End the story", there: told, do: s.endStory},
		{id: "undo", label: "Undo", keys: press("Ctrl Z", func() { s.undo(-1) }, ui.Undo), do: func() { s.undo(-1) }},
		{id: "redo", label: "Redo: do again what was undone", do: func() { s.undo(1) },
			keys: press("Ctrl Shift Z", func() { s.undo(1) }, ui.Redo)},
		{id: "escape", label: "close what is open", keys: []stroke{{[]ui.Key{ui.Escape}, "Esc",
			"close what is open, end a wall or the story", func(ui.Key) { s.close() }}}, do: s.close},
		{id: "stop", label: "Stop: keep what is on show, prepare nothing", there: s.Model.Preparing,
			do: func() { s.Model.StopPreparing() }},
		{id: "help", label: "Help", keys: press("?", s.toggleHelp, "?"), on: func() bool { return s.help }, do: s.toggleHelp},
		{id: "theme", label: "Light theme", also: "dark", do: func() { s.chooseTheme(!s.Theme().Dark) },
			says: func() string { return either(s.Theme().Dark, "Light theme", "Dark theme") }, link: s.themeLink()},
	}
}

// saveRows are what can be taken away and opened.
func (s *Screen) saveRows() []control {
	m, chooses := s.Model, func() bool { return s.shell.Chooser() != nil }
	return []control{
		{id: "link", section: saveSection, label: "Copy link", also: "share url address", do: s.share,
			hint: "Copy a link to exactly this"},
		{id: "export", label: "Share and save", hint: "Copy a link, save the picture, and files of the study",
			on: s.shows(saveSection), do: s.toggles(saveSection)},
		{id: "export.png", section: saveSection, label: "Picture of the window, PNG", also: "image", do: s.savePicture},
		{id: "export.config", section: saveSection, label: "Settings, for veilpath study and run, YAML", also: "save",
			do: s.saveConfig},
		{id: "film", section: saveSection, label: "Film: record the window",
			there: func() bool { return s.shell.Film() != nil }, on: func() bool { return s.filming },
			do: func() { s.filming = s.shell.Film()() }},
		{id: "open", label: "Open files", there: chooses, do: func() { s.shell.Chooser()(false) },
			hint: "Open what study, run or tune wrote, or a configuration"},
		{id: "open.folder", label: "Open a folder", there: chooses, do: func() { s.shell.Chooser()(true) }},
		{id: "recording", section: recordSection, label: "Recording", there: func() bool { return len(s.Library) > 1 },
			choice: choice{s.recordNames(Entry.name), s.recordNames(Entry.said),
				func() int { return s.entry(either(m.Record == nil, &model.Record{}, m.Record).Name) },
				func(i int) { s.openEntry(i, func() {}) }}},
		{id: "library", label: "Recordings", hint: "Open another of the recorded runs", on: s.shows(recordSection),
			there: func() bool { return len(s.Library) > 1 }, do: s.toggles(recordSection)},
	}
}

// stepEvent goes to the next event or to the one before, pauses there and says what it is.
func (s *Screen) stepEvent(on bool) {
	m := s.Model
	f, events := m.Flight(), s.Events()
	now, found := f.At(m.Clock.TimeS), -1
	for i, e := range events {
		if on && e.Sample > now && (found < 0 || e.Sample < events[found].Sample) ||
			!on && e.Sample < now && (found < 0 || e.Sample >= events[found].Sample) {
			found = i
		}
	}
	if found < 0 {
		m.Say(false, "%s", either(on, "Nothing more happens on this flight.", "Nothing happens before."))
		return
	}
	m.StopAt(f, events[found].Sample)
	m.Say(false, "%s", s.MomentText(events[found].Sample))
}

// toggleCompare keeps the settings on show to compare with, or ends the comparison.
func (s *Screen) toggleCompare() {
	if s.Model.Pair != nil {
		s.Model.DropWorld()
		return
	}
	s.Model.KeepWorld()
	s.Model.SetShown(model.ShowPrivate)
	s.Model.Say(false,
		"These settings are kept as B. Change any of them: both are shown, with the same noise, on one clock.")
}

func (s *Screen) toggleHelp() { s.help = !s.help }

// close closes what is open: the help, then what is prepared, then a wall, then the story.
func (s *Screen) close() {
	switch {
	case s.help:
		s.help = false
	case s.Model.StopPreparing():
	case s.Walling:
		s.Walling = false
	case s.told > 0:
		s.endStory()
	}
}
