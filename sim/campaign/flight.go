package campaign

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/flightfile"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
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
	start := p.Time()
	flyer, err := experiment.NewFlyer()
	if err != nil {
		return nil, err
	}
	f := &Flight{Settings: settings, Nominal: nominal, program: p, experiment: experiment, flyer: flyer}
	if nominal {
		if experiment.Baselines.DirectBlocked {
			return nil, RequestErrorf("{nominal}: there is no direct flight, because a cell in planner.keep_out is in the " +
				"way; the plan without noise, epsilon none, flies around it")
		}
		f.Run = flyer.FlyDirect()
	} else {
		c := settings.Config
		if f.Sigma, err = experiment.Sigma(c.Privacy.Epsilon); err != nil {
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
	by := recognised(f.Run.DetectionKm, math.NaN(), math.NaN(), f.decimals()) + " by " +
		phrase.Observer(f.experiment.Adversary.Observer.Name, f.experiment.RadiusKm())
	if f.Nominal {
		return fmt.Sprintf("The direct flight is %s.", by)
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
	if drawn := f.drawn(); drawn != "" {
		a.Notes = append(a.Notes, drawn)
	}
	return a
}

// drawn names the settings that the run draws, with their values; empty if none varies.
func (f *Flight) drawn() string {
	var texts []string
	for _, v := range f.experiment.Varied {
		if x, err := v.Draw(f.Draw.Seed, f.Draw.Run); err == nil && !f.Nominal {
			texts = append(texts, fmt.Sprintf("%s = %.4g", v.Key, x))
		}
	}
	if texts == nil {
		return ""
	}
	return "The run draws " + strings.Join(texts, ", ") + "."
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
