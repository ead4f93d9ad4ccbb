package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
)

func (a *app) compareCommand() *cobra.Command {
	return verb("compare", func(_ *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usageError{fmt.Errorf("compare: %s; name two that veilpath study wrote",
				table.Count(len(args), "folder"))}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return a.compare(cmd, args) },
		terminal.Headings(campaign.ComparisonColumns()))
}

func (a *app) compare(cmd *cobra.Command, folders []string) error {
	if record.SameFile(folders[0], a.out) || record.SameFile(folders[1], a.out) {
		return usageError{fmt.Errorf("--out %s is one of the two folders; name another one", a.out)}
	}
	start := time.Now()
	program := a.program()
	c, err := campaign.Compare(cmd.Context(), program, folders[0], folders[1])
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("compare")
	if err != nil {
		return err
	}
	defer folder.Close()
	wall := time.Since(start)
	return errors.Join(campaign.WriteComparison(program, folder, c, wall), a.printAnswer(cmd, c.Answer(), wall, folder))
}
