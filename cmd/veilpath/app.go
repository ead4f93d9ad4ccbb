package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/cmd/internal/version"
	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
)

// The program's exit codes, which the help lists.
const (
	exitDone        = 0
	exitFailed      = 1 // the answer is no, or the work failed
	exitUsage       = 2
	exitUndescribed = 3 // the verdict of an audit is "not as described"
	exitInterrupted = 130
)

// app is the program with its streams and environment.
type app struct {
	stdin          io.Reader
	input          terminal.Input
	stdout, stderr io.Writer
	environ        []string
	dots           int  // resolution of pictures in dots per inch, 0 for the default
	completing     bool // called by a shell for completion

	config string
	sets   []string
	varied []string // of --vary
	out    string
	force  bool
	report bool
	format string
	quiet  bool
	full   bool // print everything

	allowCommands bool // run commands that the command line does not name

	shown    *terminal.Printer
	progress terminal.Progress

	args    []string
	read    []string // files of problems and settings that were opened
	running []*campaign.Program
}

// usageError is an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage marks an error, if there is one, as a usage error.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

//go:embed help
var help embed.FS

// verb returns a verb with the help in help/NAME.txt. In the text, lists replace {1}, {2} and so on, and
// privacy.SimulationNotice replaces {notice}.
func verb(name string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error,
	lists ...string) *cobra.Command {
	texts, err := fs.Sub(help, "help")
	if err != nil {
		panic("veilpath: " + err.Error()) // happens only for an invalid path
	}
	cmd := terminal.Verb(texts, name)
	cmd.Args, cmd.RunE = args, run
	cmd.Long = strings.Replace(cmd.Long, "{notice}", privacy.SimulationNotice, 1)
	for i, list := range lists {
		cmd.Long = strings.Replace(cmd.Long, fmt.Sprintf("{%d}", i+1), list, 1)
	}
	return cmd
}

// run executes the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	out := &terminal.Output{Writer: a.stdout, Columns: terminal.Columns(a.stdout, a.environ)}
	a.stdout = out
	a.completing = len(args) > 0 && slices.Contains([]string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd},
		args[0])
	a.args = args
	a.progress.To, a.progress.Environ = a.stderr, a.environ
	root := a.rootCommand(args...)
	err := errors.Join(terminal.Execute(ctx, root, args, usage), out.Failure())
	for _, program := range a.running {
		program.Close()
	}
	a.progress.End()
	if err == nil {
		return exitDone
	}
	for _, line := range terminal.ErrorLines("veilpath", err) {
		terminal.WriteNote(a.stderr, a.environ, line)
	}
	var configError *configs.Error
	var usage usageError
	var request *campaign.RequestError
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &configError):
		fmt.Fprint(a.stderr, terminal.Escaped(configError.Picture))
		return exitUsage
	case errors.As(err, &usage), errors.As(err, &request):
		return exitUsage
	case errors.Is(err, audit.ErrNotAsDescribed):
		return exitUndescribed
	case isAudit(root, args) && !errors.Is(err, audit.ErrBroken):
		return exitUsage // 1 is the verdict "broken"
	}
	return exitFailed
}

// isAudit reports whether the command line, which may begin with flags, is of the verb audit.
func isAudit(root *cobra.Command, args []string) bool {
	verb, _, err := root.Find(args)
	return err == nil && verb.Name() == "audit"
}

// rootCommand returns the command line for arguments. It contains only the verb that they begin with, or all verbs
// if they begin with none.
func (a *app) rootCommand(args ...string) *cobra.Command {
	root := verb("veilpath", func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return usageError{terminal.NoSuchVerb(cmd, args[0])}
	}, func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := terminal.CheckFlags(cmd); err != nil {
			return usageError{err}
		}
		a.progress.Quiet = a.quiet
		return a.checkFormat()
	}
	root.Version = terminal.Built(version.Number)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetVersionTemplate("veilpath {{.Version}}\n")
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{terminal.FlagError(cmd, err, refusals)}
	})
	verbs := map[string]func() *cobra.Command{"study": a.studyCommand, "run": a.runCommand, "merge": a.mergeCommand,
		"compare": a.compareCommand, "tune": a.tuneCommand, "config": a.configCommand, "plan": a.planCommand,
		"cost": a.costCommand, "design": a.designCommand, "leak": a.leakCommand, "audit": a.auditCommand,
		"privatize": a.privatizeCommand, "reproduce": a.reproduceCommand, "view": a.viewCommand,
		"version": a.versionCommand, "benchmark": a.benchmarkCommand}
	if len(args) > 0 && verbs[args[0]] != nil {
		root.AddCommand(verbs[args[0]]())
	} else {
		for _, command := range verbs {
			root.AddCommand(command())
		}
		root.AddCommand(terminal.Completion(verb("completion", nil, nil), usage))
	}
	terminal.SetHelp(root)
	terminal.AddHelp(root, usage)
	a.share(root)
	return root
}

