// Command veilpath studies the privacy of planning: how close a vehicle gets before an observer names its
// destination, how that depends on epsilon and on the observer's radius, and what the privacy costs.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"veilpath/sim/record"
)

func main() { os.Exit(program(0)) }

// program runs the program until it ends or is told to, and returns its exit code. Its pictures have that many dots per
// inch; 0 for the usual.
func program(dots int) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second signal ends the program at once
	app := &app{stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ(), disk: record.Disk{}, dots: dots, large: thrifty}
	defer stop()
	return app.run(ctx, os.Args[1:])
}

// thriftyGC is how much garbage, in percent of what is held, waits for its collector while a study takes the most memory.
const thriftyGC = 40

// thrifty has garbage collected sooner in the process until what it returns is called.
func thrifty() (end func()) {
	usual := debug.SetGCPercent(thriftyGC)
	return func() { debug.SetGCPercent(usual) }
}
