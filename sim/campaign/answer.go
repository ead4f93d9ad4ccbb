package campaign

import (
	"io"
	"strings"

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

// WriteCSV writes the summaries.
func (r *Result) WriteCSV(w io.Writer) error {
	return flightfile.WriteSummaries(w, r.Manifest.Sweep, r.Summaries)
}

// WriteJSON writes the baselines and the size of the study, and a row for every epsilon of every point.
func (r *Result) WriteJSON(w io.Writer) error { return table.WriteJSON(w, r.json()) }

func (r *Result) json() studyJSON {
	out := studyJSON{
		NominalDetectionKm: r.baselines().Direct, Baselines: r.baselines(), Delta: r.Points[0].Experiment.Delta(),
		Runs: r.Runs(), Flights: r.Flights(), Complete: r.Complete, UntilKm: r.Manifest.UntilKm,
		Summary: flightfile.Summaries(r.Manifest.Sweep, r.Summaries).Objects(),
	}
	if out.UntilKm > 0 {
		out.Unmet = &r.Manifest.Unmet
	}
	return out
}

// Sections returns the finding, a table of some epsilons, at most two notes, the attribution if attributed, and the
// summaries of every epsilon for those who ask for everything.
func (r *Result) Sections(attributed bool) []table.Section {
	notes := []string{r.sizeNote()}
	if note := r.notes(); note != "" {
		notes = append(notes, note)
	}
	sections := []table.Section{{Text: strings.Join(r.words(), "\n") + "\n\n", Table: r.screenTable()},
		{Text: "\n" + strings.Join(notes, "\n") + "\n"}}
	if attributed {
		sections = append(sections, r.attributionSection())
	}
	lead := flightfile.SweptColumns(r.Manifest.Sweep)
	for i := range lead {
		lead[i].Heading = lead[i].Heading[strings.Index(lead[i].Heading, ".")+1:]
	}
	return append(sections, table.Section{Text: "\n", Full: true,
		Table: table.Table[flightfile.SummaryRow]{Rows: flightfile.SummaryRows(r.Summaries),
			Columns: append(lead, table.InKm(flightfile.SummaryColumns(), r.decimals())...)}})
}

// attributionSection returns the attribution as people read it.
func (r *Result) attributionSection() table.Section {
	parts := r.Attribution()
	columns := table.Table[table.Row]{Columns: parts.Typed(), Rows: parts.Rows}
	return table.Section{Text: "\n", Table: columns.First("mean km", "noise", "hand-over", "waypoints", "planned km",
		"direct km")}
}
