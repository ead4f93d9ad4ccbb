package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/planner/reward"
	"veilpath/sim/record"
)

// The files of a release.
const (
	releaseName   = "release.csv"
	guaranteeName = "guarantee.json"
)

func (a *app) privatizeCommand() *cobra.Command {
	var grid float64
	cmd := &cobra.Command{
		Use:   "privatize REWARDS.csv",
		Short: "Release a reward table with differential privacy",
		Long: `privatize adds noise to a reward table and writes what may be published: release.csv, in the layout of the
original, and guarantee.json, which says what is promised. Entries are rounded to a grid and get discrete
Gaussian noise, drawn exactly, with integers, from the system's randomness: floating-point noise can betray the
reward in its low bits. A release cannot be seeded, for whoever knows the seed can take the noise off again;
studies of private rewards are veilpath study.

epsilon, delta and the sensitivity must be named: they are the promise. It holds for tables that differ in one
entry of an agent by at most the sensitivity, once: every further release of the same rewards spends again, see
veilpath design --flights. The original must stay secret, and its size and the names in it are not protected.

A reward table is CSV: columns state, action, reward and, for several agents, agent; or one row per state
with one column per action.`,
		Example: `  veilpath privatize rewards.csv --epsilon 1 --delta 1e-6 --sensitivity 1 --out released`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("%s takes one file of rewards, not %d; give the name of a CSV file", cmd.CommandPath(), len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.privatize(cmd, args[0], grid) },
	}
	addGuaranteeFlags(cmd)
	cmd.Flags().Float64Var(&grid, "grid", 0, "step that released rewards are multiples of (default: at most a 1024th of the noise)")
	return cmd
}

func (a *app) privatize(cmd *cobra.Command, path string, grid float64) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	loaded, err := a.load(cmd, guaranteeKeys)
	if err != nil {
		return err
	}
	if err := checkRelease(loaded); err != nil {
		return err
	}
	table, err := a.readTable(path)
	if err != nil {
		return err
	}
	guarantee := guaranteeOf(cmd, loaded)
	if !cmd.Flag("grid").Changed {
		if grid, err = guarantee.Grid(); err != nil {
			return usageError{err}
		}
	}
	released, err := releaseAll(table, guarantee, grid)
	if err != nil {
		return usageError{err}
	}
	s := newStatement(table, released)
	folder, err := a.freshFolder("privatize")
	if err != nil {
		return err
	}
	if err := writeRelease(folder, table, released, s); err != nil {
		return err
	}
	a.remark("written to %s", folder.Path())
	return a.printStatement(s)
}

// checkRelease refuses a promise that nobody made, and a seed.
func checkRelease(loaded *configs.Loaded) error {
	if !untouched(loaded, "study.seed") {
		return usageError{fmt.Errorf("study.seed = %d (%s): a release cannot be seeded, since the seed takes the noise off again; leave it out, or use veilpath study for repeatable noise",
			loaded.Study.Seed, loaded.Origin("study.seed"))}
	}
	for _, k := range []struct{ flag, key string }{{"epsilon", "privacy.epsilon"}, {"delta", "privacy.delta"}, {"sensitivity", "privacy.adjacency"}} {
		if untouched(loaded, k.key) {
			return usageError{fmt.Errorf("--%s is missing: it is part of the promise and has no default; give it, or set %s", k.flag, k.key)}
		}
	}
	return nil
}

// releaseAll releases every agent's table.
func releaseAll(table *reward.Table, guarantee privacy.Guarantee, grid float64) ([]privacy.Released, error) {
	var entropy privacy.Entropy
	released := make([]privacy.Released, len(table.Values))
	for i, values := range table.Values {
		var err error
		if released[i], err = privacy.Release(values, guarantee, grid, &entropy); err != nil {
			if table.Agents[i] != "" {
				err = fmt.Errorf("agent %q: %w", table.Agents[i], err)
			}
			return nil, err
		}
	}
	return released, nil
}

// statement is what is promised about a release.
type statement struct {
	Statement      string  `json:"statement"`
	Epsilon        float64 `json:"epsilon"`
	Delta          float64 `json:"delta"`
	CertifiedDelta float64 `json:"certified_delta"`
	Sensitivity    float64 `json:"sensitivity"`
	Sigma          float64 `json:"sigma"`
	SigmaSteps     string  `json:"sigma_steps"`
	Grid           float64 `json:"grid"`
	Calibration    string  `json:"calibration"`
	Mechanism      string  `json:"mechanism"`
	Randomness     string  `json:"randomness"`
	Agents         int     `json:"agents"`
	States         int     `json:"states"`
	Entries        int     `json:"entries"`
	Program        string  `json:"program"`
}

func newStatement(table *reward.Table, released []privacy.Released) statement {
	r := released[0] // the guarantee and so the noise are the same for all
	s := statement{
		Epsilon: r.Epsilon, Delta: r.Delta, CertifiedDelta: r.CertifiedDelta, Sensitivity: r.Adjacency,
		Sigma: float64(r.SigmaNumerator) / float64(r.SigmaDenominator) * r.Grid, SigmaSteps: fmt.Sprintf("%d/%d", r.SigmaNumerator, r.SigmaDenominator),
		Grid: r.Grid, Calibration: string(r.Calibration),
		Mechanism:  "discrete Gaussian noise on every entry, sampled exactly (Canonne, Kamath and Steinke 2020)",
		Randomness: "crypto/rand",
		Agents:     len(table.Agents), States: len(table.States), Program: "veilpath " + version,
	}
	for _, values := range table.Values {
		s.Entries += len(values)
	}
	whose := "the reward table"
	if len(table.Agents) > 1 {
		whose = "each agent's reward table"
	}
	s.Statement = fmt.Sprintf("This release is (%g, %g)-differentially private for %s, where neighbouring tables differ in one entry by at most %g. It covers this release alone.",
		s.Epsilon, s.Delta, whose, s.Sensitivity)
	return s
}

// writeRelease writes the files, the promise last, so that none stands beside a release it was not made for.
func writeRelease(folder *record.Folder, table *reward.Table, released []privacy.Released, s statement) error {
	values := make([][]float64, len(released))
	for i, r := range released {
		values[i] = r.Values()
	}
	if err := folder.Write(releaseName, func(w io.Writer) error { return table.Write(w, values) }); err != nil {
		return err
	}
	err := folder.Write(guaranteeName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(s)
	})
	if err != nil {
		if clearing := folder.Clear(releaseName); clearing != nil {
			err = fmt.Errorf("%w; %w", err, clearing)
		}
		return err
	}
	return nil
}

// printStatement prints the promise in the format asked for.
func (a *app) printStatement(s statement) error {
	switch a.format {
	case "json":
		return a.printJSON(s)
	case "csv":
		table := csv.NewWriter(a.stdout)
		return table.WriteAll([][]string{
			{"epsilon", "delta", "certified_delta", "sensitivity", "sigma", "grid", "entries"},
			strings.Fields(fmt.Sprint(s.Epsilon, s.Delta, s.CertifiedDelta, s.Sensitivity, s.Sigma, s.Grid, s.Entries)),
		})
	}
	_, err := fmt.Fprintf(a.stdout, "%s\nnoise: sigma %.6g on a grid of %g, certified delta %.4g, %d entries\n", s.Statement, s.Sigma, s.Grid, s.CertifiedDelta, s.Entries)
	return err
}
