package main

import (
	"cmp"
	"errors"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/pieces"
	"veilpath/internal/publish"
	"veilpath/internal/record"
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
func (a *app) part(flags workFlags) (part campaign.Part, err error) {
	switch {
	case flags.shard != "" && !a.keeps():
		err = usageError{errors.New("--shard needs --out: name the folder for the part")}
	case flags.shard != "":
		part, err = campaign.ParsePart(flags.shard)
	}
	return part, err
}

// do does work, going on with that in --out, and reports the answer.
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
	j.Answer = answerName
	state, err := a.state(program, j.Manifest)
	if err != nil {
		return err
	}
	if state == campaign.Finished {
		return cmp.Or(a.printAgain(ctx), j.Ended(a.out))
	}
	folder, err := a.workFolder(j.Manifest.Verb, state)
	if err != nil {
		return err
	}
	defer folder.Close()
	err = program.Run(ctx, folder, j)
	events.End()
	switch {
	case err != nil:
		return a.advise(err)
	case part != campaign.Part{}:
		a.remark("part %s is done%s; veilpath merge joins it with the others", flags.shard, written(folder))
		return nil
	}
	return a.printAnswer(cmd, work, folder)
}

// state returns what --out has of the work of a manifest; with --force nothing.
func (a *app) state(program *campaign.Program, m record.Manifest) (campaign.State, error) {
	if a.out == "" || a.force {
		return campaign.New, nil
	}
	return program.State(a.out, m)
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

// keep writes results to their folder, unless it is nil.
func keep(program *campaign.Program, folder *pieces.Folder, r campaign.Results) error {
	if folder == nil {
		return nil
	}
	return program.Write(folder, r)
}

// written returns the end of a remark with the folder of the files, empty if it is nil.
func written(folder *pieces.Folder) string {
	if folder == nil {
		return ""
	}
	return ", written to " + folder.Path()
}
