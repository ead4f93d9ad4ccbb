package campaign

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/sim/study"
)

// mostRuns is the default limit on runs per epsilon with {until}.
const mostRuns = 1_000_000

// resolve returns the study of a request, without its experiments.
func (p *Program) resolve(r Request) (*Study, error) {
	base, err := configs.Load(r.Settings)
	if err != nil {
		return nil, err
	}
	for _, warning := range base.Warnings {
		p.Remarkf("warning: %s", warning)
	}
	if r.UntilKm > 0 && r.Part != (Part{}) {
		return nil, RequestErrorf("{until} and {shard} exclude each other, because the stopping rule needs all flights; " +
			"give {runs} instead of {until}")
	}
	if err := checkSweep(r.Sweep); err != nil {
		return nil, err
	}
	sweep := record.NewSweep(r.Sweep)
	if r.Trajectories < 0 || r.Trajectories > 0 && len(sweep.Settings) > 0 {
		return nil, RequestErrorf("{trajectories} %d: want at least 1, in a study that sweeps no settings; leave {sweep} out",
			r.Trajectories)
	}
	if own := p.Observer.Name; own != "" && len(sweep.Observers) > 0 {
		return nil, RequestErrorf("{observer} %s: the program has its own observer, %s, which replaces all of these; name "+
			"one or none", strings.Join(sweep.Observers, ","), own)
	}
	s := &Study{program: p, untilKm: r.UntilKm, swept: sweep, trajectories: r.Trajectories, part: r.Part,
		parts: r.Part.Of}
	if s.Points, err = loadPoints(base, sweep.Keys()); err != nil {
		return nil, err
	}
	if err := p.CheckAxis(s.Points...); err != nil {
		return nil, err
	}
	p.RemarkErrors(s.Points...)
	if r.UntilKm > 0 && !base.IsSet(RunsKey) {
		for _, point := range s.Points {
			point.Study.Runs = mostRuns
		}
	}
	return s, r.Part.Check(len(s.Points) / sweep.Watching() * s.Points[0].Study.Runs)
}

// CheckAxis returns an error if the user requested a range of epsilon and a point cannot have one. A preset's
// range is removed from all points instead.
func (p *Program) CheckAxis(points ...*configs.Loaded) error {
	for _, point := range points {
		why, fix := p.MoreThanRoutes(point.Config)
		if study.Noise(point.Study.Noise) == study.Independent {
			why, fix = "with study.noise independent a run has other noise at every epsilon", "use study.noise common"
		}
		switch {
		case why == "" || !point.Study.Axis.Whole():
			continue
		case point.IsSet("study.axis"):
			return RequestErrorf("study.axis %s (%s): %s; %s, or list epsilons such as 0.2,1,4", point.Study.Axis,
				point.Origin("study.axis"), why, fix)
		}
		for _, point := range points {
			point.Study.Axis = configs.Axis{}
		}
	}
	return nil
}

// RemarkErrors warns about randomness that intervals do not include: an observer's measurement errors and learned
// policies.
func (p *Program) RemarkErrors(points ...*configs.Loaded) {
	said := map[string]bool{}
	for _, point := range points {
		a := point.Adversary
		m, err := adversary.Find(a.Observer)
		if err != nil || said[m.Name] || p.Observer.Name != "" {
			continue
		}
		said[m.Name] = true
		if what := a.SameForAll(); what != "" {
			p.Remarkf("warning: observer %s %s: intervals do not include this, and means with a seed other than study.seed "+
				"%d may differ by more; fly several seeds to see by how much", m.Name, what, point.Study.Seed)
		}
	}
}

// MoreThanRoutes returns the reason why the route does not determine the flight, and a fix. Both are empty if it
// does.
func (p *Program) MoreThanRoutes(c configs.Config) (why, fix string) {
	name := c.Privacy.Mechanism
	m, _ := planner.FindMechanism(name) // nil for a command, a way to deceive, and one that draws the goal
	switch {
	case p.Mechanism != nil && !c.Privacy.DrawsGoal():
		name, m = p.Mechanism.Name(), p.Mechanism
	case name == configs.OnReward:
		m = planner.Standard()
	}
	switch {
	case m == nil || planner.LinearOf(m) == nil:
		return fmt.Sprintf("mechanism %s is not Gaussian noise on the reward and has no axis of epsilon", name),
			"use privacy.mechanism " + configs.OnReward
	case knowsEpsilon(c.Adversary):
		return fmt.Sprintf("observer %s knows the mechanism at the epsilon of every flight", c.Adversary.Observer),
			"set the epsilon that it assumes with adversary.epsilon"
	}
	return "", ""
}

func isCommand(name string) bool {
	_, is := configs.CommandOf(name)
	return is
}

// knowsEpsilon reports whether the observer's knowledge depends on the epsilon of the flight.
func knowsEpsilon(a configs.Adversary) bool {
	m, err := adversary.Find(a.Observer)
	return err == nil && m.KnowsNoise() && a.Epsilon == 0
}

