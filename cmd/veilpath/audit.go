package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/setup"
)

// auditFlags are the flags of audit that are not configuration keys.
type auditFlags struct {
	of          string
	entry       string
	samples     int
	tables      int
	falseAlarms float64

	from    string // a file of releases, of somebody else's mechanism
	command string // or a command that makes them
	sigma   float64
	rewards string // the table that it is given
	header  bool
}

func (a *app) auditCommand() *cobra.Command {
	var flags auditFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Test whether a mechanism keeps its promise, from its releases",
		Long: `audit releases one reward table many times, and a neighbour that differs in one entry by b as many times, and
measures how well the two can be told apart. The promise of Gaussian noise is mu = b/sigma; mu is measured with its
standard error, epsilon is bounded from below with 95 % confidence, and both are looked for in the tails too.
Then it releases whole tables in which a coin raises every entry or not, and guesses all coins at once: that shows entries
without noise, and noise that is used more than once.

--of says what is published: the private reward, the policy that is optimal for it, or the route of that policy. Policy and
route are judged by one event, so their mu is what that event tells, and at most the reward's.

A mechanism of somebody else is audited by releases of its own. --command runs a command by sh, which reads a reward
table on standard input and writes a release in the same layout: --rewards is the table, in which a coin raises every
entry or not. --from reads releases from a CSV or Parquet file in one of two layouts. Either its columns are table and neighbour, and
every row has a release of one reward and another, made apart, of the reward raised by b, both less the true reward. Or
they are reward, what the mechanism was given, and released, what it made of it; entry says which of several
rewards a row is of, and release which run of the mechanism. The promise must be named: epsilon, delta and adjacency, and with
--sigma that it is Gaussian noise.

The verdict is consistent, or broken with the claim that is and how surely. A mechanism that keeps its promise is
called broken with at most the probability --false-alarms.`,
		Example: `  veilpath audit --epsilon 1
  veilpath audit --of policy --epsilon 4 --samples 60000 --seed 7 --format json
  veilpath audit --epsilon 0.2 --samples 1000000 --out audits/reward
  veilpath audit --from releases.parquet --epsilon 1 --delta 1e-6 --adjacency 1
  veilpath audit --command 'python laplace.py' --rewards rewards.csv --epsilon 1 --delta 1e-9 --adjacency 1`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.audit(cmd, flags) },
	}
	addGuaranteeFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.of, "of", string(audit.Reward), "what is published: `reward`, policy or route")
	f.StringVar(&flags.entry, "entry", "", "`COLUMN,ROW,ACTION` of the entry that differs, such as 16,11,to_target (default: that; for a route 1,8,east, where the paper's preset tells most)")
	f.Var(terminal.Whole(&flags.samples, 100_000, audit.LeastSamples, mostSamples), "samples", "releases of each of the two tables")
	f.Var(terminal.Whole(&flags.tables, 100, 0, mostTables), "tables", "releases of whole tables, of --of reward; 0 for none")
	f.Var(terminal.Number(&flags.falseAlarms, 0.01, terminal.Share), "false-alarms", "probability, at most, of calling a mechanism broken that is not")
	f.StringVar(&flags.from, "from", "", "CSV or Parquet `file` of releases that another mechanism made")
	f.StringVar(&flags.command, "command", "", "`command` that reads a reward table on standard input and writes a release of it")
	f.StringVar(&flags.rewards, "rewards", "", "CSV `file` of the reward table for --command")
	addHeaderFlag(cmd, &flags.header)
	f.Var(terminal.Number(&flags.sigma, math.NaN(), terminal.Positive), "sigma", "with --from or --command: the standard deviation of the Gaussian noise that is promised (default: none is)")
	return cmd
}

// Numbers of releases beyond these are slips of the hand: they take days or more memory than there is.
const (
	mostSamples = 100_000_000
	mostTables  = 10_000
)

func checkAuditFlags(f auditFlags) error {
	if !slices.Contains(audit.Publications(), audit.Publication(f.of)) {
		return usageError{fmt.Errorf("--of %s: want reward, policy or route", f.of)}
	}
	if f.tables > 0 && f.tables < audit.LeastReleases {
		return usageError{fmt.Errorf("--tables %d: want 0, or at least %d releases", f.tables, audit.LeastReleases)}
	}
	return nil
}

