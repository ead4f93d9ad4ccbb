package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/job"
	"veilpath/internal/record"
	"veilpath/internal/reproduce"
	"veilpath/sim/campaign"
)

// answer holds the words and tables that finished work is reported by.
type answer struct {
	print func(a *app) error          // prints it in the format that a has, to the standard output of a
	done  func(*record.Folder) string // how much was done and where its files are
	err   func() error                // that the work ends with
}

// answerTo returns the answer to work.
func answerTo(work campaign.Resumable) answer {
	switch w := work.(type) {
	case *campaign.Tuning:
		return answer{func(a *app) error { return a.printTuning(w) }, func(f *record.Folder) string {
			switch {
			case f == nil:
				return ""
			case !w.Pictured():
				return "written to " + f.Path() + ", without figures, which take two epsilons and two radii"
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
			if f == nil {
				return ""
			}
			return "written to " + f.Path()
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

// next is what to do next, for a remark; empty where there is nothing.
func next(there bool, what string) string {
	if !there {
		return ""
	}
	return "; next: " + what
}

// pathIn returns the path of a file of a folder, empty without one.
func pathIn(f *record.Folder, name string) string {
	if f == nil {
		return ""
	}
	return filepath.Join(f.Path(), name)
}

// none is the error of work that ends with none.
func none() error { return nil }

// tell prints an answer, and says where it is.
func (a *app) tell(told answer, folder *record.Folder) error {
	if err := told.print(a); err != nil {
		return err
	}
	a.remarkLeft()
	if done := told.done(folder); done != "" {
		a.remark("%s", done)
	}
	return told.err()
}

// answerColumns is how many characters a line of a kept answer has at most.
const answerColumns = 80

// answerFiles are the files that a finished answer is kept in as it is printed.
var answerFiles = []struct {
	name, format string
	full         bool
}{{"answer.txt", "table", false}, {"answer-full.txt", "table", true}, {"answer.csv", "csv", false},
	{"answer.json", "json", false}}

// keepAnswer has a job write its answer as it is printed too, so that the same command can print it again.
func keepAnswer(j *job.Job, a *app, told answer) {
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
				return cmp.Or(told.print(&printing), out.Failure())
			})
			if err != nil {
				return err
			}
		}
		return write(folder)
	}
}

// tellAgain prints the answer that --out holds.
func (a *app) tellAgain(ctx context.Context) error {
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
	if m.Files[name] == "" { // a program that prints nothing made it, see campaign.Program
		a.remark("the answer in %s is complete; its files hold it", a.out)
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
