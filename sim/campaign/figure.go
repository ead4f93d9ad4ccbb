package campaign

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"veilpath/assets"
	"veilpath/configs"
	"veilpath/internal/figure"
	"veilpath/internal/table"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// figures returns the figure of a study by its name; none if only the plan without noise was flown.
func (r *Result) figures() (map[string]*figure.Figure, error) {
	var drawn *figure.Figure
	var err error
	switch {
	case len(r.Manifest.Sweep.Settings) > 0:
		drawn = r.sweepFigure()
	case !r.noisy():
	case r.Manifest.Sweep.IsZero():
		drawn, err = r.distanceFigure()
	default:
		drawn, err = r.observersFigure()
	}
	if drawn == nil || err != nil {
		return nil, err
	}
	return onlyFigure(drawn), nil
}

// distanceFigure draws the detection distance over epsilon.
func (r *Result) distanceFigure() (*figure.Figure, error) {
	e := r.Points[0].Experiment
	published, err := publishedFor(r.Settings.Config)
	if err != nil {
		return nil, err
	}
	return figure.StudyFigure(figure.StudyResult{
		Note:        r.notes(),
		Cause:       causeOf(r.Settings),
		Turns:       e.DirectTurns(),
		Summaries:   r.Summaries[0],
		Curve:       r.Curve,
		DetectionKm: r.Tallies[0].DetectionKm,
		HandoverKm:  e.Scenario.HandoverKm, HandoverVaries: vary.Has(e.Varied, vary.HandoverKm),
		Delta:     e.Delta(),
		RadiusKm:  e.RadiusKm(),
		Published: published,
	})
}

// picture returns a function that writes a figure as PNG.
func (p *Program) picture(drawn *figure.Figure) func(io.Writer) error {
	return func(w io.Writer) error { return drawn.WritePNGAt(w, cmp.Or(p.Dots, figure.PNGResolution)) }
}

// publishedFor returns the paper's curve of mean detection distances for the settings of the paper, and nil for
// others. The epsilons, runs and noise of the study may differ from the paper's.
func publishedFor(c configs.Config) (*figure.Series, error) {
	paper := configs.Default()
	c.Study, c.Privacy.Epsilon = paper.Study, paper.Privacy.Epsilon
	if c.SHA256() != paper.SHA256() {
		return nil, nil
	}
	table, err := assets.OpenPublished("fig_ex3_detection_distance_vs_eps")
	if err != nil {
		return nil, err
	}
	curve := figure.Series{Label: "published mean\n(arXiv 2309.12476)", Mark: figure.Published, Hue: 1}
	curve.X, curve.Y, err = table.Curve("eps", "private_mean_detection_distance_km")
	return &curve, err
}

// observersFigure draws a study that several observers watch.
func (r *Result) observersFigure() (*figure.Figure, error) {
	var observers []figure.Observed
	for i, name := range r.Manifest.Sweep.Observers {
		observers = append(observers, figure.Observed{Name: name, Summaries: r.Summaries[i]})
	}
	return figure.ObserversFigure(observers, fmt.Sprintf("%s, delta %g; all observers watch the same flights",
		r.Effort(), r.Points[0].Experiment.Delta()))
}

// noisy reports whether any epsilon of the first point has noise.
func (r *Result) noisy() bool {
	return slices.ContainsFunc(r.Points[0].Epsilons, func(epsilon float64) bool { return epsilon != study.None() })
}

// mostCurves is the maximum number of epsilons in a panel.
const mostCurves = 5

// sweepFigure draws the mean detection distance over every swept key that has numbers, averaged over the others. It is
// nil without such a key.
func (r *Result) sweepFigure() *figure.Figure {
	drawn := &figure.Figure{
		Title: "Mean detection distance over the swept settings",
		Subtitle: fmt.Sprintf("%s at %s, delta %g", r.Effort(), table.Count(len(r.Tallies), "point"),
			r.Points[0].Experiment.Delta()),
	}
	stride, averages := len(r.Tallies), false
	for _, s := range r.Manifest.Sweep.Keys() {
		levels, xs := len(s.Values), numbersOf(s.Values)
		stride /= levels
		if len(xs) < 2 {
			continue
		}
		chart := &figure.Chart{X: figure.Axis{Label: figure.KeyName(s.Key, s.Unit), Scale: figure.ScaleFor(xs)},
			Y: figure.Axis{Label: "Mean detection distance (km)"}}
		averages = averages || levels < len(r.Summaries)
		for hue, i := range table.Spread(len(r.Points[0].Epsilons), mostCurves) {
			curve := figure.Series{Label: "epsilon " + configs.EpsilonText(r.Points[0].Epsilons[i]), Hue: hue, X: xs,
				Y: make([]float64, levels)}
			for point, summaries := range r.Summaries {
				curve.Y[point/stride%levels] += summaries[i].MeanKm * float64(levels) / float64(len(r.Summaries))
				if !averages {
					curve.Low, curve.High = append(curve.Low, summaries[i].CILowKm), append(curve.High, summaries[i].CIHighKm)
				}
			}
			chart.Series = append(chart.Series, curve)
		}
		drawn.Panels = append(drawn.Panels, chart)
	}
	switch {
	case drawn.Panels == nil:
		return nil
	case averages:
		drawn.Subtitle += "; each panel averages over the other settings"
	default:
		drawn.Subtitle += "; bands are 95 % intervals of means"
	}
	if len(drawn.Panels) > 1 { // they share the axis of the distance
		drawn.Columns, drawn.SharedY = 2, true
		drawn.HeightInches = 1.4 + 3.4*float64((len(drawn.Panels)+1)/2)
	}
	return drawn
}

// numbersOf returns the values of a swept key, nil if they are words.
func numbersOf(values []any) (xs []float64) {
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			xs = append(xs, v)
		case int64:
			xs = append(xs, float64(v))
		}
	}
	return xs
}
