package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/leak"
	"veilpath/sim/record"
	"veilpath/sim/report"
	"veilpath/sim/setup"
)

// contestFlags are the flags of leak mechanisms that are not configuration keys.
type contestFlags struct {
	mechanisms string
	flights    int
	at         string
	policies   int
}

// rewardMechanism is the name of noise on the reward, beside those that draw the goal.
const rewardMechanism = "reward"

func (a *app) leakMechanismsCommand() *cobra.Command {
	var flags contestFlags
	cmd := &cobra.Command{
		Use:   "mechanisms",
		Short: "Compare ways of hiding the goal: bits leaked against cost and detour",
		Long: `mechanisms flies the same goals, each hidden in several ways, and tells of every way how many bits an observer who
knows it has learned about the goal after so many km, what it costs and how much longer the flights are.

  reward     Gaussian noise on every entry of the reward: (epsilon, delta) for one entry (the paper's)
  ` + fmt.Sprintf("%-9s", privacy.GeoIndistinguishable{}.Name()) + `  ` + privacy.GeoIndistinguishable{}.Meaning() + `
  ` + fmt.Sprintf("%-9s", privacy.GaussianGoal{}.Name()) + `  ` + privacy.GaussianGoal{}.Meaning() + `

A drawn goal is planned for and flown to until the hand-over at the true one. Epsilons of different mechanisms promise
different things; what they leak and cost is what compares. The observer of reward learns from --policies of private
policies for every goal; those of the others are exact.`,
		Example: `  veilpath leak mechanisms
  veilpath leak mechanisms --mechanisms reward:1,goal:0.1,goal:1 --flights 200 --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.leakMechanisms(cmd, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.mechanisms, "mechanisms", "reward:0.2,reward:1,reward:4,goal:0.1,goal:0.2,goal:0.5,goal:1,goal:2,parameter:1,parameter:16,parameter:64", "ways of hiding, a list of `NAME:EPSILON`")
	f.Var(terminal.Whole(&flags.flights, 400, 2, mostFlights), "flights", "flights of every way, at least 2")
	f.StringVar(&flags.at, "at", "50km", "distance flown at which the belief is told, `km`")
	f.Var(terminal.Whole(&flags.policies, 100, 1, 1_000_000), "policies", "private policies of every goal that the observer of reward knows")
	return cmd
}

// hidings reads ways of hiding.
func hidings(c configs.Config, lattice privacy.Lattice, list string) ([]leak.Hiding, error) {
	guarantee := setup.Guarantee(c)
	var all []leak.Hiding
	for item := range strings.SplitSeq(list, ",") {
		name, text, _ := strings.Cut(strings.TrimSpace(item), ":")
		epsilon, err := strconv.ParseFloat(text, 64)
		if err != nil || !(epsilon >= 1e-9 && epsilon <= 1e9) {
			return nil, fmt.Errorf("%q: want NAME:EPSILON with a number from 1e-9 to 1e9, as in goal:0.5", item)
		}
		h := leak.Hiding{Mechanism: name, Epsilon: epsilon}
		switch name {
		case rewardMechanism:
			h.Sigma, err = guarantee.Calibration.Sigma(epsilon, guarantee.Delta, guarantee.Adjacency)
		case privacy.GeoIndistinguishable{}.Name():
			h.Goal, err = privacy.NewGeoIndistinguishable(lattice, epsilon)
		case privacy.GaussianGoal{}.Name():
			h.Goal, err = privacy.NewGaussianGoal(lattice, guarantee.Calibration, epsilon, guarantee.Delta)
		default:
			names := []string{rewardMechanism, privacy.GeoIndistinguishable{}.Name(), privacy.GaussianGoal{}.Name()}
			err = fmt.Errorf("no mechanism is called %q; %s", name, terminal.Suggestion(name, names, "there are "+strings.Join(names, ", ")))
		}
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other leak.Hiding) bool { return other.Mechanism == name && other.Epsilon == epsilon }) {
			return nil, fmt.Errorf("%s is there twice; leave one out", item)
		}
		all = append(all, h)
	}
	return all, nil
}

// newContest builds the contest that settings and flags describe.
func newContest(ctx context.Context, c configs.Config, flags contestFlags) (*leak.Contest, error) {
	setting, err := setup.Leak(c)
	if err != nil {
		return nil, err
	}
	lattice := privacy.Lattice{Columns: setting.Spec.Columns, Rows: setting.Spec.Rows}
	contest := &leak.Contest{Flights: flags.flights, Policies: flags.policies, Seed: c.Study.Seed, Workers: c.Study.Workers}
	if contest.Hidings, err = hidings(c, lattice, flags.mechanisms); err != nil {
		return nil, usageError{fmt.Errorf("--mechanisms: %w", err)}
	}
	at, err := kilometres(flags.at)
	if err != nil || len(at) != 1 {
		return nil, usageError{fmt.Errorf("--at %s: want one distance in km, 0 or more", flags.at)}
	}
	contest.FlownKm = at[0]
	possible, err := setting.Cells(setting.Scenario.HandoverKm)
	if err != nil {
		return nil, err
	}
	if len(possible) < 2 {
		return nil, usageError{fmt.Errorf("privacy.handover_km = %g: %s at least so far from the start; want two goals or more", setting.Scenario.HandoverKm, terminal.Count(len(possible), "cell"))}
	}
	states, weights := make([]int, lattice.Cells()), make([]float64, lattice.Cells())
	for i := range states {
		states[i] = i
	}
	for _, state := range possible {
		weights[state] = 1
	}
	contest.World, err = leak.NewWorld(ctx, setting, states, weights, contest.Workers, func(int) {})
	return contest, err
}

func (a *app) leakMechanisms(cmd *cobra.Command, flags contestFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	loaded, err := a.load(cmd, nil)
	if err != nil {
		return err
	}
	contest, err := newContest(cmd.Context(), loaded.Config, flags)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("leak")
	if err != nil {
		return err
	}
	defer folder.Close()
	start := time.Now()
	bar := a.newProgress(contest.Work(), "plans")
	outcomes, err := contest.Fly(cmd.Context(), bar.Add)
	bar.End()
	if err != nil {
		return err
	}
	rows := contestRows(outcomes)
	if folder != nil {
		if err := a.writeContest(folder, loaded, contest, outcomes, rows, time.Since(start)); err != nil {
			return err
		}
	}
	if err := a.printContest(contest, outcomes, rows); err != nil {
		return err
	}
	a.remark("%s watched in %.1f s%s", terminal.Count(flags.flights*len(outcomes), "flight"), time.Since(start).Seconds(), written(folder))
	return nil
}

// contestName is the file of a contest's outcomes.
const contestName = "mechanisms.csv"

// contestRows are the outcomes under their headings.
func contestRows(outcomes []leak.Outcome) [][]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	rows := [][]string{{"mechanism", "epsilon", "bits_learned", "standard_error", "cost_of_privacy", "cost_standard_error", "detour", "detour_standard_error", "fallback"}}
	for _, o := range outcomes {
		rows = append(rows, []string{o.Mechanism, number(o.Epsilon), number(o.Learned.Mean), number(o.Learned.StandardError), number(o.Cost.Mean),
			number(o.Cost.StandardError), number(o.Detour.Mean), number(o.Detour.StandardError), number(o.Fallback)})
	}
	return rows
}

// writeContest writes the outcomes and their figure.
func (a *app) writeContest(folder *record.Folder, loaded *configs.Loaded, c *leak.Contest, outcomes []leak.Outcome, rows [][]string, wall time.Duration) error {
	figure := report.ContestFigure(c, outcomes)
	files := map[string]func(io.Writer) error{
		contestName:  func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) },
		"figure.png": figure.WritePNG, "figure.svg": figure.WriteSVG,
	}
	program, _ := a.program()
	return program.Write(folder, campaign.Results{Verb: "leak", Settings: loaded, Files: files, Flights: c.Flights * len(outcomes), Wall: wall})
}

// outcomeJSON is an outcome as JSON prints it.
type outcomeJSON struct {
	Mechanism     string         `json:"mechanism"`
	Epsilon       terminal.Maybe `json:"epsilon"`
	BitsLearned   terminal.Maybe `json:"bits_learned"`
	StandardError terminal.Maybe `json:"standard_error"`
	Cost          terminal.Maybe `json:"cost_of_privacy"`
	Detour        terminal.Maybe `json:"detour"`
	Fallback      terminal.Maybe `json:"fallback"`
}

// printContest prints the outcomes in the format asked for.
func (a *app) printContest(c *leak.Contest, outcomes []leak.Outcome, rows [][]string) error {
	switch a.format {
	case "json":
		all := []outcomeJSON{}
		for _, o := range outcomes {
			all = append(all, outcomeJSON{o.Mechanism, terminal.Maybe(o.Epsilon), terminal.Maybe(o.Learned.Mean), terminal.Maybe(o.Learned.StandardError), terminal.Maybe(o.Cost.Mean), terminal.Maybe(o.Detour.Mean), terminal.Maybe(o.Fallback)})
		}
		return a.printJSON(map[string]any{"flown_km": c.FlownKm, "prior_bits": c.World.PriorBits(), "flights": c.Flights, "mechanisms": all})
	case "csv":
		return csv.NewWriter(a.stdout).WriteAll(rows)
	}
	fmt.Fprintf(a.stdout, "Learned about the goal after %g km, of %.2f bits, by an observer who knows the mechanism:\n", c.FlownKm, c.World.PriorBits())
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "mechanism\tepsilon\tbits\t+-\tcost %\tdetour %\tgave up %\t")
	for _, o := range outcomes {
		percent := func(v float64) float64 { return math.Round(1000*v) / 10 }
		fmt.Fprintf(table, "%s\t%g\t%.2f\t%.2f\t%.1f\t%.1f\t%.1f\t\n", o.Mechanism, o.Epsilon, o.Learned.Mean, o.Learned.StandardError, percent(o.Cost.Mean), percent(o.Detour.Mean), percent(o.Fallback))
	}
	return table.Flush()
}
