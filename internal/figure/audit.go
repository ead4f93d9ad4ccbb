package figure

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/axis"
	"veilpath/planner/audit"
)

// AuditFigure shows how well releases of neighbouring tables can be distinguished: the measured and the promised
// trade-off between the two errors, and for Gaussian noise mu at every threshold, for which one number is
// promised. It needs an audit of an entry.
func AuditFigure(r *audit.Report) *Figure {
	c := r.Claim
	promise := fmt.Sprintf("epsilon %g, delta %g, adjacency %g", c.Epsilon, c.Delta, c.Adjacency)
	if c.Sigma > 0 {
		promise += fmt.Sprintf(", sigma %.4g", c.Sigma)
	}
	f := &Figure{
		Title:    auditTitle(r),
		Subtitle: fmt.Sprintf("Released: %s; promised: %s", auditSamples(r), promise),
		Panels:   []Panel{tradeOff(r)},
		Note: "Trade-off: Dong, Roth and Su 2022. The errors for a mechanism that keeps its promise lie on the promised " +
			"curve or above it, and measured errors scatter around them.",
	}
	if r.Verdict() == audit.Consistent && slices.ContainsFunc(r.Entry().Curve, func(p audit.TradeOff) bool {
		return p.FalsePositive > 0 && p.FalsePositive < 1 && p.FalseNegative < c.FalseNegative(p.FalsePositive)
	}) {
		f.Note += fmt.Sprintf(" That some are below it may be chance: no test failed, at a false alarm rate of %g for all "+
			"tests together.", r.FalseAlarms)
	}
	if mu := muPanel(r); c.Sigma > 0 && len(mu.Series[0].X) > 0 { // a threshold has both kinds of errors
		f.Panels = append(f.Panels, mu)
	}
	return f
}

// auditTitle returns the verdict, and a lower bound on epsilon above the promise if no test failed.
func auditTitle(r *audit.Report) string {
	switch r.Verdict() {
	case audit.Broken:
		return "The promise is broken"
	case audit.NotAsDescribed:
		return "The mechanism is not as described; this does not show whether it keeps its promise"
	}
	if low := r.Entry().EpsilonLow; low > r.Claim.Epsilon {
		condition := ""
		if r.Entry().Pooled {
			condition = " if the noise of all entries is independent"
		}
		return fmt.Sprintf("No test failed, but epsilon is at least %.3g with 95 %% confidence%s; the promise is %g", low,
			condition, r.Claim.Epsilon)
	}
	return "No test failed: the releases are consistent with the promise"
}

// auditSamples says what was released, and how often.
func auditSamples(r *audit.Report) string {
	samples := axis.Thousands(fmt.Sprint(r.Entry().Samples))
	if !r.Entry().Pooled {
		return fmt.Sprintf("%s, %s times from each of two neighbouring tables", r.Of, samples)
	}
	text := fmt.Sprintf("%s; %s entries of a table and %[2]s raised ones", r.Of, samples)
	if r.Releases > 0 {
		text += fmt.Sprintf(" in %s releases of whole tables", axis.Thousands(fmt.Sprint(r.Releases)))
	}
	return text
}

// tradeOff returns the panel of the two errors.
func tradeOff(r *audit.Report) *Chart {
	measured := Series{Label: "measured", Mark: Points}
	for _, p := range r.Entry().Curve {
		measured.Add(p.FalsePositive, p.FalseNegative)
	}
	promised := Series{Label: "promised", Mark: Exact, Hue: 1}
	chance := Series{Label: "chance", Mark: Bound, Hue: 2, X: []float64{0, 1}, Y: []float64{1, 0}}
	const steps = 200
	for i := range steps - 1 {
		p := float64(i+1) / steps
		promised.Add(p, r.Claim.FalseNegative(p))
	}
	return &Chart{
		Title:  "Errors in distinguishing the two tables",
		X:      Axis{Label: "Rate of false positives", Range: [2]float64{0, 1}},
		Y:      Axis{Label: "Rate of false negatives", Range: [2]float64{0, 1}},
		Series: []Series{measured, promised, chance},
	}
}

// muPanel returns the panel of mu over the thresholds with a small enough standard error.
func muPanel(r *audit.Report) *Chart {
	measured := Series{Label: "measured,\n95 % at each", Mark: Points}
	const enough = 0.3 // largest standard error of mu that is drawn
	for _, p := range r.Entry().Curve {
		if p.MuStandardError > enough || p.FalsePositive == 0 || p.FalseNegative == 0 {
			continue
		}
		half := distuv.UnitNormal.Quantile(0.975) * p.MuStandardError
		measured.AddInterval(-distuv.UnitNormal.Quantile(p.FalsePositive), p.Mu, p.Mu-half, p.Mu+half)
	}
	return &Chart{
		Title:      "The same as mu: the distance of two normal distributions in standard deviations",
		X:          Axis{Label: "Threshold, as the standard normal quantile with the same rate of false positives"},
		Y:          Axis{Label: "mu", FromZero: true},
		Series:     []Series{measured},
		References: []Reference{{Label: "promised", At: r.Claim.Mu(), Strong: true}},
	}
}
