package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"veilpath/internal/record"
)

func (a *app) mergeCommand() *cobra.Command {
	return verb("merge", func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{errors.New("merge needs parts; name the folders that --shard wrote")}
		}
		return nil
	}, a.merge)
}

func (a *app) merge(cmd *cobra.Command, folders []string) error {
	for _, folder := range folders {
		if record.SameFile(folder, a.out) {
			return usageError{fmt.Errorf("--out %s is one of the parts; name another folder", a.out)}
		}
	}
	program := a.program()
	j, err := program.Merge(cmd.Context(), folders, a.settings(cmd, nil))
	if err != nil {
		return a.advise(err)
	}
	return a.doJob(cmd, program, j, folders...)
}
