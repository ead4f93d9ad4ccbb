package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/paper"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/reproduce"
	"veilpath/sim/setup"
)

func (a *app) reproduceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reproduce [ITEM ...]",
		Short: "Recompute the paper's tables, figures and numbers, and say what agrees",
		Long: `reproduce recomputes what the paper (arXiv 2309.12476) publishes and judges it number by number: exact, to the
printed digits, within sampling error, only after a named change, not at all, or contradicted by a proof or by the
paper itself. Items are table1a table1b thm3 cor1 thm5 thm6a thm6b example1 example2 example3 scalars beyond;
without any, or with all, it does all of them.

It writes to --out, or with --format csv or json into a pipe only if that is given: compare.csv, a row per
number; a figure per item as PNG and SVG; report.html, which holds everything in one file; and manifest.json.
The table's columns are the quantity, how many numbers the paper has of it, what it published, what comes out,
and the verdict. Of several numbers with one verdict it shows the pair furthest apart; json and csv have all.

Settings are those of the presets paper, example1 and example2; --set changes a key in all three, such as
example1.discount or study.runs.`,
		Example: `  veilpath reproduce --out out/paper
  veilpath reproduce table1a thm6a --format csv
  veilpath reproduce example1 --set example1.obedience=0.9`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.reproduce(cmd, args) },
	}
}

func (a *app) reproduce(cmd *cobra.Command, names []string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	items, err := reproduce.Select(names)
	if err != nil {
		return usageError{err}
	}
	loaded, settings, err := a.reproduceSettings(cmd)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("reproduce")
	if err != nil {
		return err
	}
	if folder != nil {
		defer folder.Close()
	}
	a.announce(items, settings)
	start := time.Now()
	bar := a.newProgress(reproduce.Work(items, settings), "samples")
	results, stopped := reproduce.Run(cmd.Context(), items, settings, bar.Add)
	bar.End()
	var setting reproduce.SettingError
	if errors.As(stopped, &setting) {
		return usageError{stopped}
	}
	if stopped != nil && (len(results) == 0 || !errors.Is(stopped, context.Canceled)) {
		return stopped
	}
	if folder != nil {
		if err := a.writeReproduction(folder, loaded, results, stopped == nil, time.Since(start)); err != nil {
			return err
		}
	}
	if err := a.printReproduction(results); err != nil {
		return err
	}
	if stopped != nil {
		return fmt.Errorf("interrupted: %d of %s are done%s; name the others to do them: %w", len(results), terminal.Count(len(items), "item"), written(folder), stopped)
	}
	a.remark("%s judged in %.1f s%s", terminal.Count(judged(results), "number"), time.Since(start).Seconds(), written(folder))
	return nil
}

// coreSeconds is how long a unit of an item's work takes one core of a server of 2023. What is not listed takes no
// time worth mentioning.
var coreSeconds = map[string]float64{
	"thm6a": 0.8, "thm6b": 0.8, "example1": 0.00025, "example2": 0.016, "example3": 0.00015, "scalars": 0.0019, "beyond": 0.0015,
}

// announce says how long items will take, where that is long enough to wonder.
func (a *app) announce(items []*reproduce.Item, s *reproduce.Settings) {
	seconds := 0.0
	for _, item := range items {
		seconds += coreSeconds[item.Name] * float64(reproduce.Work([]*reproduce.Item{item}, s))
	}
	cores := min(campaign.Workers(s.Workers), runtime.NumCPU())
	const wonder = 2 // s
	if seconds /= float64(cores); seconds > wonder {
		a.remark("%s, about %.0f s on %s", terminal.Count(len(items), "item"), seconds, terminal.Count(cores, "core"))
	}
}

func judged(results []*reproduce.Result) int {
	n := 0
	for _, count := range reproduce.Count(results) {
		n += count
	}
	return n
}

// reproduceSettings loads the three presets with the same flags over each.
func (a *app) reproduceSettings(cmd *cobra.Command) (*configs.Loaded, *reproduce.Settings, error) {
	load := func(preset string) (*configs.Loaded, error) {
		request := a.request(cmd, nil)
		request.Config = preset
		return configs.Load(request)
	}
	waypoints, err := a.load(cmd, nil)
	if err != nil {
		return nil, nil, err
	}
	one, err := load(configs.TwoState)
	if err != nil {
		return nil, nil, err
	}
	two, err := load(configs.Gridworld)
	if err != nil {
		return nil, nil, err
	}
	experiment, err := setup.Experiment(waypoints.Config)
	if err != nil {
		return nil, nil, err
	}
	return waypoints, &reproduce.Settings{
		Seed: waypoints.Study.Seed, Workers: waypoints.Study.Workers,
		Example1: reproduce.TeamSettings{
			Team: func(agents int) paper.TwoStateTeam { return setup.TwoStateTeam(one.Config, agents) }, Agents: one.Example1.Agents, Discount: one.Example1.Discount,
			Guarantee: setup.Guarantee(one.Config), Samples: one.Study.Runs,
		},
		Example2: reproduce.WorldSettings{
			World:       func(goal float64) paper.Gridworld { return setup.Gridworld(two.Config, goal) },
			GoalRewards: two.Example2.GoalRewards, Discount: two.Example2.Discount, StartCells: two.Example2.StartCells,
			Guarantee: setup.Guarantee(two.Config), Epsilons: two.Study.Epsilons, Samples: two.Study.Runs,
		},
		Example3: setup.Study(waypoints.Config, experiment),
	}, nil
}

// writeReproduction writes the files.
func (a *app) writeReproduction(folder *record.Folder, loaded *configs.Loaded, results []*reproduce.Result, complete bool, wall time.Duration) error {
	files := map[string]func(io.Writer) error{
		reproduce.ComparisonName: func(w io.Writer) error { return reproduce.WriteComparison(w, results) },
		reproduce.ReportName: func(w io.Writer) error {
			return reproduce.WriteReport(w, results, fmt.Sprintf("veilpath %s, seed %d", version, loaded.Study.Seed))
		},
	}
	for _, r := range results {
		for _, f := range r.AllFigures() {
			files["figure-"+f.Name+".png"], files["figure-"+f.Name+".svg"] = f.Draw.WritePNG, f.Draw.WriteSVG
		}
	}
	program, _ := a.program()
	return program.Write(folder, campaign.Results{Verb: "reproduce", Settings: loaded, Files: files, Partial: !complete, Wall: wall})
}