// loadPoints loads the settings of every point of a sweep.
func loadPoints(base *configs.Loaded, sweep []record.Swept) ([]*configs.Loaded, error) {
	if len(sweep) == 0 {
		return []*configs.Loaded{base}, nil
	}
	n := 1
	for _, s := range sweep {
		n *= len(s.Values)
	}
	load := func(_ context.Context, point int, _ *configs.Loaded) (*configs.Loaded, error) {
		var values []configs.Override
		for k, v := range record.PointValues(sweep, point) {
			values = append(values, configs.Override{Key: sweep[k].Key, Flag: "sweep", Value: table.Text(v)})
		}
		return base.With(values...)
	}
	points := make([]*configs.Loaded, n)
	for loaded, err := range pool.Ordered(context.Background(), base.Study.Workers, pool.Numbers(0, n),
		func() pool.Work[int, *configs.Loaded] { return load }) {
		if err != nil {
			return nil, err
		}
		points[loaded.Piece] = loaded.Value
	}
	return points, nil
}

// RunsKey is the key of the runs per epsilon, which are a limit with {until}.
const RunsKey = "study.runs"

// recorded returns the study in a folder from its manifest, without its experiments. Only the workers, which do not
// change results, come from the given settings.
func (p *Program) recorded(folder string, m record.Manifest, given configs.Request) (*Study, error) {
	request := RecordedRequest(folder, m)
	request.Environ, request.Sets = only(given.Environ, "VEILPATH_STUDY_WORKERS"), only(given.Sets, workersKey)
	request.Overrides = slices.DeleteFunc(slices.Clone(given.Overrides),
		func(o configs.Override) bool { return o.Key != workersKey })
	base, err := configs.Load(request)
	if err != nil {
		return nil, err
	}
	if err := checkSweep(m.Sweep.Keys()); err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	s := &Study{program: p, untilKm: m.UntilKm, swept: m.Sweep, trajectories: m.Trajectories}
	s.Points, err = loadPoints(base, m.Sweep.Keys())
	return s, err
}

// describe starts the commands of the study and sets its manifest.
func (s *Study) describe() error {
	if err := s.program.StartCommands(s.Points...); err != nil {
		return err
	}
	var lines []string
	for _, point := range s.Points {
		lines = append(lines, point.Commands()...)
	}
	var err error
	s.manifest, err = s.program.Manifest("study", s.Points[0])
	m := &s.manifest
	m.Commands, m.Programs = s.program.CommandsOf(lines), s.program.programsOf(lines)
	m.Sweep, m.UntilKm, m.Trajectories, m.Complete = s.swept, s.untilKm, s.trajectories, false
	return err
}

// batchesEach is the least number of batches of a part of a study with enough runs.
const batchesEach = 4

// watched returns the settings of a point of the sweep, and the settings with its other observers.
func (s *Study) watched(point int) (first configs.Config, others []configs.Config) {
	watching := s.swept.Watching()
	own := s.Points[point*watching : (point+1)*watching]
	for _, settings := range own[1:] {
		others = append(others, settings.Config)
	}
	return own[0].Config, others
}

// experiments builds the experiments of the points, on all workers.
func (s *Study) experiments(ctx context.Context) (*study.Sweep, error) {
	sweep := &study.Sweep{Workers: s.Points[0].Study.Workers}
	if len(s.program.commands.Started()) > 0 {
		sweep.RunsAtOnce = 1 // so that a command that dies loses no run before its own
	}
	points := len(s.Points) / s.swept.Watching()
	if s.parts > 0 { // enough batches for every part of a small study
		each := max(1, points*s.Points[0].Study.Runs/(batchesEach*s.parts))
		sweep.RunsAtOnce = min(each, cmp.Or(sweep.RunsAtOnce, each))
	}
	builder := s.program.Builder()
	build := func(_ context.Context, point int, _ *study.Experiment) (*study.Experiment, error) {
		first, others := s.watched(point)
		e, err := builder.Experiment(first, others...)
		if err != nil && points > 1 {
			err = fmt.Errorf("point %d of the sweep: %w", point+1, err)
		}
		return e, err
	}
	for built, err := range pool.Ordered(ctx, sweep.Workers, pool.Numbers(0, points),
		func() pool.Work[int, *study.Experiment] { return build }) {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted before the first flight was finished: %w", ctx.Err())
		}
		if err != nil {
			return nil, err
		}
		settings, _ := s.watched(built.Piece)
		sweep.Points = append(sweep.Points, setup.Study(settings, built.Value))
		if points > 1 {
			s.program.Progress(Points, len(sweep.Points), points)
		}
	}
	return sweep, nil
}

// seenOf returns a study for each observer of each point of a sweep.
func seenOf(sweep *study.Sweep) (all []study.Study) {
	for i := range sweep.Points {
		for k := range sweep.Points[i].Experiment.Observers() {
			all = append(all, sweep.Points[i].SeenBy(k))
		}
	}
	return all
}
