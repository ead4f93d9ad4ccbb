package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/page"
	"veilpath/cmd/internal/terminal"
)

func (a *app) viewCommand() *cobra.Command {
	var port int
	var noBrowser bool
	var export string
	cmd := verb("view", func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("view takes one folder, not %d; name the folder that contains them", len(args))}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
		folder := strings.Join(args, "")
		if cmd.Flags().Changed("export") {
			if cmd.Flags().Changed("port") || noBrowser {
				return usageError{errors.New("--export does not serve the page; leave --port and --no-browser out")}
			}
			return a.exportPage(cmd.Context(), folder, export)
		}
		return a.view(cmd.Context(), folder, port, !noBrowser, a.stdout)
	})
	cmd.Flags().Var(terminal.Whole(&port, 0, 0, mostPort), "port", "port of the server; 0 for a free one")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	cmd.Flags().StringVar(&export, "export", "", "write the page and the recordings to this new `folder` instead of "+
		"serving them")
	return cmd
}

// mostPort is the largest number of a TCP port.
const mostPort = 65535

// view serves the page until the context ends. It prints the address to announced.
func (a *app) view(ctx context.Context, folder string, port int, browser bool, announced io.Writer) error {
	if err := page.CheckFolder(folder); err != nil {
		return usageError{err}
	}
	// The port is checked first, because building the page takes a while.
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("port %d cannot be used: %w; choose another with --port, or 0 for a free one", port,
			terminal.Innermost(err))
	}
	defer listener.Close()
	bundle, err := page.Ready(ctx, a.remark)
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
		return usageError{errors.New("--export needs the folder to write to")}
	}
	if err := page.CheckFolder(folder); err != nil {
		return usageError{err}
	}
	if err := page.CheckTarget(to); err != nil { // before the page is built
		return usageError{err}
	}
	bundle, err := page.ReadySite(ctx, a.remark)
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
