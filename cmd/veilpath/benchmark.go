package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"veilpath/assets"
	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/benchmark"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/campaign/benchmarks"
)

// benchmarkFlags are the flags of benchmark.
type benchmarkFlags struct {
	workFlags
	check  string // file of rows to measure again; empty for none
	row    int    // which of them, from 1 on; 0 for all
	submit string // folder for a submission; empty for none
}

func (a *app) benchmarkCommand() *cobra.Command {
	var flags benchmarkFlags
	cmd := verb("benchmark", func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return usageError{fmt.Errorf("benchmark takes one suite, not %d; name a YAML file, or none for the embedded suite",
				len(args))}
		case len(args) == 1 && flags.check != "":
			return usageError{errors.New("--check measures the row of a file, which holds its settings; leave the suite out")}
		case flags.row > 0 && flags.check == "":
			return usageError{errors.New("--row names a row of --check FILE; to measure part of a suite, leave missions, " +
				"ways or values out of it")}
		case flags.check != "" && flags.submit != "":
			return usageError{errors.New("--check and --submit exclude each other; check a row first, then submit")}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return a.benchmark(cmd, args, flags) },
		terminal.Headings(benchmark.Columns()))
	f := cmd.Flags()
	f.StringVar(&flags.check, "check", "", "measure the rows in `FILE` again and say whether they are the same")
	f.Var(terminal.Whole(&flags.row, 0, 0, 1_000_000), "row", "with --check: the `number` of one row; 0 for all")
	f.StringVar(&flags.submit, "submit", "", "also write `FOLDER` with the rows, for a pull request")
	addAllowFlag(cmd)
	addWorkFlags(cmd, &flags.workFlags)
	return cmd
}

// addAllowFlag adds the flag that names commands which recorded settings name: see app.names.
func addAllowFlag(cmd *cobra.Command) {
	cmd.Flags().StringArray("allow", nil, "run this `command` that rows or parts name, exec:COMMAND (repeatable)")
}

func (a *app) benchmark(cmd *cobra.Command, args []string, flags benchmarkFlags) error {
	if flags.check != "" {
		return a.checkRows(cmd, flags.check, flags.row)
	}
	suite, err := a.suite(args)
	if err != nil {
		return err
	}
	settings, err := a.load(cmd, nil)
	if err != nil {
		return err
	}
	if cmd.Flag("seed").Changed {
		suite.Seed = settings.Study.Seed
	}
	program, events := a.program()
	defer events.End()
	b, err := benchmarks.New(program, settings, suite)
	if err != nil {
		return err
	}
	if err := a.do(cmd.Context(), flags.workFlags, program, events, b); err != nil || flags.submit == "" {
		return err
	}
	folder, err := record.OpenFolder(a.disk, flags.submit, "benchmark --submit", a.force)
	if err != nil {
		return folderError(err)
	}
	defer folder.Close()
	if err := benchmarks.Submit(program, folder, b, a.out); err != nil {
		return err
	}
	a.remark("%s for a pull request in %s", table.Count(len(b.Rows), "row"), flags.submit)
	return nil
}

// suite reads the suite that an argument names, or the embedded one.
func (a *app) suite(args []string) (*benchmark.Suite, error) {
	name, text := "the embedded suite", assets.BenchmarkSuite
	if len(args) == 1 {
		name = args[0]
		file, err := a.disk.OpenFile(name, os.O_RDONLY, 0)
		if err == nil {
			defer file.Close()
			text, err = io.ReadAll(io.LimitReader(file, configs.LargestFile))
		}
		if err != nil {
			return nil, usageError{cannotRead(name, err, "name a suite in YAML or JSON, or none for the embedded suite")}
		}
	}
	suite, err := benchmark.ReadSuite(text)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", name, err)}
	}
	return suite, nil
}

// checkRows measures the rows of a file again, or one of them.
func (a *app) checkRows(cmd *cobra.Command, path string, number int) error {
	text, err := terminal.ReadAtMost(cmd.Context(), path, mostOfRows)
	if err != nil {
		return usageError{cannotRead(path, err, "name a file of rows, such as the rows.json of a benchmark")}
	}
	rows, err := benchmark.ReadRows(text)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", path, err)}
	}
	if number > len(rows) {
		return usageError{fmt.Errorf("--row %d: %s holds %s", number, path, table.Count(len(rows), "row"))}
	}
	if number > 0 {
		rows = rows[number-1 : number]
	}
	settings, err := a.load(cmd, nil)
	if err != nil {
		return err
	}
	program, events := a.program()
	defer events.End()
	different, err := benchmarks.CheckRows(cmd.Context(), program, path, rows, settings.Study.Workers, a.printCheck)
	if err != nil {
		return err
	}
	if different > 0 {
		return fmt.Errorf("%s of %s: different when measured again", table.Count(different, "row"), path)
	}
	return nil
}

// mostOfRows bounds a file of rows, bytes.
const mostOfRows = 1 << 26

// printCheck prints how a row agrees with the recorded one.
func (a *app) printCheck(row *benchmark.Row, agreement benchmark.Agreement,
	differences []benchmark.Difference) error {
	if a.format != "table" {
		return table.WriteJSON(a.stdout, map[string]any{"row": row.Number, "agreement": agreement,
			"differences": differences})
	}
	if err := a.printer().Print(row.Checked(agreement, differences)); err != nil {
		return err
	}
	if row.View != "" {
		a.remark("see a flight of the row: %s", row.View)
	}
	return nil
}
