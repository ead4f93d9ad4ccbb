package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/option"
)

// effortFlags say how much work is done and what is printed, not what the problem is. A next command chooses its own.
var effortFlags = strings.Fields("runs flights goals draws counts until max-runs trajectories attribution shard " +
	"resume workers out force report full format quiet run from view write nominal samples")

// nextKeys are the keys that a next command without the flag sets with --set.
var nextKeys = map[string]string{
	"observer": observerKey, "radius": "adversary.radius_km", "mechanism": "privacy.mechanism",
	"candidates": "adversary.candidates", "prior": "adversary.prior", "policies": "adversary.policies",
}

// nextCommand returns a command that goes on from a verb about the same problem: words are a verb and its arguments,
// to which it adds the settings that cmd was given. A file of settings among the words has them all.
func (a *app) nextCommand(cmd *cobra.Command, words ...string) string {
	words = slices.Clone(words)
	for i := range words {
		words[i] = option.Expand(words[i], terminal.Flag)
	}
	// The flags of the verb, with places of their own for their values.
	to, _, err := new(app).rootCommand(words...).Find(words)
	if err != nil {
		panic("veilpath: " + err.Error()) // the words name a verb
	}
	named := slices.Clone(words)
	whole := slices.Contains(named, "--config")
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case slices.Contains(named, "--"+f.Name), slices.Contains(effortFlags, f.Name),
			whole && f.Name != "allow-commands":
		case to.Flag(f.Name) != nil && takes(to, f):
			words = append(words, assignments(f)...)
		case nextKeys[f.Name] != "" && to.Flag("set") != nil && !strings.Contains(f.Value.String(), ","):
			words = append(words, "--set", nextKeys[f.Name]+"="+f.Value.String())
		}
	})
	for i, word := range words {
		words[i] = quoted(word)
	}
	return "veilpath " + strings.Join(words, " ")
}

// takes reports whether a verb takes a flag as it was given to another verb. Epsilons are what tune looks for, and only
// study takes a whole range of them.
func takes(to *cobra.Command, f *pflag.Flag) bool {
	return f.Name != "epsilons" || to.Name() == "study" ||
		to.Name() != "tune" && !strings.Contains(f.Value.String(), "..")
}

// assignments returns the arguments that give a flag the same value again.
func assignments(f *pflag.Flag) (words []string) {
	if f.Value.Type() == "bool" {
		return []string{"--" + f.Name}
	}
	values := []string{f.Value.String()}
	if several, is := f.Value.(pflag.SliceValue); is {
		values = several.GetSlice()
	}
	for _, value := range values {
		words = append(words, "--"+f.Name, value)
	}
	return words
}

// unquoted matches words that a shell takes as they are.
var unquoted = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted writes a word for a shell.
func quoted(word string) string {
	if unquoted.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// remarkCommand prints a command on one line, so that it can be copied.
func (a *app) remarkCommand(what, command string) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, terminal.Escaped(what+command))
	}
}
