package terminal

import (
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

// Verb returns a command with the help in NAME.txt: a line of usage, a line of summary, the description, and
// examples. It panics if the text is missing or has no examples.
func Verb(texts fs.FS, name string) *cobra.Command {
	text, err := fs.ReadFile(texts, name+".txt")
	if err != nil {
		panic("terminal: no help on " + name + ": " + err.Error())
	}
	use, rest, _ := strings.Cut(string(text), "\n")
	short, rest, _ := strings.Cut(rest, "\n")
	long, examples, ok := strings.Cut(rest, "\nExamples:\n")
	if !ok {
		panic("terminal: no examples in the help on " + name)
	}
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long),
		Example: strings.TrimRight(examples, "\n")}
}

// AddHelp adds the verb help. Errors of its command line, such as an unknown verb, are passed through usage.
func AddHelp(root *cobra.Command, usage func(error) error) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic("terminal: no verb help: " + err.Error()) // it was just added
	}
	help.Use = "help [VERB]"
	help.Example = "  veilpath help study\n  veilpath help config show\n  veilpath help leak --full"
	whole := help.Flags().Bool("full", false, "explain columns, files and choices")
	help.Run = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		verb, rest, err := root.Find(args)
		if err != nil {
			return usage(err)
		}
		if len(rest) > 0 {
			return usage(NoSuchVerb(verb, rest[0]))
		}
		verb.InitDefaultHelpFlag() // so that the help lists it
		if full := verb.Flag("full"); full != nil && *whole {
			if err := full.Value.Set("true"); err != nil {
				return err
			}
		}
		return verb.Help()
	}
}

// Part returns a text that the help of several verbs contains.
func Part(texts fs.ReadFileFS, path string) string {
	text, err := texts.ReadFile(path)
	if err != nil {
		panic("veilpath: " + err.Error()) // happens only for a wrong path
	}
	return strings.TrimSuffix(string(text), "\n")
}
