package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"veilpath/adversary"
	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
)

// studyFlags are the flags of study that are not configuration keys.
type studyFlags struct {
	resume bool
	shard  string
	sweeps []string
	until  string

	trajectories int
}

// studyKeys are the flags of study that stand for configuration keys.
var studyKeys = map[string]string{"epsilons": "study.epsilons", "runs": "study.runs", "noise": "study.noise"}

func (a *app) studyCommand() *cobra.Command {
	var flags studyFlags
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Fly many private policies per epsilon and summarise the detection distance",
		Long: `study flies many privatized policies for each epsilon and finds how far from the target the observer
recognised the destination. It prints a summary per epsilon and writes, to --out, summary.csv, runs.parquet,
manifest.json, figure.png and figure.svg.

--epsilons 0.2..4 flies every epsilon of that range: each run is a few pieces in epsilon, with one flight each.
axis.parquet has a row for every run and piece; the other files are at the listed epsilons, those of the paper
on the range or others, as in 0.2..4,0.5,1.

Ctrl-C stops it and keeps the runs that are done; whatever stopped it, --resume goes on from there and ends
with the same bytes as a study that was never stopped. --shard i/n flies the i-th of n parts, for as many
machines; veilpath merge joins them. --until flies until the mean of every epsilon is known that well, with
the looking on the way accounted for. When --runs does not suffice for that it exits with 1, and --resume
with more --runs goes on.

--trajectories N keeps the first N runs of every listed epsilon step by step: trajectories.parquet has their run,
epsilon, time, position, velocity, acceleration, the observer's guess and its error, in the local frame, and
flights.png and .svg show them from above. --report writes report.html, a page with all figures and tables.

--sweep flies every epsilon at every value of a setting, and at every combination where it is given more than
once; runs.parquet and summary.csv have the swept keys as columns, and sensitivity.csv says which of them,
or epsilon, the mean detection distance depends on (Sobol indices).

--observer a,b has several observers watch the same flights: it sweeps adversary.observer, with a row of the summary for
each and their name in the first column.

The columns of the table:
` + terminal.Headings(summaryColumns) + `

and those of the Sobol indices:
` + terminal.Headings(sensitivityColumns),
		Example: `  veilpath study
  veilpath study --epsilons 0.2:4:0.2 --runs 3000 --out out/figure
  veilpath study --epsilons 0.2..4 --runs 1000
  veilpath study --config quick --set adversary.radius_km=1.5 --format json
  veilpath study --resume --out out/figure
  veilpath study --runs 3000 --shard 2/8 --out parts/2
  veilpath study --epsilons 0.4,1,4 --until 0.5km
  veilpath study --config three-goals --trajectories 100
  veilpath study --observer ballistic,constant_velocity_ground,handover_circle
  veilpath study --epsilons 1 --sweep vehicle.speed_km_s=1.4:2.0:0.2 --sweep adversary.lambda_per_s=0.05,0.1,0.2`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.study(cmd, flags) },
	}
	f := cmd.Flags()
	f.String("epsilons", "", "strengths of privacy: a list 0.2,1,4, start:stop:step, or all of 0.2..4 (study.epsilons)")
	f.String("runs", "", "runs per epsilon (study.runs); with --until the most it may take, 1000000 if not given")
	f.String("noise", "", "common: all epsilons of a run share their noise; independent: none do (study.noise)")
	f.String("observer", "", "who watches (adversary.observer); a list of `names` for several, all of the same flights")
	f.BoolVar(&flags.resume, "resume", false, "go on with the study in --out, or begin it when there is none")
	f.StringVar(&flags.shard, "shard", "", "fly only part `i/n` of the runs, i from 1; veilpath merge joins the parts")
	f.StringArrayVar(&flags.sweeps, "sweep", nil, "fly every value of a setting: `key=start:stop:step` or key=a,b,c (repeatable)")
	f.StringVar(&flags.until, "until", "", "fly until every mean is known to this `half-width`, such as 0.5km, at 95 % confidence")
	f.Var(terminal.Whole(&flags.trajectories, 0, 0, 1_000_000), "trajectories", "keep this `number` of runs of every listed epsilon step by step, and draw them")
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
	program, events := a.program()
	defer events.end()
	plan, err := a.plan(cmd, flags, program)
	if err != nil {
		return err
	}
	session, err := program.NewSession(cmd.Context(), plan)
	if err != nil {
		return err
	}
	if session.Finished() {
		result, err := session.Mend(cmd.Context())
		if result == nil {
			return advise(err)
		}
		a.remark("the study in %s is complete, %s", a.out, terminal.Count(result.Flights(), "flight"))
		return errors.Join(a.printStudy(result), advise(err))
	}
	folder, err := a.studyFolder(program, flags.resume)
	if err != nil {
		return err
	}
	defer folder.Close()
	result, err := session.Fly(cmd.Context(), folder)
	events.end()
	if result == nil && errors.Is(err, syscall.ENOSPC) && !errors.As(err, new(*campaign.StoppedError)) { // before the first flight
		return fmt.Errorf("%w; %s and repeat the command with --resume", err, remedy(err))
	}
	if result == nil {
		return advise(err)
	}
	if printing := a.printStudy(result); printing != nil {
		return printing
	}
	if result.Complete {
		a.remarkStudy(result, folder)
	}
	return advise(err)
}

