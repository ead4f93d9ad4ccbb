package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/job"
	"veilpath/internal/option"
	"veilpath/internal/record"
	"veilpath/sim/campaign"
)

// print prints an answer in the requested format.
func (a *app) print(answer campaign.Answer) error {
	switch a.format {
	case "csv":
		return answer.WriteCSV(a.stdout)
	case "json":
		return answer.WriteJSON(a.stdout)
	}
	sections := answer.Sections(a.full)
	for i := range sections {
		sections[i].Text = option.Expand(sections[i].Text, terminal.Flag)
	}
	return a.printer().Print(sections...)
}

// printAnswer prints the answer of work, and says how much was done, where the files are and what to do next.
func (a *app) printAnswer(cmd *cobra.Command, work campaign.Resumable, folder *record.Folder) error {
	if err := a.print(work); err != nil {
		return err
	}
	a.remarkLeft()
	if done := work.Effort() + written(folder); done != "" {
		a.remark("%s", strings.TrimPrefix(done, ", "))
	}
	path := ""
	if folder != nil {
		path = folder.Path()
	}
	a.remarkNext(cmd, work.Next(path), folder)
	return work.Unmet()
}

// answerName is the file with the answer of a job as JSON.
const answerName = "answer.json"

// keepAnswer makes a job also write its answer as JSON.
func keepAnswer(j *job.Job, answer campaign.Answer) {
	write := j.Write
	j.Write = func(folder *record.Folder) error {
		return cmp.Or(folder.Write(answerName, answer.WriteJSON), write(folder))
	}
}

// printAgain prints the finished answer in --out as JSON, or says where it is. Its files must be as they were written.
func (a *app) printAgain(ctx context.Context) error {
	m, err := record.ReadManifest(a.disk, a.out)
	if err == nil {
		err = record.CheckFiles(ctx, a.disk, a.out, m)
	}
	var difference *record.DifferenceError
	switch {
	case errors.As(err, &difference):
		return fmt.Errorf("%w; restore it from a copy, or make it again with the same command and --force instead of "+
			"--resume", err)
	case err != nil:
		return err
	case m.Shard != nil:
		a.remark("part %s in %s is done", m.Shard, a.out)
		return nil
	case a.format != "json" || m.Files[answerName] == "": // a program that prints nothing wrote it, see campaign.Program
		a.remark("the answer in %s is complete; see its files, or print %s with --format json", a.out, answerName)
		return nil
	}
	file, err := record.OpenVerified(ctx, a.disk, a.out, answerName, m)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(a.stdout, io.NewSectionReader(file, 0, file.Size()))
	a.remark("the answer in %s is complete", a.out)
	return err
}
