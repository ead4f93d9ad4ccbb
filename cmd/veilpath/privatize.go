package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/planner/release"
	"veilpath/sim/publish"
)

// privatizeFlags are the flags of privatize that are not configuration keys.
type privatizeFlags struct {
	problemFlags
	grid       float64
	header     bool
	policy     bool
	mechanism  string
	ledger     string
	total      float64
	totalDelta float64
}

func (a *app) privatizeCommand() *cobra.Command {
	var flags privatizeFlags
	cmd := &cobra.Command{
		Use:   "privatize PROBLEM",
		Short: "Release rewards, or the policy planned for them, with differential privacy",
		Long: `privatize adds noise to rewards and writes what may be published: release.csv, or with --policy policy.csv, which is
planned for the private rewards and nothing else, and guarantee.json, which says what is promised and holds the
SHA-256 of the file. Entries are rounded to a grid and get discrete Gaussian noise, drawn exactly, with integers,
from the system's randomness: floating-point noise can betray the reward in its low bits. A release cannot be
seeded, for whoever knows the seed can take the noise off again; studies of private rewards are veilpath study
and veilpath cost.

epsilon, delta and the adjacency b must be named: they are the promise. It holds for tables that differ in one
entry of an agent by at most b, once: every further release of the same rewards spends again. --ledger FILE
counts the releases of one table: each is entered before it is written, and refused where all together would
spend more than --total, by the sum of epsilons and deltas or by the exact composition of Gaussian mechanisms,
whichever is less. Tables of two goals differ in most entries and are hardly protected from each other; veilpath
design paper says how little. The original must stay secret. Transitions, the names in it, which actions a state
has and where episodes end are not protected; the order of its rows is not published.

REWARDS.csv, a table of rewards alone, will do for PROBLEM, but for --policy. ` + tableHelp + `

` + problemHelp,
		Example: `  veilpath privatize rewards.csv --epsilon 1 --delta 1e-6 --adjacency 1 --out released
  veilpath privatize lake.json --policy --epsilon 2 --delta 1e-6 --adjacency 1
  veilpath privatize team.yaml --mechanism output --epsilon 1 --delta 1e-6 --adjacency 1 --ledger team.ledger --total 4`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("%s takes one problem or one file of rewards, not %d; give the name of a file", cmd.CommandPath(), len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.privatize(cmd, args[0], flags) },
	}
	addGuaranteeFlags(cmd)
	f := cmd.Flags()
	f.Var(terminal.Number(&flags.grid, math.NaN(), terminal.Positive), "grid", "`step` that released rewards are multiples of (default: at most a 1024th of the noise)")
	addHeaderFlag(cmd, &flags.header)
	f.BoolVar(&flags.policy, "policy", false, "publish the policy that is planned for the private rewards, instead of them")
	f.StringVar(&flags.mechanism, "mechanism", "input", "input: every agent's rewards get noise (Algorithm 1), or output: the team's joint reward (Algorithm 2)")
	f.StringVar(&flags.ledger, "ledger", "", "count the releases of the table in this `file`")
	f.Var(terminal.Number(&flags.total, math.NaN(), terminal.Positive), "total", "epsilon that all releases in the ledger may spend together; said once")
	f.Var(terminal.Number(&flags.totalDelta, math.NaN(), terminal.Share), "total-delta", "delta of --total (default: that of the first release)")
	f.Var(terminal.Number(&flags.discount, nan, terminal.Share), "discount", "of future rewards, for --policy (default: the problem's, else 0.99)")
	addPresetFlags(cmd, &flags.problemFlags)
	return cmd
}

func (a *app) privatize(cmd *cobra.Command, name string, flags privatizeFlags) error {
	if err := a.checkPrivatize(cmd, name, flags); err != nil {
		return err
	}
	guarantee, err := a.promised(cmd)
	if err != nil {
		return err
	}
	p, err := a.private(cmd, name, flags.header, flags.problemFlags, guaranteeKeys)
	if err != nil {
		return hushed(name, p, err)
	}
	files := &publish.Files{Program: "veilpath " + version}
	original, names, err := originalOf(name, p, flags)
	if err != nil {
		return err
	}
	err = terminal.Interruptible(cmd.Context(), func() (err error) {
		if files.Release, err = release.New(original, guarantee, given(flags.grid), new(privacy.Entropy)); err == nil && flags.policy {
			files.Instance = p.given.Instance
			files.Policy, err = publish.Plan(files.Instance, original, files.Release)
		}
		return err
	})
	switch {
	case err != nil && cmd.Context().Err() != nil:
		return err
	case err != nil:
		return usageError{fmt.Errorf("%s: %w", name, err)}
	}
	folder, err := a.freshFolder("privatize")
	if err != nil {
		return err
	}
	defer folder.Close()
	account, err := a.account(flags, names, guarantee)
	if err != nil {
		return err
	}
	if account != nil {
		defer account.Close()
	}
	statement, err := files.Write(folder, account)
	if errors.Is(err, publish.ErrOverspent) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	a.remark("written to %s", folder.Path())
	return a.printStatement(statement, account)
}

// checkPrivatize refuses what no release makes sense of, before anything is read.
func (a *app) checkPrivatize(cmd *cobra.Command, name string, flags privatizeFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	switch {
	case flags.mechanism != "input" && flags.mechanism != "output":
		return usageError{fmt.Errorf("--mechanism %s: no such mechanism of releases; want input or output", flags.mechanism)}
	case flags.ledger == "" && (cmd.Flag("total").Changed || cmd.Flag("total-delta").Changed):
		return usageError{errors.New("--total is of a ledger; name its file with --ledger")}
	case !a.keeps():
		return usageError{fmt.Errorf("--out is missing: --format %s prints the promise alone, and nothing is left on disk without it; name a folder for the release", a.format)}
	}
	if err := checkOutside(name, a.out); err != nil {
		return usageError{err}
	}
	return nil
}

