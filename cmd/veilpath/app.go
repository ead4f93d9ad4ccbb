package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
)

// version is the program's, written into the files it makes.
const version = "0.1.0"

// The program's exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// app is the program with everything of the outside world that it uses.
type app struct {
	stdout, stderr io.Writer
	environ        []string
	readFile       func(string) ([]byte, error)
	disk           record.FileSystem

	config string
	sets   []string
	out    string
	force  bool
	format string
	quiet  bool
}

// usageError is a mistake in what the user typed.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// run executes the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	out := &output{Writer: a.stdout}
	a.stdout = out
	root := a.rootCommand()
	root.SetArgs(args)
	err := errors.Join(root.ExecuteContext(ctx), out.failure())
	if err == nil {
		return exitDone
	}
	message := strings.TrimSuffix(err.Error(), ": "+context.Canceled.Error()) // the exit code says that
	for line := range strings.Lines(message) {
		fmt.Fprintf(a.stderr, "veilpath: %s\n", strings.TrimSuffix(line, "\n"))
	}
	var configError *configs.Error
	var usage usageError
	var request *campaign.RequestError
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &configError), errors.As(err, &usage), errors.As(err, &request):
		return exitUsage
	}
	return exitFailed
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "veilpath",
		Short: "Study the privacy of planning",
		Long: `veilpath simulates the privacy of planning. A vehicle flies waypoints chosen by a policy; the policy was
computed from a reward that was privatized with differential privacy; an observer extrapolates the flight
and tries to name the destination. veilpath tells how close the vehicle gets before that happens, how that
depends on epsilon and on the observer's radius, and what the privacy costs.`,
		Example: `  veilpath study                                  the paper's detection-distance figure, computed
  veilpath study --epsilons 0.2,1,4 --runs 1000   fewer epsilons, more runs
  veilpath run --epsilon 0.4 --run 3              one flight
  veilpath config show                            every setting and where its value came from`,
		Version:       buildVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return noSuchVerb(cmd, args[0])
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return checkFlags(cmd) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", configs.DefaultPreset, "`preset`, or path of a YAML file layered on the preset paper")
	flags.StringArrayVar(&a.sets, "set", nil, "set a configuration key: `key=value` (repeatable)")
	flags.String("seed", "", "seed of all randomness, a whole `number` (study.seed)")
	flags.String("workers", "", "`number` of goroutines, 0 for one a core (study.workers); results do not depend on it")
	flags.StringVar(&a.out, "out", "", "write files to this `folder`, new or empty (default: the next free out/VERB-NNN)")
	flags.BoolVar(&a.force, "force", false, "write into a folder that is not empty, replacing what an earlier command wrote there")
	flags.StringVar(&a.format, "format", "table", "what to print: table, csv or json")
	flags.BoolVar(&a.quiet, "quiet", false, "no progress and no remarks, only results and errors")
	root.AddCommand(a.studyCommand(), a.runCommand(), a.mergeCommand(), a.tuneCommand(), a.configCommand(), a.designCommand(), a.privatizeCommand(), a.reproduceCommand(), a.viewCommand())
	addHelp(root)
	return root
}

// buildVersion adds the commit the program was built from, where Go recorded it.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return version + " (" + s.Value[:12] + ")"
			}
		}
	}
	return version
}

// request gathers where settings come from, with the flags that stand for keys: flag name -> key.
func (a *app) request(cmd *cobra.Command, keyOf map[string]string) configs.Request {
	request := configs.Request{Config: a.config, Environ: a.environ, Sets: a.sets}
	request.ReadFile = func(path string) ([]byte, error) {
		return readAtMost(cmd.Context(), path, configs.LargestFile+1)
	}
	add := func(flag, key string) {
		if f := cmd.Flag(flag); f != nil && f.Changed {
			request.Overrides = append(request.Overrides, configs.Override{Key: key, Flag: "--" + flag, Value: f.Value.String()})
		}
	}
	add("seed", "study.seed")
	add("workers", "study.workers")
	for flag, key := range keyOf {
		add(flag, key)
	}
	return request
}

// load layers the configuration.
func (a *app) load(cmd *cobra.Command, keyOf map[string]string) (*configs.Loaded, error) {
	loaded, err := configs.Load(a.request(cmd, keyOf))
	if err != nil {
		return nil, err
	}
	for _, warning := range loaded.Warnings {
		a.remark("warning: %s", warning)
	}
	return loaded, nil
}

// remark prints a line for the user that is not a result.
func (a *app) remark(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.stderr, format+"\n", args...)
	}
}

// folder opens the output folder of a verb.
func (a *app) folder(verb string) (*record.Folder, error) {
	var f *record.Folder
	var err error
	if a.out == "" {
		f, err = record.NextFolder(a.disk, "out", verb)
	} else {
		f, err = record.OpenFolder(a.disk, a.out, verb, a.force)
	}
	return f, folderError(err)
}

// folderError makes an output folder that cannot be used a mistake of who named it, but not one that is in use.
func folderError(err error) error {
	if err == nil || errors.Is(err, record.ErrBusy) {
		return err
	}
	return usageError{err}
}

// checkFormat refuses an output format the verb does not print.
func (a *app) checkFormat() error {
	switch a.format {
	case "table", "csv", "json":
		return nil
	}
	return usageError{fmt.Errorf("--format %s: no such format; want table, csv or json", a.format)}
}
