package leaks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
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
	find     func(ctx context.Context, keeper pool.Keeper, done func(n int)) (*finding, error)
	found    *finding // nil before Do
}

// finding is the answer of a Leak.
type finding struct {
	kicker  string // heading above the title of the page
	words   []string
	facts   map[string]any // values in the JSON besides the tables
	answer  []*table.Sheet // tables of the answer
	printed []*table.Sheet // tables that fit a terminal; nil for all
	files   []*table.Sheet // tables in files; nil for the tables of the answer
	figure  *report.Figure
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
	l.find = func(ctx context.Context, keeper pool.Keeper, done func(n int)) (*finding, error) {
		study.Keeper = keeper
		result, err := study.Fly(ctx, done)
		if err != nil {
			return nil, err
		}
		found := leakFound(result, atKm)
		if r.Mechanisms != "" {
			found = mechanismsFound(result, atKm[0])
		}
		found.words = append(found.words, few(r.Flights, "flights")...)
		return found, nil
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

// Words returns the answer as sentences.
func (l *Leak) Words() []string { return l.found.words }

// Sheets returns the tables of the answer. Tables by distance flown have only the requested distances.
func (l *Leak) Sheets() []*table.Sheet { return l.found.answer }

// Sections implements campaign.Answer. Of the tables that fit a terminal only the first is for everybody.
func (l *Leak) Sections(bool) []table.Section {
	sheets := l.found.printed
	if sheets == nil {
		sheets = l.found.answer
	}
	text := ""
	for _, words := range l.found.words {
		text += report.Sentence(words) + ".\n"
	}
	sections := []table.Section{{Text: text + "\n"}}
	for _, s := range sheets {
		switch {
		case len(s.Rows) == 0:
		case sections[0].Table == nil:
			sections[0].Table = s
		default:
			sections = append(sections, table.Section{Text: "\n", Table: s, Full: true})
		}
	}
	return sections
}

// WriteCSV writes the first table.
func (l *Leak) WriteCSV(w io.Writer) error { return l.found.answer[0].WriteCSV(w) }

// WriteJSON writes the whole answer.
func (l *Leak) WriteJSON(w io.Writer) error { return table.WriteJSON(w, l) }

// MarshalJSON writes the whole answer.
func (l *Leak) MarshalJSON() ([]byte, error) {
	answer := maps.Clone(l.found.facts)
	answer["in_words"] = l.found.words
	for _, sheet := range l.found.answer {
		answer[sheet.Name] = sheet
	}
	return json.Marshal(answer)
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

// leakFound returns the answer of a study of leakage.
func leakFound(r *leak.Result, atKm []float64) *finding {
	words, title := report.LeakWords(r, atKm)
	f := &finding{kicker: "What observers learn about the goal of a flight", words: words, facts: facts(r.Study),
		files: leak.NewSheets(r).All()}
	for _, s := range f.files {
		if slices.ContainsFunc(s.Columns, func(c table.Column[table.Row]) bool { return c.Name == "flown_km" }) {
			s = s.Where("flown_km", func(cell any) bool { return slices.Contains(atKm, cell.(float64)) })
		}
		// of several ways of hiding the goal, print only the table of savings and costs
		if f.answer = append(f.answer, s); s.Name == "saved" || f.printed != nil {
			f.printed = append(f.printed, s)
		}
	}
	if f.printed != nil {
		title = fmt.Sprintf("what other ways of hiding the goal leave the observer %s to learn", report.Best(r))
	}
	f.figure = report.LeakFigure(r, title)
	return f
}

// few returns a warning about the intervals of a small number of flights, or of drawn goals.
func few(n int, what string) []string {
	if n >= leak.FewestFlights {
		return nil
	}
	return []string{fmt.Sprintf("%d %s are too few for 95 %% intervals; use at least %d", n, what, leak.FewestFlights)}
}

// mechanismsFound returns the answer of a study of mechanisms.
func mechanismsFound(r *leak.Result, flownKm float64) *finding {
	f := &finding{kicker: "What hiding the goal leaks and costs", facts: facts(r.Study),
		answer: []*table.Sheet{leak.NewMechanismsSheet(r, flownKm)},
		figure: report.MechanismsFigure(r, flownKm)}
	f.facts["flown_km"] = flownKm
	f.words = []string{report.MechanismsWords(r, flownKm)}
	return f
}

// answerName is the file with the whole answer.
const answerName = "leakage.json"

// Write writes the answer, its tables, a figure and a page.
func (l *Leak) Write(folder *pieces.Folder) error {
	f := l.found
	made := fmt.Sprintf("veilpath %s, seed %d, %s", l.Program.Version, l.settings.Study.Seed, l.Summary())
	files := map[string]func(io.Writer) error{
		campaign.PageName: report.SheetPage(f.kicker, made, f.words, f.figure, f.answer).Write,
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
