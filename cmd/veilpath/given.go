package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/problem"
	"veilpath/sim/setup"
)

// given is the problem that an argument names: a preset, a file of settings, or a file of a problem.
type given struct {
	name      string
	loaded    *configs.Loaded
	planned   *planner.Problem
	states    problem.Names
	actions   problem.Names
	listed    int // states that the file has
	grid      *planner.Grid
	tolerance float64          // 0 unless settings have one
	file      *problem.Problem // nil unless the problem is in a file
	remarks   []string
}

// problemHelp explains the argument of the verbs that take a problem.
const problemHelp = `PROBLEM is a file or a preset. The ending of a file's name tells its format:
  .json             gymnasium's dictionary, json.dump(env.unwrapped.P)
  .csv, .parquet    a row an outcome: state,action,next,probability,reward
  .tra              PRISM and Storm, with .trew, .srew and .lab of the same name beside it
  .drn              Storm
  .mdp, .POMDP      Cassandra's grammar
  .npz              NumPy: P[A,S,S] or Q[S,A,S], and R[S], R[S,A] or R[A,S,S]
  .yaml             a team, agents: with a problem each; or settings, as --config takes elsewhere
States may have different actions. A state without actions, or in which an episode ends, is terminal: it earns
nothing, and no noise is added there. Probabilities that miss 1 by more than 1e-9 are refused.`

// problemFlags are the flags of the verbs that take a problem.
type problemFlags struct {
	discount  float64 // NaN when not given
	start     string
	tolerance float64 // NaN when not given
	agents    int
	goal      float64
}

func addProblemFlags(cmd *cobra.Command, flags *problemFlags) {
	f := cmd.Flags()
	f.Var(terminal.Number(&flags.discount, nan, terminal.Share), "discount", "of future rewards (default: the problem's, else 0.99)")
	f.StringVar(&flags.start, "start", "", "`state` in which costs are told (default: the problem's, else its first)")
	f.Var(terminal.Number(&flags.tolerance, nan, terminal.Positive), "tolerance", "largest error of the values (default: the problem's, else 1e-9 of the largest value there can be)")
	f.Var(terminal.Whole(&flags.agents, 2, 1, 9), "agents", "team size, of preset example1")
	f.Var(terminal.Number(&flags.goal, 5, terminal.AnyNumber), "goal-reward", "reward at the goal, of preset example2")
}

// oneProblem checks that a verb has one argument.
func oneProblem(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{fmt.Errorf("%s takes one problem, not %d; give a file or a preset, such as paper", cmd.CommandPath(), len(args))}
	}
	return nil
}

// defaultDiscount is taken where neither a file nor a flag says another.
const defaultDiscount = 0.99

// given reads the problem that an argument names, with the settings that go with it.
func (a *app) given(cmd *cobra.Command, name string, flags problemFlags, keys map[string]string) (*given, error) {
	built := slices.ContainsFunc(configs.Presets(), func(p configs.Preset) bool { return p.Name == name })
	ending := strings.ToLower(filepath.Ext(name))
	if yaml := ending == ".yaml" || ending == ".yml"; yaml && !built {
		text, err := terminal.ReadAtMost(cmd.Context(), name, configs.LargestFile+1)
		if err != nil {
			return nil, a.unreadable(name, err)
		}
		built = !problem.IsTeam(text)
	}
	a.config = configs.DefaultPreset
	if built {
		a.config = name
	} else if !problem.Known(name) {
		return nil, usageError{fmt.Errorf("%s: no preset, and no file of a problem, which ends in %s; veilpath config presets lists the presets", name, strings.Join(problem.Endings(), ", "))}
	}
	loaded, err := a.load(cmd, keys)
	if err != nil {
		return nil, err
	}
	g := &given{name: name, loaded: loaded}
	if built {
		err = g.fromSettings(flags)
	} else {
		err = g.fromFile(cmd.Context(), a, flags)
	}
	if err != nil {
		return nil, err
	}
	if flags.tolerance == flags.tolerance {
		g.tolerance = flags.tolerance
	}
	if g.tolerance == 0 {
		const relative = 1e-9 // of the largest value that there can be
		g.tolerance = relative * max(g.planned.Rewards.LargestAbsolute(), 1e-9) / (1 - g.planned.Discount)
	}
	for _, remark := range g.remarks {
		a.remark("%s", remark)
	}
	return g, nil
}

// fromSettings builds one of the paper's problems.
func (g *given) fromSettings(flags problemFlags) error {
	c := g.loaded.Config
	var err error
	switch c.Problem {
	case configs.TwoState:
		g.planned, err = setup.TwoStateTeam(c, flags.agents).Problem(pick(flags.discount, c.Example1.Discount))
	case configs.Gridworld:
		g.planned, err = setup.Gridworld(c, flags.goal).Problem(pick(flags.discount, c.Example2.Discount), c.Example2.StartCells)
	default:
		c.Planner.Discount = pick(flags.discount, c.Planner.Discount)
		e, failed := setup.Experiment(c)
		if failed != nil {
			return failed
		}
		g.planned, g.grid, g.tolerance = e.Mission.Problem, e.Mission.Grid, c.Planner.Tolerance
	}
	if err != nil {
		return usageError{err}
	}
	g.listed = g.planned.Law.States()
	g.states, g.actions = problem.Numbered(g.listed), problem.Numbered(g.planned.Law.Actions())
	if g.grid != nil {
		g.actions = missionActions(g.grid.Moves)
	}
	return g.startIn(flags.start)
}

// missionActions names the actions of the waypoints.
func missionActions(moves planner.Moves) problem.Names {
	var names []string
	for action := range planner.Action(moves.Count()) {
		names = append(names, moves.Word(action))
	}
	return problem.Named(names)
}

// fromFile reads a file.
func (g *given) fromFile(ctx context.Context, a *app, flags problemFlags) error {
	var p *problem.Problem
	err := terminal.Interruptible(ctx, func() (err error) {
		p, err = problem.Read(a.openProblem, g.name)
		return err
	})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return usageError{err}
	}
	discount := pick(flags.discount, p.Discount)
	if discount == 0 {
		discount = defaultDiscount
		g.remarks = append(g.remarks, fmt.Sprintf("%s has no discount: %g is taken; --discount says another", g.name, discount))
	}
	g.file, g.listed, g.states, g.actions = p, p.Listed(), p.States, p.Actions
	g.remarks = append(g.remarks, p.Remarks...)
	if g.planned, err = p.Planned(discount, -1); err != nil {
		return usageError{fmt.Errorf("%s: %w", g.name, err)}
	}
	return g.startIn(flags.start)
}

// startIn takes another start state.
func (g *given) startIn(state string) error {
	if state == "" {
		return nil
	}
	s, err := g.states.Find(state)
	if err == nil && s >= g.listed {
		err = fmt.Errorf("there is no state %s", state)
	}
	if err != nil {
		return usageError{fmt.Errorf("--start: %w", err)}
	}
	moved := *g.planned
	moved.Start = s
	g.planned = &moved
	return nil
}

// openProblem opens a file of a problem. The error says what to do.
func (a *app) openProblem(path string) (io.ReadCloser, error) {
	file, err := a.disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, a.unreadable(path, err)
	}
	return file, nil
}

func (a *app) unreadable(path string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return usageError{fmt.Errorf("%s cannot be read: %w; name a file of a problem, or a preset", path, err)}
}

// pick returns the first number if there is one.
func pick(first, second float64) float64 {
	if first == first {
		return first
	}
	return second
}
