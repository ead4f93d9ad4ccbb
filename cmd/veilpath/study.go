package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
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
	if why := refusals[cmd.Name()+" "+args[0]]; why != "" {
		return usageError{fmt.Errorf("%s %s: %s", cmd.CommandPath(), args[0], why)}
	}
	return usageError{fmt.Errorf("%s takes no argument %q; %[1]s --help lists its flags", cmd.CommandPath(), args[0])}
}

func (a *app) study(cmd *cobra.Command, flags studyFlags) error {
	program := a.program()
	request, err := a.studyRequest(cmd, flags)
	if err != nil {
		return err
	}
	s, err := program.Study(cmd.Context(), request)
	if err != nil {
		return err
	}
	s.Attributed = flags.attribution
	return a.do(cmd, program, s.Question())
}

// studyRequest returns what to fly.
func (a *app) studyRequest(cmd *cobra.Command, flags studyFlags) (request campaign.Request, err error) {
	request = campaign.Request{Settings: a.settings(cmd, studyKeys), Trajectories: flags.trajectories}
	if flags.trajectories > 0 && !a.keeps() {
		return request, usageError{errors.New("--trajectories needs --out: name the folder for them")}
	}
	var observers []string
	if flag := cmd.Flag("observer"); flag.Changed {
		if observers, err = campaign.ParseObservers(flag.Value.String()); err != nil {
			return request, usageError{fmt.Errorf("--observer: %w", err)}
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
			return request, err
		}
	}
	if request.Part, err = flags.part(); err != nil {
		return request, err
	}
	for _, text := range flags.sweeps {
		swept, err := campaign.ParseSweep(text)
		if err != nil {
			return request, err
		}
		request.Sweep = append(request.Sweep, swept)
	}
	return request, nil
}

// observerKey is the key that --observer sets.
const observerKey = "adversary.observer"
