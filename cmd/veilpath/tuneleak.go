package main

import (
	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
)

// tuneLeak finds the epsilon for a demand on what an observer of the goal learns.
func (a *app) tuneLeak(cmd *cobra.Command, loaded *configs.Loaded, choice configs.Config,
	r campaign.LeakRequirement, flags workFlags) error {
	program, events := a.program()
	defer events.End()
	t, err := program.NewLeakTuning(cmd.Context(), loaded, choice, r)
	if err != nil {
		return err
	}
	return a.do(cmd.Context(), flags, program, events, t)
}

func (a *app) printLeakTuning(t *campaign.LeakTuning) error {
	switch a.format {
	case "json":
		return terminal.WriteJSON(a.stdout, t)
	case "csv":
		return t.Trials().WriteCSV(a.stdout)
	}
	if err := a.printer().Say("%s\n\n", t.Words()); err != nil {
		return err
	}
	return a.printer().Sheets(t.Trials())
}
