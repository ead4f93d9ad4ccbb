package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check and list configurations",
		Long: `config shows the effective configuration with the origin of every value. Values are layered: flags over
environment variables (VEILPATH_PRIVACY_EPSILON sets privacy.epsilon) over the file or preset of --config
over the preset paper. What show prints is itself a configuration file; as json it is a list of key, value, unit
and origin, as csv also what is allowed, what the key means, and what the points of a sweep along it make once for all:
plans and flights, plans, or nothing.`,
		Example: `  veilpath config show --config quick > mine.yaml
  veilpath config check --config mine.yaml
  veilpath config presets`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.showConfig(cmd) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "show [GROUP ...]", Short: "Print every setting, or some groups, with meaning, range and origin, as YAML", Args: groupArguments,
			Example: "  veilpath config show --set privacy.epsilon=0.4\n  veilpath config show privacy example2 --config example2",
			RunE:    func(cmd *cobra.Command, groups []string) error { return a.showConfig(cmd, groups...) },
		},
		&cobra.Command{
			Use: "check", Short: "Check a configuration and say nothing else", Args: noArguments,
			Example: "  veilpath config check --config mine.yaml",
			RunE: func(cmd *cobra.Command, _ []string) error {
				loaded, err := a.load(cmd, nil)
				if err == nil {
					a.remark("%s is a valid configuration, SHA-256 %s", loaded.Name, loaded.SHA256())
				}
				return err
			},
		},
		&cobra.Command{
			Use: "presets", Short: "List the presets that --config knows by name", Args: noArguments,
			Example: "  veilpath config presets",
			RunE:    func(*cobra.Command, []string) error { return a.listPresets() },
		},
	)
	return cmd
}

// groupArguments accepts names of groups of keys.
func groupArguments(cmd *cobra.Command, args []string) error {
	for _, name := range args {
		if !slices.Contains(configs.Groups(), name) {
			hint := terminal.Suggestion(name, configs.Groups(), "they are "+strings.Join(configs.Groups(), ", "))
			return usageError{fmt.Errorf("%s: no group of settings is called %q; %s", cmd.CommandPath(), name, hint)}
		}
	}
	return nil
}

func (a *app) showConfig(cmd *cobra.Command, groups ...string) error {
	loaded, err := a.load(cmd, nil)
	if err != nil {
		return err
	}
	settings := slices.DeleteFunc(loaded.Settings(), func(s configs.Setting) bool {
		return len(groups) > 0 && !slices.Contains(groups, s.Group())
	})
	switch a.format {
	case "json":
		return a.printJSON(settingsJSON(settings))
	case "csv":
		rows := [][]string{{"key", "value", "unit", "origin", "allowed", "meaning", "shared_in_sweeps"}}
		for _, s := range settings {
			rows = append(rows, []string{s.Key, s.Value, s.Unit, s.Origin, s.Allowed(), s.Meaning, s.Shared()})
		}
		return csv.NewWriter(a.stdout).WriteAll(rows)
	}
	_, err = a.stdout.Write(loaded.Commented(groups...))
	return err
}

// settingJSON is a setting as config show prints it in JSON.
type settingJSON struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"` // a number, a text, or a list of them
	Unit   string          `json:"unit,omitempty"`
	Origin string          `json:"origin"`
}

func settingsJSON(settings []configs.Setting) []settingJSON {
	rows := []settingJSON{}
	for _, s := range settings {
		rows = append(rows, settingJSON{s.Key, s.JSON, s.Unit, s.Origin})
	}
	return rows
}

func (a *app) listPresets() error {
	type preset struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	presets := []preset{}
	rows := [][]string{{"name", "title"}}
	for _, p := range configs.Presets() {
		presets = append(presets, preset{p.Name, p.Title})
		rows = append(rows, []string{p.Name, p.Title})
	}
	switch a.format {
	case "json":
		return a.printJSON(presets)
	case "csv":
		return csv.NewWriter(a.stdout).WriteAll(rows)
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, p := range presets {
		fmt.Fprintf(table, "%s\t%s\n", p.Name, p.Title)
	}
	return table.Flush()
}
