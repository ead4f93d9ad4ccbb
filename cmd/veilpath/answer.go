package main

import (
	"cmp"
	"context"
	"encoding/json"
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

// answerFiles are the files with the printed answer, by format.
var answerFiles = map[string]string{"table": "answer.txt", "csv": "answer.csv", "json": "answer.json"}

// pagesName is the file with the sentences and tables of an answer, not yet laid out in lines.
const pagesName = "answer-pages.json"

// answerPages are what people read of an answer, and what they read with --full.
type answerPages struct{ Brief, Full terminal.Page }

// keepAnswer makes a job also write its printed answer, so that the same command can print it again.
func keepAnswer(j *job.Job, a *app, answer campaign.Answer) {
	write := j.Write
	j.Write = func(folder *record.Folder) error {
		for _, format := range formats {
			err := folder.Write(answerFiles[format], func(w io.Writer) error {
				out := &terminal.Output{Writer: w}
				if format == "table" {
					out.Columns = answerColumns
				}
				printing := *a
				printing.format, printing.full, printing.stdout, printing.shown = format, false, out, nil
				return cmp.Or(printing.print(answer), out.Failure())
			})
			if err != nil {
				return err
			}
		}
		kept := answerPages{Brief: terminal.NewPage(false, answer.Sections(false)...),
			Full: terminal.NewPage(true, answer.Sections(true)...)}
		err := folder.Write(pagesName, func(w io.Writer) error { return json.NewEncoder(w).Encode(kept) })
		return cmp.Or(err, write(folder))
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
	name := answerFiles[a.format]
	if a.format == "table" {
		name = pagesName
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
	text := io.NewSectionReader(file, 0, file.Size())
	if a.format == "table" {
		err = a.printPages(text)
	} else {
		_, err = io.Copy(a.stdout, text)
	}
	if err != nil {
		return err
	}
	a.remark("the answer in %s is complete", a.out)
	return nil
}

// printPages prints the page of a kept answer that is asked for.
func (a *app) printPages(kept io.Reader) error {
	var p answerPages
	if err := json.NewDecoder(kept).Decode(&p); err != nil {
		return err
	}
	page := p.Brief
	if a.full {
		page = p.Full
	}
	err := a.printer().PrintPage(page)
	a.remarkLeft()
	return err
}
