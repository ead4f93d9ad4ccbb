package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/reproduce"
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
	for _, r := range results {
		fmt.Fprintf(a.stdout, "%s  %s\n", r.Item.Name, r.Item.Title)
		if len(r.Judgements) > 0 {
			fmt.Fprintf(a.stdout, agreementLine, terminal.Padded("", quantityWidth), "numbers", "published", "computed",
				"agreement")
		}
		for _, j := range r.Judgements {
			printJudgement(a.stdout, j)
		}
		fmt.Fprintln(a.stdout)
	}
	counts := reproduce.Count(results)
	for _, v := range reproduce.Agreements() {
		meaning := strings.Join(terminal.Wrapped(v.Meaning(), terminal.Width-23), "\n"+strings.Repeat(" ", 23))
		fmt.Fprintf(a.stdout, "%5d  %-14s  %s\n", counts[v], v, meaning)
	}
	return nil
}

// agreementLine has the columns of the table, 80 characters of a terminal; a quantity whose name is too long for the
// first has a line to itself.
const (
	agreementLine = "  %s%7s %10s %10s  %s\n"
	quantityWidth = 31
)

// printJudgement prints a line for each agreement on a quantity.
func printJudgement(w io.Writer, j *reproduce.Judgement) {
	name := j.Title()
	if utf8.RuneCountInString(name) > quantityWidth {
		fmt.Fprintf(w, "  %s\n", name)
		name = ""
	}
	for _, v := range reproduce.Agreements() {
		if row, n := j.Furthest(v); n > 0 {
			fmt.Fprintf(w, agreementLine, terminal.Padded(name, quantityWidth), fmt.Sprint(n),
				fmt.Sprintf("%.5g", row.Published), fmt.Sprintf("%.5g", row.Computed), v)
			name = ""
		}
	}
	if change := j.Reading().Change; change != "" {
		for i, line := range terminal.Wrapped("change: "+change, terminal.Width-len("      ")) {
			fmt.Fprintf(w, "    %s%s\n", strings.Repeat(" ", 2*min(i, 1)), line)
		}
	}
}
