package main

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/planner/release"
	"veilpath/sim/record"
)

// The files of a release.
const (
	releaseName   = "release.csv"
	guaranteeName = "guarantee.json"
)

func (a *app) privatizeCommand() *cobra.Command {
	var flags struct {
		grid   float64
		header bool
	}
	cmd := &cobra.Command{
		Use:   "privatize REWARDS.csv",
		Short: "Release a reward table with differential privacy",
		Long: `privatize adds noise to a reward table and writes what may be published: release.csv, in the layout of the
original, and guarantee.json, which says what is promised and holds the SHA-256 of release.csv. Entries are
rounded to a grid and get discrete Gaussian noise, drawn exactly, with integers, from the system's randomness:
floating-point noise can betray the reward in its low bits. A release cannot be seeded, for whoever knows the
seed can take the noise off again; studies of private rewards are veilpath study.

epsilon, delta and the adjacency b must be named: they are the promise. It holds for tables that differ in one
entry of an agent by at most b, once: every further release of the same rewards spends again, see
veilpath design --flights. Tables of two goals differ in most entries and are hardly protected from each
other; veilpath design --config paper says how little. The original must stay secret. Its size and the names
in it are not protected; the order of its rows is not published.

` + tableHelp,
		Example: `  veilpath privatize rewards.csv --epsilon 1 --delta 1e-6 --adjacency 1 --out released`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("%s takes one file of rewards, not %d; give the name of a CSV file", cmd.CommandPath(), len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.privatize(cmd, args[0], flags.grid, flags.header)
		},
	}
	addGuaranteeFlags(cmd)
	cmd.Flags().Var(terminal.Number(&flags.grid, math.NaN(), terminal.Positive), "grid", "`step` that released rewards are multiples of (default: at most a 1024th of the noise)")
	addHeaderFlag(cmd, &flags.header)
	return cmd
}

func (a *app) privatize(cmd *cobra.Command, path string, grid float64, header bool) error {
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
	if !cmd.Flag("grid").Changed {
		grid = 0 // that which the guarantee suggests
	}
	if !a.keeps() {
		return usageError{fmt.Errorf("--out is missing: --format %s prints the promise alone, and nothing is left on disk without it; name a folder for the release", a.format)}
	}
	if err := checkOutside(path, a.out); err != nil {
		return usageError{err}
	}
	table, err := a.readTable(cmd.Context(), path, header)
	if err != nil {
		return err
	}
	released, err := release.New(table, guaranteeOf(cmd, loaded), grid, new(privacy.Entropy))
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", path, err)}
	}
	folder, err := a.freshFolder("privatize")
	if err != nil {
		return err
	}
	defer folder.Close()
	statement, err := writeRelease(folder, released)
	if err != nil {
		return err
	}
	a.remark("written to %s", folder.Path())
	return a.printStatement(statement)
}

// checkOutside refuses a folder for the release that holds the original, which would be replaced, or published
// along with it. Links are followed.
func checkOutside(path, out string) error {
	if out == "" {
		return nil
	}
	published, err := filepath.EvalSymlinks(out)
	if err != nil {
		return nil // a folder that does not exist holds nothing
	}
	original, err := filepath.EvalSymlinks(path)
	if err == nil {
		original, err = filepath.Abs(original)
	}
	if err != nil {
		return nil // reading it says why
	}
	for parent := filepath.Dir(original); ; parent = filepath.Dir(parent) {
		if sameFile(parent, published) {
			return fmt.Errorf("--out %s holds %s, which must stay secret; name a folder for what is published", out, path)
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
	}
}

// checkRelease refuses a promise that nobody made, and a seed.
func checkRelease(loaded *configs.Loaded) error {
	if !untouched(loaded, "study.seed") {
		return usageError{fmt.Errorf("study.seed = %d (%s): a release cannot be seeded, since the seed takes the noise off again; leave it out, or use veilpath study for repeatable noise",
			loaded.Study.Seed, loaded.Origin("study.seed"))}
	}
	for _, k := range []struct{ flag, key string }{{"epsilon", "privacy.epsilon"}, {"delta", "privacy.delta"}, {"adjacency", "privacy.adjacency"}} {
		if untouched(loaded, k.key) {
			return usageError{fmt.Errorf("--%s is missing: it is part of the promise and has no default; give it, or set %s", k.flag, k.key)}
		}
	}
	return nil
}

// writeRelease writes the files, the promise last and beside nothing but the release that it was made for.
func writeRelease(folder *record.Folder, released *release.Release) (release.Statement, error) {
	hash := sha256.New()
	err := folder.Write(releaseName, func(w io.Writer) error { return released.Write(io.MultiWriter(w, hash)) })
	if err != nil {
		return release.Statement{}, err
	}
	statement := released.Statement(releaseName, [sha256.Size]byte(hash.Sum(nil)), "veilpath "+version)
	return statement, folder.Vouch(guaranteeName, statement.Write)
}

// printStatement prints the promise in the format asked for.
func (a *app) printStatement(s release.Statement) error {
	switch a.format {
	case "json":
		return a.printJSON(s)
	case "csv":
		table := csv.NewWriter(a.stdout)
		return table.WriteAll([][]string{
			{"epsilon", "delta", "certified_delta", "adjacency", "sigma", "grid", "entries"},
			strings.Fields(fmt.Sprint(s.Epsilon, s.Delta, s.CertifiedDelta, s.Adjacency, s.Sigma, s.Grid, s.Entries)),
		})
	}
	_, err := fmt.Fprintf(a.stdout, "%s\nnoise: sigma %.6g on a grid of %g, certified delta %.4g, %d entries\n", s.Statement, s.Sigma, s.Grid, s.CertifiedDelta, s.Entries)
	return err
}
