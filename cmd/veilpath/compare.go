package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

func (a *app) compareCommand() *cobra.Command {
	var conditions []string
	var sure bool
	cmd := verb("compare", func(_ *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usageError{fmt.Errorf("compare: %s; name two that veilpath study, cost or tune wrote",
				terminal.Count(len(args), "folder"))}
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error { return a.compare(cmd, args, conditions, sure) },
		terminal.Headings(differenceColumns))
	cmd.Flags().StringArrayVar(&conditions, "fail-if", nil,
		"exit with 1 if B - A meets this `condition`, such as mean_km>+1 (repeatable)")
	cmd.Flags().BoolVar(&sure, "sure", false, "a condition is met only if the whole interval meets it")
	return cmd
}

func (a *app) compare(cmd *cobra.Command, folders, texts []string, sure bool) error {
	conditions, err := campaign.ParseConditions(texts)
	if err != nil {
		return usageError{fmt.Errorf("--fail-if %w", err)}
	}
	if campaign.SameFile(a.disk, folders[0], a.out) || campaign.SameFile(a.disk, folders[1], a.out) {
		return usageError{fmt.Errorf("--out %s is one of the two folders; name another one", a.out)}
	}
	start := time.Now()
	program, events := a.program()
	defer events.End()
	c, err := program.Compare(cmd.Context(), folders[0], folders[1])
	if err != nil {
		return a.advise(err)
	}
	failed, err := c.Failed(conditions, sure)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("compare")
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := errors.Join(program.WriteComparison(folder, c, time.Since(start)),
		a.printComparison(c, folder != nil)); err != nil {
		return err
	}
	a.remarkLeft()
	a.remark("%s%s", terminal.Count(len(c.Places), "place"), written(folder))
	if failed != "" {
		return errors.New(failed)
	}
	return nil
}

// printComparison prints the differences. filed means that a folder contains all of them.
func (a *app) printComparison(c *campaign.Comparison, filed bool) error {
	switch a.format {
	case "csv":
		return c.WriteCSV(a.stdout)
	case "json":
		return a.printJSON(c)
	}
	text := fmt.Sprintf("%s.\n%s, %s.\n%s; %s.\n%s", c.Finding(), terminal.Count(len(c.Places), "place"),
		"95 % intervals", c.Differing(), c.Pairing(), c.Baselines())
	for _, s := range c.Settings {
		a, b := s.Brief()
		text += fmt.Sprintf("  %s: %s, %s\n", s.Key, a, b)
	}
	if others := c.OtherRadii(); others > 0 {
		where := "--format csv prints them"
		if filed {
			where = campaign.ComparisonName + " has them"
		}
		text += fmt.Sprintf("The table has one radius of the observer and leaves out %d more; %s.\n", others, where)
	}
	if err := a.printer().Say("%s\n", text); err != nil {
		return err
	}
	return terminal.Table(a.printer(), terminal.First(differenceColumns, "quantity", "B - A", "interval"), c.Main())
}

var differenceColumns = []table.Column[campaign.Row]{
	{Heading: "place", Lead: true, Text: func(r *campaign.Row) string { return r.Place.Name() }},
	{Heading: "quantity", Text: func(r *campaign.Row) string { return quantityName(r.Name, r.Unit) }},
	{Heading: "A", Meaning: "value in the first folder; shares in percent",
		Text: number(func(d *study.Contrast) float64 { return d.A })},
	{Heading: "B", Meaning: "value in the second folder", Text: number(func(d *study.Contrast) float64 { return d.B })},
	{Heading: "B - A", Text: number(func(d *study.Contrast) float64 { return d.Difference })},
	{Heading: "interval", Meaning: "95 % interval of B - A", Text: func(r *campaign.Row) string {
		if math.IsNaN(r.Low) || math.IsNaN(r.High) {
			return "none"
		}
		return number(func(d *study.Contrast) float64 { return d.Low })(r) + " .. " +
			number(func(d *study.Contrast) float64 { return d.High })(r)
	}},
}

// quantityName returns the heading of a statistic of studies with its unit, or the name in files for other
// quantities.
func quantityName(name, unit string) string {
	for _, s := range study.Statistics() {
		if s.Name == name && s.Heading != "" {
			if unit == "km" && !strings.HasSuffix(s.Heading, "km") {
				return s.Heading + " km"
			}
			return s.Heading
		}
	}
	return name
}

// number returns a function that formats a number of a contrast. Quantities with unit 1 are in percent.
func number(of func(*study.Contrast) float64) func(*campaign.Row) string {
	return func(r *campaign.Row) string {
		if r.Unit == "1" {
			return fmt.Sprintf("%.2f %%", 100*of(r.Contrast))
		}
		return fmt.Sprintf("%.4g", of(r.Contrast))
	}
}
