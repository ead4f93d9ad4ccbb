package irl

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// Fit returns the rewards of the family nearest to a released reward, both states x actions: those with the least sum
// of squared differences outside Ended, plus Regularisation times that of all unknown numbers (ridge regression, Hoerl
// and Kennard 1970). Noise on the entries mostly lies outside the family, so it vanishes. Without Features it is the
// released reward.
func (p *Problem) Fit(released []float64) ([]float64, error) {
	if p.Features == nil {
		return released, nil
	}
	features, known := mat.NewDense(len(p.Features), len(released), nil), mat.NewVecDense(len(released), nil)
	ended, actions := p.ended(), p.Law.Actions()
	for entry, reward := range released {
		if ended[entry/actions] {
			continue
		}
		known.SetVec(entry, reward)
		for i, f := range p.Features {
			features.Set(i, entry, f[entry])
		}
	}
	var normal mat.SymDense
	normal.SymOuterK(1, features)
	for i := range p.Features {
		normal.SetSym(i, i, normal.At(i, i)+Regularisation)
	}
	var right, unknown mat.VecDense
	right.MulVec(features, known)
	var factors mat.Cholesky
	if !factors.Factorize(&normal) {
		return nil, errors.New("irl: the features are too many or too large for a fit")
	}
	if err := factors.SolveVecTo(&unknown, &right); err != nil {
		return nil, err
	}
	return p.compose(unknown.RawVector().Data), nil
}
