package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/job"
	"veilpath/internal/record"
	"veilpath/internal/reproduce"
	"veilpath/sim/campaign"
)

// answer prints the result of finished work.
type answer struct {
	print func(a *app) error          // prints the result in the format of a to its standard output
	done  func(*record.Folder) string // a remark: how much was done, and where the files are
	err   func() error                // error with which the work ends
}

// answerTo returns the answer of finished work.
func answerTo(work campaign.Resumable) answer {
	switch w := work.(type) {
	case *campaign.Tuning:
		return answer{func(a *app) error { return a.printTuning(w) }, func(f *record.Folder) string {
			switch {
			case f == nil:
				return ""
			case !w.Pictured():
				return "written to " + f.Path() + ", without figures, which need two epsilons and two radii"
			}
			return "written to " + f.Path() + next(w.Unmet() == nil && w.Found != nil, "veilpath study --config "+
				filepath.Join(f.Path(), campaign.ChoiceName))
		}, w.Unmet}
	case *campaign.LeakTuning:
		return answer{func(a *app) error { return a.printLeakTuning(w) }, func(f *record.Folder) string {
			return fmt.Sprintf("%s in %.1f s%s", terminal.Count(len(w.Answer.Trials), "epsilon"), w.Wall.Seconds(), written(f))
		}, w.Unmet}
	case *campaign.CostTuning:
		return answer{func(a *app) error { return a.printCostTuning(w) }, func(f *record.Folder) string {
			return strings.TrimPrefix(written(f), ", ")
		}, w.Unmet}
	case *campaign.Leak:
		return answer{func(a *app) error { return a.printLeak(w) }, func(f *record.Folder) string {
			return fmt.Sprintf("%s in %.1f s%s", w.Summary(), w.Wall.Seconds(), written(f)) +
				next(f != nil, "open "+pathIn(f, campaign.LeakPageName))
		}, none}
	case *campaign.Audit:
		return answer{func(a *app) error { return a.printAudit(w.Report) }, func(f *record.Folder) string {
			return fmt.Sprintf("audited in %.1f s%s", w.Wall.Seconds(), written(f))
		}, func() error { return w.Report.Err() }}
	case *campaign.Costs:
		return answer{func(a *app) error { return a.printCosts(w) }, func(f *record.Folder) string {
			return fmt.Sprintf("%s in %.1f s%s", terminal.Count(w.Runs(), "run"), w.Wall().Seconds(), written(f))
		}, w.Unmet}
	case *campaign.Benchmark:
		return answer{func(a *app) error { return a.printBenchmark(w) }, func(f *record.Folder) string {
			return fmt.Sprintf("%s in %.1f s%s", terminal.Count(len(w.Rows), "row"), w.Wall.Seconds(), written(f)) +
				next(f != nil, "open "+pathIn(f, campaign.PageName))
		}, none}
	case *campaign.Reproduction:
		return answer{func(a *app) error { return a.printReproduction(w.Results) }, func(f *record.Folder) string {
			judged := 0
			for _, n := range reproduce.Count(w.Results) {
				judged += n
			}
			return fmt.Sprintf("%s judged in %.1f s%s", terminal.Count(judged, "number"), w.Wall.Seconds(), written(f)) +
				next(f != nil, "open "+pathIn(f, campaign.PageName))
		}, none}
	}
	panic(fmt.Sprintf("veilpath: no answer to %T", work))
}

// next returns the end of a remark with the next command, empty if there is none.
func next(there bool, what string) string {
	if !there {
		return ""
	}
	return "; next: " + what
}

// pathIn returns the path of a file in a folder, empty if the folder is nil.
func pathIn(f *record.Folder, name string) string {
	if f == nil {
		return ""
	}
	return filepath.Join(f.Path(), name)
}

// none is the err of work without an error.
func none() error { return nil }

// printAnswer prints an answer and says where its files are.
func (a *app) printAnswer(result answer, folder *record.Folder) error {
	if err := result.print(a); err != nil {
		return err
	}
	a.remarkLeft()
	if done := result.done(folder); done != "" {
		a.remark("%s", done)
	}
	return result.err()
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
func keepAnswer(j *job.Job, a *app, result answer) {
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
				return cmp.Or(result.print(&printing), out.Failure())
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
