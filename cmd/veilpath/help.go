package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
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
			return noSuchVerb(verb, rest[0])
		}
		verb.InitDefaultHelpFlag() // so that the help lists it
		return verb.Help()
	}
}

// noSuchVerb is the error for a name that is no verb below another, or below the program.
func noSuchVerb(parent *cobra.Command, name string) error {
	parent.SuggestionsMinimumDistance = 2 // at most, in letters
	near := append(parent.SuggestionsFor(name), "")[0]
	hint := meant(near, parent.CommandPath()+" --help says what there is")
	path := strings.TrimPrefix(parent.CommandPath()+" "+name, parent.Root().Name()+" ")
	return usageError{fmt.Errorf("no such verb: %s; %s", path, hint)}
}

// meant asks for what is near, if anything is, and otherwise says what to do.
func meant(near, otherwise string) string {
	if near == "" {
		return otherwise
	}
	return "did you mean " + near + "?"
}
