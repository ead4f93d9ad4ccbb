package reproduce

import (
	"context"
	"fmt"

	"veilpath/internal/report"
	"veilpath/planner/privacy"
)

// The settings of the figures of Theorem 6. The number of agents is not stated; n = m = 16 is.
const (
	sweepDelta, sweepAdjacency = 0.1, 1
	sweepAgents                = 2     // as in Example 2
	sweepStates, sweepActions  = 16, 4 // m = 16 joint actions
	sweepEntries               = 256
	sweepGamma, sweepEta       = 0.99, 1e-8
	plottedGamma               = 0.9
	// sweepDraws is the sample size of a point of the "True" curve, inferred from its scatter.
	sweepDraws = 1000
)

func sweepSigma(epsilon float64) (float64, error) {
	return privacy.Classical.Sigma(epsilon, sweepDelta, sweepAdjacency)
}

func computeTheorem6(part string, rmax float64) computation {
	return func(ctx context.Context, b *bench) (*Result, error) {
		quantities, err := quantitiesOf("thm6" + part)
		if err != nil {
			return nil, err
		}
		boundJudged := quantities[0].Judge()
		p, err := open(fmt.Sprintf("fig_thm6%s_extra_iterations_rmax%g", part, rmax))
		if err != nil {
			return nil, err
		}
		truth, err := p.numbers("eps", "true_EC_computations", "ε = ", true)
		if err != nil {
			return nil, err
		}
		truths, err := b.sweepTruths(ctx, truth, rmax)
		if err != nil {
			return nil, err
		}
		truthJudged := Quantity{Name: "“True”", Numbers: truth, Readings: truths}.Judge()
		return &Result{
			Judgements: []*Judgement{boundJudged, truthJudged},
			Figures:    []Figure{sweepFigure(part, rmax, boundJudged, truthJudged)},
			Summary: prose("thm6", struct {
				Slack int
				Lower float64
			}{sweepEntries, meanGap(truthJudged.Reading().Values, truths[1].Values)}),
		}, nil
	}
}

// sweepFigure shows the curves, and the difference of the "True" curve from the picked reading.
func sweepFigure(part string, rmax float64, bound, truth *Judgement) Figure {
	across := report.Axis{Label: "Privacy parameter ε", Scale: report.Log}
	picked, other := truth.Reading().Values, truth.Readings[1].Values
	curves := &report.Chart{
		Title: "As printed", X: across, Y: report.Axis{Label: "Extra computations, E[C]"},
		Series: []report.Series{
			publishedCurve("bound, published", 0, bound.Numbers),
			computedCurve("bound, computed", report.Bound, 0, bound.Numbers, bound.Reading().Values),
			publishedCurve("“True”, published", 1, truth.Numbers),
			computedCurve("“True”, computed", report.Exact, 1, truth.Numbers, picked),
			computedCurve("truth at γ = 0.9", report.Exact, 2, truth.Numbers, other),
		},
	}
	dots := report.Series{Label: "“True”, published", Mark: report.Points, Hue: 1}
	noise := report.Series{Label: "95 % of means of\n1000 draws", Mark: report.Range, Hue: 1}
	level := report.Series{Label: "truth at γ = 0.9", Mark: report.Exact, Hue: 2}
	for i, n := range truth.Numbers {
		const errors = 2
		dots.Add(n.X, n.Published-picked[i].Mean)
		noise.X = append(noise.X, n.X)
		noise.Low, noise.High = append(noise.Low, -errors*picked[i].PublishedSE),
			append(noise.High, errors*picked[i].PublishedSE)
		level.Add(n.X, other[i].Mean-picked[i].Mean)
	}
	rest := &report.Chart{
		Title: "Difference from the computed “True”: independent entries and the proof's +1", X: across,
		Y:          report.Axis{Label: "Computations"},
		Series:     []report.Series{noise, dots, level},
		References: []report.Reference{{Label: "no difference", At: 0}},
	}
	f := newFigure("thm6"+part, "The figure is drawn for γ = 0.9, and its True counts one sweep too many",
		fmt.Sprintf("δ = 0.1, b = 1, nm = 256, N = 2, largest reward %g; pale: published, lines: computed", rmax), curves,
		rest)
	f.Draw.SharedX, f.Draw.HeightInches = true, 7
	return f
}

// meanGap returns the mean difference of two curves.
func meanGap(high, low []Value) float64 {
	total := 0.0
	for i := range high {
		total += high[i].Mean - low[i].Mean
	}
	return total / float64(len(high))
}

