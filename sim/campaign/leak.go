package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/sim/leak"
	"veilpath/sim/record"
	"veilpath/sim/record/parquet"
	"veilpath/sim/report"
	"veilpath/sim/setup"
)

// LeakRequest asks what observers learn about the goal, with lists written as on a command line.
type LeakRequest struct {
	Settings   *configs.Loaded
	Observers  string   // of the goal, a list of names
	Epsilons   string   // of which none means no noise
	Against    []string // other ways of hiding, "key=value" or several with " and " between them
	Mechanisms string   // NAME:EPSILON, a list, in place of epsilons and other ways; empty for those
	Flights    int
	At, Radii  string // distances, km
	OwnGoal    bool   // all flights have the mission's own goal
}

// Leak is the work of finding out what observers learn about the goal.
type Leak struct {
	Study  *leak.Study
	Result *leak.Result // nil before Fly
	AtKm   []float64    // distances flown that the answer is about
	Wall   time.Duration

	program    *Program
	settings   *configs.Loaded
	mechanisms bool // the ways are named after their mechanisms
}

// NewLeak solves the missions of all possible goals in every way. Nothing is flown yet.
func (p *Program) NewLeak(ctx context.Context, r LeakRequest) (*Leak, error) {
	l := &Leak{program: p, settings: r.Settings, mechanisms: r.Mechanisms != ""}
	c := &r.Settings.Config
	l.Study = &leak.Study{Flights: r.Flights, OwnGoal: r.OwnGoal, InARow: c.Adversary.ConsecutiveSteps, Policies: c.Adversary.Policies, Seed: c.Study.Seed, Workers: c.Study.Workers}
	var err error
	if l.Study.Observers, err = ParseGoalObservers(r.Observers); err != nil {
		return nil, mistake("--observers: %w", err)
	}
	if l.AtKm, err = ParseKilometres(r.At); err != nil {
		return nil, mistake("--at: %w", err)
	}
	if l.Study.RadiiKm, err = ParseKilometres(r.Radii); err != nil {
		return nil, mistake("--radii: %w", err)
	}
	if l.Study.FlownKm = l.AtKm; !l.mechanisms {
		l.Study.FlownKm = curveKm(l.AtKm)
	} else if len(l.AtKm) != 1 {
		return nil, mistake("--at %s: want one distance", r.At)
	}
	if l.mechanisms {
		l.Study.Ways, err = mechanismWays(ctx, r.Settings, r.Mechanisms)
	} else {
		l.Study.Ways, err = epsilonWays(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	c.Study.Axis, c.Study.Runs, c.Study.Epsilons = configs.Axis{}, r.Flights, nil
	for _, w := range l.Study.Ways {
		if !math.IsInf(w.Epsilon, 1) && !slices.Contains(c.Study.Epsilons, w.Epsilon) {
			c.Study.Epsilons = append(c.Study.Epsilons, w.Epsilon)
		}
	}
	if err := l.Study.Check(); err != nil {
		return nil, mistake("%w", err)
	}
	return l, nil
}

// Countermeasures are other ways of hiding that save bits: moves of which no one tells the quadrant, no direction at the
// start, no one hand-over distance, and all three.
func Countermeasures() []string {
	each := []string{"planner.moves=8", "vehicle.heading=random", "privacy.handover_spread_km=40"}
	return append(each, strings.Join(each, " and "))
}

// curveKm returns the distances flown asked for and, for the curve, every 5 km.
func curveKm(atKm []float64) []float64 {
	const step, end = 5, 200
	all := slices.Clone(atKm)
	for km := 0.0; km <= max(end, slices.Max(atKm)); km += step {
		all = append(all, km)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// epsilonWays are the settings at every epsilon, and every other way at them too.
func epsilonWays(ctx context.Context, r LeakRequest) ([]leak.Way, error) {
	epsilons, err := ParseEpsilonsOrNone(r.Epsilons)
	if err != nil {
		return nil, mistake("--epsilons: %w", err)
	}
	base, err := setup.Way(ctx, r.Settings.Config)
	if err != nil {
		return nil, err
	}
	kinds := []leak.Way{base}
	for _, text := range r.Against {
		kinds[0].Name = "as set"
		var overrides []configs.Override
		for assignment := range strings.SplitSeq(text, " and ") {
			key, value, assigned := strings.Cut(strings.TrimSpace(assignment), "=")
			if !assigned {
				return nil, mistake("--against %s: want key=value, or several with \" and \" between them", text)
			}
			overrides = append(overrides, configs.Override{Key: key, Flag: "--against", Value: value})
		}
		loaded, err := r.Settings.With(overrides...)
		if err != nil {
			return nil, err
		}
		way, err := setup.Way(ctx, loaded.Config)
		if err != nil {
			return nil, err
		}
		way.Name = wayName(overrides)
		kinds = append(kinds, way)
	}
	var ways []leak.Way
	for _, epsilon := range epsilons {
		for _, way := range kinds {
			way.Epsilon = epsilon
			ways = append(ways, way)
		}
	}
	return ways, nil
}

// wayName names a way by what is other than set.
func wayName(overrides []configs.Override) string {
	var names []string
	for _, o := range overrides {
		key := o.Key[strings.LastIndex(o.Key, ".")+1:]
		names = append(names, fmt.Sprintf("%s=%v", key, o.Value))
	}
	return strings.Join(names, " ")
}

// mechanismWays reads NAME:EPSILON, a list.
func mechanismWays(ctx context.Context, settings *configs.Loaded, list string) ([]leak.Way, error) {
	field, _ := configs.Lookup("privacy.mechanism")
	known := map[string]leak.Way{}
	var ways []leak.Way
	for item := range strings.SplitSeq(list, ",") {
		name, text, _ := strings.Cut(strings.TrimSpace(item), ":")
		if !slices.Contains(field.Choices(), name) {
			return nil, mistake("--mechanisms: no mechanism is called %q; %s", name, nearestOf(name, field.Choices()))
		}
		epsilons, err := ParseEpsilonsOrNone(text)
		if err != nil || len(epsilons) != 1 {
			return nil, mistake("--mechanisms: %q: want NAME:EPSILON with a number from 1e-9 to 1e9, as in goal:0.5", item)
		}
		way, made := known[name]
		if !made {
			loaded, err := settings.With(configs.Override{Key: "privacy.mechanism", Flag: "--mechanisms", Value: name})
			if err != nil {
				return nil, err
			}
			if way, err = setup.Way(ctx, loaded.Config); err != nil {
				return nil, err
			}
			known[name] = way
		}
		way.Name, way.Epsilon = name, epsilons[0]
		if slices.ContainsFunc(ways, func(other leak.Way) bool { return other.Name == way.Name && other.Epsilon == way.Epsilon }) {
			return nil, mistake("--mechanisms: %s is there twice; leave one out", item)
		}
		ways = append(ways, way)
	}
	return ways, nil
}

// nearestOf asks for the name that may be meant, or lists those that there are.
func nearestOf(name string, names []string) string {
	if near := configs.NearestOf(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(names, ", ")
}

// ParseGoalObservers reads names of observers of the goal.
func ParseGoalObservers(list string) ([]adversary.GoalModel, error) {
	var models []adversary.GoalModel
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		m, err := adversary.FindGoalModel(name)
		if err != nil {
			hint := nearestOf(name, adversary.GoalNames())
			if slices.Contains(adversary.Names(), name) {
				hint = "it foresees where flights end, and veilpath study --observer " + name + " tells how well; here there are " + strings.Join(adversary.GoalNames(), ", ")
			}
			return nil, fmt.Errorf("no observer of the goal is called %q; %s", name, hint)
		}
		if slices.ContainsFunc(models, func(other adversary.GoalModel) bool { return other.Name == name }) {
			return nil, fmt.Errorf("%s is there twice; leave one out", name)
		}
		models = append(models, m)
	}
	return models, nil
}

// ParseEpsilonsOrNone reads epsilons, start:stop:step or a list, of which none means no noise.
func ParseEpsilonsOrNone(list string) ([]float64, error) {
	items := strings.Split(list, ",")
	numbers := slices.DeleteFunc(slices.Clone(items), func(item string) bool { return strings.TrimSpace(item) == "none" })
	var epsilons []float64
	if len(numbers) > 0 {
		var err error
		if epsilons, err = configs.ParseRange(strings.Join(numbers, ",")); err != nil {
			return nil, err
		}
	}
	for _, e := range epsilons {
		if !(e >= 1e-9 && e <= 1e9) {
			return nil, fmt.Errorf("%v is out of range; want numbers from 1e-9 to 1e9, or none for no noise", e)
		}
	}
	if len(numbers) < len(items) {
		epsilons = append(epsilons, leak.Unprivate)
	}
	return epsilons, nil
}

// ParseKilometres reads distances, each 0 or more, with or without the unit: a list, or start:stop:step.
func ParseKilometres(list string) ([]float64, error) {
	values, err := configs.ParseRange(strings.ReplaceAll(list, "km", ""))
	if err != nil {
		return nil, err
	}
	const most = 1e6
	for _, v := range values {
		if !(v >= 0 && v <= most) {
			return nil, fmt.Errorf("%v km is out of range; want 0 to %g km", v, most)
		}
	}
	return values, nil
}

// Fly makes private policies and flights.
func (l *Leak) Fly(ctx context.Context) error {
	start := l.program.now()
	done, total := 0, l.Study.Work()
	result, err := l.Study.Fly(ctx, func(n int) {
		done += n
		l.program.progress(Plans, done, total)
	})
	l.Result, l.Wall = result, l.program.now().Sub(start)
	return err
}

// Flights returns how many flights there are in all.
func (l *Leak) Flights() int { return l.Study.Flights * len(l.Study.Ways) }

// Words is the answer in sentences.
func (l *Leak) Words() []string { return report.LeakWords(l.Result, l.AtKm) }

// Sheets are the tables of the answer: where something is told by distance flown, after those that were asked for.
func (l *Leak) Sheets() []*record.Sheet {
	if l.mechanisms {
		return []*record.Sheet{record.NewMechanismsSheet(l.Result, l.AtKm[0])}
	}
	sheets := record.NewLeakSheets(l.Result).All()
	for i, s := range sheets {
		if slices.ContainsFunc(s.Columns, func(c record.SheetColumn) bool { return c.Name == "flown_km" }) {
			sheets[i] = s.Where("flown_km", func(cell any) bool { return slices.Contains(l.AtKm, cell.(float64)) })
		}
	}
	return sheets
}

// Printed are the sheets that fit a terminal: where there are several ways, what they save and cost.
func (l *Leak) Printed() []*record.Sheet {
	sheets := l.Sheets()
	if saved := slices.IndexFunc(sheets, func(s *record.Sheet) bool { return s.Name == "saved" }); saved >= 0 {
		return sheets[saved:]
	}
	return sheets
}

// MarshalJSON writes all of the answer.
func (l *Leak) MarshalJSON() ([]byte, error) {
	s := l.Study
	answer := map[string]any{"goal": "prior", "goals": len(s.World().Goals), "prior_bits": l.Result.PriorBits(), "flights": s.Flights, "policies": s.Policies,
		"seed": s.Seed, "in_words": l.Words()}
	if s.OwnGoal {
		answer["goal"] = "own"
	}
	if l.mechanisms {
		answer["flown_km"] = l.AtKm[0]
	}
	for _, sheet := range l.Sheets() {
		answer[sheet.Name] = sheet
	}
	return json.Marshal(answer)
}

// figure draws the answer.
func (l *Leak) figure() *report.Figure {
	if l.mechanisms {
		return report.MechanismsFigure(l.Result, l.AtKm[0])
	}
	words := l.Words()
	return report.LeakFigure(l.Result, words[len(words)/2])
}

// Names of the files that all of the answer is in.
const (
	LeakAnswerName = "leakage.json"
	LeakPageName   = "leakage.html"
)

// LeakFiles are the names of the files that Write writes, beside the figure.
func LeakFiles() []string {
	names := []string{LeakAnswerName, LeakPageName}
	for _, table := range []string{"leakage", "learned_from", "recognition", "routes", "saved", "outcomes", "mechanisms"} {
		names = append(names, table+".csv", table+".parquet")
	}
	return names
}

// Write writes the answer, its tables with all distances flown, a figure and a page.
func (l *Leak) Write(folder *record.Folder) error {
	figure := l.figure()
	page := report.SheetPage("What observers learn about the goal of a flight", fmt.Sprintf("veilpath %s, seed %s, %s of each, %d possible goals",
		l.program.Version, strconv.FormatUint(l.Study.Seed, 10), count(l.Study.Flights, "flight"), len(l.Study.World().Goals)), l.Words(), figure, l.Sheets())
	files := map[string]func(io.Writer) error{
		LeakPageName: page.Write, "figure.png": figure.WritePNG, "figure.svg": figure.WriteSVG,
		LeakAnswerName: func(w io.Writer) error {
			encoder := json.NewEncoder(w)
			encoder.SetIndent("", "  ")
			return encoder.Encode(l)
		},
	}
	sheets := l.Sheets()
	if !l.mechanisms {
		sheets = record.NewLeakSheets(l.Result).All()
	}
	for _, s := range sheets {
		files[s.Name+".csv"] = s.WriteCSV
		files[s.Name+".parquet"] = func(w io.Writer) error { return parquet.WriteSheet(w, s, l.program.Version) }
	}
	return l.program.Write(folder, Results{Verb: "leak", Settings: l.settings, Files: files, Runs: l.Study.Flights, Flights: l.Flights(),
		Wall: l.Wall, Workers: cmp.Or(l.Study.Workers, Workers(0))})
}