func (a *app) audit(cmd *cobra.Command, flags auditFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	if err := checkAuditFlags(flags); err != nil {
		return err
	}
	if err := checkForeign(cmd, flags); err != nil {
		return err
	}
	loaded, err := a.load(cmd, guaranteeKeys)
	if err != nil {
		return err
	}
	about, work, err := a.auditWork(cmd, loaded.Config, flags)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("audit")
	if err != nil {
		return err
	}
	if folder != nil {
		defer folder.Close()
	}
	start := time.Now()
	report, err := work(cmd.Context())
	if err != nil {
		return err
	}
	answers := auditAnswers(report, about)
	if folder != nil {
		if err := a.writeAudit(folder, loaded, report, about.what, answers, time.Since(start)); err != nil {
			return err
		}
	}
	if err := a.printAnswers(answers); err != nil {
		return err
	}
	a.remark("audited in %.1f s%s", time.Since(start).Seconds(), written(folder))
	return nil
}

// about is what an audit is about, in words.
type about struct {
	what  string // is published
	entry string // differs
}

// auditWork returns what an audit is about and the work of it.
func (a *app) auditWork(cmd *cobra.Command, c configs.Config, flags auditFlags) (about, func(context.Context) (*audit.Report, error), error) {
	if flags.from != "" || flags.command != "" {
		if !cmd.Flag("samples").Changed {
			flags.samples = commandSamples
		}
		f := foreign{claim: foreignClaim(c, flags.sigma), flags: flags, seed: c.Study.Seed}
		if err := f.claim.Check(); err != nil {
			return about{}, nil, usageError{err}
		}
		return about{flags.from + flags.command, "all together"}, func(ctx context.Context) (*audit.Report, error) { return a.auditForeign(ctx, f) }, nil
	}
	s, err := auditSubject(c, flags)
	if err != nil {
		return about{}, nil, err
	}
	return about{flags.of, s.entryName()}, func(ctx context.Context) (*audit.Report, error) {
		return a.auditOwn(ctx, s, flags, campaign.Workers(c.Study.Workers))
	}, nil
}

// commandSamples is how many releases of each kind a command makes where nobody says: starting it takes long.
const commandSamples = 10_000

// audited is what is audited, and what it promises.
type audited struct {
	audit.Subject
	claim audit.Claim
	grid  *planner.Grid
}

// auditSubject returns the mission of the settings with its mechanism.
func auditSubject(c configs.Config, flags auditFlags) (audited, error) {
	e, err := setup.Experiment(c)
	if err != nil {
		return audited{}, err
	}
	guarantee := setup.Guarantee(c)
	mechanism := privacy.InputPerturbation{}
	sigma, err := guarantee.SigmaOf(mechanism, e.Mission.Rewards.Shape)
	if err != nil {
		return audited{}, err
	}
	s := audited{
		Subject: audit.Subject{
			Problem: e.Mission.Solved, Mechanism: mechanism, Sigma: sigma, Adjacency: guarantee.Adjacency,
			Seed: c.Study.Seed, Of: audit.Publication(flags.of),
		},
		claim: audit.Claim{Epsilon: guarantee.Epsilon, Delta: guarantee.Delta, Adjacency: guarantee.Adjacency, Sigma: sigma},
		grid:  e.Mission.Grid,
	}
	s.Entry, err = s.entry(flags.entry)
	return s, err
}

// entry reads the entry that differs. Without one it is where most is told: staying at the goal, by the action that leads
// there from anywhere, and for a route the straight way on from where the optimal one comes to first.
func (s audited) entry(text string) (int, error) {
	grid, actions := s.grid, s.Problem.Law.Actions()
	entry := func(state int, action planner.Action) int { return state*actions + int(action) }
	if text == "" {
		if s.Of != audit.Route {
			return entry(grid.Goal, planner.ToTarget), nil
		}
		first := grid.Next(grid.Start, planner.Action(s.Problem.Optimal.Policy[grid.Start]))
		return entry(first, straightOn(grid.Cell(first), grid.Cell(grid.Goal))), nil
	}
	mistake := func(problem string) error {
		return usageError{fmt.Errorf("--entry %s: %s; want COLUMN,ROW,ACTION, such as 16,11,to_target", text, problem)}
	}
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return 0, mistake("not three parts")
	}
	column, err1 := strconv.Atoi(parts[0])
	row, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil || column < 0 || column >= grid.Columns || row < 0 || row >= grid.Rows {
		return 0, mistake(fmt.Sprintf("no such waypoint among %d columns and %d rows, counted from 0", grid.Columns, grid.Rows))
	}
	var names []string
	for action := range planner.Action(actions) {
		name := actionName(action)
		if name == parts[2] {
			return entry(grid.State(planner.Cell{Column: column, Row: row}), action), nil
		}
		names = append(names, name)
	}
	return 0, mistake(fmt.Sprintf("no action is called %q: they are %s", parts[2], strings.Join(names, ", ")))
}

// actionName is the name of an action as a flag takes it.
func actionName(action planner.Action) string { return strings.ReplaceAll(action.String(), " ", "_") }

