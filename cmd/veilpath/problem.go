package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/pool"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/problem"
	"veilpath/planner/reward"
)

var nan = math.NaN()

// mechanismsHelp names the mechanisms of problems.
var mechanismsHelp = "--mechanism names " + strings.Join(planner.MechanismNames(), ", ") +
	", or exec:COMMAND at the end of a list."

var (
	problemHelp = terminal.Part(help, "help/parts/problem.txt") // help on the argument of verbs with a problem
	tableHelp   = terminal.Part(help, "help/parts/table.txt")   // help on the files that readTable reads
)

// problemFlags are the flags of verbs with a problem.
type problemFlags struct {
	discount, tolerance float64 // NaN when not given
	start               string
	agents              int
	goal                float64
	format              string // format of standard input
	rewards             string // name of the reward model
}

func addProblemFlags(cmd *cobra.Command, flags *problemFlags) {
	f := cmd.Flags()
	f.Var(terminal.Number(&flags.discount, nan, terminal.Share), "discount",
		"discount (default: the problem's, else 0.99)")
	f.StringVar(&flags.start, "start", "", "start `state`, for which costs are reported "+
		"(default: the problem's, else the first)")
	f.Var(terminal.Number(&flags.tolerance, nan, terminal.Positive), "tolerance",
		"largest error of the values (default: the problem's, else 1e-9 relative)")
	terminal.InGroup(f.Lookup("start"), terminal.FurtherFlags)
	terminal.InGroup(f.Lookup("tolerance"), terminal.FurtherFlags)
	addRewardModelFlag(cmd, flags)
	addPresetFlags(cmd, flags)
}

// addRewardModelFlag adds the flag that chooses among the reward models of a problem.
func addRewardModelFlag(cmd *cobra.Command, flags *problemFlags) {
	cmd.Flags().StringVar(&flags.rewards, "rewards", "", "`name` of the reward model of a DRN file (default: its first)")
	terminal.InGroup(cmd.Flag("rewards"), terminal.FurtherFlags)
}

// addPresetFlags adds the flags that choose a problem of a preset.
func addPresetFlags(cmd *cobra.Command, flags *problemFlags) {
	cmd.Flags().Var(terminal.Whole(&flags.agents, 2, 1, mostAgents), "agents", "team size, of preset example1")
	cmd.Flags().Var(terminal.Number(&flags.goal, 5, terminal.AnyNumber), "goal-reward",
		"reward at the goal, of preset example2")
	cmd.Flags().StringVar(&flags.format, "from-format", "",
		"`format` of a problem on standard input: its file extension, such as csv")
	for _, name := range []string{"agents", "goal-reward", "from-format"} {
		terminal.InGroup(cmd.Flag(name), terminal.FurtherFlags)
	}
}

// mostAgents is more than a joint problem of a preset can have.
const mostAgents = 9

// orZero returns the number of a flag, 0 if it was not given.
func orZero(x float64) float64 {
	if x != x {
		return 0
	}
	return x
}

// oneProblem checks that a verb has one argument.
func oneProblem(cmd *cobra.Command, args []string) error { return problems(cmd, args, 1) }

// problemOrNone checks that a verb has one argument or none.
func problemOrNone(cmd *cobra.Command, args []string) error { return problems(cmd, args, 0) }

func problems(cmd *cobra.Command, args []string, least int) error {
	if len(args) < least || len(args) > 1 {
		return usageError{fmt.Errorf("%s takes one problem, not %d; give a file or a preset, such as paper",
			cmd.CommandPath(), len(args))}
	}
	return nil
}

// readInput reads the problem that an argument names, with its settings and flags.
func (a *app) readInput(cmd *cobra.Command, name string, flags problemFlags, keys map[string]string) (*setup.Input,
	error) {
	g, err := readNamed(a, cmd, name, flags, func(name string) (*setup.Input, error) {
		return a.source(cmd, keys).Problem(name, flags.choice())
	})
	if err != nil {
		return nil, err
	}
	a.remarks(g, true)
	return g, nil
}

// ofPreset returns an error for flags of another preset.
func ofPreset(cmd *cobra.Command, name string) error {
	for flag, preset := range map[string]string{"agents": "example1", "goal-reward": "example2"} {
		if f := cmd.Flag(flag); f != nil && f.Changed && name != preset {
			return usageError{fmt.Errorf("--%s is a flag of preset %s, not of %s; leave it out", flag, preset, name)}
		}
	}
	return nil
}

