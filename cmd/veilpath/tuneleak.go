package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
)

// tuneLeak finds the epsilon for what an observer of the goal learns.
func (a *app) tuneLeak(cmd *cobra.Command, loaded *configs.Loaded, choice configs.Config, r campaign.LeakRequirement) error {
	program, events := a.program()
	defer events.End()
	t, err := program.NewLeakTuning(cmd.Context(), loaded, choice, r)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("tune")
	if err != nil {
		return err
	}
	defer folder.Close()
	err = t.Fly(cmd.Context())
	events.End()
	if err != nil {
		return err
	}
	if folder != nil {
		if err := t.Write(folder); err != nil {
			return err
		}
	}
	switch a.format {
	case "json":
		err = terminal.WriteJSON(a.stdout, t)
	case "csv":
		err = t.Trials().WriteCSV(a.stdout)
	default:
		fmt.Fprintf(a.stdout, "%s\n\n", t.Words())
		err = terminal.WriteSheet(a.stdout, t.Trials())
	}
	if err != nil {
		return err
	}
	a.remark("%s in %.1f s%s", terminal.Count(len(t.Answer.Trials), "epsilon"), t.Wall.Seconds(), written(folder))
	return t.Unmet()
}
