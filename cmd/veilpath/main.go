// Command veilpath studies the privacy of planning: how close a vehicle gets before an observer recognises its
// destination, how that depends on epsilon and on the observer's radius, and what privacy costs.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(program(0)) }

// program runs the program until it ends or gets a signal, and returns its exit code. dots is the resolution of
// pictures; 0 for the default.
func program(dots int) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP) // the terminal is gone
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // so that a second signal ends the program at once
	app := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ(),
		dots: dots}
	defer stop()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // takes little time, and memory is at most about 1.5 times what is live
	}
	return app.run(ctx, os.Args[1:])
}
