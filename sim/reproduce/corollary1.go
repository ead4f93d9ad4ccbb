package reproduce

import (
	"context"

	"veilpath/planner/privacy"
	"veilpath/sim/report"
)

func corollary1() *Item {
	return &Item{Name: "cor1", Title: "Corollary 1: the smallest epsilon for an error", Where: "Section 4, Figure of Corollary 1",
		compute: func(context.Context, *bench) (*Result, error) {
			p, err := open("fig_cor1_min_eps_vs_error")
			if err != nil {
				return nil, err
			}
			numbers, err := p.numbers("max_allowable_mean_error_A_reward_units", "cor1_min_eps", "A = ", true)
			if err != nil {
				return nil, err
			}
			values, err := closedForm(numbers, func(n Number) (float64, error) {
				return privacy.CorollaryEpsilon(n.X, errorDelta, errorAdjacency, errorAgents, errorEntries)
			})
			if err != nil {
				return nil, err
			}
			tight, err := privacy.MaxErrorIndependent(errorAgents, errorEntries)
			if err != nil {
				return nil, err
			}
			enough, err := closedForm(numbers, func(n Number) (float64, error) {
				return privacy.EpsilonForError(privacy.Analytic, tight, n.X, errorDelta, errorAdjacency)
			})
			if err != nil {
				return nil, err
			}
			chart := &report.Chart{
				X: report.Axis{Label: "Largest error allowed on average, A (reward units)"}, Y: report.Axis{Label: "Smallest ε", Scale: report.Log},
				Series: []report.Series{
					publishedCurve("published", 0, numbers), computedCurve("Corollary 1", report.Bound, 0, numbers, values),
					computedCurve("ε that is enough:\nexact noise and\nindependent entries", report.Exact, 2, numbers, enough),
				},
			}
			return &Result{
				Judgements: []*Judgement{Quantity{Name: "smallest ε", Numbers: numbers, Readings: []Reading{{Name: "N = 2, which the paper does not state", Values: values}}}.Judge()},
				Figures: []Figure{newFigure("cor1", "Corollary 1 is the exact inverse of Theorem 3",
					"δ = 0.01, b = 1, nm = 8, N = 2; rings: published, lines: computed", "", chart)},
				Summary: []string{"Every point is the corollary's formula, which is the exact inverse of Theorem 3's bound. Exact calibration and the exact error allow a smaller ε for the same A."},
			}, nil
		}}
}
