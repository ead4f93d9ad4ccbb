package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/record"
	"veilpath/sim/campaign"
)

func (a *app) runCommand() *cobra.Command {
	var run int
	var nominal, view bool
	var from string
	cmd := verb("run", noArguments, func(cmd *cobra.Command, _ []string) error {
		if err := a.checkRunFlags(cmd); err != nil {
			return err
		}
		var flight *campaign.Flight
		var err error
		if from != "" {
			flight, err = a.flyAgain(cmd, from, run)
		} else {
			flight, err = a.flyOne(cmd, run, nominal)
		}
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
			if from != "" {
				of.Next.Command = []string{"study", "--config", from}
			}
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
	flags.StringVar(&from, "from", "", "repeat a run of the study in this `folder`")
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
			"one out"),
		terminal.Refuse(cmd, "from", "and --nominal exclude each other: the direct flight is in no record of a study; "+
			"leave one out")))
}

// flyOne flies a run with the given settings.
func (a *app) flyOne(cmd *cobra.Command, run int, nominal bool) (*campaign.Flight, error) {
	loaded, err := a.load(cmd, map[string]string{"epsilons": "privacy.epsilon", "mechanism": "privacy.mechanism",
		"observer": observerKey})
	if err != nil {
		return nil, err
	}
	program, _ := a.program()
	return program.Flight(loaded, run, nominal)
}

// flyAgain repeats a run of a recorded study.
func (a *app) flyAgain(cmd *cobra.Command, from string, run int) (*campaign.Flight, error) {
	if err := terminal.Refuse(cmd, "config seed",
		"does not go with --from, which takes the settings from "+from+"; leave it out"); err != nil {
		return nil, usageError{err}
	}
	if record.SameFile(from, a.out) {
		return nil, usageError{fmt.Errorf("--out %s contains the study; name another folder for the flight", a.out)}
	}
	program, _ := a.program()
	flight, err := program.Refly(cmd.Context(), campaign.Recorded{Folder: from,
		Epsilon: cmd.Flag("epsilons").Value.String(), Sets: a.sets, Run: run})
	if err != nil {
		return nil, a.advise(err)
	}
	a.remark("identical to the run recorded in %s", from)
	return flight, nil
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
