package campaign

import (
	"encoding/json"
	"fmt"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/option"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// PageName is the file of the page of results: the answer as --full prints it and its figures, in one self-contained
// HTML file.
const PageName = "report.html"

// page returns the page of an answer.
func page(m record.Manifest, a *answer.Answer) *figure.Page {
	var words []string
	for _, text := range append(a.Words[:len(a.Words):len(a.Words)], a.Notes...) {
		words = append(words, option.Expand(text, option.Bare))
	}
	kicker, made := a.Page.Kicker, a.Page.Made
	var tables []figure.Table
	for _, s := range a.Page.Sheets {
		if len(s.Rows) > 0 {
			tables = append(tables, figure.PrintedTable(s.Title, s.Text, s))
		}
	}
	if a.Page.Sheets == nil {
		kicker, made = "veilpath "+m.Verb, madeBy(m)
		for _, s := range append([]table.Section{{Table: a.Table}}, a.More...) {
			if s.Table != nil {
				text := strings.TrimSpace(option.Expand(s.Text, option.Bare))
				tables = append(tables, figure.PrintedTable("", text, s.Table))
			}
		}
		tables = append(tables, settingsTable(m))
	}
	return figure.NewPage(kicker, made, words, a.Figures, tables)
}

// madeBy describes the version, seed and runs of results. Equal results have equal texts.
func madeBy(m record.Manifest) string {
	text := fmt.Sprintf("veilpath %s, seed %d", m.Version, m.Seed)
	if m.Runs > 0 {
		text += ", " + table.Count(m.Runs, "run")
	}
	if m.Flights > 0 {
		text += ", " + m.Sweep.FlightsText(m.Flights)
	}
	return text
}

// settingsTable lists the settings in a manifest that differ from the default preset.
func settingsTable(m record.Manifest) figure.Table {
	t := figure.Table{Title: "Settings", Words: true, Header: []string{"key", "value", "preset paper"},
		Text: "Settings in manifest.json that differ from preset paper."}
	paper, err := json.Marshal(configs.Default())
	if err != nil {
		panic("campaign: a Config does not encode: " + err.Error())
	}
	for _, c := range Changes(paper, m.Config) {
		t.Rows = append(t.Rows, []string{c.Key, Clipped(c.B), Clipped(c.A)})
	}
	for _, s := range m.Sweep.Keys() {
		t.Rows = append(t.Rows, []string{s.Key, "swept: " + Clipped(strings.Join(s.Texts(), ", ")), ""})
	}
	return t
}
