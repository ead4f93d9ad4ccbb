package terminal

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/configs"
)

// FlagError describes an error of reading a flag. refusals contains, under "VERB FLAG", why a verb does not have a
// flag.
func FlagError(cmd *cobra.Command, err error, refusals map[string]string) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			name = "-" + letters
		}
		return unknownFlag(cmd, name, refusals)
	case errors.As(err, &missing):
		err = fmt.Errorf("--%s: no value follows; want %s", missing.GetFlag().Name, wanted(missing.GetFlag()))
	case errors.As(err, &invalid):
		problem := "not true or false"
		if f := invalid.GetFlag(); f.Value.Type() != "bool" {
			problem = errors.Unwrap(invalid).Error()
		}
		value := invalid.GetValue()
		if value == "" || strings.ContainsAny(value, " \t\n") {
			value = strconv.Quote(value)
		}
		err = fmt.Errorf("--%s %s: %s; want %s", invalid.GetFlag().Name, value, problem, wanted(invalid.GetFlag()))
	}
	return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
}

// unknownFlag returns the error for a flag that a verb does not have.
func unknownFlag(cmd *cobra.Command, name string, refusals map[string]string) error {
	bare := strings.TrimLeft(name, "-")
	if why := refusals[cmd.Name()+" "+bare]; why != "" {
		return fmt.Errorf("%s: %s", name, why)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := configs.NearestOf(bare, names)
	if near != "" {
		near = "--" + near
	}
	return fmt.Errorf("%s: no such flag of %s; %s", name, cmd.CommandPath(),
		configs.Suggest(near, cmd.CommandPath()+" --help lists the flags"))
}

// CheckFlags returns an error for --out - and for a flag with an empty value. Such a value usually comes from a
// shell variable that is not set, and ignoring the flag would hide that.
func CheckFlags(cmd *cobra.Command) error {
	var err error
	if f := cmd.Flag("out"); f != nil && f.Value.String() == "-" {
		return errors.New("--out -: files are written to a folder; leave the flag out and add --format csv or json for " +
			"standard output, or name the folder ./-")
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = fmt.Errorf("--%s \"\": an empty value, perhaps from a variable that is not set; want %s, or leave the "+
				"flag out",
				f.Name, wanted(f))
		}
	})
	return err
}

// wanted describes the values of a flag.
func wanted(f *pflag.Flag) string {
	if number, ok := f.Value.(interface{ wanted() string }); ok {
		return number.wanted()
	}
	if f.Value.Type() == "bool" {
		return "true or false, or the flag alone"
	}
	name, _ := pflag.UnquoteUsage(f)
	if name == "string" {
		name = "VALUE"
	}
	return "--" + f.Name + " " + name
}

// Execute executes the command line. If it begins with a word that is no verb, the error names the word: its flags,
// which the root does not have, would be blamed otherwise.
func Execute(ctx context.Context, root *cobra.Command, args []string, usage func(error) error) error {
	root.SetArgs(args)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		if found, _, _ := root.Find(args[:1]); found == root {
			return usage(NoSuchVerb(root, args[0]))
		}
	}
	return root.ExecuteContext(ctx)
}

// NoSuchVerb returns the error for a name that is not a verb of parent.
func NoSuchVerb(parent *cobra.Command, name string) error {
	parent.SuggestionsMinimumDistance = 2 // at most, in letters
	near := append(parent.SuggestionsFor(name), "")[0]
	hint := configs.Suggest(near, parent.CommandPath()+" --help lists the verbs")
	path := strings.TrimPrefix(parent.CommandPath()+" "+name, parent.Root().Name()+" ")
	return fmt.Errorf("no such verb: %s; %s", path, hint)
}

// Refuse returns the error "--flag why" if one of the flags, separated by blanks, was given.
func Refuse(cmd *cobra.Command, flags, why string) error {
	for name := range strings.FieldsSeq(flags) {
		if cmd.Flag(name).Changed {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	return nil
}
