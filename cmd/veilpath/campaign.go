package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/cmd/internal/version"
	"veilpath/configs"
	"veilpath/sim/campaign"
)

// program returns a campaign's program and the display of its progress, which the caller ends.
func (a *app) program() (*campaign.Program, *terminal.Works) {
	shown := &terminal.Works{To: a.stderr, Quiet: a.quiet, Environ: a.environ}
	p := &campaign.Program{Version: version.Number, Disk: a.disk, Dots: a.dots, Page: a.report, Events: shown,
		May: a.mayRun}
	a.running = append(a.running, p)
	return p, shown
}

// settings returns the sources of a campaign's settings. Config is empty unless --config was given.
func (a *app) settings(cmd *cobra.Command, keyOf map[string]string) configs.Request {
	request := a.request(cmd, keyOf)
	if f := cmd.Flag("config"); f == nil || !f.Changed {
		request.Config = ""
	}
	return request
}

// advise adds the next command to an error of a campaign.
func (a *app) advise(err error) error {
	var stopped *campaign.StoppedError
	var unmet *campaign.UnmetError
	var unfinished *campaign.UnfinishedError
	switch {
	case errors.As(err, &stopped) && stopped.Folder == "":
		return fmt.Errorf("%w; nothing is kept without --out", err)
	case errors.As(err, &stopped) && !stopped.Interrupted():
		return fmt.Errorf("%w; %s and continue with: %s", err, remedy(err), a.resuming(stopped.Folder))
	case errors.As(err, &stopped) && stopped.Kept == 0:
		return fmt.Errorf("%w; start again with: %s", err, a.resuming(stopped.Folder))
	case errors.As(err, &stopped):
		return fmt.Errorf("%w; continue with: %s", err, a.resuming(stopped.Folder))
	case errors.As(err, &unmet) && unmet.Folder == "":
		return fmt.Errorf("%w; allow more with --runs %d", err, 10*unmet.Runs)
	case errors.As(err, &unmet):
		return fmt.Errorf("%w; allow more with: veilpath study --resume --runs %d --out %s", err, 10*unmet.Runs, unmet.Folder)
	case errors.As(err, &unfinished):
		return fmt.Errorf("%w; finish it with: %s", err, a.resuming(unfinished.Folder))
	}
	return err
}

// resuming returns the command that resumes a study. A command of the user runs only where the command line names it.
func (a *app) resuming(folder string) string {
	if a.allowCommands ||
		slices.ContainsFunc(a.args, func(arg string) bool { return strings.Contains(arg, configs.CommandMark) }) {
		return "the same command and --resume"
	}
	return "veilpath study --resume --out " + folder
}

// remedy says what to do about an error before the study can be resumed.
func remedy(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "free space there"
	}
	return "fix that"
}
