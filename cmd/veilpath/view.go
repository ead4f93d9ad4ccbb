package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/page"
	"veilpath/cmd/internal/terminal"
)

func (a *app) viewCommand() *cobra.Command {
	var port int
	var noBrowser bool
	var export string
	cmd := &cobra.Command{
		Use:   "view [DIR]",
		Short: "Play flights back and tune privacy by hand, in the browser",
		Long: `view builds the visualizer as WebAssembly, once for each state of the sources and with the Go toolchain
only (a released program holds it and needs neither), serves it on a loopback address, prints that and opens a browser if there is one. With DIR the page
opens what run, study and tune wrote there; without, it begins with the preset paper. Ctrl-C ends it.

With --export the page is written to a new folder instead, with the recordings of DIR: a site of plain files that
any web server can serve from any address, without Go and without the sources. viewer.wasm lies beside its .br and
.gz for servers that send those. Opened from disk, index.html works in browsers that let scripts run there.`,
		Example: `  veilpath view
  veilpath study --out out/figure && veilpath view out/figure
  veilpath view out --port 8080 --no-browser
  veilpath view out --export site`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Errorf("view takes one folder, not %d; give the one that holds the others", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := ""
			if len(args) > 0 {
				folder = args[0]
			}
			if cmd.Flags().Changed("export") {
				if cmd.Flags().Changed("port") || noBrowser {
					return usageError{errors.New("--export serves nothing; leave --port and --no-browser out")}
				}
				return a.exportPage(cmd.Context(), folder, export)
			}
			return a.view(cmd.Context(), folder, port, !noBrowser, a.stdout)
		},
	}
	cmd.Flags().Var(terminal.Whole(&port, 0, 0, mostPort), "port", "port to serve on; 0 takes a free one")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address only")
	cmd.Flags().StringVar(&export, "export", "", "write the page and the recordings to this new `folder`, and serve nothing")
	return cmd
}

// mostPort is the largest number of a TCP port.
const mostPort = 65535

// view serves the page until the context ends; its address goes to where it is announced.
func (a *app) view(ctx context.Context, folder string, port int, browser bool, announced io.Writer) error {
	if err := page.CheckFolder(folder); err != nil {
		return usageError{err}
	}
	// The port comes first: whether it is free is known at once, building takes a while.
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("port %d cannot be used: %w; choose another with --port, or 0 for a free one", port, terminal.Innermost(err))
	}
	defer listener.Close()
	bundle, err := a.buildPage(ctx)
	if err != nil {
		return err
	}
	server, err := page.NewServer(bundle, folder)
	if err != nil {
		return err
	}
	defer server.Close()
	address := "http://" + listener.Addr().String() + "/"
	fmt.Fprintln(announced, address)
	if browser {
		page.OpenBrowser(address)
	}
	return page.Serve(ctx, listener, server)
}

// exportPage writes the page as a site of plain files.
func (a *app) exportPage(ctx context.Context, folder, to string) error {
	if to == "" {
		return usageError{errors.New("--export wants the folder to write to")}
	}
	if err := page.CheckFolder(folder); err != nil {
		return usageError{err}
	}
	if entries, err := os.ReadDir(to); err == nil && len(entries) > 0 {
		return usageError{fmt.Errorf("%s %w", to, page.ErrTaken)} // known before the page is built
	}
	bundle, err := a.buildPage(ctx)
	if err != nil {
		return err
	}
	leftOut, err := page.Export(bundle, folder, to)
	if errors.Is(err, page.ErrTaken) {
		return usageError{err}
	} else if err != nil {
		return err
	}
	for _, problem := range leftOut {
		a.remark("left out %s", problem)
	}
	fmt.Fprintln(a.stdout, filepath.Join(to, "index.html"))
	return nil
}

// buildPage builds the page, unless it is there for the present sources.
func (a *app) buildPage(ctx context.Context) (page.Bundle, error) {
	if bundle, ok, err := page.Embedded(); ok || err != nil {
		return bundle, err
	}
	var places []string
	if here, err := os.Getwd(); err == nil {
		places = append(places, here)
	}
	if _, source, _, ok := runtime.Caller(0); ok && filepath.IsAbs(source) {
		places = append(places, filepath.Dir(source))
	}
	builder, err := page.NewBuilder(places...)
	if err != nil {
		return page.Bundle{}, err
	}
	start := time.Now()
	a.remark("building the page …")
	bundle, err := builder.Build(ctx)
	if err == nil && !bundle.Cached {
		a.remark("built in %.0f s; kept in %s", time.Since(start).Seconds(), bundle.Folder)
	}
	return bundle, err
}
