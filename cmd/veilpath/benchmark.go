package main

import (
	"fmt"
	"io"
	"os"
	"veilpath/sim/campaign"

	"github.com/spf13/cobra"

	"veilpath/assets"
	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/benchmark"
)

func (a *app) benchmarkCommand() *cobra.Command {
	var flags workFlags
	cmd := verb("benchmark", func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("benchmark takes one suite, not %d; name a YAML file, or none for the embedded suite",
				len(args))}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return a.benchmark(cmd, args, flags) },
		terminal.Headings(benchmark.Columns()))
	addWorkFlags(cmd, &flags)
	return cmd
}

func (a *app) benchmark(cmd *cobra.Command, args []string, flags workFlags) error {
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
	program := a.program()
	b, err := campaign.NewBenchmark(program, settings, suite)
	if err != nil {
		return err
	}
	return a.ask(cmd, flags, program, b)
}

// suite reads the suite that an argument names, or the embedded one.
func (a *app) suite(args []string) (*benchmark.Suite, error) {
	name, text := "the embedded suite", assets.BenchmarkSuite
	if len(args) == 1 {
		name = args[0]
		file, err := os.Open(name)
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
