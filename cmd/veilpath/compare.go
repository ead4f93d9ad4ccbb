package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"
	"veilpath/sim/campaign"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

func (a *app) compareCommand() *cobra.Command {
	var conditions []string
	var sure bool
	cmd := verb("compare", func(_ *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usageError{fmt.Errorf("compare: %s; name two that veilpath study wrote",
				table.Count(len(args), "folder"))}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return a.compare(cmd, args, conditions, sure) },
		terminal.Headings(campaign.DifferenceColumns()))
	cmd.Flags().StringArrayVar(&conditions, "fail-if", nil,
		"exit with 1 if B - A meets this `condition`, such as mean_km>+1 (repeatable)")
	cmd.Flags().BoolVar(&sure, "sure", false, "a condition is met only if the whole interval meets it")
	return cmd
}

func (a *app) compare(cmd *cobra.Command, folders, texts []string, sure bool) error {
	if filepath.Ext(folders[0]) == ".json" && filepath.Ext(folders[1]) == ".json" {
		return a.compareRows(folders[0], folders[1])
	}
	conditions, err := campaign.ParseConditions(texts)
	if err != nil {
		return usageError{fmt.Errorf("--fail-if %w", err)}
	}
	if record.SameFile(folders[0], a.out) || record.SameFile(folders[1], a.out) {
		return usageError{fmt.Errorf("--out %s is one of the two folders; name another one", a.out)}
	}
	start := time.Now()
	program, events := a.program()
	defer events.End()
	c, err := campaign.Compare(cmd.Context(), program, folders[0], folders[1])
	if err != nil {
		return a.advise(err)
	}
	failed, err := c.Failed(conditions, sure)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("compare")
	if err != nil {
		return err
	}
	defer folder.Close()
	wall := time.Since(start)
	if err := errors.Join(campaign.WriteComparison(program, folder, c, wall), a.printAnswer(cmd, c.Answer(), wall,
		folder)); err != nil {
		return err
	}
	if failed != "" {
		return errors.New(failed)
	}
	return nil
}

// compareRows compares two files of rows of a benchmark. The exit code is 1 if they differ.
func (a *app) compareRows(first, second string) error {
	program, events := a.program()
	defer events.End()
	c, err := campaign.CompareRows(program, first, second)
	if err == nil {
		err = a.print(c.Answer())
	}
	if err == nil && !c.Same() {
		err = fmt.Errorf("%s and %s differ", first, second)
	}
	return err
}
