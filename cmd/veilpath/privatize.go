package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/cmd/internal/version"
	"veilpath/configs"
	"veilpath/internal/publish"
	"veilpath/internal/setup"
	"veilpath/planner/privacy"
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
	cmd := verb("privatize", func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError{fmt.Errorf("%s takes one problem or one file of rewards, not %d; give the name of a file",
				cmd.CommandPath(), len(args))}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return a.privatize(cmd, args[0], flags) }, tableHelp, problemHelp)
	addGuaranteeFlags(cmd)
	f := cmd.Flags()
	f.Var(terminal.Number(&flags.grid, math.NaN(), terminal.Positive), "grid",
		"`step` of released rewards (default: from the noise)")
	addHeaderFlag(cmd, &flags.header)
	f.BoolVar(&flags.policy, "policy", false, "publish the policy for the private rewards")
	f.StringVar(&flags.mechanism, "mechanism", "input",
		"input (noise on every agent's rewards) or output (on "+
			"the team's joint reward)")
	f.StringVar(&flags.ledger, "ledger", "", "count the releases of the table in this `file`")
	f.Var(terminal.Number(&flags.total, math.NaN(), terminal.Positive), "total",
		"epsilon of all releases in the ledger; needed once")
	f.Var(terminal.Number(&flags.totalDelta, math.NaN(), terminal.Share), "total-delta",
		"delta of --total (default: of the first release)")
	f.Var(terminal.Number(&flags.discount, nan, terminal.Share), "discount",
		"for --policy (default: the problem's, else 0.99)")
	addRewardModelFlag(cmd, &flags.problemFlags)
	addPresetFlags(cmd, &flags.problemFlags)
	return cmd
}

func (a *app) privatize(cmd *cobra.Command, name string, flags privatizeFlags) error {
	err := a.publish(cmd, name, flags)
	if setup.RevealsSettings(err, append(slices.Collect(maps.Values(guaranteeKeys)), "study.seed", "config")) {
		look := "veilpath plan " + name
		if cmd.Flag("config").Changed {
			look = "veilpath config check --config " + a.config
		}
		return usageError{fmt.Errorf("the settings are invalid; %s shows where. privatize does not, because its output "+
			"may be published", look)}
	}
	return err
}

func (a *app) publish(cmd *cobra.Command, name string, flags privatizeFlags) error {
	if err := a.checkPrivatize(cmd, flags); err != nil {
		return err
	}
	guarantee, err := a.promised(cmd)
	if err != nil {
		return err
	}
	p, err := a.private(cmd, name, flags.header, flags.problemFlags, guaranteeKeys)
	var unpublishable *setup.Unpublishable
	if errors.As(err, &unpublishable) {
		return usageError{fmt.Errorf("%s cannot be read as a problem or a table of rewards; veilpath design %[1]s shows "+
			"where. privatize does not, because its output may be published", name)}
	}
	if err != nil {
		return err
	}
	if p.Input != nil {
		a.remarks(p.Input, flags.policy)
	}
	files, err := reading(cmd.Context(), func() (*publish.Files, error) {
		return publish.Of(p, guarantee, publish.Choice{Grid: orZero(flags.grid), Policy: flags.policy,
			Joint: flags.mechanism == "output"}, new(privacy.Entropy))
	})
	if err != nil {
		return err
	}
	files.Program = "veilpath " + version.Number
	folder, err := a.freshFolder("privatize")
	if err != nil {
		return err
	}
	defer folder.Close()
	secrets := slices.Clone(a.read)
	if flags.ledger != "" {
		secrets = append(secrets, flags.ledger)
	}
	for _, secret := range secrets {
		if err := publish.CheckOutside(secret, folder.Path()); err != nil {
			return usageError{err}
		}
	}
	account, err := a.account(flags, files, guarantee)
	if err != nil {
		return err
	}
	if account != nil {
		defer account.Close()
	}
	statement, err := files.Write(folder, account)
	if err != nil {
		return err
	}
	a.remark("written to %s", folder.Path())
	return a.print(publish.Answer{Statement: statement, Joint: files.Release.IsJoint()}.Answer())
}

// checkPrivatize checks flags before anything is read.
func (a *app) checkPrivatize(cmd *cobra.Command, flags privatizeFlags) error {
	switch {
	case flags.mechanism != "input" && flags.mechanism != "output":
		return usageError{fmt.Errorf("--mechanism %s: no such mechanism of releases; want input or output", flags.mechanism)}
	case flags.ledger == "" && (cmd.Flag("total").Changed || cmd.Flag("total-delta").Changed):
		return usageError{errors.New("--total needs a ledger; name its file with --ledger")}
	case !a.keeps():
		return usageError{fmt.Errorf("--out is missing: --format %s prints only the promise and writes no files; name a "+
			"folder for the release", a.format)}
	}
	return nil
}

// promised returns the guarantee of the flags and settings.
func (a *app) promised(cmd *cobra.Command) (privacy.Guarantee, error) {
	loaded, err := a.load(cmd, guaranteeKeys)
	if err != nil {
		return privacy.Guarantee{}, err
	}
	return guaranteeOf(loaded, cmd.Flag("config").Changed), checkRelease(loaded)
}

// account opens the ledger of the table, nil without --ledger.
func (a *app) account(flags privatizeFlags, files *publish.Files, g privacy.Guarantee) (*publish.Account, error) {
	if flags.ledger == "" {
		return nil, nil
	}
	account, err := publish.OpenAccount(flags.ledger, files.Program, files.Table,
		publish.Terms{Epsilon: orZero(flags.total), Delta: orZero(flags.totalDelta), First: g}, rand.Reader)
	if errors.Is(err, publish.ErrBusy) {
		return nil, err
	}
	return account, usage(err)
}

// checkRelease returns an error if part of the promise is missing, or if a seed is set.
func checkRelease(loaded *configs.Loaded) error {
	if !untouched(loaded, "study.seed") {
		return usageError{fmt.Errorf("study.seed = %d (%s): a release cannot have a seed, because anyone who knows it can "+
			"remove the noise; leave it out, or use veilpath study for repeatable noise",
			loaded.Study.Seed, loaded.Origin("study.seed"))}
	}
	var missing []string
	for _, flag := range []string{"epsilons", "delta", "adjacency"} {
		if key := guaranteeKeys[flag]; untouched(loaded, key) {
			missing = append(missing, fmt.Sprintf("--%s (or %s)", flag, key))
		}
	}
	if len(missing) > 0 {
		return usageError{fmt.Errorf("missing: %s; the promise needs epsilon, delta and adjacency, and they have no defaults",
			strings.Join(missing, ", "))}
	}
	return nil
}
