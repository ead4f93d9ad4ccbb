package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/planner/problem"
	"veilpath/sim/campaign"
)

// planFlags are the flags of plan that are not configuration keys.
type planFlags struct {
	problemFlags
	epsilons  string
	mechanism string
	write     string
}

// problemKeys are the flags that set keys in the verbs with a problem and several epsilons.
var problemKeys = map[string]string{"delta": "privacy.delta", "adjacency": "privacy.adjacency",
	"calibration": "privacy.calibration"}

func (a *app) planCommand() *cobra.Command {
	var flags planFlags
	cmd := verb("plan", oneProblem, func(cmd *cobra.Command, args []string) error {
		return a.planProblem(cmd, args[0], flags)
	}, mechanismsHelp, problemHelp)
	addNoiseFlags(cmd)
	addProblemFlags(cmd, &flags.problemFlags)
	f := cmd.Flags()
	f.StringVar(&flags.epsilons, "epsilons", "", "also plan privately, at this epsilon or `list` 0.2,1,4")
	f.StringVar(&flags.mechanism, "mechanism", "input",
		"mechanism that makes the plan private")
	f.StringVar(&flags.write, "write", "", "write the problem to this `file`, gymnasium's JSON")
	return cmd
}

func (a *app) planProblem(cmd *cobra.Command, name string, flags planFlags) error {
	var epsilons []float64
	var err error
	if flags.epsilons != "" {
		if epsilons, err = configs.ParseRange(flags.epsilons); err != nil {
			return usageError{fmt.Errorf("--epsilons: %w", err)}
		}
		for _, epsilon := range epsilons {
			if !(epsilon >= 1e-9 && epsilon <= 1e9) {
				return usageError{fmt.Errorf("--epsilons: %g is out of range; want numbers from 1e-9 to 1e9", epsilon)}
			}
		}
	}
	start := time.Now()
	g, err := a.readInput(cmd, name, flags.problemFlags, problemKeys)
	if err != nil {
		return err
	}
	program := a.program()
	mechanism, err := program.FindMechanism(mechanismsOf(cmd, g.Settings), g.Settings.Exec.Timeout())
	if err != nil {
		return usageError{fmt.Errorf("--mechanism: %w", err)}
	}
	if flags.write != "" {
		if err := a.writeProblem(g, flags.write); err != nil {
			return err
		}
	}
	const slow = 100_000
	if n := g.Law.States(); n > slow {
		a.remark("read in %.1f s: solving %d states x %d actions", time.Since(start).Seconds(), n, g.Law.Actions())
	}
	p, err := pool.Interruptible(cmd.Context(), func() (*campaign.PlanSet, error) {
		return campaign.NewPlans(g, mechanism, epsilons)
	})
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("plan")
	if err != nil {
		return err
	}
	defer folder.Close()
	of, wall := p.Answer(), time.Since(start)
	of.Next.Command = []string{"cost", name, "{epsilons}", cmp.Or(flags.epsilons, "0.5,1,2,4")}
	if err := program.Write(folder, campaign.Question{Verb: "plan", Settings: g.Settings,
		Commands: campaign.CommandsOf(mechanism)}, of, wall); err != nil {
		return err
	}
	return a.printAnswer(cmd, of, wall, folder)
}

// writeProblem writes the problem as JSON.
func (a *app) writeProblem(g *setup.Input, path string) error {
	if !strings.EqualFold(filepath.Ext(path), ".json") {
		return usageError{fmt.Errorf("--write %s: problems are written as JSON; name a file that ends in .json", path)}
	}
	var lost []string
	err := a.createFile(path, func(w io.Writer) (err error) {
		lost, err = problem.Write(g.File(), w)
		return err
	})
	if err != nil {
		return usageError{fmt.Errorf("--write %w", err)}
	}
	a.remark("written to %s", path)
	for _, what := range lost {
		a.remark("%s leaves out %s", path, what)
	}
	return nil
}

// createFile writes a complete file or none. It replaces a file only with --force.
func (a *app) createFile(path string, write func(io.Writer) error) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) && !a.force {
		return fmt.Errorf("%s already exists; name another file, or add --force", path)
	}
	return record.WriteFile(path, 0o666, write)
}
