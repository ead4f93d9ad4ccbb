package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
	"veilpath/sim/record"
	"veilpath/sim/reproduce"
)

// costFlags are the flags of cost that are not configuration keys.
type costFlags struct {
	problemFlags
	mechanisms string
	until      string
	shard      string
	resume     bool
}

// costKeys are the flags of cost that stand for configuration keys.
var costKeys = map[string]string{"delta": "privacy.delta", "adjacency": "privacy.adjacency", "calibration": "privacy.calibration",
	"epsilons": "study.epsilons", "runs": "study.runs"}

func (a *app) costCommand() *cobra.Command {
	var flags costFlags
	cmd := &cobra.Command{
		Use:   "cost PROBLEM",
		Short: "Measure what privacy costs a problem, over epsilon",
		Long: `cost plans a problem privately again and again and measures how much of the optimal value at the start that costs. All
epsilons and mechanisms of a run share its noise. Beside the mean, with its interval at 95 % confidence, stand bounds:
what Theorem 3 (and Corollary 1, which solves it for epsilon) lets an error of rewards cost at most, and how many more
sweeps of value iteration Theorem 6 allows.

It writes costs.csv (a row a mechanism and epsilon), costs.parquet (a row a run and epsilon), figure.png, figure.svg,
request.json and manifest.json. Ctrl-C stops it and keeps the runs that are done; --resume goes on from there and ends
with the same bytes. --until goes on until every mean is known that well, and then --runs is the most it takes.
--shard i/n does the i-th of n parts of the runs.

The columns of the table:
` + terminal.Headings(costColumns) + `

` + problemHelp,
		Example: `  veilpath cost lake.json --discount 0.99 --epsilons 0.5,1,2,4 --runs 500
  veilpath cost example1 --agents 4 --epsilons 1 --mechanism input,output,output-l1
  veilpath cost example2 --until 1% --out out/example2
  veilpath cost team.yaml --resume --out out/team`,
		Args: oneProblem,
		RunE: func(cmd *cobra.Command, args []string) error { return a.cost(cmd, args[0], flags) },
	}
	addNoiseFlags(cmd)
	addProblemFlags(cmd, &flags.problemFlags)
	f := cmd.Flags()
	f.String("epsilons", "", "strengths of privacy: start:stop:step or a list 0.2,1,4 (study.epsilons)")
	f.String("runs", "", "draws of noise (study.runs); with --until the most it may take, 100000 if not given")
	f.StringVar(&flags.mechanisms, "mechanism", "input,output", "that make the reward private: a `list` of input, output and output-l1")
	f.StringVar(&flags.until, "until", "", "go on until every mean is known to this `half-width`, a share of the value such as 1%, at 95 % confidence")
	f.StringVar(&flags.shard, "shard", "", "do only part `i/n` of the runs, i from 1")
	f.BoolVar(&flags.resume, "resume", false, "go on with the runs in --out, or begin when there are none")
	return cmd
}

func (a *app) cost(cmd *cobra.Command, name string, flags costFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	start := time.Now()
	g, err := a.given(cmd, name, flags.problemFlags, costKeys)
	if err != nil {
		return err
	}
	s, err := g.costSession(cmd, flags)
	if err != nil {
		return err
	}
	folder, err := a.costFolder(s, flags.resume)
	if err != nil {
		return err
	}
	if folder != nil {
		defer folder.Close()
	}
	stopped := s.run(cmd.Context(), a, folder)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	if s.tally.Runs() == 0 {
		return stopped
	}
	if folder != nil {
		if err := a.writeCosts(folder, s, stopped == nil, time.Since(start)); err != nil {
			return err
		}
	}
	if err := a.printCosts(s); err != nil {
		return err
	}
	a.remark("%s in %.1f s%s", terminal.Count(s.tally.Runs(), "run"), time.Since(start).Seconds(), written(folder))
	if stopped != nil {
		if folder == nil {
			return fmt.Errorf("stopped after %s; nothing is kept without --out: %w", terminal.Count(s.tally.Runs(), "run"), stopped)
		}
		return fmt.Errorf("stopped after %s; go on with the same command and --resume --out %s: %w", terminal.Count(s.tally.Runs(), "run"), folder.Path(), stopped)
	}
	return s.unmet()
}

