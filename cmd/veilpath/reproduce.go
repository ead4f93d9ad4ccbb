package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/reproduce"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
)

func (a *app) reproduceCommand() *cobra.Command {
	var flags workFlags
	cmd := verb("reproduce", nil, func(cmd *cobra.Command,
		names []string) error {
		return a.reproduce(cmd, names, flags)
	})
	addWorkFlags(cmd, &flags)
	return cmd
}

func (a *app) reproduce(cmd *cobra.Command, names []string, flags workFlags) error {
	items, err := reproduce.Select(names)
	if err != nil {
		return usageError{err}
	}
	loaded, examples, err := a.reproduceSettings(cmd)
	if err != nil {
		return err
	}
	program, events := a.program()
	defer events.End()
	r, err := program.NewReproduction(items, loaded, examples)
	if err != nil {
		return err
	}
	a.announce(r)
	err = a.do(cmd.Context(), flags, program, events, r)
	if setting := (reproduce.SettingError{}); errors.As(err, &setting) {
		return usageError{err}
	}
	return err
}

// announce says how long a reproduction will take, where that is long enough to wonder.
func (a *app) announce(r *campaign.Reproduction) {
	const wonder = 2 // s
	if seconds, cores := r.Seconds(); seconds > wonder {
		a.remark("%s, about %.0f s on %s", terminal.Count(len(r.Items), "item"), seconds, terminal.Count(cores, "core"))
	}
}

// reproduceSettings loads the three presets with the same flags over each.
func (a *app) reproduceSettings(cmd *cobra.Command) (waypoints *configs.Loaded, examples [2]configs.Config, err error) {
	if waypoints, err = a.load(cmd, nil); err != nil {
		return nil, examples, err
	}
	for i, preset := range []string{configs.TwoState, configs.Gridworld} {
		request := a.request(cmd, nil)
		request.Config = preset
		loaded, err := configs.Load(request)
		if err != nil {
			return nil, examples, err
		}
		examples[i] = loaded.Config
	}
	return waypoints, examples, nil
}

// printReproduction prints the agreements with their numbers in the format asked for.
func (a *app) printReproduction(results []*reproduce.Result) error {
	switch a.format {
	case "csv":
		return reproduce.WriteComparison(a.stdout, results)
	case "json":
		return reproduce.WriteJSON(a.stdout, results)
	}
	if err := a.printer().Say("%s\n\n", reproduce.Words(results)); err != nil {
		return err
	}
	var rows []agreementRow
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, v := range reproduce.Agreements() {
				if row, n := j.Furthest(v); n > 0 && (a.full || !v.Agrees()) {
					rows = append(rows, agreementRow{r.Item.Name, j, row, n})
				}
			}
		}
	}
	if !a.full {
		a.printer().LeaveOut(0, judgements(results)-len(rows))
	}
	if len(rows) == 0 {
		return nil
	}
	columns := agreementColumns
	if a.full {
		columns = append(slices.Clone(columns), table.Column[agreementRow]{Heading: "change",
			Text: func(r *agreementRow) string { return r.of.Reading().Change }})
	}
	return terminal.Table(a.printer(), columns, rows)
}

// agreementRow is the numbers of a quantity that agree alike, with the pair furthest apart.
type agreementRow struct {
	item string
	of   *reproduce.Judgement
	row  reproduce.Row
	n    int
}

// judgements counts the rows that agreements of results take.
func judgements(results []*reproduce.Result) (rows int) {
	for _, r := range results {
		for _, j := range r.Judgements {
			for _, v := range reproduce.Agreements() {
				if _, n := j.Furthest(v); n > 0 {
					rows++
				}
			}
		}
	}
	return rows
}

var agreementColumns = []table.Column[agreementRow]{
	{Heading: "item", Lead: true, Text: func(r *agreementRow) string { return r.item }},
	{Heading: "quantity", Lead: true, Text: func(r *agreementRow) string { return r.of.Title() }},
	{Heading: "numbers", Whole: true, Value: func(r *agreementRow) float64 { return float64(r.n) }},
	{Heading: "published", Format: "%.5g", Value: func(r *agreementRow) float64 { return r.row.Published }},
	{Heading: "computed", Format: "%.5g", Value: func(r *agreementRow) float64 { return r.row.Computed }},
	{Heading: "agreement", Text: func(r *agreementRow) string { return string(r.row.Agreement) }},
}