// straightOn is the action along the axis on which the goal is farther.
func straightOn(from, goal planner.Cell) planner.Action {
	dx, dy := goal.Column-from.Column, goal.Row-from.Row
	switch {
	case max(dx, -dx) >= max(dy, -dy) && dx >= 0:
		return planner.East
	case max(dx, -dx) >= max(dy, -dy):
		return planner.West
	case dy > 0:
		return planner.North
	}
	return planner.South
}

// auditOwn watches a mechanism of this program and judges it.
func (a *app) auditOwn(ctx context.Context, s audited, flags auditFlags, workers int) (*audit.Report, error) {
	bar := a.newProgress(2*flags.samples, "releases")
	table, neighbour, err := audit.Watch(ctx, flags.samples, workers, s.NewTrial, bar.Add)
	bar.End()
	if err != nil {
		return nil, err
	}
	entry, err := s.claim.JudgeEntry(table, neighbour, s.Threshold())
	if err != nil {
		return nil, err
	}
	var joint *audit.Joint
	if s.Of == audit.Reward && flags.tables > 0 {
		releases, err := s.Releases(ctx, flags.tables)
		if err != nil {
			return nil, err
		}
		if joint, err = s.claim.JudgeJoint(releases); err != nil {
			return nil, err
		}
	}
	return s.claim.Judge(entry, joint, flags.falseAlarms)
}

// auditAnswers are the numbers of an audit, with their names and meanings.
func auditAnswers(r *audit.Report, about about) []terminal.Answer {
	var answers []terminal.Answer
	add := func(name string, value any, meaning string) {
		answers = append(answers, terminal.Answer{Name: name, Value: value, Meaning: meaning})
	}
	attained, err := r.Claim.Attained()
	if err != nil {
		attained = math.NaN() // the claim has been judged, so it has one
	}
	add("verdict", r.Verdict(), "of all tests together")
	add("why", r.Why(), "")
	add("p_value", r.P(), "probability, at most, with which a mechanism that keeps its promise looks as bad")
	add("false_alarms", r.FalseAlarms, "probability, at most, of calling a mechanism broken that is not")
	add("of", about.what, "what is published")
	add("epsilon", r.Claim.Epsilon, "claimed")
	add("delta", r.Claim.Delta, "claimed")
	add("adjacency", r.Claim.Adjacency, "claimed: b, how far one reward may differ")
	if r.Claim.Sigma > 0 {
		add("sigma", r.Claim.Sigma, "claimed: noise on every reward")
		add("epsilon_attained", attained, "what that noise comes to at this delta, exactly")
		add("mu_claimed", r.Claim.Mu(), "b in sigma: the promise of this noise")
	}
	if e := r.Entry; e != nil {
		add("entry", about.entry, "that differs between the two tables: column, row, action")
		add("samples", e.Samples, "releases of each of the two tables")
		add("mu", e.Mu, "measured; what is computed from the reward can only have less")
		add("mu_standard_error", e.MuStandardError, "its standard error")
		if r.Claim.Sigma > 0 {
			add("mu_detectable", r.Detectable(), "mu that would have been called broken with probability 0.9")
		}
		add("epsilon_low", e.EpsilonLow, "epsilon at this delta is at least this, with 95 % confidence")
		add("epsilon_ceiling", e.EpsilonCeiling, "the most that so many samples can show")
		add("mu_low", e.MuLow, "mu is at least this somewhere on the trade-off curve, with 95 % confidence")
	}
	if j := r.Joint; j != nil {
		add("tables", j.Releases, "releases of a whole table, a coin per entry")
		add("entries", j.Entries, "coins of each")
		add("right", j.Right, "coins of the first release that it tells")
		add("mu_once", j.MuOnce, "mu by that one release")
		add("mu_once_standard_error", j.MuOnceStandardError, "its standard error")
		add("mu_all", j.MuAll, "mu by all of them")
		add("mu_all_standard_error", j.MuAllStandardError, "its standard error")
		add("overdispersion", j.Overdispersion, "variance of the coins told by a release, over that of independent noise")
		add("neighbour_correlation", j.Neighbours, "between entries that follow each other; 0 for independent noise")
		add("entry_correlation", j.Together, "mean squared correlation of any two entries, over that of independent noise")
		add("release_correlation", j.Again, fmt.Sprintf("largest of two releases, %d and %d; near 1 if noise was used again", j.First, j.Second))
	}
	for _, t := range r.Tests {
		add("p_"+t.Name, t.P, "p of the claim: "+t.Claim)
	}
	return answers
}

// entryName is the entry as the flag takes it.
func (s audited) entryName() string {
	actions := s.Problem.Law.Actions()
	cell := s.grid.Cell(s.Entry / actions)
	return fmt.Sprintf("%d,%d,%s", cell.Column, cell.Row, actionName(planner.Action(s.Entry%actions)))
}
