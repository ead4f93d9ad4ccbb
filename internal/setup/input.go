package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/sim/study"
)

// Input is the problem that a name stands for: a preset, a file of settings, or a file of a problem.
type Input struct {
	*problem.Instance
	Name      string
	Settings  *configs.Loaded
	Tolerance float64           // largest error of values, > 0
	FromFile  bool              // a file of a problem, not a preset or settings
	Mission   *study.Experiment // nil unless the problem is a mission; its discount is that of the settings
	Remarks   []string          // contents of the file that the problem leaves out

	AssumedDiscount float64 // discount used because the file has none; 0 if it has one

	choice Choice
}

// Guarantee returns the guarantee of the settings. What rewards are known to lie in is that of a mission alone, unless
// it is set.
func (g *Input) Guarantee() privacy.Guarantee {
	guarantee := g.Settings.Config.Guarantee()
	if g.Mission == nil && len(g.Settings.Privacy.RewardRange) == 0 {
		guarantee.Range = privacy.Range{}
	}
	return guarantee
}

// Choice overrides properties of a problem. The zero value overrides nothing.
type Choice struct {
	Discount, Tolerance float64 // 0 for the problem's
	Start               string  // name of a state; empty for the problem's
	Agents              int     // number of agents of preset example1; 0 for 2
	GoalReward          float64 // reward at the goal of preset example2
	RewardModel         string  // of a problem's file; empty for its first
}

// Source opens and loads problems and settings.
type Source struct {
	Open  problem.Open
	Whole func(path string) ([]byte, error)            // reads a whole file of settings
	Load  func(config string) (*configs.Loaded, error) // loads a preset or file of settings; empty for the default
}

// Values for problems that have none.
const (
	defaultDiscount   = 0.99
	relativeTolerance = 1e-9 // times the largest possible value
)

func isPreset(name string) bool {
	return slices.ContainsFunc(configs.Presets(), func(p configs.Preset) bool { return p.Name == name })
}

// Problem reads the problem that a name stands for, with the settings that go with it.
func (s Source) Problem(name string, choice Choice) (*Input, error) {
	built := isPreset(name)
	if ending := strings.ToLower(filepath.Ext(name)); !built && (ending == ".yaml" || ending == ".yml") {
		text, err := s.Whole(name)
		if err != nil {
			return nil, err
		}
		built = !problem.IsTeam(text)
	}
	if err := problem.Removed(name); err != nil && !built {
		return nil, err
	}
	if !built && !problem.Known(name) {
		return nil, fmt.Errorf("%s: neither a preset nor a file of a problem (%s; text also with .gz); veilpath "+
			"config presets lists the presets", name, strings.Join(problem.Endings(), ", "))
	}
	if built && choice.RewardModel != "" {
		return nil, noModels(name)
	}
	config := ""
	if built {
		config = name
	}
	settings, err := s.Load(config)
	if err != nil {
		return nil, err
	}
	g := &Input{Name: name, Settings: settings, FromFile: !built, choice: choice}
	if built {
		err = g.build(choice)
	} else {
		err = g.read(s.Open, choice)
	}
	if err == nil && choice.Start != "" {
		if g.Instance, err = g.StartIn(choice.Start); err != nil {
			err = option.Errorf("{start}: %w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	if choice.Tolerance != 0 {
		g.Tolerance = choice.Tolerance
	}
	if g.Tolerance == 0 {
		g.Tolerance = relativeTolerance * max(g.Rewards.LargestAbsolute(), relativeTolerance) / (1 - g.Discount)
	}
	return g, nil
}

// noModels is the error for a choice of a reward model of what has none.
func noModels(name string) error {
	return option.Errorf("{rewards}: reward models to choose from are in DRN files alone, and not in %s", name)
}

// build builds one of the paper's problems.
func (g *Input) build(choice Choice) error {
	c := g.Settings.Config
	planned, err := g.built(c, choice)
	if err != nil {
		return err
	}
	n := planned.Law.States()
	g.Instance = &problem.Instance{Problem: planned, States: problem.Numbered(n),
		Actions: problem.Numbered(planned.Law.Actions()), Listed: n}
	if g.Mission != nil {
		g.Actions, g.Tolerance = missionActions(g.Mission.Mission.Grid.Moves), c.Planner.Tolerance
	}
	return nil
}

func (g *Input) built(c configs.Config, choice Choice) (*planner.Problem, error) {
	switch discount := choice.Discount; c.Problem {
	case configs.TwoState:
		if choice.Agents == 0 {
			choice.Agents = 2
		}
		return TwoStateTeam(c, choice.Agents).Problem(pick(discount, c.Example1.Discount))
	case configs.Gridworld:
		return Gridworld(c, choice.GoalReward).Problem(pick(discount, c.Example2.Discount), c.Example2.StartCells)
	default:
		c.Planner.Discount = pick(discount, c.Planner.Discount)
		c.Privacy.Mechanism = configs.OnReward // the problem is the same for all, and this one runs no command
		e, err := Experiment(c)
		if err != nil {
			return nil, err
		}
		g.Mission = e
		return e.Mission.Problem, nil
	}
}

// missionActions names the actions of the waypoints.
func missionActions(moves planner.Moves) problem.Names {
	var names []string
	for action := range planner.Action(moves.Count()) {
		names = append(names, moves.Word(action))
	}
	return problem.Named(names)
}

// read reads a problem's file.
func (g *Input) read(open problem.Open, choice Choice) error {
	p, err := problem.Read(open, g.Name, problem.Options{RewardModel: choice.RewardModel, Start: choice.Start})
	if err != nil {
		return err
	}
	discount := pick(choice.Discount, p.Discount)
	if discount == 0 {
		discount, g.AssumedDiscount = defaultDiscount, defaultDiscount
	}
	g.Remarks = append(g.Remarks, p.Remarks...)
	if g.Instance, err = p.Instance(discount, -1); err != nil {
		return fmt.Errorf("%s: %w", g.Name, err)
	}
	return nil
}

// pick returns the first number, or the second if the first is 0.
func pick(first, second float64) float64 {
	if first != 0 {
		return first
	}
	return second
}