// private reads the rewards that an argument names: those of a problem, or a table.
func (a *app) private(cmd *cobra.Command, name string, header bool, flags problemFlags,
	keys map[string]string) (*setup.Private, error) {
	return readNamed(a, cmd, name, flags, func(name string) (*setup.Private, error) {
		return a.source(cmd, keys).Private(name, header, flags.choice())
	})
}

// readNamed reads what an argument names, a file or standard input, with flags that fit it.
func readNamed[T any](a *app, cmd *cobra.Command, name string, flags problemFlags,
	read func(name string) (T, error)) (T, error) {
	return reading(cmd.Context(), func() (none T, err error) {
		if name, err = a.input.Take(a.stdin, name, flags.format); err == nil {
			err = ofPreset(cmd, name)
		}
		if err != nil {
			return none, err
		}
		return read(name)
	})
}

// readTable reads a table of rewards. The error reveals no reward.
func (a *app) readTable(ctx context.Context, path string, header bool) (*reward.Table, error) {
	return reading(ctx, func() (*reward.Table, error) {
		return setup.Source{Open: problem.Unzipped(a.openProblem)}.Table(path, header)
	})
}

// reading calls read and stops waiting when the context ends, because a pipe may stay silent. Errors of files are
// usage errors.
func reading[T any](ctx context.Context, read func() (T, error)) (T, error) {
	result, err := pool.Interruptible(ctx, read)
	var wrong *configs.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &wrong) {
		return result, err
	}
	return result, usageError{err}
}

// remarks prints the remarks on a problem. plans means that a missing discount matters.
func (a *app) remarks(g *setup.Input, plans bool) {
	if plans && g.AssumedDiscount != 0 {
		a.remark("%s has no discount, so %g is used; set it with --discount", g.Name, g.AssumedDiscount)
	}
	for _, remark := range g.Remarks {
		a.remark("%s", option.Expand(remark, terminal.Flag))
	}
}

// mechanismsOf returns the names of mechanisms that a verb with a problem was given: by its flag, otherwise by the
// setting privacy.mechanism, otherwise the default of the flag.
func mechanismsOf(cmd *cobra.Command, settings *configs.Loaded) string {
	flag := cmd.Flag("mechanism")
	if name := settings.Privacy.Mechanism; !flag.Changed && settings.IsSet("privacy.mechanism") &&
		name != configs.OnReward { // the first default of the flags
		return name
	}
	return flag.Value.String()
}

func (f problemFlags) choice() setup.Choice {
	return setup.Choice{Discount: orZero(f.discount), Tolerance: orZero(f.tolerance), Start: f.start, Agents: f.agents,
		GoalReward: f.goal, RewardModel: f.rewards}
}

// source returns the source of problems and settings.
func (a *app) source(cmd *cobra.Command, keys map[string]string) setup.Source {
	return setup.Source{
		Open: problem.Unzipped(a.input.Over(a.openProblem)),
		Whole: func(path string) ([]byte, error) {
			if a.input.Named(path) {
				return a.input.Text, nil
			}
			a.read = append(a.read, path)
			text, err := terminal.ReadAtMost(cmd.Context(), path, configs.LargestFile+1)
			if err != nil && cmd.Context().Err() == nil {
				err = unreadable(path, err)
			}
			return text, err
		},
		Load: func(config string) (*configs.Loaded, error) {
			if f := cmd.Flag("config"); f == nil || !f.Changed {
				a.config = configs.DefaultPreset
			}
			if config != "" {
				a.config = config
			}
			return a.load(cmd, keys)
		},
	}
}

// openProblem opens a file of a problem. The error has advice.
func (a *app) openProblem(path string) (io.ReadCloser, error) {
	a.read = append(a.read, path)
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return file, nil
}

func unreadable(path string, err error) error {
	return cannotRead(path, err, "name a file of a problem or of rewards, or a preset")
}

// cannotRead returns the error of a file that cannot be read, with what to name.
func cannotRead(path string, err error, want string) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s cannot be read: %w; %s", path, err, want)
}

// addHeaderFlag adds the flag --header of readTable.
func addHeaderFlag(cmd *cobra.Command, header *bool) {
	cmd.Flags().BoolVar(header, "header", false, "the first row has the actions and no states")
}
