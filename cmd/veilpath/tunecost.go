package main

import (
	"fmt"
	"strings"
	"veilpath/sim/campaign"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/pool"
	"veilpath/planner"
)

// tuneProblemFlags are the flags of tune for a PROBLEM.
type tuneProblemFlags struct {
	problemFlags
	mechanism string
}

func addTuneProblemFlags(cmd *cobra.Command, flags *tuneProblemFlags) {
	addNoiseFlags(cmd)
	addProblemFlags(cmd, &flags.problemFlags)
	cmd.Flags().StringVar(&flags.mechanism, "mechanism", "input",
		"mechanism for a PROBLEM: exec:COMMAND or one of "+strings.Join(planner.MechanismNames(), ", "))
	for name := range strings.FieldsSeq(problemFlagNames) {
		terminal.InGroup(cmd.Flag(name), terminal.FurtherFlags)
	}
}

// problemFlagNames are the flags of tune that need a PROBLEM.
const problemFlagNames = "delta adjacency calibration discount start tolerance agents goal-reward rewards " +
	"from-format mechanism"

// checkFlown returns an error for the flags of a PROBLEM if there is none.
func (a *app) checkFlown(cmd *cobra.Command) error {
	return usage(terminal.Refuse(cmd, problemFlagNames, "needs a PROBLEM; name one, or change the mission with --set"))
}

// tuneProblem finds the strongest privacy that costs a problem at most a share of its value.
func (a *app) tuneProblem(cmd *cobra.Command, name string, demands tuneFlags, flags tuneProblemFlags) error {
	r, err := newRequirement(demands)
	if err != nil {
		return usageError{err}
	}
	if err := terminal.Refuse(cmd, "config hidden-until share radius radii epsilons runs",
		"is for flights, and a PROBLEM has none; leave it out, or leave "+name+" out"); err != nil {
		return usageError{err}
	}
	if !r.Cheap() {
		return usageError{fmt.Errorf("tune %s: --max-cost is missing; set the largest cost of privacy, such as 5%%", name)}
	}
	g, err := a.readInput(cmd, name, flags.problemFlags, problemKeys)
	if err != nil {
		return err
	}
	program := a.program()
	mechanism, err := program.FindMechanism(mechanismsOf(cmd, g.Settings), g.Settings.Exec.Timeout())
	if err != nil {
		return usageError{fmt.Errorf("--mechanism: %w", err)}
	}
	if !cmd.Flag("max-runs").Changed {
		r.MostRuns = 5000 // plans take longer than flights
	}
	if !cmd.Flag("resolution").Changed {
		r.Resolution = 0.02
	}
	t, err := pool.Interruptible(cmd.Context(), func() (*campaign.CostSearch, error) {
		return campaign.NewCostSearch(program, g, mechanism, exampleNoise(g, flags.problemFlags), r)
	})
	if err != nil {
		return err
	}
	return a.do(cmd, program, t.Question())
}
