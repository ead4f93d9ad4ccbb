package campaign

import (
	"fmt"
	"math"
	"slices"

	"veilpath/sim/record"
	"veilpath/sim/report"
	"veilpath/sim/study"
)

// draw writes the heat map of the surface and the Pareto front.
func (t *Tuning) draw(folder *record.Folder) error {
	if err := writeFigure(folder, "heatmap", t.heatMap()); err != nil {
		return err
	}
	return writeFigure(folder, "pareto", t.pareto())
}

func (t *Tuning) heatMap() *report.Figure {
	order := t.ascending()
	s := &report.Surface{
		Title:  "Mean detection distance",
		X:      report.Axis{Label: "epsilon", Scale: report.ScaleFor(t.Survey.Epsilons)},
		Y:      report.Axis{Label: "Observer's radius (km)", Scale: report.ScaleFor(t.Survey.RadiiKm)},
		Ys:     t.Survey.RadiiKm,
		ZLabel: "Mean detection distance (km)",
	}
	for _, i := range order {
		s.Xs = append(s.Xs, t.Survey.Epsilons[i])
		column := make([]float64, len(t.Cells[i]))
		for j := range column {
			column[j] = t.Cells[i][j].Mean.Value
		}
		s.Z = append(s.Z, column)
	}
	title := "How near the vehicle gets unrecognised, over epsilon and the observer's radius"
	if epsilon := t.Chosen(); !math.IsNaN(epsilon) {
		title = fmt.Sprintf("Chosen: epsilon %g against radius %g km", epsilon, t.Settings.Adversary.RadiusKm)
		if epsilon >= s.Xs[0] && epsilon <= s.Xs[len(s.Xs)-1] {
			s.Points = []report.Series{{Label: "chosen", Mark: report.Points, X: []float64{epsilon}, Y: []float64{t.Settings.Adversary.RadiusKm}}}
		}
	}
	return &report.Figure{Title: title, Panels: []report.Panel{s},
		Subtitle: fmt.Sprintf("%d flights per epsilon, delta %g; every radius from the same flights", t.Survey.Runs, t.Settings.Privacy.Delta)}
}

// ascending returns the places of the epsilons in ascending order.
func (t *Tuning) ascending() []int {
	order := make([]int, len(t.Survey.Epsilons))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		if t.Survey.Epsilons[i] < t.Survey.Epsilons[k] {
			return -1
		}
		return 1
	})
	return order
}

// named returns the epsilons of a front for a figure, as many as there is room for: each at least half as
// large again as the last.
func named(cells []study.SurfaceCell, front []int) []string {
	names, last := make([]string, len(front)), 0.0
	for k, i := range front {
		if e := cells[i].Epsilon; e >= last*1.5 || k == len(front)-1 {
			names[k], last = fmt.Sprintf("%g", e), e
		}
	}
	return names
}

// pareto shows privacy against its two prices.
func (t *Tuning) pareto() *report.Figure {
	own := t.Own()
	front := study.Pareto(own)
	panel := func(title, label string, price func(*study.SurfaceCell) study.Estimate) *report.Chart {
		points := report.Series{Label: "every epsilon", Mark: report.Points, Hue: 1}
		best := report.Series{Label: "Pareto front", Mark: report.Computed}
		for i := range own {
			p := price(&own[i])
			points.X, points.Y = append(points.X, 100*p.Value), append(points.Y, own[i].Mean.Value)
			points.Low, points.High = append(points.Low, own[i].Mean.Low), append(points.High, own[i].Mean.High)
		}
		for _, i := range front {
			best.X, best.Y = append(best.X, 100*price(&own[i]).Value), append(best.Y, own[i].Mean.Value)
		}
		best.Names = named(own, front)
		scale := report.Linear
		if slices.Min(points.X) > 0 {
			scale = report.Log
		}
		return &report.Chart{Title: title, X: report.Axis{Label: label, Scale: scale}, Y: report.Axis{Label: "Mean detection distance (km)"}, Series: []report.Series{points, best}}
	}
	return &report.Figure{
		Title: "What privacy costs: nearer is better, cheaper is better", Columns: 1,
		Subtitle: fmt.Sprintf("Observer of radius %g km, %d flights per epsilon, delta %g; the numbers are epsilons", t.Settings.Adversary.RadiusKm, t.Survey.Runs, t.Settings.Privacy.Delta),
		Panels: []report.Panel{
			panel("Against the cost of privacy", "Mean cost of privacy (% of the value)", func(c *study.SurfaceCell) study.Estimate { return c.CostOfPrivacy }),
			panel("Against the detour", "Median path overhead (%)", func(c *study.SurfaceCell) study.Estimate { return c.MedianOverhead }),
		},
	}
}
