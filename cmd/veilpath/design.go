package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	f.Var(wholeVar(&flags.goals, 0, 0, mostEntries), "goals", "how many of an agent's largest rewards must stay its largest (default: those equal to the largest)")
	f.Var(wholeVar(&flags.avoids, 0, 0, mostEntries), "avoids", "how many of an agent's smallest rewards must stay its smallest")
	f.Var(wholeVar(&flags.agents, 2, 1, mostAgents), "agents", "team size, with --config example1")
	f.Var(numberVar(&flags.goal, 5, anyNumber), "goal-reward", "reward at the goal, with --config example2")
	f.Var(numberVar(&flags.gamma, math.NaN(), share), "gamma", "discount of the planner, above 0 and below 1 (default: the preset's; needed to predict sweeps for --rewards)")
	f.Var(numberVar(&flags.eta, 1e-8, positive), "eta", "accuracy of the values that the predicted sweeps compute, in reward units")
	f.Var(wholeVar(&flags.draws, 0, 2, mostDraws), "draws", "samples of the correlated error (default: 20 million entries' worth, 50 to 10000)")
	f.Var(wholeVar(&flags.flights, 1, 1, mostFlights), "flights", "independent releases of the same reward that share the guarantee")
	f.Var(numberVar(&flags.maxError, math.NaN(), positive), "max-error", "largest error of a joint reward to be kept to on average")
	f.Var(numberVar(&flags.keepGoal, math.NaN(), share), "keep-goal", "probability with which all goals and avoids must survive")
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
	d.drawn = func() { bar.add(1) }
	err = orInterrupted(ctx, func() error { return d.answer(ctx, cmd) })
	bar.end()
	if err != nil && ctx.Err() == nil {
		err = usageError{err}
	}
	if err != nil {
		return err
	}
	return a.printAnswers(d.answers)
}

// orInterrupted returns an error of the context once that is done and otherwise what the work returns. Work that
// is given up is not waited for: it ends with the program.
func orInterrupted(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case <-ctx.Done():
		return fmt.Errorf("interrupted before the answer: %w", ctx.Err())
	case err := <-done:
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("interrupted before the answer: %w", ctx.Err())
		}
		return err
	}
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

// answer is one number of a design, with its name in JSON and CSV and what it means.
type answer struct {
	name    string
	value   any // float64, int or string
	meaning string
}

// printAnswers prints a design in the format asked for.
func (a *app) printAnswers(answers []answer) error {
	switch a.format {
	case "json":
		return a.printAnswersJSON(answers)
	case "csv":
		table := csv.NewWriter(a.stdout)
		rows := [][]string{{"quantity", "value", "meaning"}}
		for _, q := range answers {
			rows = append(rows, []string{q.name, fmt.Sprint(q.value), q.meaning})
		}
		return table.WriteAll(rows)
	}
	return a.printAnswersTable(answers)
}

// printAnswersTable prints names, values and, broken between words, meanings.
func (a *app) printAnswersTable(answers []answer) error {
	names, values := 0, 0
	texts := make([]string, len(answers))
	for i, q := range answers {
		texts[i] = fmt.Sprint(q.value)
		if v, ok := q.value.(float64); ok {
			texts[i] = fmt.Sprintf("%.6g", v)
		}
		names = max(names, len(q.name))
		if q.meaning != "" {
			values = max(values, len(texts[i]))
		}
	}
	for i, q := range answers {
		if q.meaning == "" { // the value speaks for itself, and at length
			fmt.Fprintf(a.stdout, "%-*s  %s\n", names, q.name, texts[i])
			continue
		}
		name, value := q.name, texts[i]
		for _, line := range wrapped(q.meaning, tableWidth-names-values-4) {
			if _, err := fmt.Fprintf(a.stdout, "%-*s  %-*s  %s\n", names, name, values, value, line); err != nil {
				return err
			}
			name, value = "", ""
		}
	}
	return nil
}

// wrapped breaks a text between words into lines of at most so many letters, or of one word.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// printAnswersJSON prints an object with the numbers in their order.
func (a *app) printAnswersJSON(answers []answer) error { return writeAnswersJSON(a.stdout, answers) }

func writeAnswersJSON(w io.Writer, answers []answer) error {
	var out bytes.Buffer
	for i, q := range answers {
		value := q.value
		if v, ok := value.(float64); ok {
			value = maybe(v)
		}
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s\n  %q: %s", strings.Repeat(",", min(i, 1)), q.name, text)
	}
	_, err := fmt.Fprintf(w, "{%s\n}\n", out.String())
	return err
}