// sweepBounds returns the forms of Theorem 6.
func sweepBounds(rmax float64) []formula {
	bound := func(gamma float64, form privacy.Theorem6Form) func(float64) (float64, error) {
		return func(epsilon float64) (float64, error) {
			sigma, err := sweepSigma(epsilon)
			if err != nil {
				return 0, err
			}
			sweeps, err := privacy.Convergence{Gamma: gamma, Eta: sweepEta}.ExtraSweepsBound(form, sweepAgents, sweepEntries,
				sigma, rmax)
			return sweepEntries * sweeps, err
		}
	}
	return []formula{
		{"γ = 0.99, η = 1e-8, as stated", "", bound(sweepGamma, privacy.Statement)},
		{"γ = 0.99 without ceilings", "no ceilings", bound(sweepGamma, privacy.Plotted)},
		{"γ = 0.99, as the proof has it", "the proof's form", bound(sweepGamma, privacy.Proof)},
		{"γ = 0.9 with ceilings", "γ = 0.9 instead of 0.99", bound(plottedGamma, privacy.Statement)},
		{"γ = 0.9 without ceilings", "γ = 0.9 instead of 0.99, and no ceilings", bound(plottedGamma, privacy.Plotted)},
		{"γ = 0.9, as the proof has it", "γ = 0.9 instead of 0.99, and the proof's form", bound(plottedGamma, privacy.Proof)},
	}
}

// peak returns agents' rewards for the figure: each agent earns rmax for one entry and -rmax for all others. (A
// joint reward with a single rmax and -rmax everywhere else, as in the caption, is not a mean of agents' rewards.)
func peak(rmax float64) (privacy.Shape, [][]float64, error) {
	shape, err := privacy.NewShape(sweepStates, []int{sweepActions, sweepActions})
	if err != nil {
		return shape, nil, err
	}
	rewards := make([][]float64, sweepAgents)
	for i := range rewards {
		rewards[i] = make([]float64, sweepStates*sweepActions)
		for k := range rewards[i] {
			rewards[i][k] = -rmax
		}
		rewards[i][0] = rmax
	}
	return shape, rewards, nil
}

// correlatedDraws is the sample size of our simulation of a point.
const correlatedDraws = 4000

// sweepTruths returns the readings of the expected extra computations.
func (b *bench) sweepTruths(ctx context.Context, numbers []Number, rmax float64) ([]Reading, error) {
	readings := []Reading{
		{Name: "γ = 0.99, correlated entries, as they are (m_i = 4)"},
		{Name: "γ = 0.9, correlated entries, as they are (m_i = 4)", Change: "γ = 0.9 instead of 0.99"},
		{Name: "γ = 0.9, independent entries", Change: "γ = 0.9 instead of 0.99, independent entries"},
		{Name: "γ = 0.9, independent entries, the proof's +1",
			Change: "γ = 0.9 instead of 0.99, independent entries, and the proof's “+1” counted as truth"},
	}
	shape, rewards, err := peak(rmax)
	if err != nil {
		return nil, err
	}
	joint := peakedJoint(sweepEntries, rmax)
	stated, plotted := privacy.Convergence{Gamma: sweepGamma, Eta: sweepEta},
		privacy.Convergence{Gamma: plottedGamma, Eta: sweepEta}
	for i, n := range numbers {
		sigma, err := sweepSigma(n.X)
		if err != nil {
			return nil, err
		}
		extra, err := shape.SimulatedExtraSweeps(ctx, []privacy.Convergence{stated, plotted}, rewards, sigma, false,
			correlatedDraws, b.noise(purposeSweeps, uint64(i)))
		if err != nil {
			return nil, err
		}
		for r, e := range extra {
			readings[r].Values = append(readings[r].Values, times(sweepEntries, sampled(e, sweepDraws)))
		}
		spread := readings[1].Values[i].PublishedSE
		growth, err := plotted.ExtraSweepsIndependent(joint, sweepAgents, sigma)
		if err != nil {
			return nil, err
		}
		for r, more := range []float64{0, 1} {
			readings[2+r].Values = append(readings[2+r].Values,
				Value{Mean: sweepEntries * (growth.WithoutCeilings + more), PublishedSE: spread})
		}
	}
	return readings, nil
}

// times scales a value.
func times(factor float64, v Value) Value {
	return Value{factor * v.Mean, factor * v.SE, factor * v.PublishedSE}
}