// plan resolves what to fly: from the flags, or from the folder when it is to be resumed.
func (a *app) plan(cmd *cobra.Command, flags studyFlags, program *campaign.Program) (*campaign.Plan, error) {
	if flags.resume && a.out == "" {
		return nil, usageError{errors.New("--resume needs --out: name the folder of the study to go on with")}
	}
	request := campaign.Request{Settings: a.settings(cmd, studyKeys), Trajectories: flags.trajectories}
	if flags.trajectories > 0 && !a.keeps() {
		return nil, usageError{errors.New("--trajectories needs --out: name the folder to keep them in")}
	}
	observers, err := observersOf(cmd)
	if err != nil {
		return nil, usageError{err}
	}
	switch {
	case len(observers) == 1:
		request.Settings.Overrides = append(request.Settings.Overrides, configs.Override{Key: observerKey, Flag: "--observer", Value: observers[0]})
	case len(observers) > 1:
		flags.sweeps = append([]string{observerKey + "=" + strings.Join(observers, ",")}, flags.sweeps...)
	}
	if flags.until != "" {
		if request.UntilKm, err = campaign.ParseHalfWidth(flags.until); err != nil {
			return nil, err
		}
	}
	if flags.shard != "" {
		if request.Part, err = campaign.ParsePart(flags.shard); err != nil {
			return nil, err
		}
	}
	for _, text := range flags.sweeps {
		swept, err := campaign.ParseSweep(text)
		if err != nil {
			return nil, err
		}
		request.Sweep = append(request.Sweep, swept)
	}
	if flags.resume {
		return program.Resume(a.out, request)
	}
	return program.Resolve(request)
}

// observerKey is the setting that --observer stands for.
const observerKey = "adversary.observer"

// observersOf reads --observer of study; none when it is not given.
func observersOf(cmd *cobra.Command) ([]string, error) {
	flag := cmd.Flag("observer")
	if !flag.Changed {
		return nil, nil
	}
	var names []string
	for name := range strings.SplitSeq(flag.Value.String(), ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(adversary.Names(), name) {
			return nil, fmt.Errorf("--observer: no observer is called %q; %s", name, terminal.Suggestion(name, adversary.Names(), "there are "+strings.Join(adversary.Names(), ", ")))
		}
		names = append(names, name)
	}
	return names, nil
}

// studyFolder opens the output folder of a study: that of one to be resumed as it is, any other fresh. It is
// nil where nothing is to be left on disk.
func (a *app) studyFolder(program *campaign.Program, resume bool) (*record.Folder, error) {
	if resume && program.Begun(a.out) {
		f, err := record.ReopenFolder(a.disk, a.out, "study --resume")
		if err != nil {
			return nil, folderError(err)
		}
		return a.superseding(f)
	}
	f, err := a.resultFolder("study")
	if err != nil || f == nil {
		return nil, err
	}
	if resume {
		a.remark("nothing to resume in %s: beginning the study", a.out)
	}
	if err := f.Restart(); err != nil { // whose journal is in the way of this one's
		f.Close()
		return nil, err
	}
	f.Remedy = "" // the flights are safe, see campaign.StoppedError
	return f, nil
}

// remarkStudy says how much was flown and where it is.
func (a *app) remarkStudy(r *campaign.Result, folder *record.Folder) {
	now := ""
	if r.Resumed > 0 {
		now = fmt.Sprintf(", %d of them now,", r.Flights()-r.Resumed)
	}
	a.remark("%s%s in %.2f s%s", terminal.Count(r.Flights(), "flight"), now, r.Wall.Seconds(), written(folder))
}
