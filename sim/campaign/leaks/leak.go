package leaks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/leak"
)

// Leak is a study of what observers learn about the goal, a [campaign.Resumable].
type Leak struct {
	campaign.Task
	Flights, Goals int

	settings *configs.Loaded
	total    int // flights and private policies
	asked    any // the request besides the settings, see Asked.Request
	commands []string
	shared   any // see Asked.Shared
	find     func(ctx context.Context, keeper pool.Keeper, done func(n int)) (*answer, error)
	found    *answer // nil before Do
}

// answer is the answer of a Leak.
type answer struct {
	kicker string // heading above the title of the page
	screen
	facts  map[string]any // values in the JSON besides the tables
	answer []*table.Sheet // tables of the answer; those by distance flown have only the requested distances
	files  []*table.Sheet // tables in files; nil for the tables of the answer
	figure *report.Figure
}

// New prepares a study of leakage: it solves the missions of all possible goals with every way of hiding the
// goal. It flies nothing.
func New(ctx context.Context, p *campaign.Program, r Request) (*Leak, error) {
	r = r.fitted()
	study, atKm, err := newStudy(ctx, p, r)
	if err != nil {
		return nil, err
	}
	p.RemarkBeyond(slices.Max(atKm), "so many flights have ended by then", r.Settings.Config)
	if err := study.Check(); err != nil {
		return nil, campaign.RequestErrorf("%w", err)
	}
	l := newLeak(p, r, study)
	l.asked, l.shared, l.total = r, sharedLeak{Leak: r}, study.Work()
	l.find = func(ctx context.Context, keeper pool.Keeper, done func(n int)) (*answer, error) {
		study.Keeper = keeper
		result, err := study.Fly(ctx, done)
		if err != nil {
			return nil, err
		}
		if r.Mechanisms != "" {
			return mechanismsFound(result, atKm[0]), nil
		}
		return leakFound(result, atKm), nil
	}
	return l, nil
}

// newLeak returns a Leak for a study and sets the epsilons of the settings to those of the study.
func newLeak(p *campaign.Program, r Request, s *leak.Study) *Leak {
	c := &r.Settings.Config
	c.Study.Axis, c.Study.Runs, c.Study.Epsilons = configs.Axis{}, r.Flights, nil
	for _, w := range s.Ways {
		if !math.IsInf(w.Epsilon, 1) && !slices.Contains(c.Study.Epsilons, w.Epsilon) {
			c.Study.Epsilons = append(c.Study.Epsilons, w.Epsilon)
		}
	}
	l := &Leak{Flights: s.Flights * len(s.Ways), Goals: len(s.World().Goals), settings: r.Settings,
		Task: campaign.Task{Program: p, Paged: true}}
	l.commands = campaign.CommandsIn(campaign.SplitNames(r.Observers)...)
	if items := campaign.SplitNames(r.Mechanisms); r.Mechanisms != "" {
		name, _ := cutEpsilon(items[len(items)-1])
		l.commands = append(l.commands, campaign.CommandsIn(name)...)
	}
	p.RemarkCommands()
	return l
}

// newStudy parses a request. atKm are the distances flown at which the answer reports beliefs.
func newStudy(ctx context.Context, p *campaign.Program, r Request) (s *leak.Study, atKm []float64, err error) {
	c := &r.Settings.Config
	s = &leak.Study{Flights: r.Flights, OwnGoal: r.OwnGoal, InARow: c.Adversary.ConsecutiveSteps,
		Policies: c.Adversary.Policies, Training: c.Adversary.Training, Seed: c.Study.Seed, Workers: c.Study.Workers}
	if s.Observers, err = p.GoalModels(r.Observers, c.Exec.Timeout()); err != nil {
		return nil, nil, campaign.RequestErrorf("{observers}: %w", err)
	}
	if atKm, err = campaign.ParseKilometres(r.At); err != nil {
		return nil, nil, campaign.RequestErrorf("{at}: %w", err)
	}
	if s.RadiiKm, err = campaign.ParseKilometres(r.Radii); err != nil {
		return nil, nil, campaign.RequestErrorf("{radii}: %w", err)
	}
	if r.Mechanisms == "" {
		s.FlownKm = curveKm(atKm, c.DirectKm())
		s.Ways, err = epsilonWays(ctx, p.Builder(), r)
		return s, atKm, err
	}
	if len(atKm) != 1 {
		return nil, nil, campaign.RequestErrorf("{at} %s: want one distance", r.At)
	}
	s.FlownKm = atKm
	s.Ways, err = mechanismWays(ctx, p.Builder(), r.Settings, r.Mechanisms)
	return s, atKm, err
}

// Asked returns everything that the answer depends on.
func (l *Leak) Asked() campaign.Asked {
	return campaign.Asked{Verb: "leak", Settings: l.settings, Request: l.asked, Shared: l.shared, Commands: l.commands}
}

// sharedLeak is the request of a divided study of leakage.
type sharedLeak struct {
	Leak   Request
	Counts string // numbers of flights to one goal, see NewReleases; empty for New
}

// Joined returns the whole study of a part, see Joiner.
func Joined(ctx context.Context, p *campaign.Program, _ string, settings *configs.Loaded,
	asked json.RawMessage) (campaign.Resumable, error) {
	var shared sharedLeak
	if err := json.Unmarshal(asked, &shared); err != nil {
		return nil, err
	}
	shared.Leak.Settings = settings
	if shared.Counts != "" {
		return NewReleases(ctx, p, shared.Leak, shared.Counts)
	}
	return New(ctx, p, shared.Leak)
}

