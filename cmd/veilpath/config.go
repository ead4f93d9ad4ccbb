package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"veilpath/configs"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check and list configurations",
		Long: `config shows the effective configuration with the origin of every value. Values are layered: flags over
environment variables (VEILPATH_PRIVACY_EPSILON sets privacy.epsilon) over the file or preset of --config
over the preset paper. What show prints is itself a configuration file.`,
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
			return usageError{fmt.Errorf("%s: no group of settings is called %q; they are %s", cmd.CommandPath(), name, strings.Join(configs.Groups(), ", "))}
		}
	}
	return nil
}

func (a *app) showConfig(cmd *cobra.Command, groups ...string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	loaded, err := a.load(cmd, nil)
	if err != nil {
		return err
	}
	if a.format == "json" {
		type setting struct {
			Key    string `json:"key"`
			Value  string `json:"value"`
			Origin string `json:"origin"`
		}
		var settings []setting
		for _, s := range loaded.Settings() {
			if len(groups) > 0 && !slices.Contains(groups, s.Group()) {
				continue
			}
			settings = append(settings, setting{s.Key, s.Value, s.Origin})
		}
		return a.printJSON(settings)
	}
	_, err = a.stdout.Write(loaded.Commented(groups...))
	return err
}

func (a *app) listPresets() error {
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, p := range configs.Presets() {
		fmt.Fprintf(table, "%s\t%s\n", p.Name, p.Title)
	}
	return table.Flush()
}
