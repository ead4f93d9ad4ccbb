package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/campaign/audits"
	"veilpath/sim/campaign/benchmarks"
	"veilpath/sim/campaign/costs"
	"veilpath/sim/campaign/leaks"
	"veilpath/sim/campaign/reproduction"
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
	program, events := a.program()
	defer events.End()
	switch program.VerbOf(folders[0]) {
	case "cost", "leak", "audit", "reproduce", "benchmark":
		return a.mergeWork(cmd, program, events, folders)
	}
	merge, err := program.Merge(cmd.Context(), folders, a.settings(cmd, nil))
	if err != nil {
		return a.advise(err)
	}
	folder, err := a.resultFolder("merge")
	if err != nil {
		return err
	}
	defer folder.Close()
	result, err := merge.Write(cmd.Context(), folder)
	events.End()
	if err != nil && !errors.As(err, new(*campaign.UnmetError)) {
		return err
	}
	if err := a.printStudy(result, false); err != nil {
		return err
	}
	a.remarkLeft()
	a.remark("%s, %s%s", table.Count(len(folders), "part"), result.FlightsText(), written(folder))
	if folder != nil {
		a.remarkCommand("next     ", a.nextCommand(cmd, "view", filepath.Clean(folder.Path())))
	}
	return nil
}

// joiners make the whole work again of every verb whose work can be divided, besides study.
var joiners = map[string]campaign.Joiner{
	"cost": costs.Joined, "leak": leaks.Joined, "audit": audits.Joined,
	"benchmark": benchmarks.Joined, "reproduce": reproduction.Joined,
}

// mergeWork joins the parts of work other than a study.
func (a *app) mergeWork(cmd *cobra.Command, program *campaign.Program, events *terminal.Works,
	folders []string) error {
	j, err := program.Joined(cmd.Context(), folders, joiners)
	if err != nil {
		return err
	}
	j.Answer = answerName
	folder, err := a.freshFolder("merge")
	if err != nil {
		return err
	}
	defer folder.Close()
	err = program.Run(cmd.Context(), folder, j, folders...)
	events.End()
	if err != nil {
		return err
	}
	return a.printAnswer(cmd, j.Work, folder)
}
