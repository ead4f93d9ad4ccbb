package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/design"
	"veilpath/internal/pool"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
)

// designFlags are the flags of design that are not configuration keys.
type designFlags struct {
	problemFlags
	design.Question
	rewards string
	header  bool
}

// guaranteeKeys are the flags that set the keys of a guarantee.
var guaranteeKeys = map[string]string{
	"epsilons": "privacy.epsilon", "delta": "privacy.delta", "adjacency": "privacy.adjacency",
	"calibration": "privacy.calibration",
}

// addGuaranteeFlags adds the flags of guaranteeKeys.
func addGuaranteeFlags(cmd *cobra.Command) {
	cmd.Flags().String("epsilons", "", "one strength of privacy (privacy.epsilon)")
	addNoiseFlags(cmd)
}

// addNoiseFlags adds the flags of guaranteeKeys except epsilons.
func addNoiseFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("delta", "", "as in P <= e^epsilon P' + delta (privacy.delta)")
	f.String("adjacency", "", "largest change of a reward; also --sensitivity")
	f.String("calibration", "", "classical (Lemma 1) or analytic (least noise)")
	f.SetNormalizeFunc(otherNames)
}

// otherNames gives a flag that is written with its other name its name in help. --sensitivity is --adjacency: for the
// rewards of one agent, which differ in one entry, both are the same.
func otherNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "epsilon":
		name = "epsilons"
	case "sensitivity":
		name = "adjacency"
	case "gamma":
		name = "discount"
	}
	return pflag.NormalizedName(name)
}

func (a *app) designCommand() *cobra.Command {
	var flags designFlags
	cmd := verb("design", problemOrNone, func(cmd *cobra.Command, args []string) error {
		return a.design(cmd, args, flags)
	}, tableHelp, problemHelp)
	addGuaranteeFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.rewards, "rewards", "", "CSV `file` of the reward table")
	addHeaderFlag(cmd, &flags.header)
	f.Var(terminal.Whole(&flags.Goals, 0, 0, mostEntries), "goals",
		"largest rewards that must stay the largest")
	f.Var(terminal.Whole(&flags.Avoids, 0, 0, mostEntries), "avoids",
		"smallest rewards that must stay the smallest")
	addPresetFlags(cmd, &flags.problemFlags)
	f.Var(terminal.Number(&flags.Discount, math.NaN(), terminal.Share), "discount",
		"discount for predicted sweeps (default: the problem's)")
	f.Var(terminal.Number(&flags.Eta, 1e-8, terminal.Positive), "eta", "accuracy of values, for predicted sweeps")
	f.Var(terminal.Whole(&flags.Draws, 0, 2, mostDraws), "draws",
		"samples of the largest error (default: 50 to 10000)")
	f.Var(terminal.Whole(&flags.Releases, 1, 1, mostFlights), "flights",
		"releases that share the guarantee")
	f.Var(terminal.Number(&flags.MaxError, math.NaN(), terminal.Positive), "max-error",
		"demand: mean largest error of a joint reward")
	f.Var(terminal.Number(&flags.KeepGoal, math.NaN(), terminal.Share), "keep-goal",
		"demand: probability that goals and avoids survive")
	return cmd
}

func (a *app) design(cmd *cobra.Command, args []string, flags designFlags) error {
	name, err := a.designed(cmd, args, flags)
	if err != nil {
		return err
	}
	q := flags.Question
	q.Discount, q.MaxError, q.KeepGoal = orZero(q.Discount), orZero(q.MaxError), orZero(q.KeepGoal)
	loaded, err := a.load(cmd, guaranteeKeys)
	if err != nil {
		return err
	}
	preset := cmd.Flag("config").Changed
	if name != "" {
		flags.discount = q.Discount
		p, err := a.private(cmd, name, flags.header, flags.problemFlags, guaranteeKeys)
		if err != nil {
			return err
		}
		if p.Input != nil {
			a.remarks(p.Input, true)
			loaded, preset = p.Input.Settings, !p.Input.FromFile
		}
		if q.Rewards, err = p.Rewards(); err != nil {
			return usageError{fmt.Errorf("%s: %w", name, err)}
		}
	}
	if m := loaded.Privacy.Mechanism; m != configs.OnReward {
		a.remark("warning: design computes Gaussian noise on rewards; privacy.mechanism %s does not change its answer", m)
	}
	q.Guarantee, q.Seed = guaranteeOf(loaded, preset), loaded.Study.Seed
	ctx := cmd.Context()
	done := 0
	answers, err := pool.Interruptible(ctx, func() (table.List, error) {
		return q.Answer(ctx, func() { done++; a.progress.Progress("samples", done, q.Samples()) })
	})
	if err != nil && ctx.Err() == nil {
		err = usageError{err}
	}
	if err != nil {
		return err
	}
	return a.print(campaign.DesignAnswer(answers))
}

// guaranteeOf returns the guarantee of the settings. The calibration is analytic unless a flag, a setting or a
// preset chooses another.
func guaranteeOf(loaded *configs.Loaded, preset bool) privacy.Guarantee {
	g := loaded.Guarantee()
	if untouched(loaded, "privacy.calibration") && !preset {
		g.Calibration = privacy.Analytic
	}
	return g
}

// untouched reports whether a key has its value from the default preset.
func untouched(loaded *configs.Loaded, key string) bool {
	return loaded.Origin(key) == "preset "+configs.DefaultPreset
}

// Limits for counts: more draws would take a day, more flights would need useless noise, and no table has more
// entries.
const (
	mostDraws   = 100_000_000
	mostFlights = 1_000_000_000
	mostEntries = 1_000_000_000
)

// designed returns the name of the problem, empty for none. Without a problem, flags that need rewards are an
// error.
func (a *app) designed(cmd *cobra.Command, args []string, flags designFlags) (string, error) {
	var names []string
	if names = append(names, args...); flags.rewards != "" {
		names = append(names, flags.rewards)
	}
	if cmd.Flag("config").Changed {
		names = append(names, a.config)
	}
	switch len(names) {
	case 1:
		return names[0], nil
	case 0:
		if err := terminal.Refuse(cmd, "goals avoids agents goal-reward discount eta draws max-error keep-goal",
			"needs rewards; add a PROBLEM or --rewards FILE"); err != nil {
			return "", usageError{err}
		}
		return "", nil
	}
	return "", usageError{fmt.Errorf("%s and %s each name a problem; leave one out", names[0], names[1])}
}
