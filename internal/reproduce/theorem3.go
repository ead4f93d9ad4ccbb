package reproduce

import (
	"context"
	"math"

	"veilpath/internal/report"
	"veilpath/planner/privacy"
)

// The settings of the figures of Theorem 3 and Corollary 1. The number of agents is not stated.
const (
	errorDelta, errorAdjacency = 0.01, 1
	errorEntries               = 8
	errorAgents                = 2
	// errorDraws is the sample size of a point of the "True" curve, inferred from its scatter.
	errorDraws = 10_000
)

func errorSigma(epsilon float64) (float64, error) {
	return privacy.Classical.Sigma(epsilon, errorDelta, errorAdjacency)
}

// errorBound returns Theorem 3's bound.
func errorBound(epsilon float64) (float64, error) {
	perSigma, err := privacy.MaxErrorBound(errorAgents, errorEntries)
	if err != nil {
		return 0, err
	}
	sigma, err := errorSigma(epsilon)
	return perSigma * sigma, err
}

func computeTheorem3(ctx context.Context, b *bench) (*Result, error) {
	quantities, err := quantitiesOf("thm3")
	if err != nil {
		return nil, err
	}
	boundJudged := quantities[0].Judge()
	p, err := open("fig_thm3_max_error_vs_eps")
	if err != nil {
		return nil, err
	}
	truth, err := p.numbers("eps", "true_mean_max_abs_error_reward_units", "ε = ", true)
	if err != nil {
		return nil, err
	}
	readings, err := b.largestErrors(ctx, truth)
	if err != nil {
		return nil, err
	}
	truthJudged := Quantity{Name: "“True”", Numbers: truth, Readings: readings}.Judge()
	return &Result{
		Judgements: []*Judgement{boundJudged, truthJudged},
		Figures:    []Figure{errorFigure(boundJudged, truthJudged)},
		Summary: prose("thm3", struct{ Independent, Correlated, Plotted, Bound float64 }{
			readings[1].perSigma(truth), readings[0].perSigma(truth), truthJudged.Reading().perSigma(truth),
			boundJudged.Reading().perSigma(boundJudged.Numbers)}),
	}, nil
}

// errorFigure shows the curves as printed and in units of sigma, in which they are constant.
func errorFigure(bound, judged *Judgement) Figure {
	truth := judged.Numbers
	across := report.Axis{Label: "Privacy parameter ε", Scale: report.Log}
	panel := func(title, label string, scale report.Scale, unit func(epsilon float64) float64, names bool) *report.Chart {
		name := func(text string) string {
			if names {
				return text
			}
			return ""
		}
		series := []report.Series{
			publishedCurve(name("bound, published"), 0, bound.Numbers),
			computedCurve(name("bound, computed"), report.Bound, 0, bound.Numbers, bound.Reading().Values),
			publishedCurve(name("“True”, published"), 1, truth),
			computedCurve(name("eight independent\nerrors of σ/N"), report.Exact, 1, truth, judged.Reading().Values),
			computedCurve(name("truth for N = 2:\nindependent"), report.Exact, 4, truth, judged.Readings[1].Values),
			computedCurve(name("truth for N = 2:\nn = 2, m_i = 2"), report.Exact, 2, truth, judged.Readings[0].Values),
		}
		for i := range series {
			s := &series[i]
			s.Low, s.High = nil, nil
			for k := range s.X {
				s.Y[k] /= unit(s.X[k])
			}
		}
		return &report.Chart{Title: title, X: across, Y: report.Axis{Label: label, Scale: scale}, Series: series}
	}
	f := newFigure("thm3", "The bound is exact; the curve called True has too little noise for N = 2",
		"Expected largest error; δ = 0.01, b = 1, nm = 8; pale: published, lines: computed",
		panel("As printed", "Reward units", report.Log, func(float64) float64 { return 1 }, false),
		panel("In units of σ, in which each curve is constant", "Units of σ", report.Linear, unitSigma, true))
	f.Draw.SharedX, f.Draw.HeightInches = true, 7
	return f
}

// unitSigma returns the sigma of an epsilon that the paper plots.
func unitSigma(epsilon float64) float64 {
	sigma, err := errorSigma(epsilon)
	if err != nil {
		panic("reproduce: " + err.Error()) // the same epsilon gave a value before
	}
	return sigma
}

// perSigma returns the ratio of a reading's first value to its sigma.
func (r *Reading) perSigma(numbers []Number) float64 {
	return r.Values[0].Mean / unitSigma(numbers[0].X)
}

// truthDraws is the sample size of our simulations of the largest error.
const truthDraws = 200_000

// largestErrors returns the readings of the expected largest error.
func (b *bench) largestErrors(ctx context.Context, numbers []Number) ([]Reading, error) {
	team, err := privacy.NewShape(2, []int{2, 2})
	if err != nil {
		return nil, err
	}
	alone, err := privacy.NewShape(errorEntries, []int{1})
	if err != nil {
		return nil, err
	}
	correlated, err := team.SimulatedMaxError(ctx, truthDraws, b.noise(purposeMaxError, 0), nil)
	if err != nil {
		return nil, err
	}
	independent, err := alone.SimulatedMaxError(ctx, truthDraws, b.noise(purposeMaxError, 1), nil)
	if err != nil {
		return nil, err
	}
	halved, err := privacy.MaxErrorIndependent(errorAgents, errorEntries)
	if err != nil {
		return nil, err
	}
	quartered, err := privacy.MaxErrorIndependent(errorAgents*errorAgents, errorEntries)
	if err != nil {
		return nil, err
	}
	// the deviation of one draw of the largest of eight independent errors, per unit of their own deviation
	spread := deviation(independent)
	whole, err := privacy.MaxErrorIndependent(1, errorEntries)
	if err != nil {
		return nil, err
	}
	readings := []Reading{
		{Name: "correlated entries, as they are (n = 2, m_i = 2)"},
		{Name: "independent entries", Change: "joint entries are independent"},
		{Name: "independent entries of deviation σ/N",
			Change: "noise of standard deviation σ/N, not σ/√N as in the proof, on independent entries"},
	}
	for _, n := range numbers {
		sigma, err := errorSigma(n.X)
		if err != nil {
			return nil, err
		}
		at := func(mean, se, spread float64) Value {
			return Value{Mean: sigma * mean, SE: sigma * se, PublishedSE: sigma * spread / math.Sqrt(errorDraws)}
		}
		readings[0].Values = append(readings[0].Values, at(correlated.Mean, correlated.StandardError, deviation(correlated)))
		readings[1].Values = append(readings[1].Values, at(halved, 0, spread*halved/whole))
		readings[2].Values = append(readings[2].Values, at(quartered, 0, spread*quartered/whole))
	}
	return readings, nil
}
