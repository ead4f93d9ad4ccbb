package main

import (
	"cmp"
	"os"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/sim/campaign"
)

func (a *app) runCommand() *cobra.Command {
	var run int
	var nominal, view bool
	cmd := verb("run", noArguments, func(cmd *cobra.Command, _ []string) error {
		if err := a.checkRunFlags(cmd); err != nil {
			return err
		}
		flight, err := a.flyOne(cmd, run, nominal)
		if err != nil {
			return err
		}
		if view && !a.keeps() { // the viewer needs files
			if a.out, err = os.MkdirTemp("", "veilpath-run-"); err != nil {
				return err
			}
			defer os.RemoveAll(a.out)
		}
		folder := ""
		if a.out != "" || view { // without --out, to the next free folder
			if folder, err = a.writeFlight(flight); err != nil {
				return err
			}
		}
		of := flight.Answer()
		if err = a.print(of); err != nil {
			return err
		}
		if !view {
			a.remarkNext(cmd, of.Next, nil)
			return nil
		}
		return a.view(cmd.Context(), folder, 0, true, a.stderr) // standard output contains the flight
	})
	flags := cmd.Flags()
	flags.String("epsilons", "", "one strength of privacy, or none (privacy.epsilon)")
	flags.SetNormalizeFunc(otherNames)
	flags.String("mechanism", "", mechanismFlag)
	flags.String("observer", "", "who watches (adversary.observer)")
	flags.Var(terminal.Whole(&run, 0, 0, mostRun), "run", "`number` of the run within the study, from 0")
	flags.BoolVar(&nominal, "nominal", false, "fly straight to the target")
	flags.BoolVar(&view, "view", false, "play the flight back in the browser")
	return cmd
}

// mostRun is more than the number of runs of any study.
const mostRun = 1_000_000_000

// checkRunFlags returns an error for flags of run that exclude each other.
func (a *app) checkRunFlags(cmd *cobra.Command) error {
	if cmd.Flag("nominal").Value.String() != "true" {
		return nil
	}
	return usage(cmp.Or(
		terminal.Refuse(cmd, "epsilons", "and --nominal exclude each other: the direct flight has no epsilon, and "+
			"--epsilons none is the planned one; leave one out"),
		terminal.Refuse(cmd, "run", "and --nominal exclude each other: the direct flight is the same at every run; leave "+
			"one out")))
}

// flyOne flies a run with the given settings.
func (a *app) flyOne(cmd *cobra.Command, run int, nominal bool) (*campaign.Flight, error) {
	loaded, err := a.load(cmd, map[string]string{"epsilons": "privacy.epsilon", "mechanism": "privacy.mechanism",
		"observer": observerKey})
	if err != nil {
		return nil, err
	}
	program := a.program()
	return program.Flight(loaded, run, nominal)
}

// writeFlight writes the flight and the manifest, and returns their folder.
func (a *app) writeFlight(flight *campaign.Flight) (string, error) {
	folder, err := a.freshFolder("run")
	if err != nil {
		return "", err
	}
	defer folder.Close()
	if err := flight.Write(folder); err != nil {
		return "", err
	}
	a.remark("written to %s", folder.Path())
	return folder.Path(), nil
}
