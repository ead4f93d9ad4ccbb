package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/version"
	"veilpath/configs"
	"veilpath/sim/campaign"
)

// program returns a campaign's program, whose progress is shown.
func (a *app) program() *campaign.Program {
	p := &campaign.Program{Version: version.Number, Dots: a.dots, Page: a.report, Events: &a.progress, May: a.mayRun}
	a.running = append(a.running, p)
	return p
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
	switch {
	case errors.As(err, &stopped) && stopped.Folder == "":
		return fmt.Errorf("%w; nothing is kept without --out", err)
	case errors.As(err, &stopped) && stopped.Kept > 0:
		return a.goOn(err, stopped.Folder)
	}
	return err
}

// goOn adds to the error of unfinished work in a folder how it goes on.
func (a *app) goOn(err error, folder string) error {
	before := ""
	switch {
	case errors.Is(err, syscall.ENOSPC):
		before = "free space there, and "
	case !errors.Is(err, context.Canceled):
		before = "fix that, and "
	}
	if a.out == "" {
		return fmt.Errorf("%w; %sgo on with the same command and --out %s", err, before, folder)
	}
	return fmt.Errorf("%w; %sgo on with the same command", err, before)
}
