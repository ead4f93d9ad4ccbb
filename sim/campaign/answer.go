package campaign

import (
	"fmt"
	"io"
	"strings"

	"veilpath/internal/answer"
	"veilpath/internal/flightfile"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// studyJSON is a study as JSON.
type studyJSON struct {
	NominalDetectionKm table.Maybe      `json:"nominal_detection_km"`
	Baselines          BaselinesJSON    `json:"baselines"` // of the first point
	Delta              float64          `json:"delta"`
	Runs               int              `json:"runs"`
	Flights            int              `json:"flights"`
	Complete           bool             `json:"complete"`
	UntilKm            float64          `json:"until_km,omitempty"` // requested half-width
	Unmet              *int             `json:"unmet,omitempty"`    // means not known to it, over all points
	Summary            []map[string]any `json:"summary"`
	Varied             []map[string]any `json:"varied,omitempty"` // how much the settings that vary matter
}

// BaselinesJSON has the distances at which the baselines of a mission are recognised, km; null for a missing one.
type BaselinesJSON struct {
	Direct       table.Maybe `json:"direct_km"`
	HandoverOnly table.Maybe `json:"handover_only_km"`
	Planned      table.Maybe `json:"planned_km"`
}

// baselinesOf returns the baselines of the flights in a summary.
func baselinesOf(s *study.Summary) BaselinesJSON {
	return BaselinesJSON{table.Maybe(s.DirectKm), table.Maybe(s.HandoverOnlyKm), table.Maybe(s.PlannedKm)}
}

// baselines returns the baselines of the first point.
func (r *Result) baselines() BaselinesJSON { return baselinesOf(&r.Summaries[0][0]) }

func (r *Result) json() studyJSON {
	out := studyJSON{
		NominalDetectionKm: r.baselines().Direct, Baselines: r.baselines(), Delta: r.Points[0].Experiment.Delta(),
		Runs: r.Runs(), Flights: r.Flights(), Complete: r.Complete, UntilKm: r.Manifest.UntilKm,
		Summary: flightfile.Summaries(r.Manifest.Sweep, r.Summaries).Objects(), Varied: r.sensitivities().Objects(),
	}
	if out.UntilKm > 0 {
		out.Unmet = &r.Manifest.Unmet
	}
	return out
}

// Answer returns the result as an answer: the finding, a table of some epsilons, at most two notes, and the summaries
// of every epsilon for those who ask for everything. Its figures are drawn when it is written.
func (r *Result) Answer() *answer.Answer {
	a := &answer.Answer{Words: r.words(), Table: r.screenTable(), Notes: []string{r.sizeNote()},
		CSV: answer.File{Name: flightfile.SummaryName, Write: func(w io.Writer) error {
			return flightfile.WriteSummaries(w, r.Manifest.Sweep, r.Summaries)
		}},
		JSON:  answer.File{Write: func(w io.Writer) error { return table.WriteJSON(w, r.json()) }},
		Facts: r.facts(), Effort: r.FlightsText(), Unmet: r.unmet,
		Next: answer.Next{Files: []answer.Named{{Text: "picture", File: "figure.png"},
			{Text: "all numbers", File: flightfile.SummaryName}},
			Command: []string{"view", "{folder}"}, Observer: []string{"leak"}}}
	if note := r.notes(); note != "" {
		a.Notes = append(a.Notes, note)
	}
	if r.Resumed > 0 {
		a.Effort += fmt.Sprintf(", %d flown now,", r.Flights()-r.Resumed)
	}
	lead := flightfile.SweptColumns(r.Manifest.Sweep)
	for i := range lead {
		lead[i].Heading = lead[i].Heading[strings.Index(lead[i].Heading, ".")+1:]
	}
	a.More = []table.Section{{Text: "\n", Full: true,
		Table: table.Table[flightfile.SummaryRow]{Rows: flightfile.SummaryRows(r.Summaries),
			Columns: append(lead, table.InKm(flightfile.SummaryColumns(), r.decimals())...)}}}
	r.addSensitivities(a)
	return a
}

// attributionSection returns the attribution as people read it.
func (r *Result) attributionSection() table.Section {
	parts := r.Attribution()
	columns := table.Table[table.Row]{Columns: parts.Typed(), Rows: parts.Rows}
	return table.Section{Text: "\n", Table: columns.First("mean km", "noise", "hand-over", "waypoints", "planned km",
		"direct km")}
}
