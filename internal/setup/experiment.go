package setup

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/exec"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/mdp"
	"veilpath/sim"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// Experiment builds the closed loop of the settings and flies its nominal flight. For a problem other than the
// waypoints, which has no flight, the error is a *[configs.Error].
func Experiment(c configs.Config) (*study.Experiment, error) { return new(Builder).Experiment(c) }

// Builder builds experiments. It solves a mission that several of them share only once. The zero value is ready to
// use, and safe for concurrent use.
type Builder struct {
	// Mechanism makes the plans private, both those of the flights and those that observers compute; nil means
	// planner.Standard. Set it before the first experiment is built. With a mechanism that draws the goal, plans are
	// for the drawn goal and Mechanism is not used.
	Mechanism planner.Mechanism
	// Observer replaces the observer of the settings if it has a Name.
	Observer adversary.Model

	// Commands runs the commands that settings name; where it is nil such settings are refused.
	Commands *exec.Commands

	missions sync.Map  // func() (*planner.Mission, error) by the text of all that determines the mission
	flyers   sync.Pool // *study.Flyer, for their buffers

	ways       sync.Map // *sharedWay by the YAML of the settings that determine it
	inferences leak.Inferences
}

// mission returns the solved mission of a scenario.
func (b *Builder) mission(spec planner.Spec, s *sim.Scenario) (*planner.Mission, error) {
	solve := sync.OnceValues(func() (*planner.Mission, error) { return planner.NewMission(spec, s.Start, s.Target) })
	key := spec
	key.Rewards = nil // they are many, so the key contains their hash
	hash := sha256.New()
	if err := binary.Write(hash, binary.LittleEndian, spec.Rewards); err != nil {
		return nil, err
	}
	// a Spec holds only values, so %#v identifies it
	known, _ := b.missions.LoadOrStore(fmt.Sprintf("%#v %x %#v %#v", key, hash.Sum(nil), s.Start, s.Target), solve)
	return known.(func() (*planner.Mission, error))()
}

// checkedRuns is the number of runs whose varying settings are checked before the first flight, so that a study fails
// at once. The viewer flies no more than these.
const checkedRuns = 10_000

// Experiment is [Experiment] with the builder's missions. The settings in others may differ from c only in the
// observer; their observers watch the same flights.
func (b *Builder) Experiment(c configs.Config, others ...configs.Config) (*study.Experiment, error) {
	if err := flies(c); err != nil {
		return nil, err
	}
	s := c.Scenario()
	for _, v := range c.Vary {
		for run := range checkedRuns {
			if _, err := v.Draw(c.Study.Seed, run); err != nil {
				return nil, &configs.Error{Key: "vary", Problem: strings.TrimPrefix(err.Error(), "vary: "),
					Fix: "use a distribution with ends, such as uniform or triangular"}
			}
		}
	}
	mission, err := b.mission(c.Mission(), &s)
	if err != nil {
		return nil, unsolved(c, err)
	}
	if err := arrives(c, mission); err != nil {
		return nil, err
	}
	for _, goal := range mission.Grid.Others {
		at := mission.Grid.Position(goal)
		s.Others = append(s.Others, r3.Vec{X: at.X, Y: at.Y, Z: s.Target.Z})
	}
	watching, world, err := b.observer(c)
	if err != nil {
		return nil, err
	}
	mechanism, err := b.mechanism(c)
	if err != nil {
		return nil, err
	}
	options := study.Options{Guarantee: c.Guarantee(), Mechanism: mechanism, Varied: c.Vary, Adversary: watching,
		Bogus: bogus(c)}
	if world != nil {
		options.Decoys = world.Decoys()
	}
	for _, other := range others {
		watching, _, err := b.observer(other)
		if err != nil {
			return nil, err
		}
		options.Others = append(options.Others, watching)
	}
	flyer, ok := b.flyers.Get().(*study.Flyer)
	if !ok {
		flyer = new(study.Flyer)
	}
	defer b.flyers.Put(flyer)
	e, err := flyer.New(s, mission, options)
	if err != nil {
		return nil, fmt.Errorf("setup: building the experiment: %w", err)
	}
	return e, nil
}

