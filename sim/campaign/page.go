package campaign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/option"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/cost"
	"veilpath/sim/study"
)

// PageName is the file of the page of results: tables and figures in one self-contained HTML file.
const PageName = "report.html"

// titles has the title and the introduction of a verb's page.
var titles = map[string][2]string{
	"study": {"Where flights are recognised", "The detection distance is how far from its destination a vehicle is " +
		"when the observer recognises it. Brackets contain 95 % intervals. The smaller ε, the stronger privacy."},
	"cost": {"What privacy costs", "The cost of privacy is the share of the optimal value that a private policy " +
		"loses. The smaller ε, the stronger privacy."},
	"tune": {"Which privacy meets the demand", ""}, // each kind of search has an introduction of its own
	"audit": {"Whether the mechanism keeps its promise", "A claim fails if its p-value is below its share of the " +
		"probability of a false alarm."},
	"compare": {"How B differs from A", "Differences are B - A, with 95 % intervals, at every strength of privacy ε " +
		"that both have."},
}

// writePage writes the page of a folder if it was requested, or if it shows only sheets. A part has no page.
func (p *Program) writePage(folder *pieces.Folder, m record.Manifest, a *answer.Answer) error {
	words := slices.Concat(a.Words, a.Notes)
	for i := range words {
		words[i] = option.Expand(words[i], option.Bare)
	}
	if a.Page.Sheets != nil {
		page := figure.SheetPage(a.Page.Kicker, a.Page.Made, words, a.Figures["figure"], a.Page.Sheets)
		return folder.Write(PageName, page.Write)
	}
	title, known := titles[m.Verb]
	if !folder.Page || !known {
		return nil
	}
	page := figure.Page{Kicker: "veilpath " + m.Verb, Title: title[0],
		Words: words, Remarks: []string{cmp.Or(a.Page.Intro, title[1])}, Made: made(m),
		Tables: a.Page.First}
	columns := fileColumns(m.Verb)
	for _, name := range folder.Names() {
		if name, is := strings.CutSuffix(name, ".svg"); is && a.Figures[name] != nil {
			page.AddFigure(name, a.Figures[name])
		}
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		text, err := folder.Read(name)
		if err == nil {
			err = page.AddTable(name, text, columns)
		}
		if err != nil {
			return err
		}
	}
	page.Tables = append(append(page.Tables, a.Page.Tables...), settingsTable(m))
	return folder.Write(PageName, func(w io.Writer) error { return page.Write(w) })
}

// made describes the version, seed and runs of the results. Equal results have equal texts.
func made(m record.Manifest) string {
	text := fmt.Sprintf("veilpath %s, seed %d", m.Version, m.Seed)
	if m.Runs > 0 {
		epsilons := "epsilon"
		if m.Verb == "tune" { // near the answer it flies more
			epsilons = "listed epsilon"
		}
		text += ", " + table.Count(m.Runs, "run") + " of every " + epsilons
	}
	if m.Flights > 0 {
		text += ", " + m.Sweep.FlightsText(m.Flights)
	}
	if !m.Complete {
		text += ", interrupted: unfinished results"
	}
	return text
}

// fileColumns returns what pages of a verb show of the columns of files by name.
func fileColumns(verb string) map[string]table.Column[float64] {
	columns := map[string]table.Column[float64]{}
	if verb == "cost" {
		addColumns(columns, cost.SummaryColumns())
	}
	addColumns(columns, study.SummaryColumns())
	addColumns(columns, study.SurfaceColumns())
	addColumns(columns, cost.TrialColumns())
	return columns
}

// addColumns adds what pages show of columns, except those that have been added.
func addColumns[T any](to map[string]table.Column[float64], columns []table.Column[T]) {
	for i := range columns {
		c := &columns[i]
		if _, added := to[c.Name]; added {
			continue
		}
		shown := table.Column[float64]{Heading: c.Heading, Meaning: option.Expand(c.Meaning, option.Bare)}
		if c.End != nil {
			shown.Heading = "" // it is that of both ends, which have columns of their own in files
		}
		if strings.Contains(c.Format, "p") {
			shown.Format = c.Format
		}
		to[c.Name] = shown
	}
}

// settingsTable lists the settings that differ from the default preset.
func settingsTable(m record.Manifest) figure.Table {
	t := figure.Table{Title: "Settings", Words: true, Header: []string{"key", "value", "preset paper"}}
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
	whose := ""
	if m.Verb == "compare" {
		whose = " of B"
	}
	t.Title += whose
	t.Text = "Settings" + whose + " that differ from preset paper; manifest.json has all settings" + whose + "."
	if len(t.Rows) == 0 {
		t.Text, t.Header = "All settings"+whose+" are as in preset paper; manifest.json lists them.", nil
	}
	return t
}
