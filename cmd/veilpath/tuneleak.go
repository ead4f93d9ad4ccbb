package main

import (
	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/campaign/tuning"
)

// tuneLeak finds the epsilon for a demand on what an observer of the goal learns.
func (a *app) tuneLeak(cmd *cobra.Command, loaded *configs.Loaded, choice configs.Config,
	r tuning.LeakRequirement, flags workFlags) error {
	program, events := a.program()
	defer events.End()
	t, err := tuning.NewLeak(cmd.Context(), program, loaded, choice, r)
	if err != nil {
		return err
	}
	return a.do(cmd, program, events, t.Question())
}
