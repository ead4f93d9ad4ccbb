package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/answer"
	"veilpath/internal/option"
	"veilpath/internal/pieces"
)

// print prints an answer in the requested format.
func (a *app) print(of *answer.Answer) error {
	a.progress.End()
	switch a.format {
	case "csv":
		return of.CSV.Write(a.stdout)
	case "json":
		return of.JSON.Write(a.stdout)
	}
	sections := of.Sections()
	for i := range sections {
		sections[i].Text = option.Expand(sections[i].Text, terminal.Flag)
	}
	err := a.printer().Print(sections...)
	a.remarkLeft()
	return err
}

// printAnswer prints an answer, and says how much was done, where the files are and what to do next. It returns the
// error of a demand that is not met.
func (a *app) printAnswer(cmd *cobra.Command, of *answer.Answer, wall time.Duration, folder *pieces.Folder) error {
	if err := a.print(of); err != nil {
		return err
	}
	done := written(folder)
	if len(of.Next.Files) > 0 { // which name the folder
		done = ""
	}
	if of.Effort != "" {
		done = fmt.Sprintf("%s in %.3g s", of.Effort, wall.Seconds()) + done
	}
	if done != "" {
		a.remark("%s", strings.TrimPrefix(done, ", "))
	}
	a.remarkNext(cmd, of.Next, folder)
	return of.Unmet
}

// remarkNext names the files to look at, and the next command.
func (a *app) remarkNext(cmd *cobra.Command, next answer.Next, folder *pieces.Folder) {
	path := filepath.Clean(folder.Path())
	var files []string
	for _, named := range next.Files {
		switch {
		case named.File == "":
			files = append(files, named.Text)
		case folder != nil && folder.SHA256(named.File) != "": // a study without noise has no picture
			files = append(files, named.Text+"  "+filepath.Join(path, named.File))
		}
	}
	if folder != nil && len(files) > 0 {
		a.remark("%s", option.Expand(strings.Join(files, "   "), terminal.Flag))
	}
	if a.format != "table" { // a program that reads the answer needs no command
		return
	}
	for _, c := range []struct {
		what  string
		words []string
	}{{"next     ", next.Command}, {"         a stronger observer: ", next.Observer}} {
		if len(c.words) == 0 || slices.Contains(c.words, "-") { // standard input is gone
			continue
		}
		words := slices.Clone(c.words)
		inFolder := false
		for i, word := range words {
			words[i] = strings.Replace(word, "{folder}", path, 1)
			inFolder = inFolder || words[i] != word
		}
		switch {
		case inFolder && folder == nil: // the file was not written
		case cmd.Name() == "merge" && !inFolder: // a folder has its settings, but not the problem's file
			if folder != nil && words[0] != "tune" {
				a.remarkCommand(c.what, a.nextCommand(cmd, append(words, "--config", path)...))
			}
		default:
			a.remarkCommand(c.what, a.nextCommand(cmd, words...))
		}
	}
}
