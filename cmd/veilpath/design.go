package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/privacy"
)

// designFlags are the flags of design that are not configuration keys.
type designFlags struct {
	rewards  string
	header   bool
	goals    int
	avoids   int
	agents   int
	goal     float64
	gamma    float64
	eta      float64
	draws    int
	flights  int
	maxError float64
	keepGoal float64
}

// guaranteeKeys are the flags that stand for the keys of a guarantee.
var guaranteeKeys = map[string]string{
	"epsilon": "privacy.epsilon", "delta": "privacy.delta", "adjacency": "privacy.adjacency", "calibration": "privacy.calibration",
}

// addGuaranteeFlags adds the flags of guaranteeKeys.
func addGuaranteeFlags(cmd *cobra.Command) {
	cmd.Flags().String("epsilon", "", "strength of privacy, smaller is stronger (privacy.epsilon)")
	addNoiseFlags(cmd)
}

// addNoiseFlags adds the flags of guaranteeKeys other than epsilon. The adjacency is also taken by the name of
// sensitivity: of one agent's own rewards, which differ in one entry, it is the L2 sensitivity as well.
func addNoiseFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("delta", "", "probability with which epsilon may fail, below 0.5 (privacy.delta)")
	f.String("adjacency", "", "b: how far one reward may differ between neighbouring tables, in reward units; also --sensitivity (privacy.adjacency)")
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "sensitivity" {
			name = "adjacency"
		}
		return pflag.NormalizedName(name)
	})
	f.String("calibration", "", "classical, the paper's Lemma 1, or analytic, the exact least noise (privacy.calibration)")
}

func (a *app) designCommand() *cobra.Command {
	var flags designFlags
	cmd := &cobra.Command{
		Use:   "design",
		Short: "Say how much noise a guarantee asks for and what it does to rewards",
		Long: `design answers what a designer of private rewards asks before choosing an epsilon.

Given epsilon, delta and the adjacency b, how far one reward may differ, it tells the noise that the paper's Lemma 1 takes, the exact
least noise, and the privacy that the former truly attains. With --rewards FILE or --config PRESET it adds
what the noise does to that reward table: expected and largest error, the probability that goals and avoids
survive (Theorem 5's bound and the exact value), and how many more sweeps value iteration takes (Theorem 6).
For a mission, as of --config paper, it says what the guarantee does not do: the rewards of two goals differ in
most entries, so one entry's guarantee hardly hides the goal (goal_distance, goal_epsilon, goal_named).
--flights k shares the guarantee among k releases of the same reward, and what follows is of one of them. --max-error and --keep-goal turn the
question round: the smallest epsilon, so the most privacy, that keeps the error or the goal.

Errors are in reward units. Without --config the calibration is analytic.

` + tableHelp,
		Example: `  veilpath design --epsilon 1 --delta 0.01 --adjacency 1 --format json
  veilpath design --config example2 --epsilon 1
  veilpath design --rewards mine.csv --epsilon 2 --delta 1e-5 --adjacency 1 --gamma 0.95 --flights 20
  veilpath design --config example2 --max-error 1.5 --keep-goal 0.9`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.design(cmd, flags) },
	}
	addGuaranteeFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.rewards, "rewards", "", "CSV `file` of the reward table")
	addHeaderFlag(cmd, &flags.header)
	f.Var(terminal.Whole(&flags.goals, 0, 0, mostEntries), "goals", "how many of an agent's largest rewards must stay its largest (default: those equal to the largest)")
	f.Var(terminal.Whole(&flags.avoids, 0, 0, mostEntries), "avoids", "how many of an agent's smallest rewards must stay its smallest")
	f.Var(terminal.Whole(&flags.agents, 2, 1, mostAgents), "agents", "team size, with --config example1")
	f.Var(terminal.Number(&flags.goal, 5, terminal.AnyNumber), "goal-reward", "reward at the goal, with --config example2")
	f.Var(terminal.Number(&flags.gamma, math.NaN(), terminal.Share), "gamma", "discount of the planner, above 0 and below 1 (default: the preset's; needed to predict sweeps for --rewards)")
	f.Var(terminal.Number(&flags.eta, 1e-8, terminal.Positive), "eta", "accuracy of the values that the predicted sweeps compute, in reward units")
	f.Var(terminal.Whole(&flags.draws, 0, 2, mostDraws), "draws", "samples of the correlated error (default: 20 million entries' worth, 50 to 10000)")
	f.Var(terminal.Whole(&flags.flights, 1, 1, mostFlights), "flights", "independent releases of the same reward that share the guarantee")
	f.Var(terminal.Number(&flags.maxError, math.NaN(), terminal.Positive), "max-error", "largest error of a joint reward to be kept to on average")
	f.Var(terminal.Number(&flags.keepGoal, math.NaN(), terminal.Share), "keep-goal", "probability with which all goals and avoids must survive")
	return cmd
}

func (a *app) design(cmd *cobra.Command, flags designFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	if err := checkDesignFlags(cmd); err != nil {
		return err
	}
	loaded, err := a.load(cmd, guaranteeKeys)
	if err != nil {
		return err
	}
	d := designer{flags: flags, guarantee: guaranteeOf(cmd, loaded), seed: loaded.Study.Seed}
	switch {
	case flags.rewards != "":
		d.problem, err = a.tableProblem(cmd.Context(), flags.rewards, flags.header)
	case cmd.Flag("config").Changed:
		d.problem, err = configuredProblem(loaded.Config, flags.agents, flags.goal)
	}
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	bar := a.newProgress(d.samples(), "samples")
	d.drawn = func() { bar.Add(1) }
	err = terminal.Interruptible(ctx, func() error { return d.answer(ctx, cmd) })
	bar.End()
	if err != nil && ctx.Err() == nil {
		err = usageError{err}
	}
	if err != nil {
		return err
	}
	return a.printAnswers(d.answers)
}

// guaranteeOf returns the guarantee of the settings; the calibration is analytic unless someone chose
// another, by name or with a preset.
func guaranteeOf(cmd *cobra.Command, loaded *configs.Loaded) privacy.Guarantee {
	p := loaded.Privacy
	g := privacy.Guarantee{Epsilon: p.Epsilon, Delta: p.Delta, Adjacency: p.Adjacency, Calibration: privacy.Calibration(p.Calibration)}
	if untouched(loaded, "privacy.calibration") && !cmd.Flag("config").Changed {
		g.Calibration = privacy.Analytic
	}
	return g
}

// untouched reports whether a key has its value from the preset that lies under everything.
func untouched(loaded *configs.Loaded, key string) bool {
	return loaded.Origin(key) == "preset "+configs.DefaultPreset
}

// Counts beyond these are slips of the hand: a day's work, noise that drowns every reward, more than a table has.
const (
	mostDraws   = 100_000_000
	mostFlights = 1_000_000_000
	mostEntries = 1_000_000_000
	mostAgents  = 9
)

// checkDesignFlags refuses what no problem makes sense of.
func checkDesignFlags(cmd *cobra.Command) error {
	changed := func(name string) bool { return cmd.Flag(name).Changed }
	if changed("rewards") && changed("config") {
		return usageError{fmt.Errorf("--rewards and --config each name a problem; leave one of them out")}
	}
	if !changed("rewards") && !changed("config") {
		for _, name := range []string{"goals", "avoids", "agents", "goal-reward", "gamma", "eta", "draws", "max-error", "keep-goal"} {
			if changed(name) {
				return usageError{fmt.Errorf("--%s needs rewards; add --rewards FILE, or --config example1, example2 or paper", name)}
			}
		}
	}
	return nil
}