// costSession is the work on one request.
type costSession struct {
	*given
	study   cost.Study
	ceiling float64
	first   int     // run
	most    int     // run after the last that is allowed
	until   float64 // half-width, 0 for none
	shard   string
	rows    []cost.Row
	tally   *cost.Tally
	request costRequest
}

// mostCostRuns is how many runs --until may take unless --runs says otherwise.
const mostCostRuns = 100_000

// leastLook is how many runs --until does before it looks, and between two looks: a fixed fraction more each time, so
// that looks are few.
const leastLook = 100

func (g *given) costSession(cmd *cobra.Command, flags costFlags) (*costSession, error) {
	c := g.loaded.Config
	s := &costSession{given: g, most: c.Study.Runs, shard: flags.shard}
	solved, err := g.solveClosely()
	if err != nil {
		return nil, usageError{err}
	}
	s.study = cost.Study{
		Problem: solved, Epsilons: slices.Sorted(slices.Values(c.Study.Epsilons)), Seed: c.Study.Seed, Workers: c.Study.Workers, Stream: g.stream(flags),
		Guarantee: privacy.Guarantee{Delta: c.Privacy.Delta, Adjacency: c.Privacy.Adjacency, Calibration: privacy.Calibration(c.Privacy.Calibration)},
	}
	for text := range strings.SplitSeq(flags.mechanisms, ",") {
		m, err := privacy.ParseMechanism(strings.TrimSpace(text))
		if err != nil {
			return nil, usageError{fmt.Errorf("--mechanism: %w", err)}
		}
		if slices.Contains(s.study.Mechanisms, m) {
			return nil, usageError{fmt.Errorf("--mechanism: %s twice", text)}
		}
		s.study.Mechanisms = append(s.study.Mechanisms, m)
	}
	if flags.until != "" {
		if s.until, err = parseHalfWidth(flags.until); err != nil {
			return nil, usageError{err}
		}
		if !cmd.Flag("runs").Changed {
			s.most = mostCostRuns
		}
		if flags.shard != "" {
			return nil, usageError{errors.New("--shard and --until: a part cannot tell how well the whole is known; give --runs")}
		}
	}
	if flags.shard != "" {
		part, err := campaign.ParsePart(flags.shard)
		if err != nil {
			return nil, err
		}
		shard := record.NewShard(part.Index, part.Of, s.most)
		if shard.First == shard.End {
			return nil, usageError{fmt.Errorf("--shard %s: %d runs have no such part; ask for more --runs", flags.shard, s.most)}
		}
		s.first, s.most = shard.First, shard.End
	}
	if s.tally, err = cost.NewTally(&s.study); err != nil {
		return nil, usageError{err}
	}
	if s.ceiling, err = cost.Ceiling(solved); err != nil {
		return nil, err
	}
	s.request, err = s.describe()
	return s, err
}

// parseHalfWidth reads a share of the value, such as 1% or 0.01.
func parseHalfWidth(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := configs.ParseNumber(number)
	if percent {
		x /= 100
	}
	if err != nil || !(x > 0) {
		return 0, fmt.Errorf("--until %s: want a share of the value above 0, such as 1%% or 0.01", text)
	}
	return x, nil
}

// solveClosely solves as closely as rounding allows, so that a policy that is optimal costs nothing.
func (g *given) solveClosely() (*planner.Solved, error) {
	var solved *planner.Solved
	err := errors.New("no tolerance")
	for tolerance := g.tolerance / 100; err != nil && tolerance <= 1e3*g.tolerance; tolerance *= 10 {
		solved, err = g.planned.Solve(tolerance, 0)
	}
	if err != nil {
		return nil, err
	}
	if g.planned.Law.States() > 1000 { // rounding is far off there
		solved.Accuracy = g.tolerance / 100
	}
	return cost.Exact(solved)
}

// stream draws the paper's examples from the noise that reproduce draws them from, nil for all others.
func (g *given) stream(flags costFlags) func(privacy.Mechanism, int) privacy.Address {
	if g.file != nil {
		return nil
	}
	seed := g.loaded.Study.Seed
	output := func(m privacy.Mechanism) bool { return m.Name() != privacy.InputPerturbation{}.Name() }
	switch g.loaded.Problem {
	case configs.TwoState:
		return func(m privacy.Mechanism, run int) privacy.Address {
			return reproduce.TeamNoise(seed, flags.agents, run, output(m))
		}
	case configs.Gridworld:
		return func(m privacy.Mechanism, run int) privacy.Address {
			return reproduce.WorldNoise(seed, flags.goal, run, output(m))
		}
	}
	return nil
}

