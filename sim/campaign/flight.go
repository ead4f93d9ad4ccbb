package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/flightfile"
	"veilpath/internal/option"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Flight is one flight and its settings.
type Flight struct {
	Settings *configs.Loaded
	Nominal  bool       // the direct flight, without Draw and Sigma
	Draw     study.Draw // identifies the noise
	Sigma    float64    // deviation of the noise
	Run      study.Run  // the result
	Wall     time.Duration

	program    *Program
	experiment *study.Experiment
	flyer      *study.Flyer
}

// Flight flies one run of the settings at their epsilon, or the direct flight.
func (p *Program) Flight(settings *configs.Loaded, run int, nominal bool) (*Flight, error) {
	if run < 0 {
		return nil, RequestErrorf("{run} %d: runs are numbered from 0", run)
	}
	if err := p.StartCommands(settings); err != nil {
		return nil, err
	}
	experiment, err := p.Builder().Experiment(settings.Config)
	if err != nil {
		return nil, err
	}
	return p.fly(experiment, settings, run, nominal)
}

func (p *Program) fly(e *study.Experiment, settings *configs.Loaded, run int, nominal bool) (*Flight, error) {
	start := p.Time()
	flyer, err := e.NewFlyer()
	if err != nil {
		return nil, err
	}
	f := &Flight{Settings: settings, Nominal: nominal, program: p, experiment: e, flyer: flyer}
	if nominal {
		if e.Baselines.DirectBlocked {
			return nil, RequestErrorf("{nominal}: there is no direct flight, because a cell in planner.keep_out is in the " +
				"way; the plan without noise, epsilon none, flies around it")
		}
		f.Run = flyer.FlyDirect()
	} else {
		c := settings.Config
		if f.Sigma, err = e.Sigma(c.Privacy.Epsilon); err != nil {
			return nil, err
		}
		f.Draw = study.Draw{Seed: c.Study.Seed, Run: run, Noise: study.Noise(c.Study.Noise), Epsilon: c.Privacy.Epsilon}
		if f.Run, err = flyer.Fly(f.Draw, f.Sigma); err != nil {
			return nil, err
		}
	}
	f.Wall = p.Time().Sub(start)
	return f, nil
}

// Words returns a sentence on where and why the flight was recognised.
func (f *Flight) Words() string {
	watching := &f.experiment.Adversary
	by := RecognisedAt(f.decimals(), f.Run.DetectionKm) + " by " + phrase.Observer(watching.Observer.Name,
		watching.RadiusKm)
	if f.Nominal {
		return fmt.Sprintf("The %s is %s.", directFlight(f.Settings.Config), by)
	}
	at := "at epsilon " + configs.EpsilonText(f.Draw.Epsilon)
	if f.Draw.Epsilon == study.None() {
		at = "without noise"
	}
	return fmt.Sprintf("Run %d %s is %s%s.", f.Draw.Run, at, by, f.why())
}

// decimals is the number of decimals of the distances of a flight, which has no interval: tenths of a km, or more on
// short ways.
func (f *Flight) decimals() int { return Decimals(f.Settings.Config) - 1 }

// straightDeg is the largest angle off the line of sight at which a flight heads almost straight at the target. In the
// paper's mission flights below and above it are recognised at two distances.
const straightDeg = 15

// why returns why the flight was recognised where it was, or what is known of it, to follow a sentence.
func (f *Flight) why() string {
	r := &f.Run
	left := fmt.Sprintf("left its waypoints %.*f km from the target", f.decimals(), r.HandoverKm)
	early := r.Detected && r.DetectionKm > r.HandoverKm/2
	extrapolates := !slices.Contains(adversary.GoalNames(), f.Settings.Adversary.Observer)
	_, command := configs.CommandOf(f.Settings.Adversary.Observer)
	switch off := r.HeadingErrorDeg; {
	case r.TimedOut:
		return fmt.Sprintf(". The time limit ended it after %.4g s", r.FlightTimeS)
	case r.BeforeHandover:
		return ", while it was still following its waypoints"
	case math.IsNaN(r.HandoverKm):
		return fmt.Sprintf(". It ended before its hand-over, after %.4g s", r.FlightTimeS)
	case r.Fallback:
		return fmt.Sprintf(". It %s, at the limit of %s, and turned to the target", left, table.Count(r.Transitions,
			"transition"))
	case extrapolates && !command && early && off < straightDeg:
		return fmt.Sprintf(", because it %s heading almost straight at the target (%.1f degrees off)", left, off)
	case extrapolates && !command && r.Detected && !early && off >= straightDeg:
		return fmt.Sprintf(", because it %s heading past the target (%.1f degrees off) and had to turn to it", left, off)
	default:
		return fmt.Sprintf(". It %s, flying %.1f degrees off the line of sight", left, off)
	}
}

