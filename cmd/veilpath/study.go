package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

func (a *app) studyCommand() *cobra.Command {
	var flags studyFlags
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Fly many private policies per epsilon and summarise the detection distance",
		Long: `study flies many privatized policies for each epsilon and finds how far from the target the observer
recognised the destination. It prints a summary per epsilon and writes, to --out, summary.csv, runs.parquet,
manifest.json, figure.png and figure.svg.

Ctrl-C stops it and keeps the runs that are done; whatever stopped it, --resume goes on from there and ends
with the same bytes as a study that was never stopped. --shard i/n flies the i-th of n parts, for as many
machines; veilpath merge joins them. --until flies until the mean of every epsilon is known that well, with
the looking on the way accounted for. When --runs does not suffice for that it exits with 1, and --resume
with more --runs goes on.

--sweep flies every epsilon at every value of a setting, and at every combination where it is given more than
once; runs.parquet and summary.csv have the swept keys as columns, and sensitivity.csv says which of them,
or epsilon, the mean detection distance depends on (Sobol indices).`,
		Example: `  veilpath study
  veilpath study --epsilons 0.2:4:0.2 --runs 3000 --out out/figure
  veilpath study --config quick --set adversary.radius_km=1.5 --format json
  veilpath study --resume --out out/figure
  veilpath study --runs 3000 --shard 2/8 --out parts/2
  veilpath study --epsilons 0.4,1,4 --until 0.5km
  veilpath study --epsilons 1 --sweep vehicle.speed_km_s=1.4:2.0:0.2 --sweep adversary.lambda_per_s=0.05,0.1,0.2`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.study(cmd, flags) },
	}
	f := cmd.Flags()
	f.String("epsilons", "", "strengths of privacy: start:stop:step or a list 0.2,1,4 (study.epsilons)")
	f.String("runs", "", "runs per epsilon (study.runs); with --until the most it may take, 1000000 if not given")
	f.String("noise", "", "common: all epsilons of a run share their noise; independent: none do (study.noise)")
	f.BoolVar(&flags.resume, "resume", false, "go on with the study in --out, or begin it when there is none")
	f.StringVar(&flags.shard, "shard", "", "fly only part `i/n` of the runs, i from 1; veilpath merge joins the parts")
	f.StringArrayVar(&flags.sweeps, "sweep", nil, "fly every value of a setting: `key=start:stop:step` or key=a,b,c (repeatable)")
	f.StringVar(&flags.until, "until", "", "fly until every mean is known to this `half-width`, such as 0.5km, at 95 % confidence")
	return cmd
}

// noArguments refuses anything that is not a flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s takes no argument %q; %s --help lists its flags", cmd.CommandPath(), args[0], cmd.CommandPath())}
	}
	return nil
}

func (a *app) study(cmd *cobra.Command, flags studyFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	o, recorded, err := a.orderOf(cmd, flags)
	if err != nil {
		return err
	}
	s, err := newSitting(o)
	if err != nil {
		return err
	}
	if recorded.Complete && recorded.ConfigSHA256 == s.manifest.ConfigSHA256 {
		return a.reprint(cmd.Context(), s, recorded)
	}
	if recorded.Complete { // after other runs, the most that were allowed
		if err := a.goOnFrom(cmd, s, recorded); err != nil {
			return err
		}
	}
	folder, err := a.studyFolder(flags.resume)
	if err != nil {
		return err
	}
	return a.sit(cmd.Context(), s, folder)
}

// orderOf reads what to fly: from the flags, or from the folder when it is to be resumed. The two must
// agree. It returns the manifest of that folder, if it has one.
func (a *app) orderOf(cmd *cobra.Command, flags studyFlags) (o *order, recorded record.Manifest, err error) {
	if !flags.resume {
		o, err = a.newOrder(cmd, flags)
		return o, recorded, err
	}
	if a.out == "" {
		return nil, recorded, usageError{errors.New("--resume needs --out: name the folder of the study to go on with")}
	}
	recorded, err = a.readManifest(a.out)
	if errors.Is(err, record.ErrNoManifest) {
		o, err = a.newOrder(cmd, flags)
		return o, recorded, err
	}
	if err != nil {
		return nil, recorded, err
	}
	switch names := asked(cmd); {
	case len(names) == 0:
		o, err = a.recordedOrder(cmd, a.out, recorded)
	case recorded.UntilKm > 0 && slices.Equal(names, []string{"runs"}):
		o, err = a.allowRuns(cmd, recorded)
	default:
		o, err = a.newOrder(cmd, flags)
	}
	if err != nil {
		return nil, recorded, err
	}
	now, err := o.manifest()
	if err != nil {
		return nil, recorded, err
	}
	if now.Identity() != recorded.Identity() {
		if was, is := recorded.Essence(), now.Essence(); was.UntilKm == is.UntilKm {
			recorded, now = was, is // so that nothing is named that makes no difference
		}
		return nil, recorded, usageError{fmt.Errorf("--resume: the study in %s is another: %s; repeat its flags, leave them all out, or name another --out",
			a.out, differences(recorded, now))}
	}
	return o, recorded, nil
}

