package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// studyFlags are the flags of study that are not configuration keys.
type studyFlags struct {
	workFlags
	sweeps []string
	until  string

	trajectories int
	attribution  bool // print what moves recognition
}

// studyKeys are the flags of study that set configuration keys.
var studyKeys = map[string]string{"epsilons": "study.epsilons", "runs": "study.runs", "noise": "study.noise",
	"mechanism": "privacy.mechanism", "hidden-until": "study.hidden_until_km"}

func (a *app) studyCommand() *cobra.Command {
	var flags studyFlags
	cmd := verb("study", noArguments, func(cmd *cobra.Command, _ []string) error { return a.study(cmd, flags) },
		terminal.Headings(study.SummaryColumns()))
	f := cmd.Flags()
	f.String("epsilons", "", "strengths of privacy: a list, 0.2:4:0.2 or 0.2..4")
	f.StringP("runs", "n", "", "runs per epsilon, with --until at most")
	f.String("noise", "", "common to all epsilons of a run, or independent")
	f.String("mechanism", "", mechanismFlag)
	f.String("observer", "", "who watches: `names`, at the end exec:COMMAND")
	addWorkFlags(cmd, &flags.workFlags)
	f.String("hidden-until", "", "`km` until which the share hidden is counted")
	f.StringArrayVar(&flags.sweeps, "sweep", nil, "fly every value: `key=a,b,c` (repeatable)")
	f.StringVar(&flags.until, "until", "", "fly until every mean is known to this many `km`")
	f.Var(terminal.Whole(&flags.trajectories, 0, 0, 1_000_000), "trajectories",
		"keep and draw this `number` of flights step by step")
	f.BoolVar(&flags.attribution, "attribution", false, "print what hand-over, waypoints and noise change")
	return cmd
}

// mechanismFlag is the help on --mechanism, which sets privacy.mechanism.
const mechanismFlag = "mechanism, or way to hide: a `name` or exec:COMMAND"

// noArguments returns an error for an argument that is not a flag. A preset or a YAML file alone is the value of
// --config.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	config := cmd.Flag("config")
	isConfig := slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(args[0])) ||
		slices.ContainsFunc(configs.Presets(), func(p configs.Preset) bool { return p.Name == args[0] })
	switch {
	case config == nil || !isConfig:
	case len(args) == 1 && !config.Changed:
		return cmd.Flags().Set("config", args[0])
	default:
		return usageError{fmt.Errorf("%s takes settings with a flag: %[1]s --config %[2]s", cmd.CommandPath(), args[0])}
	}
	return usageError{fmt.Errorf("%s takes no argument %q; %[1]s --help lists its flags", cmd.CommandPath(), args[0])}
}

func (a *app) study(cmd *cobra.Command, flags studyFlags) error {
	program, events := a.program()
	defer events.End()
	plan, err := a.plan(cmd, flags, program)
	if err != nil {
		return err
	}
	session, err := program.NewSession(cmd.Context(), plan)
	if err != nil {
		return err
	}
	state := campaign.New
	if a.out != "" && !a.force {
		if state, err = session.State(a.out); err != nil {
			return err
		}
	}
	if state == campaign.Finished && flags.shard != "" {
		return a.printAgain(cmd.Context())
	}
	if state == campaign.Finished {
		result, err := session.Recorded(cmd.Context(), a.out)
		if result == nil {
			return a.advise(err)
		}
		a.remark("the study in %s is complete, %s", a.out, result.FlightsText())
		printing := a.printStudy(result, flags.attribution)
		a.remarkLeft()
		return errors.Join(printing, a.advise(err))
	}
	folder, err := a.workFolder("study", state)
	if err != nil {
		return err
	}
	defer folder.Close()
	result, err := session.Fly(cmd.Context(), folder)
	events.End()
	if result == nil && err == nil {
		a.remark("part %s is done%s; veilpath merge joins it with the others", flags.shard, written(folder))
	}
	if result == nil {
		return a.advise(err)
	}
	if printing := a.printStudy(result, flags.attribution); printing != nil {
		return printing
	}
	a.remarkLeft()
	if result.Complete {
		a.remarkStudy(cmd, result, folder)
	}
	return a.advise(err)
}

// plan returns what to fly.
func (a *app) plan(cmd *cobra.Command, flags studyFlags, program *campaign.Program) (*campaign.Plan, error) {
	if flags.shard != "" && !a.keeps() {
		return nil, usageError{errors.New("--shard needs --out: name the folder for the part")}
	}
	request := campaign.Request{Settings: a.settings(cmd, studyKeys), Trajectories: flags.trajectories}
	if flags.trajectories > 0 && !a.keeps() {
		return nil, usageError{errors.New("--trajectories needs --out: name the folder for them")}
	}
	var observers []string
	var err error
	if flag := cmd.Flag("observer"); flag.Changed {
		if observers, err = campaign.ParseObservers(flag.Value.String()); err != nil {
			return nil, usageError{fmt.Errorf("--observer: %w", err)}
		}
	}
	switch {
	case len(observers) == 1:
		request.Settings.Overrides = append(request.Settings.Overrides,
			configs.Override{Key: observerKey, Flag: "observer", Value: observers[0]})
	case len(observers) > 1:
		request.Sweep = append(request.Sweep, campaign.SweepObservers(observers))
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
	return program.Resolve(request)
}

// observerKey is the key that --observer sets.
const observerKey = "adversary.observer"

// remarkStudy prints how much was flown, the files by name, and what to do next.
func (a *app) remarkStudy(cmd *cobra.Command, r *campaign.Result, folder *pieces.Folder) {
	now := ""
	if r.Resumed > 0 {
		now = fmt.Sprintf(", %d flown now,", r.Flights()-r.Resumed)
	}
	a.remark("%s%s in %.2f s", r.FlightsText(), now, r.Wall.Seconds())
	if folder == nil {
		return
	}
	path := filepath.Clean(folder.Path())
	a.remark("picture  %s   all numbers  %s", filepath.Join(path, "figure.png"), filepath.Join(path, "summary.csv"))
	a.remarkCommand("next     ", a.nextCommand(cmd, "view", path))
	a.remarkCommand("         a stronger observer: ", a.nextCommand(cmd, "leak"))
}

// printStudy prints the summary of a study in the requested format, and as a table also what changes recognition.
func (a *app) printStudy(r *campaign.Result, attribution bool) error {
	if a.format != "table" {
		return a.print(r)
	}
	return a.printer().Print(r.Sections(attribution)...)
}