// mechanism returns what makes plans under some settings: the builder's own, or a mechanism, command or way that they
// name; nil for the standard one.
func (b *Builder) mechanism(c configs.Config) (planner.Mechanism, error) {
	line, command := configs.CommandOf(c.Privacy.Mechanism)
	switch name := c.Privacy.Mechanism; {
	case b.Mechanism != nil || name == configs.OnReward || c.Privacy.DrawsGoal():
		return b.Mechanism, nil
	case command:
		m, err := b.Commands.Mechanism(line, c.Exec.Timeout())
		if err != nil {
			return nil, fmt.Errorf("privacy.mechanism: %w", err)
		}
		return m, nil
	case c.Privacy.Deceives():
		return deception.New(name, deception.Settings{Temperature: c.Deception.Temperature, Bogus: bogus(c),
			ObserverTemperature: c.Deception.ObserverTemperature, Detour: c.Deception.Detour})
	default:
		return planner.FindMechanism(name)
	}
}

// bogus returns the goals that are feigned.
func bogus(c configs.Config) deception.Bogus {
	b := deception.Bogus{Distance: c.Deception.BogusDistance}
	for _, cell := range c.Deception.Bogus {
		b.Cells = append(b.Cells, planner.Cell{Column: cell[0], Row: cell[1]})
	}
	return b
}

// Unsolved returns the experiment of settings without solving its mission; see study.Unsolved.
func Unsolved(c configs.Config, others ...configs.Config) (*study.Experiment, error) {
	s, mission := c.Scenario(), c.Mission()
	grid, err := mission.Grid(s.Start, s.Target)
	if err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	var watching []study.Adversary
	for _, one := range append([]configs.Config{c}, others...) {
		named := new(Builder)
		if _, is := configs.CommandOf(one.Adversary.Observer); is {
			named.Observer = adversary.Model{Name: one.Adversary.Observer} // which watches nothing here
		}
		a, err := named.adversary(one)
		if err != nil {
			return nil, err
		}
		watching = append(watching, a)
	}
	return study.Unsolved(s, c.Vary, grid, watching[0], watching[1:]...), nil
}

// Map draws the grid of the settings in characters, north above. The error is that of [Experiment] for a start or a
// goal that is cut off.
func Map(c configs.Config) (string, error) {
	s, mission := c.Scenario(), c.Mission()
	grid, err := mission.Grid(s.Start, s.Target)
	if err != nil {
		return "", unsolved(c, err)
	}
	return grid.Picture(func(int) byte { return '.' }) + "S start, G goal, # keep-out cell; north is up\n", nil
}

// unsolved returns the error for a mission that cannot be solved: the key to change, and how.
func unsolved(c configs.Config, err error) error {
	var cut *planner.CutOffError
	var rounded *mdp.ToleranceError
	p := c.Planner
	switch {
	case errors.As(err, &cut) && cut.Inside():
		return &configs.Error{Key: "planner.keep_out", Problem: cut.Error(), Allowed: "areas without the start and the goals",
			Fix: "make the area smaller, or move what lies in it", Picture: cut.Picture()}
	case errors.As(err, &cut):
		return &configs.Error{Key: "planner.keep_out", Problem: cut.Error(), Allowed: "areas that leave a way to every goal",
			Fix: "open one of the cells between", Picture: cut.Picture()}
	case errors.As(err, &rounded):
		return &configs.Error{Key: "planner.tolerance", Value: fmt.Sprint(p.Tolerance),
			Problem: fmt.Sprintf("on a grid of %d x %d waypoints with these rewards and this discount, rounding allows the "+
				"values to be certified to %.2g and no better", p.Columns, p.Rows, rounded.Bound),
			Fix: "reduce planner.discount"}
	}
	return fmt.Errorf("setup: building the mission: %w", err)
}

