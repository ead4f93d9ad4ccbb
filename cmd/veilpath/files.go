package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/pieces"
	"veilpath/internal/publish"
	"veilpath/sim/campaign"
)

// freshFolder opens the output folder of a verb for results that replace what an earlier verb left, once they are
// complete. The file that --config names is kept. Close the folder after use.
func (a *app) freshFolder(verb string) (*pieces.Folder, error) {
	folder, err := a.folder(verb)
	if err != nil {
		return nil, err
	}
	folder.Remedy = "free space there and repeat the command, with --force if files are left, or name another --out"
	return a.superseding(folder)
}

// superseding marks the files of an earlier verb in a folder for removal once the new files are complete, so that
// a folder has only one answer. After an error the folder is closed.
func (a *app) superseding(folder *pieces.Folder) (*pieces.Folder, error) {
	if err := folder.Supersede(a.config, publish.Names()...); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// resultFolder opens the output folder of a verb that can print its whole result. It is nil if keeps is false.
func (a *app) resultFolder(verb string) (*pieces.Folder, error) {
	if !a.keeps() {
		return nil, nil
	}
	return a.freshFolder(verb)
}

// keeps reports whether files are written: always except when results are printed for another program to read,
// without --out and --report.
func (a *app) keeps() bool {
	return a.out != "" || a.report || a.format == "table" || terminal.Interactive(a.stdout)
}

// workFlags are the flags of work that can be resumed or divided.
type workFlags struct {
	resume bool
	shard  string // i/n; empty for the whole work
}

// addResumeFlag adds the flag --resume, which scripts have. Work always goes on where it was stopped.
func addResumeFlag(cmd *cobra.Command, flags *workFlags) {
	cmd.Flags().BoolVar(&flags.resume, "resume", false, "go on with the work in --out, as without this flag")
}

// addWorkFlags adds the flags of work that can be divided.
func addWorkFlags(cmd *cobra.Command, flags *workFlags) {
	addResumeFlag(cmd, flags)
	cmd.Flags().StringVar(&flags.shard, "shard", "", "do part `i/n`; veilpath merge joins the parts")
}

// part returns the part of the work in the flags.
func (flags workFlags) part() (campaign.Part, error) {
	if flags.shard == "" {
		return campaign.Part{}, nil
	}
	return campaign.ParsePart(flags.shard)
}

// ask answers the question of a verb whose work can be divided, or a part of it.
func (a *app) ask(cmd *cobra.Command, flags workFlags, program *campaign.Program, asker campaign.Asker) (err error) {
	q := asker.Question()
	if q.Part, err = flags.part(); err != nil {
		return err
	}
	return a.do(cmd, program, q)
}

// do answers a question, going on with the work in --out, and reports the answer.
func (a *app) do(cmd *cobra.Command, program *campaign.Program, q campaign.Question) error {
	if q.Part != (campaign.Part{}) && !a.keeps() {
		return usageError{errors.New("--shard needs --out: name the folder for the part")}
	}
	j, err := program.Job(q)
	if err != nil {
		return err
	}
	return a.doJob(cmd, program, j)
}

// doJob does a job with the pieces in the folders of parts, going on with the work in --out, and reports the answer.
func (a *app) doJob(cmd *cobra.Command, program *campaign.Program, j campaign.Job, parts ...string) (err error) {
	state := campaign.New
	if a.out != "" && !a.force {
		if state, err = program.State(a.out, &j); err != nil {
			return err
		}
	}
	if state == campaign.Finished {
		return a.printFinished(cmd.Context(), program, j)
	}
	folder, err := a.workFolder(strings.Fields(cmd.CommandPath())[1], state)
	if err != nil {
		return err
	}
	defer folder.Close()
	start := time.Now()
	of, err := program.Answer(cmd.Context(), j, folder, parts...)
	switch {
	case err != nil && of != nil: // interrupted
		return errors.Join(a.print(of), a.advise(err))
	case err != nil:
		return a.advise(err)
	case of == nil:
		a.remark("part %s is done%s; veilpath merge joins it with the others", j.Manifest.Shard, written(folder))
		return nil
	}
	return allowMore(a.printAnswer(cmd, of, time.Since(start), folder), folder.Path())
}

// allowMore adds the folder of a study to the advice to allow it more runs.
func allowMore(err error, folder string) error {
	if errors.As(err, new(*campaign.UnmetError)) && folder != "" {
		return fmt.Errorf("%w --out %s", err, folder)
	}
	return err
}

// printFinished prints the finished answer in --out.
func (a *app) printFinished(ctx context.Context, program *campaign.Program, j campaign.Job) error {
	of, err := program.Again(ctx, j, a.out)
	if err != nil {
		return a.advise(err)
	}
	a.remark("the answer in %s is complete", a.out)
	return allowMore(cmp.Or(a.print(of), of.Unmet), a.out)
}

// workFolder opens the output folder of work that is in a state there. It is nil if keeps is false.
func (a *app) workFolder(verb string, state campaign.State) (*pieces.Folder, error) {
	if state == campaign.New {
		f, err := a.resultFolder(verb)
		if f != nil {
			f.Remedy = ""
		}
		return f, err
	}
	a.remark("going on with the work in %s", a.out)
	f, err := pieces.Open(a.out)
	if err != nil {
		return nil, usageError{err}
	}
	return a.superseding(f)
}

// written returns the end of a remark with the folder of the files, empty if it is nil.
func written(folder *pieces.Folder) string {
	if folder == nil {
		return ""
	}
	return ", written to " + folder.Path()
}
