package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
)

func (a *app) configCommand() *cobra.Command {
	cmd := verb("config", noArguments, func(cmd *cobra.Command, _ []string) error { return a.showConfig(cmd) })
	cmd.AddCommand(
		verb("show", groupArguments, func(cmd *cobra.Command, groups []string) error { return a.showConfig(cmd, groups...) }),
		verb("check", noArguments, func(cmd *cobra.Command, _ []string) error {
			loaded, err := a.load(cmd, nil)
			if err != nil {
				return err
			}
			if loaded.Problem == configs.Waypoints {
				picture, err := setup.Map(loaded.Config)
				if err != nil {
					return err
				}
				fmt.Fprint(a.stdout, picture)
			}
			a.remark("%s is a valid configuration, SHA-256 %s", loaded.Name, loaded.SHA256())
			if why := new(campaign.Program).CheckAxis(loaded); why != nil {
				a.remark("warning: study and tune refuse it: %v", why)
			}
			return nil
		}),
		verb("presets", noArguments, func(*cobra.Command, []string) error { return a.listPresets() }),
	)
	return cmd
}

// groupArguments accepts keys and groups of keys.
func groupArguments(cmd *cobra.Command, args []string) error {
	names := configs.Groups()
	for _, f := range configs.Schema() {
		names = append(names, f.Key)
	}
	for _, name := range args {
		if !slices.Contains(names, name) {
			hint := configs.Suggest(configs.NearestOf(name, names), "groups are "+strings.Join(configs.Groups(), ", "))
			return usageError{fmt.Errorf("%s: there is no setting or group of settings called %q; %s", cmd.CommandPath(), name,
				hint)}
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
		return len(groups) > 0 && !slices.Contains(groups, s.Group()) && !slices.Contains(groups, s.Key)
	})
	if a.format == "table" && len(groups) > 0 && !slices.ContainsFunc(groups, func(name string) bool {
		return slices.Contains(configs.Groups(), name)
	}) { // only keys
		for _, s := range settings {
			fmt.Fprintf(a.stdout, "%s: %s\n", s.Key, s.Value)
		}
		return nil
	}
	switch a.format {
	case "json":
		return table.WriteJSON(a.stdout, append([]configs.Setting{}, settings...))
	case "csv":
		rows := [][]string{{"key", "value", "unit", "origin", "allowed", "meaning"}}
		for _, s := range settings {
			rows = append(rows, []string{s.Key, s.Value, s.Unit, s.Origin, s.Allowed(), s.Meaning})
		}
		return csv.NewWriter(a.stdout).WriteAll(rows)
	}
	_, err = a.stdout.Write(loaded.Commented(groups...))
	return err
}

func (a *app) listPresets() error {
	if a.format == "json" {
		return table.WriteJSON(a.stdout, configs.Presets())
	}
	presets := table.Table[configs.Preset]{Rows: configs.Presets(), Columns: []table.Column[configs.Preset]{
		{Name: "name", Heading: "preset", Lead: true, Text: func(p *configs.Preset) string { return p.Name }},
		{Name: "title", Heading: "title", Text: func(p *configs.Preset) string { return p.Title }}}}
	if a.format == "csv" {
		return presets.WriteCSV(a.stdout)
	}
	return a.printer().Print(table.Section{Table: presets})
}
