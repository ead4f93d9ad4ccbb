package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Groups of flags in the help, in order. OwnFlags are the flags of the verb alone.
const (
	OwnFlags      = "Flags"
	SettingsFlags = "Settings"
	OutputFlags   = "Output"
	FurtherFlags  = "Further flags" // listed with --full alone
)

// groupMark is the annotation with the group of a flag.
const groupMark = "group"

// InGroup puts a flag into a group of the help.
func InGroup(f *pflag.Flag, group string) { f.Annotations = map[string][]string{groupMark: {group}} }

// SetHelp sets the help of a program and its verbs: the first paragraph of the text, usage, examples, and flags in
// groups. With the flag full it prints the whole text instead of usage and flags.
func SetHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		if columnsOf(w) == 0 {
			w = &Output{Writer: w, Columns: helpColumns}
		}
		brief, remarks, _ := strings.Cut(cmd.Long, "\n\n")
		full := cmd.Flag("full")
		switch {
		case full == nil:
			WriteText(w, flowing(cmd.Long)+"\n\n")
		case full.Value.String() == "true":
			WriteText(w, flowing(brief+"\n\n"+remarks))
			writeFlags(w, cmd, FurtherFlags)
			return
		default:
			WriteText(w, flowing(brief)+"\n\n")
		}
		writeUsage(w, cmd)
		if remarks != "" && full != nil {
			WriteText(w, "\n"+cmd.CommandPath()+" --help --full explains flags, columns, files and choices.")
		}
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		writeUsage(cmd.OutOrStderr(), cmd)
		return nil
	})
}

// helpColumns is the width of the help if the width of the output is not limited.
const helpColumns = 100

// flowing joins the lines of paragraphs, and those of the explanation of a name. Other lines that begin with a blank
// stay as they are.
func flowing(text string) string {
	var out strings.Builder
	before := ""
	explained := 0 // column at which the explanation of the last name begins; 0 for none
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		continues := before != "" && line != "" && (indent == 0 && before[0] != ' ' || indent > 0 && indent == explained)
		switch {
		case continues:
			out.WriteString(" " + words)
		case out.Len() > 0:
			out.WriteString("\n" + line)
		default:
			out.WriteString(line)
		}
		if !continues {
			explained = 0
			if indent > 0 {
				explained = len(entry.FindString(line))
			}
		}
		before = line
	}
	return out.String()
}

// writeUsage prints the usage of a verb, examples, and its flags in groups.
func writeUsage(w io.Writer, cmd *cobra.Command) {
	use := cmd.UseLine()
	if !cmd.Runnable() || cmd.HasSubCommands() {
		use = strings.TrimSpace(use) + "\n  " + cmd.CommandPath() + " VERB"
	}
	fmt.Fprintf(w, "Usage: %s\n\nExamples:\n%s\n", use, cmd.Example) // whose lines can be copied
	if cmd.HasAvailableSubCommands() {
		var verbs list
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() {
				verbs.add(below.Name(), below.Short)
			}
		}
		WriteText(w, "\nVerbs:\n"+verbs.String())
	}
	for _, group := range []string{OwnFlags, SettingsFlags, OutputFlags} {
		writeFlags(w, cmd, group)
	}
}

// writeFlags prints the flags of a group, if there are any.
func writeFlags(w io.Writer, cmd *cobra.Command, group string) {
	flags := pflag.NewFlagSet(group, pflag.ContinueOnError)
	flags.SortFlags = false
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		in := OwnFlags
		if mark := f.Annotations[groupMark]; len(mark) > 0 {
			in = mark[0]
		}
		if in == group && !f.Hidden && f.Name != "help" {
			flags.AddFlag(f)
		}
	})
	if text := flags.FlagUsagesWrapped(columnsOf(w)); text != "" {
		fmt.Fprintf(w, "\n%s:\n%s", group, text)
	}
}