// promised returns the guarantee that someone gave.
func (a *app) promised(cmd *cobra.Command) (privacy.Guarantee, error) {
	loaded, err := a.load(cmd, guaranteeKeys)
	if err != nil {
		return privacy.Guarantee{}, err
	}
	return guaranteeOf(loaded, cmd.Flag("config").Changed), checkRelease(loaded)
}

// originalOf returns what is to be released, and what a ledger knows the table by.
func originalOf(name string, p private, flags privatizeFlags) (original, names release.Original, err error) {
	switch {
	case p.table == nil:
		names = publish.Rewards(p.given.Instance)
		if flags.mechanism == "output" {
			return publish.Joint(p.given.Instance), names, nil
		}
		return names, names, nil
	case flags.policy:
		err = fmt.Errorf("%s is a table of rewards, and a policy needs transitions too; give a problem, or leave --policy out", name)
	case flags.mechanism == "output":
		err = fmt.Errorf("%s is a table of rewards, and a joint reward needs a team; give a problem, or leave --mechanism out", name)
	default:
		original = release.Table(p.table)
		return original, original, nil
	}
	return original, names, usageError{err}
}

// hushed takes from an error of a problem what it may tell of rewards.
func hushed(name string, p private, err error) error {
	var system syscall.Errno
	var wrong *configs.Error
	if !p.outcomes || errors.Is(err, context.Canceled) || errors.As(err, &system) || errors.Is(err, fs.ErrNotExist) || errors.As(err, &wrong) {
		return err
	}
	return usageError{fmt.Errorf("%s cannot be read as a problem; veilpath plan %s says where, in private: what privatize prints may be published", name, name)}
}

// account takes the ledger of the table, nil without one.
func (a *app) account(flags privatizeFlags, names release.Original, g privacy.Guarantee) (*publish.Account, error) {
	if flags.ledger == "" {
		return nil, nil
	}
	table, err := publish.TableOf(names)
	if err != nil {
		return nil, err
	}
	account, err := publish.OpenAccount(a.disk, flags.ledger, "veilpath "+version, table,
		publish.Terms{Epsilon: given(flags.total), Delta: given(flags.totalDelta), First: g})
	return account, folderError(err)
}

// checkOutside refuses a folder for the release that holds the original, which would be replaced, or published
// along with it. Links are followed.
func checkOutside(path, out string) error {
	if out == "" {
		return nil
	}
	published, err := filepath.EvalSymlinks(out)
	if err != nil {
		return nil // a folder that does not exist holds nothing
	}
	original, err := filepath.EvalSymlinks(path)
	if err == nil {
		original, err = filepath.Abs(original)
	}
	if err != nil {
		return nil // reading it says why
	}
	for parent := filepath.Dir(original); ; parent = filepath.Dir(parent) {
		if sameFile(parent, published) {
			return fmt.Errorf("--out %s holds %s, which must stay secret; name a folder for what is published", out, path)
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
	}
}

// checkRelease refuses a promise that nobody made, and a seed.
func checkRelease(loaded *configs.Loaded) error {
	if !untouched(loaded, "study.seed") {
		return usageError{fmt.Errorf("study.seed = %d (%s): a release cannot be seeded, since the seed takes the noise off again; leave it out, or use veilpath study for repeatable noise",
			loaded.Study.Seed, loaded.Origin("study.seed"))}
	}
	for _, k := range []struct{ flag, key string }{{"epsilon", "privacy.epsilon"}, {"delta", "privacy.delta"}, {"adjacency", "privacy.adjacency"}} {
		if untouched(loaded, k.key) {
			return usageError{fmt.Errorf("--%s is missing: it is part of the promise and has no default; give it, or set %s", k.flag, k.key)}
		}
	}
	return nil
}

// printStatement prints the promise in the format asked for, and what a ledger has left.
func (a *app) printStatement(s release.Statement, account *publish.Account) error {
	switch a.format {
	case "json":
		return terminal.WriteJSON(a.stdout, s)
	case "csv":
		table := csv.NewWriter(a.stdout)
		return table.WriteAll([][]string{
			{"epsilon", "delta", "certified_delta", "adjacency", "sigma", "grid", "entries"},
			strings.Fields(fmt.Sprint(s.Epsilon, s.Delta, s.CertifiedDelta, s.Adjacency, s.Sigma, s.Grid, s.Entries)),
		})
	}
	_, err := fmt.Fprintf(a.stdout, "%s\nnoise: sigma %.6g on a grid of %g, certified delta %.4g, %d entries\n", s.Statement, s.Sigma, s.Grid, s.CertifiedDelta, s.Entries)
	if err == nil && account != nil {
		_, err = fmt.Fprintf(a.stdout, "ledger: release %d; all together spend epsilon %.4g at delta %.3g, of %g at %g; left for another at delta %g: epsilon %.3g\n",
			s.Ledger.Number, s.Ledger.SpentEpsilon, s.Ledger.SpentDelta, s.Ledger.TotalEpsilon, s.Ledger.TotalDelta, s.Delta, s.Ledger.LeftEpsilon)
	}
	return err
}