// run does the runs that are left.
func (s *costSession) run(ctx context.Context, a *app, folder *record.Folder) error {
	done := s.tally.Runs()
	bar := a.newProgress(s.most-s.first, "runs")
	defer bar.End()
	bar.Add(done)
	saved := time.Now()
	next := s.first + done
	for next < s.most && !s.known() {
		end := s.most
		if s.until > 0 {
			end = min(end, s.first+nextLook(next-s.first))
		}
		runs := func(yield func(int) bool) {
			for i := next; i < end && yield(i); i++ {
			}
		}
		err := s.study.Do(ctx, runs, func(rows []cost.Row) error {
			s.rows = append(s.rows, rows...)
			s.tally.Add(rows)
			bar.Add(1)
			if folder == nil || time.Since(saved) < saveInterval {
				return nil
			}
			saved = time.Now()
			return a.saveCosts(folder, s)
		})
		if err != nil {
			return err
		}
		next = end
	}
	return nil
}

// saveInterval is how much work a kill may cost.
const saveInterval = 20 * time.Second

// nextLook returns after how many runs --until looks again: a quarter more.
func nextLook(done int) int { return max(leastLook, done+(done+3)/4) }

// known reports whether every mean is known well enough. Looks are accounted for by dividing the error among them.
func (s *costSession) known() bool {
	return s.until > 0 && s.tally.Runs() >= leastLook && s.tally.Widest()*lookPenalty <= s.until
}

// lookPenalty widens an interval for being looked at again and again: some 30 looks between 100 and 100000 runs that
// share an error of 5 % ask for a quantile of 3.14 instead of 1.96.
const lookPenalty = 1.61

// unmet is the error of a precision that was not reached.
func (s *costSession) unmet() error {
	if s.until == 0 || s.known() {
		return nil
	}
	return fmt.Errorf("after %s the widest interval is still +-%.3g%% of the value, not --until %.3g%%; allow more with --runs", terminal.Count(s.tally.Runs(), "run"), 100*s.tally.Widest()*lookPenalty, 100*s.until)
}

// costLead and costColumns are the columns of the table.
var costLead = []terminal.Column[cost.Summary]{
	{Heading: "mechanism", Cell: func(s *cost.Summary) string { return s.Mechanism }},
	{Heading: "epsilon", Cell: func(s *cost.Summary) string { return fmt.Sprintf("%g", s.Epsilon) }},
}

var costColumns = []terminal.Column[cost.Summary]{
	{Heading: "sigma", Meaning: "standard deviation of the noise", Cell: func(s *cost.Summary) string { return fmt.Sprintf("%.4g", s.Sigma) }},
	{Heading: "cost", Meaning: "mean cost of privacy, of the optimal value at the start", Cell: func(s *cost.Summary) string { return percentOrMore(s.Mean) }},
	{Heading: "95 % interval", Meaning: "of that mean, by Student's t", Beside: true, Cell: func(s *cost.Summary) string { return terminal.Span(100*s.Low, 100*s.High, 2) }},
	{Heading: "largest", Meaning: "cost of any run", Cell: func(s *cost.Summary) string { return percentOrMore(s.Largest) }},
	{Heading: "free", Meaning: "share of the runs whose policy is optimal", Cell: func(s *cost.Summary) string { return terminal.Percent(s.Free) }},
	{Heading: "bound", Meaning: "what Theorem 3's error of rewards can cost at most, on average", Cell: func(s *cost.Summary) string { return percentOrMore(s.CostBound) }},
	{Heading: "more sweeps", Meaning: "that Theorem 6 allows value iteration", Cell: func(s *cost.Summary) string { return terminal.Decimals(s.ExtraSweepsBound, 0) }},
}

func percentOrMore(share float64) string {
	if math.IsInf(share, 0) {
		return "of 0"
	}
	return terminal.Decimals(100*share, 2) + " %"
}