// Answer returns the flight's settings and results. Its CSV has two rows, so that files of flights can be joined.
func (f *Flight) Answer() *answer.Answer {
	numbers := f.numbers()
	a := &answer.Answer{Words: []string{f.Words()}, Table: f.screenTable(),
		More: []table.Section{{Text: "\n", Table: numbers, Full: true}},
		CSV:  answer.File{Write: numbers.WriteRecord}, JSON: answer.File{Write: numbers.WriteJSON},
		Facts: baselineFacts(f.experiment.Baselines), Workers: 1, Next: answer.Next{Command: []string{"study"}},
		Files: map[string]func(io.Writer) error{
			flightfile.TrajectoryCSVName: func(w io.Writer) error { return flightfile.WriteTrajectory(w, f.steps()) },
			flightfile.TrajectoryParquetName: func(w io.Writer) error {
				return parquet.Write(w, flightfile.TrajectoryColumns(), f.program.Version, f.steps())
			},
		}}
	if !f.Nominal {
		a.Facts.Run = &f.Draw.Run
	}
	return a
}

// steps returns the steps of the flight.
func (f *Flight) steps() []flightfile.TrajectoryRow {
	flown := f.flyer.Detail()
	return flightfile.Trajectory(flown.History, flown.Errors)
}

// screenTable sets the flight beside those that it is compared with: the plan without noise and the straight flight.
// Their durations follow from how much longer this flight takes.
func (f *Flight) screenTable() table.Plain {
	r := &f.Run
	out := table.Plain{Headings: []string{"flight", "recognised km", "flight time s", "value lost"}, Lead: 1}
	add := func(name string, km, seconds, lost float64) {
		recognised := phrase.Fixed(km, f.decimals())
		if km == 0 {
			recognised = "never"
		}
		out.Rows = append(out.Rows, []string{name, recognised, phrase.Fixed(seconds, 1), phrase.Percent(lost)})
	}
	if !f.Nominal {
		add(fmt.Sprintf("run %d", f.Draw.Run), r.DetectionKm, r.FlightTimeS, r.CostOfPrivacy)
	}
	add("without noise", r.PlannedKm, r.FlightTimeS/(1+r.PathOverhead), 0)
	if !math.IsNaN(r.DirectKm) {
		add("straight", r.DirectKm, r.FlightTimeS/(1+r.DirectOverhead), math.NaN())
	}
	return out
}

func (f *Flight) numbers() table.List {
	var l table.List
	l.Add("nominal", f.Nominal, "whether it is the direct flight, straight to the target")
	if !f.Nominal {
		l.Add("epsilon", EpsilonValue(f.Draw.Epsilon), "strength of privacy")
		l.Add("delta", f.experiment.Delta(), "what P(set of releases) may exceed e^epsilon P'(set) by")
		l.Add("sigma", f.Sigma, f.sigmaMeaning())
		l.Add("seed", f.Draw.Seed, "random seed")
		l.Add("run", f.Draw.Run, "number of the run, from 0")
	}
	for _, m := range study.Metrics() {
		l.Add(m.Name, m.Cell(&f.Run), m.Meaning)
	}
	return l
}

// EpsilonValue returns an epsilon for an answer: a number, or the text none.
func EpsilonValue(epsilon float64) any {
	if epsilon == study.None() {
		return configs.None
	}
	return epsilon
}

// sigmaMeaning describes what sigma is the deviation of.
func (f *Flight) sigmaMeaning() string {
	switch {
	case f.experiment.Decoys == nil:
		return "noise on every reward"
	case f.Sigma == 0:
		return "no noise: the goal planned for was drawn"
	}
	return "noise on the coordinates of the goal planned for, cells"
}

// Write writes the steps of the flight and its manifest.
func (f *Flight) Write(folder *pieces.Folder) error {
	return f.program.Write(folder, Question{Verb: "run", Settings: f.Settings}, f.Answer(), f.Wall)
}

// Recorded identifies a flight of a study on disk.
type Recorded struct {
	Folder  string
	Epsilon string   // as typed; optional if the study has one epsilon
	Sets    []string // "key=value" of every swept key
	Run     int
}

// Refly repeats a flight of a study on disk, with the study's settings, and checks that the result equals the
// record exactly.
func (p *Program) Refly(ctx context.Context, r Recorded) (*Flight, error) {
	s, err := p.recordedStudy(ctx, r.Folder)
	var wrong *RequestError
	if errors.As(err, &wrong) {
		return nil, RequestErrorf("{from} %w", err)
	}
	if err != nil {
		return nil, err
	}
	if err := p.check(ctx, r.Folder, s.recorded); err != nil {
		return nil, err
	}
	point, err := pointOf(s.swept.Keys(), r.Sets)
	if err != nil {
		return nil, RequestErrorf("{from} %s: %w", r.Folder, err)
	}
	settings := s.Points[point]
	if err := setEpsilon(settings, r.Epsilon); err != nil {
		return nil, RequestErrorf("{from} %s: %w", r.Folder, err)
	}
	recorded, err := s.find(ctx, point, settings.Privacy.Epsilon, r.Run)
	if err != nil {
		return nil, err
	}
	flight, err := p.fly(s.seen[point].Experiment, settings, r.Run, false)
	if err != nil {
		return nil, err
	}
	if !s.axis().Whole() {
		recorded.Flight = flight.Run.Flight // the table of runs does not have it
	}
	if !flight.Run.Same(recorded) {
		return nil, fmt.Errorf("%s: run %d at epsilon %s differs from its record: %w", r.Folder, r.Run,
			configs.EpsilonText(settings.Privacy.Epsilon), p.blame(s.recorded))
	}
	return flight, nil
}