// arrives returns an error if even the plan without privacy never reaches the hand-over, with this map or these
// rewards.
func arrives(c configs.Config, m *planner.Mission) error {
	p := c.Planner
	if len(p.KeepOut) == 0 && len(p.Rewards.Values) == 0 {
		return nil
	}
	waits, arrives := m.Arrives(c.Privacy.HandoverKm)
	if arrives {
		return nil
	}
	at := m.Grid.Cell(waits)
	key := "planner.keep_out"
	if len(p.KeepOut) == 0 {
		key = "planner.rewards"
	}
	return &configs.Error{Key: key,
		Problem: fmt.Sprintf("the plan without privacy never comes within %g km of a goal: it turns back at column %d, row "+
			"%d, since going on costs more than it brings", c.Privacy.HandoverKm, at.Column, at.Row),
		Fix: "raise planner.discount, which makes it look farther ahead, or planner.reward_weight, or open a shorter way",
		Picture: m.Grid.Picture(func(state int) byte {
			if state == waits {
				return 'o'
			}
			return '.'
		}) + "S start, G goal, # keep-out cell, o where it turns back\n",
	}
}

// observer returns the observer of the settings with its inference of the goal, and the world of possible goals.
// The world is nil if neither the observer nor the mechanism needs one.
func (b *Builder) observer(c configs.Config) (study.Adversary, *leak.World, error) {
	a, err := b.adversary(c)
	if err != nil {
		return a, nil, err
	}
	inference, world, err := b.inference(c)
	if err != nil {
		return a, nil, fmt.Errorf("setup: building the observer %s: %w", c.Adversary.Observer, err)
	}
	if inference != nil {
		a.Goals = inference
	}
	return a, world, nil
}

// adversary returns the observer of the settings without its inference of the goal.
func (b *Builder) adversary(c configs.Config) (study.Adversary, error) {
	model, err := b.model(c)
	a := study.Adversary{
		Observer:   model,
		LambdaPerS: c.Adversary.LambdaPerS,
		NoiseKm:    c.Adversary.NoiseKm,
		Seed:       c.Study.Seed,
		RadiusKm:   c.Adversary.RadiusKm,
		Rule:       c.Adversary.Recognition(),
	}
	return a, err
}

// model returns the observer's model.
func (b *Builder) model(c configs.Config) (adversary.Model, error) {
	if b.Observer.Name != "" {
		return b.Observer, nil
	}
	if line, is := configs.CommandOf(c.Adversary.Observer); is {
		o, err := b.Commands.Observer(line, c.Exec.Timeout())
		if err != nil {
			return adversary.Model{}, fmt.Errorf("adversary.observer: %w", err)
		}
		return o.Model(c.Adversary.Observer), nil
	}
	return adversary.Find(c.Adversary.Observer)
}

// flies returns an error for problems without flights.
func flies(c configs.Config) error {
	if c.Problem == configs.Waypoints {
		return nil
	}
	return &configs.Error{Key: "problem", Value: c.Problem, Problem: "this problem has no flights",
		Allowed: configs.Waypoints,
		Fix:     "take preset paper; veilpath design and veilpath reproduce accept this problem"}
}

// Study returns the study of an experiment with the settings' epsilons: the range of epsilon if they have one,
// else the listed epsilons.
func Study(c configs.Config, e *study.Experiment) study.Study {
	return study.Study{
		Experiment:    e,
		Epsilons:      c.Study.Epsilons,
		Axis:          study.Range(c.Study.Axis),
		Runs:          c.Study.Runs,
		Seed:          c.Study.Seed,
		Noise:         study.Noise(c.Study.Noise),
		Workers:       c.Study.Workers,
		HiddenUntilKm: c.Study.HiddenUntilKm,
	}
}
