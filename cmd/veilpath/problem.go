package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/reward"
	"veilpath/sim/setup"
)

var nan = math.NaN()

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

// tableHelp explains the files that readTable reads.
const tableHelp = `A reward table is CSV, with commas or semicolons. Either its header names the columns state, action, reward
and, for several agents, agent; or it has one row per state and one column per action, under a header of state
and the names of the actions, or without any. Other columns are refused, and so are headings with digits,
which may be rewards.`

// problemFlags are the flags of the verbs that take a problem.
type problemFlags struct {
	discount, tolerance float64 // NaN when not given
	start               string
	agents              int
	goal                float64
}

func addProblemFlags(cmd *cobra.Command, flags *problemFlags) {
	f := cmd.Flags()
	f.Var(terminal.Number(&flags.discount, nan, terminal.Share), "discount", "of future rewards (default: the problem's, else 0.99)")
	f.StringVar(&flags.start, "start", "", "`state` in which costs are told (default: the problem's, else its first)")
	f.Var(terminal.Number(&flags.tolerance, nan, terminal.Positive), "tolerance", "largest error of the values (default: the problem's, else 1e-9 of the largest value there can be)")
	addPresetFlags(cmd, flags)
}

// addPresetFlags adds the flags that choose among the problems of a preset.
func addPresetFlags(cmd *cobra.Command, flags *problemFlags) {
	cmd.Flags().Var(terminal.Whole(&flags.agents, 2, 1, mostAgents), "agents", "team size, of preset example1")
	cmd.Flags().Var(terminal.Number(&flags.goal, 5, terminal.AnyNumber), "goal-reward", "reward at the goal, of preset example2")
}

// mostAgents is beyond what a joint problem of a preset can hold.
const mostAgents = 9

// given returns a number, 0 where it was not given.
func given(x float64) float64 {
	if x != x {
		return 0
	}
	return x
}

// oneProblem checks that a verb has one argument.
func oneProblem(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{fmt.Errorf("%s takes one problem, not %d; give a file or a preset, such as paper", cmd.CommandPath(), len(args))}
	}
	return nil
}

// problemOrNone checks that a verb has one argument or none.
func problemOrNone(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Errorf("%s takes one problem, not %d; give a file or a preset, such as paper", cmd.CommandPath(), len(args))}
	}
	return nil
}

// given reads the problem that an argument names, with the settings that go with it and the flags that stand for them.
func (a *app) given(cmd *cobra.Command, name string, flags problemFlags, keys map[string]string) (*setup.Given, error) {
	return a.givenFrom(cmd, name, flags, keys, a.openProblem)
}

func (a *app) givenFrom(cmd *cobra.Command, name string, flags problemFlags, keys map[string]string, open func(string) (io.ReadCloser, error)) (*setup.Given, error) {
	ctx := cmd.Context()
	source := setup.Source{
		Open: open,
		Whole: func(path string) ([]byte, error) {
			text, err := terminal.ReadAtMost(ctx, path, configs.LargestFile+1)
			if err != nil && ctx.Err() == nil {
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
	choice := setup.Choice{Discount: given(flags.discount), Tolerance: given(flags.tolerance), Start: flags.start, Agents: flags.agents, GoalReward: flags.goal}
	var g *setup.Given
	err := terminal.Interruptible(ctx, func() (err error) {
		g, err = source.Problem(name, choice)
		return err
	})
	var wrong *configs.Error
	switch {
	case err != nil && (ctx.Err() != nil || errors.As(err, &wrong)):
		return nil, err
	case err != nil:
		return nil, usageError{err}
	}
	for _, remark := range g.Remarks {
		a.remark("%s", remark)
	}
	return g, nil
}

// openProblem opens a file of a problem. The error says what to do.
func (a *app) openProblem(path string) (io.ReadCloser, error) {
	file, err := a.disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return file, nil
}

func unreadable(path string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s cannot be read: %w; name a file of a problem, or a preset", path, err)
}

// addHeaderFlag adds the flag that readTable's header is.
func addHeaderFlag(cmd *cobra.Command, header *bool) {
	cmd.Flags().BoolVar(header, "header", false, "the first row of a table of rewards names the actions, without a column of states")
}

// readTable reads a reward table from a file. The error tells no reward. It gives up when the context is done: a
// pipe may have nothing to read for as long as it likes.
func (a *app) readTable(ctx context.Context, path string, header bool) (*reward.Table, error) {
	var table *reward.Table
	err := terminal.Interruptible(ctx, func() error {
		file, err := a.openTable(path)
		if err == nil {
			table, err = tableFrom(path, file, header)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		return nil, usageError{err}
	}
	return table, err
}

func (a *app) openTable(path string) (io.ReadCloser, error) {
	file, err := a.disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return nil, fmt.Errorf("%s cannot be read: %w; name a CSV file of rewards", path, err)
	}
	return file, nil
}

// tableFrom reads a table and closes its file.
func tableFrom(path string, file io.ReadCloser, header bool) (*reward.Table, error) {
	defer file.Close()
	choice := reward.KnownHeader
	if header {
		choice = reward.FirstRowIsHeader
	}
	table, err := reward.Read(file, choice)
	if errors.Is(err, reward.ErrNoHeader) {
		err = fmt.Errorf("%w; if it names actions, add --header", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// private is what a verb protects: a problem, or a table of rewards alone.
type private struct {
	given    *setup.Given  // nil for a table
	table    *reward.Table // nil for a problem
	outcomes bool          // it is a problem, whether or not it could be read
}

// private reads what an argument names. A file of CSV is a problem where its header names a next state.
func (a *app) private(cmd *cobra.Command, name string, header bool, flags problemFlags, keys map[string]string) (p private, err error) {
	ending := strings.ToLower(filepath.Ext(name))
	if setup.IsGiven(name) && ending != ".csv" {
		p.outcomes = true
		p.given, err = a.given(cmd, name, flags, keys)
		return p, err
	}
	var file io.ReadCloser
	ctx := cmd.Context()
	err = terminal.Interruptible(ctx, func() (err error) {
		if file, err = a.openTable(name); err != nil {
			return err
		}
		buffered := bufio.NewReaderSize(file, 1<<16)
		first, _ := buffered.Peek(1 << 10)
		line, _, _ := bytes.Cut(bytes.ToLower(first), []byte{'\n'})
		file = peeked{buffered, file}
		if p.outcomes = ending == ".csv" && bytes.Contains(line, []byte("next")) && bytes.Contains(line, []byte("probability")); !p.outcomes {
			p.table, err = tableFrom(name, file, header)
		}
		return err
	})
	switch {
	case err != nil && ctx.Err() == nil:
		return p, usageError{err}
	case err != nil || !p.outcomes:
		return p, err
	}
	p.given, err = a.givenFrom(cmd, name, flags, keys, func(string) (io.ReadCloser, error) { return file, nil })
	return p, err
}

// peeked is a file whose beginning was looked at.
type peeked struct {
	io.Reader
	io.Closer
}
