package tuning

import (
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// WriteCSV writes the surface at the listed epsilons, then what the answers rest on: for every radius the epsilons at
// which the answer changes, the chosen one among them.
func (t *Tuning) WriteCSV(w io.Writer) error {
	cells := slices.Clone(t.Cells)
	for i := range t.ByRadius {
		cells = append(cells, t.ByRadius[i].Ends)
	}
	return study.WriteSurface(w, cells)
}

// Sections implements Answer: the answer and the table of radii, or the plane without a demand, and, in full, the
// listed epsilons for the observer's radius.
func (t *Tuning) Sections(bool) []table.Section {
	listed := table.Section{Full: true, Table: t.listed().First("mean km", "cost", "detour"),
		Text: fmt.Sprintf("\n%s\n%s per listed epsilon, observer of radius %g km, delta %g, %g %% intervals.\n\n",
			t.BaselineSentence(), table.Count(t.Survey.Runs, "run"), t.Settings.Adversary.RadiusKm,
			t.Survey.Experiment.Delta(), 100*t.Requirement.Confidence)}
	if t.Found == nil {
		return []table.Section{{Text: t.surfaceSentence() + "\nThe mean distance from the target, km, by radius:\n\n",
			Table: t.plane()}, listed}
	}
	sections := []table.Section{{Text: t.Sentence() + "\n\n", Table: table.Table[RadiusAnswer]{Rows: t.ByRadius,
		Columns: RadiusColumns(t.Requirement.HiddenUntilKm)}}}
	if notes := t.notes(); notes != "" {
		sections = append(sections, table.Section{Text: notes})
	}
	return append(sections, listed)
}

// notes returns lines without which the answer would be read wrongly.
func (t *Tuning) notes() (text string) {
	for i := range t.ByRadius {
		if a := &t.ByRadius[i]; !math.IsNaN(a.Epsilon) && !a.practical() {
			text = "* Not practical: over a third of the flights give up, or over half of the value is lost.\n"
		}
	}
	if t.Requirement.Hidden() && !t.Requirement.ofShare() {
		text += "For 90 % of the flights instead of the mean: {share} 90%.\n"
	}
	return text
}

// listed returns the cells at the listed epsilons and the observer's radius.
func (t *Tuning) listed() table.Table[study.SurfaceCell] {
	return table.Table[study.SurfaceCell]{Rows: t.Own(),
		Columns: table.InKm(study.SurfaceColumns(), campaign.Decimals(t.Settings.Config))}
}
