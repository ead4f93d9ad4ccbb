package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
)

// program connects a campaign with the outside world. How it goes is shown until that is ended.
func (a *app) program() (*campaign.Program, *terminal.Works) {
	shown := &terminal.Works{To: a.stderr, Quiet: a.quiet, Plain: !terminal.ShowsBars(a.environ)}
	p := &campaign.Program{Version: version, Disk: a.disk, Dots: a.dots, Page: a.report, Events: shown, May: a.names}
	a.running = append(a.running, p)
	return p, shown
}

// settings gathers where the settings of a campaign come from; nothing is said of the preset that was not named.
func (a *app) settings(cmd *cobra.Command, keyOf map[string]string) configs.Request {
	request := a.request(cmd, keyOf)
	if f := cmd.Flag("config"); f == nil || !f.Changed {
		request.Config = ""
	}
	return request
}

// advise adds to an error of a campaign what to type next.
func advise(err error) error {
	var stopped *campaign.StoppedError
	var unmet *campaign.UnmetError
	var unfinished *campaign.UnfinishedError
	switch {
	case errors.As(err, &stopped) && stopped.Folder == "":
		return fmt.Errorf("%w; nothing is kept without --out", err)
	case errors.As(err, &stopped) && !stopped.Interrupted():
		return fmt.Errorf("%w; %s and go on with: %s", err, remedy(err), resuming(stopped.Folder))
	case errors.As(err, &stopped) && stopped.Kept == 0:
		return fmt.Errorf("%w; begin again with: %s", err, resuming(stopped.Folder))
	case errors.As(err, &stopped):
		return fmt.Errorf("%w; go on with: %s", err, resuming(stopped.Folder))
	case errors.As(err, &unmet) && unmet.Folder == "":
		return fmt.Errorf("%w; allow more with --runs %d", err, 10*unmet.Runs)
	case errors.As(err, &unmet):
		return fmt.Errorf("%w; allow more with: veilpath study --resume --runs %d --out %s", err, 10*unmet.Runs, unmet.Folder)
	case errors.As(err, &unfinished):
		return fmt.Errorf("%w; finish it with: %s", err, resuming(unfinished.Folder))
	}
	return err
}

// resuming is the command that goes on with a study.
func resuming(folder string) string { return "veilpath study --resume --out " + folder }

// remedy says what to do about an error before the study can go on.
func remedy(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "free space there"
	}
	return "put that right"
}
