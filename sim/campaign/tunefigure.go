package campaign

import (
	"veilpath/sim/record"
	"veilpath/sim/report"
)

// draw writes the heat map of the surface and the prices of privacy.
func (t *Tuning) draw(folder *record.Folder) error {
	survey := report.SurveyResult{Cells: t.Cells, Treads: t.Treads, Radius: t.radius, Chosen: t.Chosen(), Delta: t.Survey.Experiment.Delta()}
	if err := t.program.writeFigure(folder, "heatmap", report.SurveyHeatMap(survey)); err != nil {
		return err
	}
	return t.program.writeFigure(folder, "pareto", report.SurveyPrices(survey))
}
