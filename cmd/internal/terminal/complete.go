package terminal

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/vary"
)

// CompletePresets completes presets and files.
func CompletePresets(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	for _, p := range configs.Presets() {
		found = append(found, cobra.CompletionWithDesc(p.Name, p.Title))
	}
	return found, cobra.ShellCompDirectiveDefault // and files
}

// CompleteFolders completes folders.
func CompleteFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// CompleteKeys completes keys of settings with an equals sign.
func CompleteKeys(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	for _, f := range configs.Schema() {
		first, _, _ := strings.Cut(f.Meaning, ". ")
		found = append(found, cobra.CompletionWithDesc(f.Key+"=", first))
	}
	return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// CompleteAssignment completes keys and, after the equals sign, the choices of a key or its default.
func CompleteAssignment(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	key, _, assigned := strings.Cut(typed, "=")
	if !assigned {
		return CompleteKeys(cmd, args, typed)
	}
	f, known := configs.Lookup(key)
	if !known {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	values := f.Choices()
	if values == nil {
		values = []string{f.Default}
	}
	var found []cobra.Completion
	for _, value := range values {
		found = append(found, key+"="+value)
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// CompleteVariations completes the settings that can vary.
func CompleteVariations(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return vary.Settings(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// CompleteChoices completes the choices of a key.
func CompleteChoices(key string) cobra.CompletionFunc {
	f, _ := configs.Lookup(key)
	return cobra.FixedCompletions(f.Choices(), cobra.ShellCompDirectiveNoFileComp)
}

// shells are the shells with completion.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// Completion makes a verb print the completion script of a shell. Errors of its command line are passed through
// usage.
func Completion(cmd *cobra.Command, usage func(error) error) *cobra.Command {
	all := strings.Join(shells, ", ")
	cmd.ValidArgs = shells
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage(errors.New("completion takes one shell: " + all))
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, to := cmd.Root(), cmd.OutOrStdout()
		switch args[0] {
		case "bash":
			return root.GenBashCompletionV2(to, true)
		case "zsh":
			return root.GenZshCompletion(to)
		case "fish":
			return root.GenFishCompletion(to, true)
		case "powershell":
			return root.GenPowerShellCompletionWithDesc(to)
		}
		return usage(fmt.Errorf("completion %s: no such shell; want %s", args[0], all))
	}
	return cmd
}
