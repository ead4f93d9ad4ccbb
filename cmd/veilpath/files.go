package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/job"
	"veilpath/internal/publish"
	"veilpath/internal/record"
	"veilpath/sim/campaign"
)

// freshFolder opens the output folder of a verb. If another process works in it, the error is ErrBusy. Close the
// folder after use.
func (a *app) freshFolder(verb string) (*record.Folder, error) {
	folder, err := a.folder(verb)
	if err != nil {
		return nil, err
	}
	folder.Remedy = "free space there and repeat the command, with --force if files are left, or name another --out"
	return a.superseding(folder)
}

// superseding marks the files of an earlier verb in a folder for removal once the new files are complete, so that
// a folder has only one answer. The file that --config names is kept. After an error the folder is closed.
func (a *app) superseding(folder *record.Folder) (*record.Folder, error) {
	if err := folder.Supersede(a.config, publish.Names()...); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// resultFolder opens the output folder of a verb that can print its whole result. It is nil if keeps is false.
func (a *app) resultFolder(verb string) (*record.Folder, error) {
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

// addResumeFlag adds the flag --resume.
func addResumeFlag(cmd *cobra.Command, flags *workFlags) {
	cmd.Flags().BoolVar(&flags.resume, "resume", false, "resume the work in --out, or begin it")
}

// addWorkFlags adds the flags of work that can be resumed and divided.
func addWorkFlags(cmd *cobra.Command, flags *workFlags) {
	addResumeFlag(cmd, flags)
	cmd.Flags().StringVar(&flags.shard, "shard", "", "do part `i/n`; veilpath merge joins the parts")
}

// part returns the part of the work in the flags.
func (a *app) part(flags workFlags) (part campaign.Part, err error) {
	switch {
	case flags.resume && a.out == "":
		err = usageError{errors.New("--resume needs --out: name the folder of the work to resume")}
	case flags.shard != "" && !a.keeps():
		err = usageError{errors.New("--shard needs --out: name the folder for the part")}
	case flags.shard != "":
		part, err = campaign.ParsePart(flags.shard)
	}
	return part, err
}

// do does work, resuming the results in --out with --resume, and reports the answer.
func (a *app) do(cmd *cobra.Command, flags workFlags, program *campaign.Program, events *terminal.Works,
	work campaign.Resumable) error {
	ctx := cmd.Context()
	part, err := a.part(flags)
	if err != nil {
		return err
	}
	j, err := program.Job(work, part)
	if err != nil {
		return err
	}
	keepAnswer(&j, work)
	state := job.New
	if flags.resume {
		if state, err = program.Jobs().State(a.out, j); state == job.Finished {
			err = errors.Join(a.printAgain(ctx), err)
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
		return fmt.Errorf("%w: continue with the same command and --resume --out %s", err, stopped.Folder)
	}
	switch {
	case err != nil:
		return otherJob(err)
	case part != campaign.Part{}:
		a.remark("part %s is done%s; veilpath merge joins it with the others", flags.shard, written(folder))
		return nil
	}
	return a.printAnswer(cmd, work, folder)
}

// otherJob adds advice to the error for a folder with other work.
func otherJob(err error) error {
	if errors.Is(err, job.ErrOther) {
		return usageError{fmt.Errorf("--resume: %w; repeat the flags of that work, name another --out, or add --force "+
			"instead of --resume", err)}
	}
	return err
}

// workFolder opens the output folder of resumable work: with its contents if the work was begun there, and
// otherwise without the journal of other work. It is nil if keeps is false.
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

// keep writes results to their folder, unless it is nil.
func keep(program *campaign.Program, folder *record.Folder, r campaign.Results) error {
	if folder == nil {
		return nil
	}
	return program.Write(folder, r)
}

// written returns the end of a remark with the folder of the files, empty if it is nil.
func written(folder *record.Folder) string {
	if folder == nil {
		return ""
	}
	return ", written to " + folder.Path()
}
