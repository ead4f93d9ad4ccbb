package main

import (
	"cmp"
	"context"
	"io"
	"strings"

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
	return a.printer().Print(answer.Sections(a.full)...)
}

// printAnswer prints the answer of work, and says how much was done and where the files are.
func (a *app) printAnswer(work campaign.Resumable, folder *record.Folder) error {
	if err := a.print(work); err != nil {
		return err
	}
	a.remarkLeft()
	done := work.Effort() + written(folder)
	if folder != nil {
		done += option.Expand(work.Next(folder.Path()), terminal.Flag)
	}
	if done != "" {
		a.remark("%s", strings.TrimPrefix(done, ", "))
	}
	return work.Unmet()
}

// answerColumns is the width of lines in files of printed answers.
const answerColumns = 80

// answerFiles are the files with the printed answer in every format.
var answerFiles = []struct {
	name, format string
	full         bool
}{{"answer.txt", "table", false}, {"answer-full.txt", "table", true}, {"answer.csv", "csv", false},
	{"answer.json", "json", false}}

// keepAnswer makes a job also write its printed answer, so that the same command can print it again.
func keepAnswer(j *job.Job, a *app, answer campaign.Answer) {
	write := j.Write
	j.Write = func(folder *record.Folder) error {
		for _, file := range answerFiles {
			err := folder.Write(file.name, func(w io.Writer) error {
				out := &terminal.Output{Writer: w}
				if file.format == "table" {
					out.Columns = answerColumns
				}
				printing := *a
				printing.format, printing.full, printing.stdout, printing.shown = file.format, file.full, out, nil
				return cmp.Or(printing.print(answer), out.Failure())
			})
			if err != nil {
				return err
			}
		}
		return write(folder)
	}
}

// printAgain prints the answer in --out again.
func (a *app) printAgain(ctx context.Context) error {
	m, err := record.ReadManifest(a.disk, a.out)
	if err != nil {
		return err
	}
	if m.Shard != nil {
		a.remark("part %s in %s is done", m.Shard, a.out)
		return nil
	}
	name := ""
	for _, file := range answerFiles {
		if file.format == a.format && (file.full == a.full || a.format != "table") {
			name = file.name
		}
	}
	if m.Files[name] == "" { // a program that prints nothing wrote it, see campaign.Program
		a.remark("the answer in %s is complete; see its files", a.out)
		return nil
	}
	file, err := record.OpenVerified(ctx, a.disk, a.out, name, m)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.Copy(a.stdout, io.NewSectionReader(file, 0, file.Size())); err != nil {
		return err
	}
	a.remark("the answer in %s is complete", a.out)
	return nil
}
