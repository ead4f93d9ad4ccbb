package campaign

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/figure"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// planeName is the name of the picture of epsilon against the radius.
const planeName = "plane"

// figures returns the figures: of the flights of the search, or of the surface if there are no demands. A plane needs
// two epsilons and two radii.
func (t *Tuning) figures() map[string]*figure.Figure {
	figures := map[string]*figure.Figure{}
	survey := figure.SurveyResult{Cells: t.cells, Segments: t.segments, Radius: t.radius,
		Delta: t.survey.Experiment.Delta(), Limit: math.NaN()}
	if t.found != nil {
		for i, name := range []string{"figure", "figure-2"}[:len(t.found.Answers)] {
			figures[name] = t.demandFigure(&t.found.Answers[i])
		}
		survey.Cells = t.found.Map.Cells()
		survey.Segments = survey.Cells
		if t.Hidden() {
			survey.Limit = t.found.Answers[0].Demand.Limit
			if t.ofShare() {
				survey.BeyondKm = t.HiddenUntilKm
			}
		}
		for i := range t.byRadius {
			a := &t.byRadius[i]
			survey.Answers = append(survey.Answers, figure.SurveyAnswer{RadiusKm: a.RadiusKm, Epsilon: a.Epsilon,
				Undecided: a.Undecided, Lost: a.There.CostOfPrivacy.Value})
		}
	}
	if (t.found != nil || len(t.segments) > 1) && len(t.survey.RadiiKm) > 1 {
		figures[planeName] = figure.SurveyPlane(survey)
	}
	return figures
}

// demandFigure draws the quantity of a demand along epsilon, with the limit, the epsilons that meet it, and the
// chosen one.
func (t *Tuning) demandFigure(a *study.Answer) *figure.Figure {
	label, unit, scale := "Mean detection distance (km)", " km", 1.0
	switch {
	case a.Demand.Falls:
		label, unit, scale = "Cost of privacy (%)", " %", 100
	case t.ofShare():
		label, unit, scale = fmt.Sprintf("Flights detected beyond %g km (%%)", t.HiddenUntilKm), " %", 100
	}
	chart := &figure.Chart{
		X: figure.Axis{Label: "Privacy parameter ε", Scale: figure.ScaleFor(t.found.Map.Epsilons)},
		Y: figure.Axis{Label: label, FromZero: true},
		References: []figure.Reference{{Label: fmt.Sprintf("at most %.4g%s", scale*a.Demand.Limit, unit),
			At: scale * a.Demand.Limit, Strong: true}},
	}
	if !a.Demand.Falls && !t.ofShare() {
		for _, line := range []figure.Reference{{Label: "planned, without\nnoise: ", At: t.tally.MeanOf(plannedKm)},
			{Label: figure.DirectLabel(t.survey.Experiment.DirectTurns()) + ": ", At: t.tally.MeanOf(directKm),
				Dotted: true}} {
			if line.At > 0 {
				line.Label += figure.KmText(line.At)
				chart.References = append(chart.References, line)
			}
		}
	}
	for _, set := range []struct {
		label  string
		mark   figure.Mark
		hue    int
		ranges []study.Range
	}{{"shown within\nthis limit", figure.Computed, 0, a.Met}, {"shown\nbeyond it", figure.Exact, 1, a.NotMet},
		{"undecided", figure.Bound, 2, a.Undecided}} {
		if len(set.ranges) == 0 {
			continue
		}
		series := figure.Series{Label: set.label, Mark: set.mark, Hue: set.hue}
		for _, r := range set.ranges {
			epsilons := t.along(r)
			half := t.found.StandardErrors(&a.Demand, epsilons) // of the band
			for i, mean := range t.found.Means(&a.Demand, epsilons) {
				half[i] *= distuv.UnitNormal.Quantile(0.975)
				series.AddInterval(epsilons[i], scale*mean, scale*max(0, mean-half[i]), scale*(mean+half[i]))
			}
			series.AddInterval(r.High, math.NaN(), math.NaN(), math.NaN()) // leaves a gap to the next range
		}
		chart.Series = append(chart.Series, series)
	}
	chosen := t.found.Chosen()
	if !math.IsNaN(chosen) {
		at := figure.Series{Label: "chosen", Mark: figure.Points}
		at.Add(chosen, scale*t.found.Means(&a.Demand, []float64{chosen})[0])
		chart.Series = append(chart.Series, at)
	}
	runs := a.Analyses[len(a.Analyses)-1].Runs
	return t.chosenIn(chart, chosen, fmt.Sprintf(
		"Observer of radius %g km, delta %g; up to %s; %g %% confidence for all ε together; band: 95 %% at each ε",
		t.settings.Adversary.RadiusKm, t.survey.Experiment.Delta(), table.Count(runs, "flight"), 100*t.Confidence))
}

// chosenIn returns the figure of a chart of a quantity along epsilon, in which it marks the chosen epsilon; NaN for
// none.
func (r *Requirement) chosenIn(chart *figure.Chart, epsilon float64, subtitle string) *figure.Figure {
	title := fmt.Sprintf("No ε from %g to %g is shown to meet the demand", r.Low, r.High)
	if !math.IsNaN(epsilon) {
		title = fmt.Sprintf("ε = %g is chosen: it meets the demand", epsilon)
		chart.References = append(chart.References, figure.Reference{Label: fmt.Sprintf("ε = %g", epsilon), At: epsilon,
			Vertical: true, Strong: true})
	}
	return &figure.Figure{Title: title, Panels: []figure.Panel{chart}, Subtitle: subtitle}
}

// along returns the epsilons of a line over a range, including both ends.
func (t *Tuning) along(r study.Range) []float64 {
	epsilons := slices.DeleteFunc(slices.Clone(t.found.Map.Epsilons),
		func(epsilon float64) bool { return !r.Contains(epsilon) })
	epsilons = append(epsilons, r.Low, r.High)
	slices.Sort(epsilons)
	return slices.Compact(epsilons)
}
