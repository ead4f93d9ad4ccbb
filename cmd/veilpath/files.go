package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/job"
	"veilpath/internal/publish"
	"veilpath/internal/record"
	"veilpath/sim/campaign"
)

// freshFolder opens the output folder of a verb. It refuses a folder that another process works in. Close it.
func (a *app) freshFolder(verb string) (*record.Folder, error) {
	folder, err := a.folder(verb)
	if err != nil {
		return nil, err
	}
	folder.Remedy = "make room there and repeat the command, with --force where files are left, or name another " +
		"folder with --out"
	return a.superseding(folder)
}

// superseding has what an earlier verb wrote to a folder go when the new files are whole, so that no answer stands
// beside that to another question. The file that --config names stays. It closes the folder where that cannot be.
func (a *app) superseding(folder *record.Folder) (*record.Folder, error) {
	if err := folder.Supersede(a.config, publish.Names()...); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// resultFolder opens the output folder of a verb whose results can do without one: nil where they are printed
// in full for another program to read and no folder was named.
func (a *app) resultFolder(verb string) (*record.Folder, error) {
	if !a.keeps() {
		return nil, nil
	}
	return a.freshFolder(verb)
}

// keeps reports whether files are left on disk: not where results are printed for another program to read and neither a
// folder was named nor a page asked for.
func (a *app) keeps() bool {
	return a.out != "" || a.report || a.format == "table" || terminal.Interactive(a.stdout)
}

// workFlags say which of some work is done.
type workFlags struct {
	resume bool
	shard  string // i/n; empty for all of it
}

// addResumeFlag adds the flag that goes on with work.
func addResumeFlag(cmd *cobra.Command, flags *workFlags) {
	cmd.Flags().BoolVar(&flags.resume, "resume", false, "go on with the work in --out, or begin it")
}

// addWorkFlags adds the flags of work that can be shared out.
func addWorkFlags(cmd *cobra.Command, flags *workFlags) {
	addResumeFlag(cmd, flags)
	cmd.Flags().StringVar(&flags.shard, "shard", "", "do part `i/n` of the work; veilpath merge joins them")
}

// part reads which part of the work is done.
func (a *app) part(flags workFlags) (part campaign.Part, err error) {
	switch {
	case flags.resume && a.out == "":
		err = usageError{errors.New("--resume needs --out: name the folder of the work to go on with")}
	case flags.shard != "" && !a.keeps():
		err = usageError{errors.New("--shard needs --out: name the folder to keep the part in")}
	case flags.shard != "":
		part, err = campaign.ParsePart(flags.shard)
	}
	return part, err
}

// do does work, after what an earlier session of it kept in --out where it is resumed, and tells the answer.
func (a *app) do(ctx context.Context, flags workFlags, program *campaign.Program, events *terminal.Works,
	work campaign.Resumable) error {
	part, err := a.part(flags)
	if err != nil {
		return err
	}
	j, err := program.Job(work, part)
	if err != nil {
		return err
	}
	told := answerTo(work)
	keepAnswer(&j, a, told)
	state := job.New
	if flags.resume {
		if state, err = program.Jobs().State(a.out, j); state == job.Finished {
			err = errors.Join(a.tellAgain(ctx), err)
		}
		if state == job.Finished || err != nil {
			return otherJob(err)
		}
	}
	folder, err := a.workFolder(j.Manifest.Verb, state == job.Begun)
	if err != nil {
		return err
	}
	defer folder.Close()
	err = program.Jobs().Run(ctx, folder, j)
	events.End()
	var stopped *job.StoppedError
	if errors.As(err, &stopped) {
		return fmt.Errorf("%w: go on with the same command and --resume --out %s", err, stopped.Folder)
	}
	switch {
	case err != nil:
		return otherJob(err)
	case part != campaign.Part{}:
		a.remark("part %s is done%s; veilpath merge joins it with the others", flags.shard, written(folder))
		return nil
	}
	return a.tell(told, folder)
}

// otherJob says what to do about a folder with other work.
func otherJob(err error) error {
	if errors.Is(err, job.ErrOther) {
		return usageError{fmt.Errorf("--resume: %w; repeat its flags, or name another --out", err)}
	}
	return err
}

// workFolder opens the output folder of work that may be resumed: as it is where some of it was begun there, and
// otherwise fresh, without what other work kept there. It is nil where nothing is to be left on disk.
func (a *app) workFolder(verb string, begun bool) (*record.Folder, error) {
	if begun {
		f, err := record.ReopenFolder(a.disk, a.out, verb+" --resume")
		if err != nil {
			return nil, folderError(err)
		}
		return a.superseding(f)
	}
	f, err := a.resultFolder(verb)
	if err != nil || f == nil {
		return nil, err
	}
	if err := f.Restart(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// keep writes results to their folder, if there is one.
func (a *app) keep(folder *record.Folder, r campaign.Results) error {
	if folder == nil {
		return nil
	}
	program, _ := a.program()
	return program.Write(folder, r)
}

// written says where the files are, if there are any.
func written(folder *record.Folder) string {
	if folder == nil {
		return ""
	}
	return ", written to " + folder.Path()
}
