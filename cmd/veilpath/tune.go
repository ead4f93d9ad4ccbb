package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// tuneFlags are the flags of tune that are not configuration keys.
type tuneFlags struct {
	hiddenUntilKm float64 // NaN when not given
	share         string
	maxCost       string
	confidence    float64
	radii         string
	between       string
	resolution    float64
	mostRuns      int
	workFlags
}

func (a *app) tuneCommand() *cobra.Command {
	var flags tuneFlags
	var problem tuneProblemFlags
	cmd := verb("tune", problemOrNone, func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return a.tuneProblem(cmd, args[0], flags, problem)
		}
		return a.tune(cmd, flags)
	}, terminal.Headings(campaign.RadiusColumns(0)), terminal.Headings(study.SurfaceColumns()))
	addTuneProblemFlags(cmd, &problem)
	addResumeFlag(cmd, &flags.workFlags)
	f, usual := cmd.Flags(), study.UsualSearch()
	f.Var(terminal.Number(&flags.hiddenUntilKm, math.NaN(), terminal.Kilometres), "hidden-until",
		"demand: hidden until this many `km` from the target")
	f.StringVar(&flags.share, "share", "", "demand it of this `share` of the flights, such as 90%")
	f.StringVar(&flags.maxCost, "max-cost", "", "demand: lose at most this `share`, such as 5%")
	f.Var(terminal.Number(&flags.confidence, usual.Confidence, terminal.Share), "confidence",
		"confidence of the answer")
	f.String("radius", "", "radius of the observer, km (adversary.radius_km)")
	f.StringVar(&flags.radii, "radii", "", "radii of the table, km (default: 1/2 to 4 times it)")
	f.StringVar(&flags.between, "between", fmt.Sprintf("%g,%g", usual.Between.Low, usual.Between.High),
		"search epsilons `low,high`")
	f.String("observer", "", "the observer (adversary.observer)")
	f.Var(terminal.Number(&flags.resolution, usual.Resolution, terminal.Interval{Low: 0.001, High: 1}), "resolution",
		"half-width of undecided ranges")
	f.Var(terminal.Whole(&flags.mostRuns, usual.MostRuns, 100, mostRun), "max-runs",
		"most runs of the search")
	f.String("epsilons", "", "epsilons of the plane: a list, 0.2:4:0.2 or 0.2..4")
	f.StringP("runs", "n", "", "runs of the plane (study.runs)")
	return cmd
}

// tuneKeys are the flags of tune that set configuration keys.
var tuneKeys = map[string]string{"epsilons": "study.epsilons", "runs": "study.runs", "radius": "adversary.radius_km",
	"observer": observerKey}

func (a *app) tune(cmd *cobra.Command, flags tuneFlags) error {
	if err := a.checkFlown(cmd); err != nil {
		return err
	}
	loaded, err := a.load(cmd, tuneKeys)
	if err != nil {
		return err
	}
	choice, err := a.load(cmd, map[string]string{"radius": tuneKeys["radius"], "observer": observerKey})
	if err != nil {
		return err
	}
	r, err := newRequirement(flags)
	if err != nil {
		return usageError{err}
	}
	program := a.program()
	t, err := campaign.NewTuning(program, loaded, choice.Config, r)
	if err != nil {
		return err
	}
	return a.do(cmd, program, t.Question())
}

// newRequirement returns the demands in the flags.
func newRequirement(f tuneFlags) (r campaign.Requirement, err error) {
	r = campaign.Requirement{HiddenUntilKm: f.hiddenUntilKm, Share: math.NaN(), MaxCost: math.NaN(),
		Confidence: f.confidence, Resolution: f.resolution, MostRuns: f.mostRuns}
	between, err := configs.ParseRange(f.between)
	switch {
	case err != nil:
		return r, fmt.Errorf("--between: %w", err)
	case len(between) != 2:
		return r, fmt.Errorf("--between %s: want two epsilons from 1e-6 to 1e6, the lower first, such as 0.01,100", f.between)
	}
	r.Low, r.High = between[0], between[1]
	if f.maxCost != "" {
		if r.MaxCost, err = campaign.ParseShare(f.maxCost); err != nil {
			return r, fmt.Errorf("--max-cost %s: %w", f.maxCost, err)
		}
	}
	if f.share != "" {
		if r.Share, err = campaign.ParseShare(f.share); err != nil {
			return r, fmt.Errorf("--share %s: %w", f.share, err)
		}
	}
	if f.radii != "" {
		if r.RadiiKm, err = configs.ParseRange(strings.ReplaceAll(f.radii, "km", "")); err != nil {
			return r, fmt.Errorf("--radii: %w", err)
		}
	}
	return r, nil
}
