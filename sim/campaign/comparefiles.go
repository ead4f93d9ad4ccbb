package campaign

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// ComparisonName is the file with the table of a comparison.
const ComparisonName = "comparison.csv"

// Answer returns the finding, a table of the mean detection distance, what differs between A and B, and, for those who
// ask for everything, all main quantities.
func (c *Comparison) Answer() *answer.Answer {
	all := "\n" + c.Baselines()
	for _, s := range c.Settings {
		a, b := s.Brief()
		all += fmt.Sprintf("  %s: %s, %s\n", s.Key, a, b)
	}
	rows := table.Table[Row]{Columns: DifferenceColumns(), Rows: c.Main()}
	a := &answer.Answer{Words: []string{c.Finding()}, Table: c.screenTable(), Notes: c.notes(),
		More: []table.Section{{Text: all, Table: rows.First("quantity", "B - A", "interval"), Full: true}},
		CSV:  answer.File{Name: ComparisonName, Write: c.WriteCSV},
		JSON: answer.File{Write: func(w io.Writer) error { return table.WriteJSON(w, c) }},
		Page: answer.Page{Tables: c.pageTables()}, Workers: 1, Effort: c.Effort()}
	if slices.ContainsFunc(c.Places, func(p Place) bool { return p.Epsilon != study.None() }) {
		a.Figures = map[string]*figure.Figure{"figure": c.figure()}
	}
	return a
}

// DifferenceColumns returns the columns of the table of the main quantities.
func DifferenceColumns() []table.Column[Row] {
	number := func(of func(*study.Contrast) float64) func(*Row) string {
		return func(r *Row) string {
			if r.Unit == "1" {
				return fmt.Sprintf("%.2f %%", 100*of(r.Contrast))
			}
			return fmt.Sprintf("%.4g", of(r.Contrast))
		}
	}
	low, high := number(func(d *study.Contrast) float64 { return d.Low }), number(func(d *study.Contrast) float64 {
		return d.High
	})
	return []table.Column[Row]{
		{Heading: "at", Lead: true, Text: func(r *Row) string { return r.Place.Name() }},
		{Heading: "quantity", Text: func(r *Row) string { return quantityName(r.Name, r.Unit) }},
		{Heading: "A", Meaning: "value in the first folder; shares in percent",
			Text: number(func(d *study.Contrast) float64 { return d.A })},
		{Heading: "B", Meaning: "value in the second folder", Text: number(func(d *study.Contrast) float64 { return d.B })},
		{Heading: "B - A", Text: number(func(d *study.Contrast) float64 { return d.Difference })},
		{Heading: "interval", Meaning: "95 % interval of B - A", Text: func(r *Row) string {
			if math.IsNaN(r.Low) || math.IsNaN(r.High) {
				return "none"
			}
			return low(r) + " .. " + high(r)
		}},
	}
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

// WriteCSV writes a row for every place and quantity. Numbers have all digits; a missing number is blank.
func (c *Comparison) WriteCSV(w io.Writer) error {
	var names []string
	for _, l := range c.Places[0].Labels {
		names = append(names, l.Key)
	}
	sheet := table.New(append(names, "epsilon", "quantity", "a", "b", "difference", "low", "high", "runs_a", "runs_b",
		"paired")...)
	for _, p := range c.Places {
		for _, d := range p.Contrasts {
			var row []any
			for _, l := range p.Labels {
				row = append(row, l.Value)
			}
			sheet.Rows = append(sheet.Rows, append(row, EpsilonValue(p.Epsilon), d.Name, d.A, d.B, d.Difference,
				d.Low, d.High,
				p.RunsA, p.RunsB, p.Paired))
		}
	}
	return sheet.WriteCSV(w)
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

// Differing says how many settings differ.
func (c *Comparison) Differing() string {
	switch len(c.Settings) {
	case 0:
		return "No setting differs"
	case 1:
		return "1 setting differs"
	}
	return table.Count(len(c.Settings), "setting") + " differ"
}

// Baselines returns a line with the detection distances of the flights without noise at the first place.
func (c *Comparison) Baselines() string {
	var said []string
	for _, b := range []struct{ name, quantity string }{{"Planned, without noise", "planned_km"},
		{"direct flight", "direct_km"}} {
		for _, d := range c.Places[0].Contrasts {
			if d.Name == b.quantity {
				said = append(said, fmt.Sprintf("%s: %s in A, %s in B", b.name, RecognisedAt(c.decimals, d.A),
					RecognisedAt(c.decimals, d.B)))
			}
		}
	}
	return strings.Join(said, "; ") + ".\n"
}

// WriteComparison writes the answer to a folder, unless it is nil. The manifest has the settings of B.
func WriteComparison(p *Program, folder *pieces.Folder, c *Comparison, wall time.Duration) error {
	settings, err := p.RecordedSettings(c.B.Folder, c.B.Manifest)
	if err != nil {
		return err
	}
	return p.Write(folder, Question{Verb: "compare", Settings: settings}, c.Answer(), wall)
}

// pageTables returns the table of the settings in which A and B differ, for a page.
func (c *Comparison) pageTables() []figure.Table {
	if len(c.Settings) == 0 {
		return nil
	}
	t := figure.Table{Title: "Settings that differ", Words: true, Header: []string{"key", "A", "B"},
		Text: fmt.Sprintf("A is %s, B is %s.", filepath.Base(c.A.Folder), filepath.Base(c.B.Folder))}
	for _, s := range c.Settings {
		t.Rows = append(t.Rows, []string{s.Key, Clipped(s.A), Clipped(s.B)})
	}
	return []figure.Table{t}
}
