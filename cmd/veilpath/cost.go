package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/reproduce"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
)

// costFlags are the flags of cost that are not configuration keys.
type costFlags struct {
	problemFlags
	mechanisms string
	until      string
	workFlags
}

// costKeys are the flags of cost that stand for configuration keys.
var costKeys = map[string]string{"delta": "privacy.delta", "adjacency": "privacy.adjacency",
	"calibration": "privacy.calibration",
	"epsilons":    "study.epsilons", "runs": "study.runs"}

func (a *app) costCommand() *cobra.Command {
	var flags costFlags
	cmd := verb("cost", oneProblem, func(cmd *cobra.Command, args []string) error { return a.cost(cmd, args[0], flags) },
		terminal.Headings(cost.SummaryColumns()), mechanismsHelp, problemHelp)
	addNoiseFlags(cmd)
	addProblemFlags(cmd, &flags.problemFlags)
	f := cmd.Flags()
	f.String("epsilons", "", "0.2..4, 0.2,1,4 or 0.2:4:0.2 (study.epsilons)")
	f.StringP("runs", "n", "", "draws of noise, with --until at most (study.runs)")
	f.StringVar(&flags.mechanisms, "mechanism", "input,output",
		"`list` of mechanisms; input alone for one agent")
	f.StringVar(&flags.until, "until", "", "run until every mean is known to this `half-width`, a share of the value "+
		"such as 1%")
	addWorkFlags(cmd, &flags.workFlags)
	return cmd
}

func (a *app) cost(cmd *cobra.Command, name string, flags costFlags) error {
	request, err := a.costRequest(cmd, name, flags)
	if err != nil {
		return err
	}
	program := a.program()
	s, err := pool.Interruptible(cmd.Context(), func() (*campaign.Costs, error) {
		return campaign.NewCosts(program, request)
	})
	if err != nil {
		return err
	}
	return a.do(cmd, program, s.Question())
}

// costRequest returns the request of a cost study.
func (a *app) costRequest(cmd *cobra.Command, name string, flags costFlags) (r campaign.CostRequest, err error) {
	if r.Given, err = a.readInput(cmd, name, flags.problemFlags, costKeys); err != nil {
		return r, err
	}
	r.Stream = exampleNoise(r.Given, flags.problemFlags)
	var names []string // none for the default, which depends on the problem
	flag := cmd.Flag("mechanism")
	if text := mechanismsOf(cmd, r.Given.Settings); flag.Changed || text != flag.DefValue {
		names = campaign.SplitNames(text)
	}
	for _, text := range names {
		if line, is := configs.CommandOf(text); is {
			r.Commands = append(r.Commands, line)
			continue
		}
		m, err := planner.FindMechanism(text)
		if err != nil {
			return r, usageError{fmt.Errorf("--mechanism: %w", err)}
		}
		if slices.Contains(r.Mechanisms, m) {
			return r, usageError{fmt.Errorf("--mechanism: %s is given twice", text)}
		}
		r.Mechanisms = append(r.Mechanisms, m)
	}
	if flags.until != "" {
		if r.Until, err = campaign.ParseShare(flags.until); err != nil {
			return r, usageError{fmt.Errorf("--until %s: %w", flags.until, err)}
		}
	}
	r.Part, err = flags.part()
	return r, err
}

// exampleNoise returns the reproduction's noise for the paper's examples, nil for other problems.
func exampleNoise(g *setup.Input, flags problemFlags) func(planner.Mechanism, int) privacy.Address {
	if g.FromFile {
		return nil
	}
	return reproduce.Noise(g.Settings.Config, flags.agents, flags.goal)
}
