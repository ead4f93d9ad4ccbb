package campaign

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// ComparisonName is the file with the table of a comparison.
const ComparisonName = "comparison.csv"

// mainQuantities are the quantities in printed tables.
var mainQuantities = []string{"mean_km", "median_km", "cost_of_privacy", "path_overhead"}

// Answer returns the finding, a table of the mean detection distance, what differs between A and B, and, for those who
// ask for everything, all main quantities.
func (c *Comparison) Answer() *answer.Answer {
	all := "\n"
	for _, s := range c.Settings {
		a, b := s.Brief()
		all += fmt.Sprintf("  %s: %s, %s\n", s.Key, a, b)
	}
	a := &answer.Answer{Words: []string{c.Finding()}, Table: c.screenTable(), Notes: c.notes(),
		More: []table.Section{{Text: all, Table: c.sheet(mainQuantities...), Full: true}},
		CSV:  answer.File{Name: ComparisonName, Write: c.sheet().WriteCSV},
		JSON: answer.File{Write: func(w io.Writer) error { return table.WriteJSON(w, c) }}, Workers: 1, Effort: c.Effort()}
	if slices.ContainsFunc(c.Places, func(p Place) bool { return p.Epsilon != study.None() }) {
		a.Figures = map[string]*figure.Figure{"figure": c.figure()}
	}
	return a
}

// ComparisonColumns returns the columns of the table of a comparison after those of swept keys.
func ComparisonColumns() []table.Column[table.Row] {
	number := func(name, heading, meaning string) table.Column[table.Row] {
		return table.Column[table.Row]{Name: name, Heading: heading, Meaning: meaning, Format: "%.4g", Unknown: "-"}
	}
	return []table.Column[table.Row]{
		{Name: "epsilon", Heading: "epsilon", Lead: true},
		{Name: "quantity", Heading: "quantity", Meaning: "a column of summary.csv, or the mean of one of runs.parquet",
			Lead: true},
		number("a", "A", "value in the first folder"), number("b", "B", "value in the second folder"),
		number("difference", "B - A", ""), number("low", "low", "lower end of the 95 % interval of B - A"),
		number("high", "high", "its upper end"),
		{Name: "runs_a"}, {Name: "runs_b"}, {Name: "paired"},
	}
}

// sheet returns a table with a row for every place and each of some quantities, or all if none is named.
func (c *Comparison) sheet(quantities ...string) *table.Sheet {
	s := new(table.Sheet)
	for _, l := range c.Places[0].Labels {
		s.Columns = append(s.Columns, table.Column[table.Row]{Name: l.Key, Heading: l.Key, Lead: true})
	}
	s.Columns = append(s.Columns, ComparisonColumns()...)
	for _, p := range c.Places {
		for _, d := range p.Contrasts {
			if len(quantities) > 0 && !slices.Contains(quantities, d.Name) {
				continue
			}
			var row table.Row
			for _, l := range p.Labels {
				row = append(row, l.Value)
			}
			s.Rows = append(s.Rows, append(row, EpsilonValue(p.Epsilon), d.Name, d.A, d.B, d.Difference, d.Low, d.High,
				p.RunsA, p.RunsB, p.Paired))
		}
	}
	return s
}

// MarshalJSON writes the comparison as an object, with null for missing numbers.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	settings := []any{}
	for _, s := range c.Settings {
		settings = append(settings, map[string]any{"key": s.Key, "a": s.A, "b": s.B})
	}
	places := []any{}
	for _, p := range c.Places {
		quantities := map[string]any{}
		for _, d := range p.Contrasts {
			quantities[d.Name] = map[string]table.Maybe{"a": table.Maybe(d.A), "b": table.Maybe(d.B),
				"difference": table.Maybe(d.Difference),
				"low":        table.Maybe(d.Low), "high": table.Maybe(d.High)}
		}
		place := map[string]any{"epsilon": EpsilonValue(p.Epsilon), "runs_a": p.RunsA, "runs_b": p.RunsB,
			"quantities": quantities}
		for _, l := range p.Labels {
			place[l.Key] = l.Value
		}
		places = append(places, place)
	}
	return json.Marshal(map[string]any{"verb": "study", "a": c.A.Folder, "b": c.B.Folder, "paired": c.Paired,
		"pairing": c.Pairing(), "finding": c.Finding(),
		"settings": settings, "places": places, "only_a": c.OnlyA, "only_b": c.OnlyB})
}

// Effort says how many epsilons were compared, and how many only one folder has.
func (c *Comparison) Effort() string {
	text := table.Count(len(c.Places), c.noun()) + " compared"
	if c.OnlyA+c.OnlyB > 0 {
		text += fmt.Sprintf(", %d only in A, %d only in B", c.OnlyA, c.OnlyB)
	}
	return text
}

// Pairing describes how runs were compared.
func (c *Comparison) Pairing() string {
	switch {
	case c.Paired:
		return "paired by run"
	case c.sameNoise:
		return "unpaired, no common runs"
	}
	return "unpaired, other noise"
}

// figure draws the differences over epsilon.
func (c *Comparison) figure() *figure.Figure {
	var all []figure.Contrasted
	for i := range c.Places {
		p := &c.Places[i]
		var labels []string
		for _, l := range p.Labels {
			labels = append(labels, l.Key+" "+l.Value)
		}
		label := strings.Join(labels, ", ")
		k := slices.IndexFunc(all, func(o figure.Contrasted) bool { return o.Label == label })
		if k < 0 {
			k, all = len(all), append(all, figure.Contrasted{Label: label})
		}
		all[k].Epsilons, all[k].Contrasts = append(all[k].Epsilons, p.Epsilon), append(all[k].Contrasts, p.Contrasts)
	}
	subtitle := fmt.Sprintf("A: %s, B: %s; %s", filepath.Base(c.A.Folder), filepath.Base(c.B.Folder), c.Pairing())
	return figure.ComparisonFigure(strings.TrimSuffix(c.Finding(), "."), subtitle, all)
}

// WriteComparison writes the answer to a folder, unless it is nil. The manifest has the settings of B.
func WriteComparison(p *Program, folder *pieces.Folder, c *Comparison, wall time.Duration) error {
	settings, err := configs.Load(RecordedRequest(c.B.Folder, c.B.Manifest))
	if err != nil {
		return err
	}
	return p.Write(folder, Question{Verb: "compare", Settings: settings}, c.Answer(), wall)
}