// allowRuns reads the order back from the manifest of a study that a precision ends, with other runs as
// the most allowed.
func (a *app) allowRuns(cmd *cobra.Command, recorded record.Manifest) (*order, error) {
	field, _ := configs.Lookup("study.runs")
	runs, err := field.Value(cmd.Flag("runs").Value.String(), "--runs")
	if err != nil {
		return nil, err
	}
	o, err := a.recordedOrder(cmd, a.out, recorded)
	if err != nil {
		return nil, err
	}
	for _, p := range o.points {
		p.Study.Runs = int(runs.(int64))
	}
	return o, nil
}

// goOnFrom makes a sitting go on from the study in --out, which ended after other runs.
func (a *app) goOnFrom(cmd *cobra.Command, s *sitting, recorded record.Manifest) error {
	o, err := a.recordedOrder(cmd, a.out, recorded)
	if err != nil {
		return err
	}
	s.endedAs = recorded
	s.ended, err = newSitting(o)
	return err
}

// begun reports whether a folder holds a study, or the beginning of one.
func begun(folder string) bool {
	for _, name := range []string{record.ManifestName, record.JournalName} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}

// studyFolder opens the output folder of a study: that of one to be resumed as it is, any other fresh.
func (a *app) studyFolder(resume bool) (*record.Folder, error) {
	if resume && begun(a.out) {
		f, err := record.ReopenFolder(a.disk, a.out)
		if err != nil {
			return nil, usageError{err}
		}
		return f, nil
	}
	f, err := a.freshFolder("study")
	if err != nil {
		return nil, err
	}
	if resume {
		a.remark("nothing to resume in %s: beginning the study", a.out)
	}
	f.Remedy = "" // the flights are safe, see complete
	return f, nil
}

// studyResult is what a study came to, with what it takes to write it down.
type studyResult struct {
	loaded        *configs.Loaded     // of the first point
	study         study.Study         // of the first point
	tally         *study.Tally        // of the first point
	tallies       []*study.Tally      // of every point
	summaries     [][]study.Summary   // of every point
	sensitivities []study.Sensitivity // of a sweep
	insensitive   error               // why a sweep has none
	manifest      record.Manifest
	complete      bool
	wall          time.Duration
}

func (r *studyResult) write(folder *record.Folder) error {
	if err := folder.Write(record.SummaryName, func(w io.Writer) error { return record.WriteSummaries(w, r.manifest.Sweep, r.summaries) }); err != nil {
		return err
	}
	if err := r.writeExtras(folder); err != nil {
		return err
	}
	m := r.manifest
	m.Complete, m.Runs, m.Flights = r.complete, r.runs(), r.flights()
	m.NominalDetectionKm = r.study.Experiment.Nominal.DetectionKm
	m.WallTimeS, m.Workers = r.wall.Seconds(), workers(r.study.Workers)
	return folder.Write(record.ManifestName, func(w io.Writer) error { return record.WriteManifest(w, m) })
}

// writeExtras writes what depends on whether the study is a sweep: its figure, and the sensitivities. A
// part of a study has neither; the whole will.
func (r *studyResult) writeExtras(folder *record.Folder) error {
	if r.manifest.Shard != nil {
		return nil
	}
	if len(r.manifest.Sweep) == 0 {
		return r.draw(folder)
	}
	if len(r.sensitivities) > 0 {
		if err := folder.Write(sensitivityName, func(w io.Writer) error { return writeSensitivities(w, r.sensitivities) }); err != nil {
			return err
		}
	}
	return r.drawSweep(folder)
}

// runs returns how many runs every epsilon of every point has at least.
func (r *studyResult) runs() int {
	runs := r.tally.Runs()
	for _, t := range r.tallies {
		runs = min(runs, t.Runs())
	}
	return runs
}

func (r *studyResult) flights() int {
	flights := 0
	for _, t := range r.tallies {
		flights += t.Flights()
	}
	return flights
}

// workers returns how many goroutines a setting stands for.
func workers(setting int) int {
	if setting < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return setting
}