// blame returns an error with the probable cause of a flight that differs from its record, and what to do.
func (p *Program) blame(recorded record.Manifest) error {
	if other := p.otherProgram(recorded); other != "" {
		return errors.New(other + "; repeat it with that program")
	}
	return option.Errorf("the record was changed, or another build of veilpath %s wrote it; fly the study again into "+
		"another {out}", p.Version)
}

// pointOf returns the index of the point of a sweep that key=value assignments choose.
func pointOf(sweep []record.Swept, sets []string) (int, error) {
	given := map[string]string{}
	for _, s := range sets {
		key, value, _ := strings.Cut(s, "=")
		if !slices.ContainsFunc(sweep, func(s record.Swept) bool { return s.Key == key }) {
			return 0, option.Errorf("{set} %s: the study did not sweep that key, and its settings cannot be changed", s)
		}
		if _, twice := given[key]; twice {
			return 0, option.Errorf("{set} %s is given twice; give one value", key)
		}
		given[key] = value
	}
	point := 0
	for _, s := range sweep {
		text, ok := given[s.Key]
		names := s.Texts()
		if !ok {
			return 0, option.Errorf("it swept %s; choose a point with {set} %s=VALUE, one of %s", s.Key, s.Key,
				strings.Join(names, " "))
		}
		field, _ := configs.Lookup(s.Key)
		value, err := field.Value(text, "set")
		if err != nil {
			return 0, err
		}
		i := slices.Index(names, table.Text(value))
		if i < 0 {
			return 0, option.Errorf("{set} %s=%s: not one of the values swept, %s", s.Key, text, strings.Join(names, " "))
		}
		point = point*len(s.Values) + i
	}
	return point, nil
}

// setEpsilon sets the epsilon, which must be a listed epsilon of the study or in its range. A study with one
// epsilon needs no text.
func setEpsilon(settings *configs.Loaded, text string) error {
	epsilons := settings.Study.Epsilons
	if text == "" {
		if len(epsilons) > 1 {
			return option.Errorf("it has %d epsilons, %s to %s; choose one with {epsilons}", len(epsilons),
				configs.EpsilonText(slices.Min(epsilons)), configs.EpsilonText(slices.Max(epsilons)))
		}
		settings.Privacy.Epsilon = epsilons[0]
		return nil
	}
	field, _ := configs.Lookup("privacy.epsilon")
	value, err := field.Value(text, "epsilons")
	if err != nil {
		return err
	}
	epsilon := value.(float64)
	a, listed := settings.Study.Axis, slices.Contains(epsilons, epsilon)
	switch on := a.Whole() && epsilon >= a.Low && epsilon <= a.High; {
	case listed || on:
	case a.Whole():
		return option.Errorf("{epsilons} %s is not in the study's range %s", text, a)
	default:
		var names []string
		for _, e := range epsilons {
			names = append(names, configs.EpsilonText(e))
		}
		return option.Errorf("{epsilons} %s is not one of the study's epsilons, [%s]", text, strings.Join(names, " "))
	}
	settings.Privacy.Epsilon = epsilon
	return nil
}

// find reads a run of the study.
func (s *Study) find(ctx context.Context, point int, epsilon float64, run int) (study.Run, error) {
	var found *study.Run
	one := study.Study{Axis: s.axis(), Epsilons: []float64{epsilon}}
	recorded := 0 // number of runs of that epsilon at that point, which are numbered without gaps
	err := s.readRecorded(ctx, func(at int, seen [][]study.Run) error {
		if at != point/len(seen) || found != nil {
			return nil
		}
		for _, r := range one.Listed(seen[point%len(seen)], nil) {
			if r.Epsilon != epsilon {
				continue
			}
			if r.Run == run {
				found = &r
				return nil
			}
			recorded++
		}
		return nil
	})
	folder, m := s.folder, s.recorded
	switch {
	case found != nil && ctx.Err() == nil:
		return *found, nil
	// the session was killed before its files were complete
	case !m.Complete && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, record.ErrDamaged)):
		return study.Run{}, &UnfinishedError{Folder: folder,
			What: "the study is unfinished and has no complete " + record.RunsName + " yet"}
	case err != nil && !errors.Is(err, errTooFew): // an interrupted study has fewer
		return study.Run{}, err
	case recorded == 0:
		return study.Run{}, RequestErrorf("%s: no run at epsilon %s is recorded yet", folder, configs.EpsilonText(epsilon))
	}
	return study.Run{}, RequestErrorf("%s: {run} %d is not recorded at epsilon %s; the recorded runs are 0 to %d",
		folder, run,
		configs.EpsilonText(epsilon), recorded-1)
}
