package campaign

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/sim/leak"
)

// Leak asks what observers learn about the goal, a [Asker].
type Leak struct{ question Question }

// Question implements Asker.
func (l *Leak) Question() Question { return l.question }

// found is what was found: the words, tables, notes and figure of an answer, and the title and tables of its page.
type found struct {
	answer.Answer
	json  map[string]any // the answer as JSON besides its words and tables
	files []*table.Sheet // tables in files; nil for those of the page
}

// finder finds an answer. It calls done with the number of flights or private policies that were completed.
type finder func(ctx context.Context, kept *pieces.Work, done func(n int)) (*found, error)

// NewLeak prepares a study of leakage: it solves the missions of all possible goals with every way of hiding the
// goal. It flies nothing. A request with Counts is for several flights to one goal.
func NewLeak(ctx context.Context, p *Program, r LeakRequest) (*Leak, error) {
	if r.Counts != "" {
		return newReleases(ctx, p, r)
	}
	r = r.fitted()
	for _, v := range r.Settings.Vary {
		if strings.HasPrefix(v.Key, "adversary.") {
			p.Remarkf("warning: %s varies, which leak does not read", v.Key)
		}
	}
	study, atKm, err := newStudy(ctx, p, r)
	if err != nil {
		return nil, err
	}
	p.RemarkBeyond(slices.Max(atKm), "so many flights have ended by then", r.Settings.Config)
	if err := study.Check(); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	find := func(ctx context.Context, kept *pieces.Work, done func(n int)) (*found, error) {
		study.Kept = kept
		result, err := study.Fly(ctx, done)
		switch {
		case err != nil:
			return nil, err
		case r.Mechanisms != "":
			return mechanismsFound(result, atKm[0]), nil
		}
		return leakFound(result, atKm), nil
	}
	return ofStudy(p, r, study, 1, study.Work(), find), nil
}

// newStudy parses a request. atKm are the distances flown at which the answer reports beliefs.
func newStudy(ctx context.Context, p *Program, r LeakRequest) (s *leak.Study, atKm []float64, err error) {
	c := &r.Settings.Config
	s = &leak.Study{Flights: r.Flights, OwnGoal: r.OwnGoal, InARow: c.Adversary.ConsecutiveSteps,
		Policies: c.Adversary.Policies, Training: c.Adversary.Training, Seed: c.Study.Seed, Workers: c.Study.Workers}
	if s.Observers, err = p.GoalModels(r.Observers, c.Exec.Timeout()); err != nil {
		return nil, nil, RequestErrorf("{observers}: %w", err)
	}
	if atKm, err = ParseKilometres(r.At); err != nil {
		return nil, nil, RequestErrorf("{at}: %w", err)
	}
	if s.RadiiKm, err = ParseKilometres(r.Radii); err != nil {
		return nil, nil, RequestErrorf("{radii}: %w", err)
	}
	if r.Mechanisms == "" {
		s.FlownKm = curveKm(atKm, c.DirectKm())
		s.Ways, err = epsilonWays(ctx, p.Builder(), r)
		return s, atKm, err
	}
	if len(atKm) != 1 {
		return nil, nil, RequestErrorf("{at} %s: want one distance", r.At)
	}
	s.FlownKm = atKm
	s.Ways, err = mechanismWays(ctx, p.Builder(), r.Settings, r.Mechanisms)
	return s, atKm, err
}

