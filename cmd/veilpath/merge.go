package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"veilpath/internal/record"
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
	var j campaign.Job
	var err error
	if verb := program.VerbOf(folders[0]); joiners[verb] != nil {
		j, err = program.Joined(cmd.Context(), folders, joiners)
	} else {
		var study *campaign.Session
		if study, err = program.Merge(cmd.Context(), folders, a.settings(cmd, nil)); err == nil {
			j, err = program.Job(study.Question())
		}
	}
	if err != nil {
		return a.advise(err)
	}
	folder, err := a.resultFolder("merge")
	if err != nil {
		return err
	}
	defer folder.Close()
	return a.finish(cmd, program, events, j, folder, folders...)
}

// joiners make the whole work again of every verb whose work can be divided, besides study.
var joiners = map[string]campaign.Joiner{
	"cost": costs.Joined, "leak": leaks.Joined, "audit": audits.Joined,
	"benchmark": benchmarks.Joined, "reproduce": reproduction.Joined,
}
