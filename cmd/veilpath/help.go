package main

import (
	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
)

// addHelp adds the verb help, which refuses what it has no help on.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic("veilpath: no verb help: " + err.Error()) // it has just been added
	}
	help.Use, help.Example = "help [VERB]", "  veilpath help study\n  veilpath help config show"
	help.Run = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		verb, rest, err := root.Find(args)
		if err != nil {
			return usageError{err}
		}
		if len(rest) > 0 {
			return usageError{terminal.NoSuchVerb(verb, rest[0])}
		}
		verb.InitDefaultHelpFlag() // so that the help lists it
		return verb.Help()
	}
}
