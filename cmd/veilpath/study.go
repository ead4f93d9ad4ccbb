package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

func (a *app) studyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Fly many private policies per epsilon and summarise the detection distance",
		Long: `study flies many privatized policies for each epsilon and finds how far from the target the observer
recognised the destination. It prints a summary per epsilon and writes, to --out, summary.csv, runs.parquet,
manifest.json, figure.png and figure.svg. Ctrl-C stops it and keeps the runs that are done.`,
		Example: `  veilpath study
  veilpath study --epsilons 0.2:4:0.2 --runs 3000 --out out/figure
  veilpath study --config quick --set adversary.radius_km=1.5 --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.study(cmd) },
	}
	flags := cmd.Flags()
	flags.String("epsilons", "", "strengths of privacy: start:stop:step or a list 0.2,1,4 (study.epsilons)")
	flags.Int("runs", 0, "runs per epsilon (study.runs)")
	flags.String("noise", "", "common: all epsilons of a run share their noise; independent: none do (study.noise)")
	return cmd
}

// noArguments refuses anything that is not a flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s takes no argument %q; %s --help lists its flags", cmd.CommandPath(), args[0], cmd.CommandPath())}
	}
	return nil
}

func (a *app) study(cmd *cobra.Command) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	loaded, err := a.load(cmd, map[string]string{"epsilons": "study.epsilons", "runs": "study.runs", "noise": "study.noise"})
	if err != nil {
		return err
	}
	experiment, err := loaded.Experiment()
	if err != nil {
		return err
	}
	folder, err := a.folder("study")
	if err != nil {
		return err
	}
	start := time.Now()
	s := loaded.StudyOf(experiment)
	tally, stopped := a.fly(cmd.Context(), s, folder)
	if stopped != nil && (!errors.Is(stopped, context.Canceled) || tally == nil || tally.Runs() == 0) {
		return stopped
	}
	result := studyResult{loaded: loaded, study: s, tally: tally, complete: stopped == nil, wall: time.Since(start)}
	if err := result.write(folder); err != nil {
		return err
	}
	if err := a.printStudy(result); err != nil {
		return err
	}
	if stopped != nil {
		return fmt.Errorf("interrupted after %d of %d runs per epsilon, which are in %s: %w", tally.Runs(), s.Runs, folder.Path(), stopped)
	}
	a.remark("%d flights in %.2f s, written to %s", s.Runs*len(s.Epsilons), result.wall.Seconds(), folder.Path())
	return nil
}

// fly runs the study into runs.parquet and a tally. When the context ends early both hold the runs done
// and the context's error is returned with them.
func (a *app) fly(ctx context.Context, s study.Study, folder *record.Folder) (*study.Tally, error) {
	sigmas, err := s.Sigmas()
	if err != nil {
		return nil, err
	}
	tally := study.NewTally(s.Epsilons, sigmas)
	runs, err := folder.CreateRuns(version)
	if err != nil {
		return nil, err
	}
	bar := a.newProgress(s.Runs*len(s.Epsilons), "flights")
	stopped := s.Do(ctx, func(records []study.Run) error {
		tally.Add(records)
		bar.add(len(records))
		return runs.Add(records)
	})
	bar.end()
	if stopped != nil && (!errors.Is(stopped, context.Canceled) || tally.Runs() == 0) {
		runs.Abandon()
		return nil, stopped
	}
	if err := runs.Commit(); err != nil {
		return nil, err
	}
	return tally, stopped
}

// studyResult is what a study came to, with what it takes to write it down.
type studyResult struct {
	loaded   *configs.Loaded
	study    study.Study
	tally    *study.Tally
	complete bool
	wall     time.Duration
}

func (r *studyResult) write(folder *record.Folder) error {
	summaries := r.tally.Summaries()
	if err := folder.Write(record.SummaryName, func(w io.Writer) error { return record.WriteSummaries(w, summaries) }); err != nil {
		return err
	}
	manifest, err := newManifest("study", r.loaded)
	if err != nil {
		return err
	}
	manifest.Complete, manifest.Runs = r.complete, r.tally.Runs()
	manifest.NominalDetectionKm = r.study.Experiment.Nominal.DetectionKm
	manifest.WallTimeS, manifest.Workers = r.wall.Seconds(), workers(r.study.Workers)
	return folder.Write(record.ManifestName, func(w io.Writer) error { return record.WriteManifest(w, manifest) })
}

// workers returns how many goroutines a setting stands for.
func workers(setting int) int {
	if setting < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return setting
}
