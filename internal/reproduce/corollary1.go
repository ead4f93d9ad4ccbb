package reproduce

import (
	"context"

	"veilpath/internal/report"
	"veilpath/planner/privacy"
)

func computeCorollary1(context.Context, *bench) (*Result, error) {
	quantities, err := quantitiesOf("cor1")
	if err != nil {
		return nil, err
	}
	judged := quantities[0].Judge()
	tight, err := privacy.MaxErrorIndependent(errorAgents, errorEntries)
	if err != nil {
		return nil, err
	}
	enough, err := evaluate(judged.Numbers, func(most float64) (float64, error) {
		return privacy.EpsilonForError(privacy.Analytic, tight, most, errorDelta, errorAdjacency)
	})
	if err != nil {
		return nil, err
	}
	chart := &report.Chart{
		X: report.Axis{Label: "Largest error allowed on average, A (reward units)"},
		Y: report.Axis{Label: "Smallest ε", Scale: report.Log},
		Series: []report.Series{
			publishedCurve("published", 0, judged.Numbers),
			computedCurve("Corollary 1", report.Bound, 0, judged.Numbers, judged.Reading().Values),
			computedCurve("ε that is enough:\nexact noise and\nindependent entries", report.Exact, 2, judged.Numbers, enough),
		},
	}
	return &Result{
		Judgements: []*Judgement{judged},
		Figures: []Figure{newFigure("cor1", "Corollary 1 is the exact inverse of Theorem 3",
			"δ = 0.01, b = 1, nm = 8, N = 2; rings: published, lines: computed", chart)},
		Summary: prose("cor1", nil),
	}, nil
}