// versionCommand returns the verb version, which prints the same as --version.
func (a *app) versionCommand() *cobra.Command {
	return verb("version", noArguments, func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(a.stdout, "veilpath %s\n", terminal.Built(version.Number))
		return err
	})
}

// request returns the sources of settings. keyOf maps the flags that set keys to the keys.
func (a *app) request(cmd *cobra.Command, keyOf map[string]string) configs.Request {
	request := configs.Request{Config: a.config, Environ: a.environ, Sets: a.sets}
	if len(a.varied) > 0 {
		request.Overrides = append(request.Overrides, configs.Override{Key: "vary", Flag: "vary", Value: a.varied})
	}
	request.ReadFile = func(path string) ([]byte, error) {
		a.read = append(a.read, path)
		if info, err := os.Stat(path); err == nil && info.IsDir() { // a folder of an earlier command
			m, err := record.ReadManifest(path)
			return m.Config, err
		}
		return terminal.ReadAtMost(cmd.Context(), path, configs.LargestFile+1)
	}
	add := func(flag, key string) {
		if f := cmd.Flag(flag); f != nil && f.Changed {
			request.Overrides = append(request.Overrides, configs.Override{Key: key, Flag: flag, Value: f.Value.String()})
		}
	}
	add("seed", "study.seed")
	add("workers", "study.workers")
	for flag, key := range keyOf {
		add(flag, key)
	}
	return request
}

// mayRun reports whether a command may be run: one that an argument names at its end, or any with --allow-commands. A
// strength may follow the command, after a colon.
func (a *app) mayRun(command string) bool {
	return a.allowCommands || slices.ContainsFunc(a.args, func(arg string) bool {
		_, named, _ := strings.Cut(arg, configs.CommandMark)
		strength, is := strings.CutPrefix(named, command)
		return is && (strength == "" || strengthOfCommand.MatchString(strength))
	})
}

// strengthOfCommand is what may follow the command of a mechanism in a list.
var strengthOfCommand = regexp.MustCompile(`^:[0-9.eE+-]+$`)

// load reads the settings from all layers.
func (a *app) load(cmd *cobra.Command, keyOf map[string]string) (*configs.Loaded, error) {
	loaded, err := configs.Load(a.request(cmd, keyOf))
	if err != nil {
		return nil, err
	}
	if m := mechanisms(cmd, loaded); m != nil {
		loaded.Warnings = append(loaded.Warnings, loaded.Unread(m...)...)
	}
	for _, warning := range loaded.Warnings {
		if cmd.Name() != "privatize" { // its output may be published, and warnings reveal the goal
			a.remark("warning: %s", warning)
		}
	}
	return loaded, nil
}

// mechanisms returns the mechanisms of a verb: those of its flag, or that of the settings. It returns nil if the verb
// may use other ones too, or compares settings with what it measures.
func mechanisms(cmd *cobra.Command, loaded *configs.Loaded) []string {
	if cmd.Name() == "audit" || cmd.Name() == "benchmark" {
		return nil
	}
	for _, several := range []string{"sweep", "against", "countermeasures"} {
		if f := cmd.Flag(several); f != nil && f.Changed {
			return nil
		}
	}
	if f := cmd.Flag("mechanism"); f != nil && f.Value.String() != "" {
		return strings.Split(f.Value.String(), ",")
	}
	return []string{loaded.Privacy.Mechanism}
}

// remark prints a text on standard error that is not a result.
func (a *app) remark(format string, args ...any) {
	if !a.quiet {
		terminal.WriteNote(a.stderr, a.environ, fmt.Sprintf(format, args...))
	}
}

// folder opens the output folder of a verb.
func (a *app) folder(verb string) (*pieces.Folder, error) {
	var f *pieces.Folder
	var err error
	if a.out == "" {
		f, err = pieces.Next("out", verb)
	} else {
		f, err = pieces.Create(a.out, a.force)
	}
	return f, usage(err)
}

// formats are the output formats.
var formats = []string{"table", "csv", "json"}

// checkFormat returns an error for an unknown output format.
func (a *app) checkFormat() error {
	if a.format == "" || slices.Contains(formats, a.format) {
		return nil
	}
	return usageError{fmt.Errorf("--format %s: no such format; %s", a.format,
		configs.Suggest(configs.NearestOf(a.format, formats), "want table, csv or json"))}
}

// printer returns the printer of standard output.
func (a *app) printer() *terminal.Printer {
	if a.shown == nil {
		a.shown = &terminal.Printer{To: a.stdout, Full: a.full}
	}
	return a.shown
}

// remarkLeft says what --full would print in addition.
func (a *app) remarkLeft() {
	if left := a.printer().Left(); left != "" {
		a.remark("--full prints %s", left)
	}
}
