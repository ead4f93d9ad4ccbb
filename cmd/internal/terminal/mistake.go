package terminal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/configs"
)

// FlagMistake says what is wrong with a flag that could not be read. Where a verb does not have it, why it does not
// is said in refusals under "VERB FLAG".
func FlagMistake(cmd *cobra.Command, err error, refusals map[string]string) error {
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

// unknownFlag is the error for a flag that a verb does not have.
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
		meant(near, cmd.CommandPath()+" --help lists the flags"))
}

// CheckFlags refuses - as a folder to write to, and flags that were given without a value. Such a value is mostly that
// of a shell variable that is not set, and to do as if the flag were not there would hide it.
func CheckFlags(cmd *cobra.Command) error {
	var err error
	if f := cmd.Flag("out"); f != nil && f.Value.String() == "-" {
		return errors.New("--out -: files are written to a folder, and - is none; leave it out and take --format csv or " +
			"json for standard output, or name ./-")
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = fmt.Errorf("--%s \"\": an empty value, perhaps of a variable that is not set; want %s, or leave the flag out",
				f.Name, wanted(f))
		}
	})
	return err
}

// wanted says what a flag takes.
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

// NoSuchVerb is the error for a name that is no verb below another, or below the program.
func NoSuchVerb(parent *cobra.Command, name string) error {
	parent.SuggestionsMinimumDistance = 2 // at most, in letters
	near := append(parent.SuggestionsFor(name), "")[0]
	hint := meant(near, parent.CommandPath()+" --help says what there is")
	path := strings.TrimPrefix(parent.CommandPath()+" "+name, parent.Root().Name()+" ")
	return fmt.Errorf("no such verb: %s; %s", path, hint)
}

// meant asks for what is near, if anything is, and otherwise says what to do.
func meant(near, otherwise string) string {
	if near == "" {
		return otherwise
	}
	return "did you mean " + near + "?"
}

// Suggestion asks whether the name among those that there are is meant that is nearest to one that is not; where
// none is near it says what to do.
func Suggestion(name string, among []string, otherwise string) string {
	return meant(configs.NearestOf(name, among), otherwise)
}

// Refuse refuses flags, named between blanks, that were given: "--flag why".
func Refuse(cmd *cobra.Command, flags, why string) error {
	for name := range strings.FieldsSeq(flags) {
		if cmd.Flag(name).Changed {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	return nil
}