// ofStudy returns the question of a study in which every flight is one of several to the same goal. work is the number
// of flights and private policies. The epsilons of the settings become those of the study. All columns of the tables
// are for those who ask for everything.
func ofStudy(p *Program, r LeakRequest, s *leak.Study, several, work int, find finder) *Leak {
	c := &r.Settings.Config
	c.Study.Axis, c.Study.Runs, c.Study.Epsilons = configs.Axis{}, r.Flights, nil
	for _, w := range s.Ways {
		if !math.IsInf(w.Epsilon, 1) && !slices.Contains(c.Study.Epsilons, w.Epsilon) {
			c.Study.Epsilons = append(c.Study.Epsilons, w.Epsilon)
		}
	}
	names := SplitNames(r.Observers)
	for _, item := range SplitNames(r.Mechanisms) {
		name, _ := cutEpsilon(item)
		names = append(names, name)
	}
	p.RemarkCommands()
	flights := several * s.Flights * len(s.Ways)
	effort := fmt.Sprintf("%s to %s", table.Count(flights, "flight"), table.Count(len(s.World().Goals), "possible goal"))
	solve := func(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
		f, err := find(ctx, kept, p.Counter(Plans, work))
		if err != nil {
			return nil, err
		}
		a := &f.Answer
		a.Effort, a.Facts = effort, record.Facts{Runs: r.Settings.Study.Runs, Flights: flights}
		a.Page.Made = fmt.Sprintf("veilpath %s, seed %d, %s", p.Version, r.Settings.Study.Seed, effort)
		a.Next.Files = []answer.Named{{Text: "page", File: PageName}}
		if f.files == nil {
			f.files = a.Page.Sheets
		}
		a.CSV = answer.File{Name: f.files[0].Name + ".csv", Write: f.files[0].WriteCSV}
		a.Files = map[string]func(io.Writer) error{}
		for _, s := range f.files {
			a.Files[s.Name+".csv"] = s.WriteCSV
			a.Files[s.Name+".parquet"] = func(w io.Writer) error { return parquet.Write(w, s.Typed(), p.Version, s.Rows) }
		}
		f.json["in_words"] = slices.Concat(a.Words, a.Notes)
		for _, s := range a.Page.Sheets {
			f.json[s.Name] = s
			if len(s.Rows) > 0 {
				a.More = append(a.More, table.Section{Text: "\n", Table: s, Full: true})
			}
		}
		a.JSON = answer.File{Name: "leakage.json", Write: func(w io.Writer) error { return table.WriteJSON(w, f.json) }}
		return a, nil
	}
	return &Leak{Question{Verb: "leak", Settings: r.Settings, Request: r, Commands: CommandsIn(names...), Solve: solve}}
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

// leakFound returns the answer of a study of leakage, whose tables by distance flown have the requested distances on
// the page. If the ways have names, what is printed compares them at one epsilon.
func leakFound(r *leak.Result, atKm []float64) *found {
	base, flownKm := r.Study.Ways[0].Name, atKm[len(atKm)-1]
	var f *found
	var title string
	if base == "" {
		f = leakScreen(r, atKm)
		title = strings.TrimSuffix(f.Words[0], ".")
	} else {
		epsilons := figure.Epsilons(r)
		f = hidingScreen(r, slices.DeleteFunc(hidings(r, flownKm), func(h hiding) bool {
			return h.Epsilon != epsilons[(len(epsilons)-1)/2]
		}), base, flownKm)
		title = fmt.Sprintf("what other ways of hiding the goal leave the observer %q to learn", figure.Best(r))
	}
	f.json, f.files, f.Figures = facts(r.Study), r.Sheets(), onlyFigure(figure.LeakFigure(r, title))
	f.Page.Kicker = "What observers learn about the goal of a flight"
	f.Next.Command = []string{"leak", "{countermeasures}"}
	for _, s := range f.files {
		if slices.ContainsFunc(s.Columns, func(c table.Column[table.Row]) bool { return c.Name == "flown_km" }) {
			s = s.Where("flown_km", func(cell any) bool { return slices.Contains(atKm, cell.(float64)) })
		}
		f.Page.Sheets = append(f.Page.Sheets, s)
	}
	return f
}

// mechanismsFound returns the answer of a study of mechanisms.
func mechanismsFound(r *leak.Result, flownKm float64) *found {
	f := hidingScreen(r, hidings(r, flownKm), "", flownKm)
	f.json, f.Figures = facts(r.Study), onlyFigure(figure.MechanismsFigure(r, flownKm))
	f.json["flown_km"] = flownKm
	f.Page = answer.Page{Kicker: "What hiding the goal leaks and costs",
		Sheets: []*table.Sheet{leak.NewMechanismsSheet(r, flownKm)}}
	return f
}

// onlyFigure returns the only figure of an answer.
func onlyFigure(f *figure.Figure) map[string]*figure.Figure {
	return map[string]*figure.Figure{"figure": f}
}
