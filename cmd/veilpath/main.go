// Command veilpath studies the privacy of planning: how close a vehicle gets before an observer names its
// destination, how that depends on epsilon and on the observer's radius, and what the privacy costs.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"veilpath/sim/record"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second signal ends the program at once
	app := &app{stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ(), disk: record.Disk{}}
	code := app.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