// Do makes the private policies and flights that the keeper does not have yet.
func (l *Leak) Do(ctx context.Context, keeper pool.Keeper) error {
	defer l.Measure()()
	var err error
	l.found, err = l.find(ctx, keeper, l.Program.Counter(campaign.Plans, l.total))
	return err
}

// Summary returns the numbers of flights and goals as text.
func (l *Leak) Summary() string {
	if l.Flights == 0 {
		return table.Count(l.Goals, "possible goal")
	}
	return table.Count(l.Flights, "flight") + " to " + table.Count(l.Goals, "possible goal")
}

// Effort implements campaign.Resumable.
func (l *Leak) Effort() string { return l.Timed(l.Summary()) }

// Words returns the answer as sentences, with its notes.
func (l *Leak) Words() []string { return slices.Concat(l.found.words, l.found.notes) }

// Sections implements campaign.Answer. The tables with all columns are for those who ask for everything.
func (l *Leak) Sections(bool) []table.Section {
	sections := []table.Section{{Text: strings.Join(l.found.words, "\n") + "\n\n", Table: l.found.table},
		{Text: "\n" + strings.Join(l.found.notes, "\n") + "\n"}}
	for _, s := range l.found.answer {
		if len(s.Rows) > 0 {
			sections = append(sections, table.Section{Text: "\n", Table: s, Full: true})
		}
	}
	return sections
}

// WriteCSV writes the first table.
func (l *Leak) WriteCSV(w io.Writer) error { return l.found.answer[0].WriteCSV(w) }

// WriteJSON writes the whole answer.
func (l *Leak) WriteJSON(w io.Writer) error {
	answer := maps.Clone(l.found.facts)
	answer["in_words"] = l.Words()
	for _, sheet := range l.found.answer {
		answer[sheet.Name] = sheet
	}
	return table.WriteJSON(w, answer)
}

// facts returns the values of the answer's JSON besides its tables.
func facts(s *leak.Study) map[string]any {
	all := map[string]any{"goal": "prior", "goals": len(s.World().Goals), "prior_bits": s.World().PriorBits(),
		"flights": s.Flights, "policies": s.Policies, "seed": s.Seed}
	if s.OwnGoal {
		all["goal"] = "own"
	}
	return all
}

// leakFound returns the answer of a study of leakage. If the ways have names, what is printed compares
// them at one epsilon.
func leakFound(r *leak.Result, atKm []float64) *answer {
	f := &answer{kicker: "What observers learn about the goal of a flight", facts: facts(r.Study),
		files: leak.NewSheets(r).All()}
	for _, s := range f.files {
		if slices.ContainsFunc(s.Columns, func(c table.Column[table.Row]) bool { return c.Name == "flown_km" }) {
			s = s.Where("flown_km", func(cell any) bool { return slices.Contains(atKm, cell.(float64)) })
		}
		f.answer = append(f.answer, s)
	}
	if base := r.Study.Ways[0].Name; base != "" {
		epsilons, flownKm := report.Epsilons(r), atKm[len(atKm)-1]
		f.screen = hidingScreen(r, slices.DeleteFunc(hidings(r, flownKm), func(h hiding) bool {
			return h.Epsilon != epsilons[(len(epsilons)-1)/2]
		}), base, flownKm)
		f.figure = report.LeakFigure(r, fmt.Sprintf("what other ways of hiding the goal leave the observer %q to learn",
			report.Best(r)))
		return f
	}
	f.screen = leakScreen(r, atKm)
	f.figure = report.LeakFigure(r, strings.TrimSuffix(f.words[0], "."))
	return f
}

// mechanismsFound returns the answer of a study of mechanisms.
func mechanismsFound(r *leak.Result, flownKm float64) *answer {
	f := &answer{kicker: "What hiding the goal leaks and costs", facts: facts(r.Study),
		screen: hidingScreen(r, hidings(r, flownKm), "", flownKm),
		answer: []*table.Sheet{leak.NewMechanismsSheet(r, flownKm)},
		figure: report.MechanismsFigure(r, flownKm)}
	f.facts["flown_km"] = flownKm
	return f
}

// answerName is the file with the whole answer.
const answerName = "leakage.json"

// Write writes the answer, its tables, a figure and a page.
func (l *Leak) Write(folder *record.Folder) error {
	f := l.found
	made := fmt.Sprintf("veilpath %s, seed %d, %s", l.Program.Version, l.settings.Study.Seed, l.Summary())
	files := map[string]func(io.Writer) error{
		campaign.PageName: report.SheetPage(f.kicker, made, l.Words(), f.figure, f.answer).Write,
		answerName:        l.WriteJSON,
	}
	figures := map[string]*report.Figure{}
	if f.figure != nil {
		figures["figure"] = f.figure
	}
	sheets := f.files
	if sheets == nil {
		sheets = f.answer
	}
	for _, s := range sheets {
		files[s.Name+".csv"] = s.WriteCSV
		files[s.Name+".parquet"] = func(w io.Writer) error { return parquet.Write(w, s.Typed(), l.Program.Version, s.Rows) }
	}
	return l.WriteAnswer(folder, l.Asked(), campaign.Results{
		Files: files, Figures: figures, Runs: l.settings.Study.Runs, Flights: l.Flights,
	})
}
