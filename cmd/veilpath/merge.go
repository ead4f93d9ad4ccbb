package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
)

func (a *app) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Join the parts of a study that was shared out",
		Long: `merge joins the parts that veilpath study --shard or veilpath cost --shard wrote, in any order, into one. The
files are byte for byte those of the study done in one piece, the manifest's wall_time_s and workers aside. Parts of
different studies, parts that overlap and parts that are missing or unfinished are refused by name.`,
		Example: `  veilpath study --runs 3000 --shard 1/2 --out parts/1
  veilpath study --runs 3000 --shard 2/2 --out parts/2
  veilpath merge parts/1 parts/2 --out out/whole`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("merge: no parts; name the folders that veilpath study --shard wrote")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.merge(cmd, args) },
	}
}

func (a *app) merge(cmd *cobra.Command, folders []string) error {
	for _, folder := range folders {
		if sameFile(folder, a.out) {
			return usageError{fmt.Errorf("--out %s: it is one of the parts; name another folder", a.out)}
		}
	}
	program, events := a.program()
	defer events.end()
	if program.HoldsCosts(folders[0]) {
		return a.mergeCosts(cmd.Context(), program, folders)
	}
	merge, err := program.Merge(cmd.Context(), folders, a.settings(cmd, nil))
	if err != nil {
		return advise(err)
	}
	folder, err := a.resultFolder("merge")
	if err != nil {
		return err
	}
	defer folder.Close()
	result, err := merge.Write(cmd.Context(), folder)
	events.end()
	if err != nil {
		return err
	}
	if err := a.printStudy(result); err != nil {
		return err
	}
	a.remark("%s, %s%s", terminal.Count(len(folders), "part"), terminal.Count(result.Flights(), "flight"), written(folder))
	return nil
}
