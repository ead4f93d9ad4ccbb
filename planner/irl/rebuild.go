package irl

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"veilpath/planner/mdp"
)

// Regularisation is the weight of the squares of what is rebuilt, small beside the visits that it explains.
const Regularisation = 1e-3

// How exactly rewards are rebuilt: softTolerance is that of the soft values, and gradientTolerance the largest
// difference between the visits seen and those explained. A tenth of either changes no EPIC distance by 0.001.
const (
	softTolerance     = 1e-9
	gradientTolerance = 1e-5
	mostIterations    = 2000 // of which some 20 to 150 are needed
)

// Rebuild returns the rewards, states x actions, that best explain the visits of every pair of a state and an action
// that were seen, states x actions, as [Problem.Visits] counts them. It is the inverse reinforcement
// learning of maximum causal entropy (Ziebart, Bagnell & Dey 2010): the observer supposes that actions are drawn from
// the soft optimum of temperature 1, and takes the rewards of the largest likelihood, less Regularisation/2 times the
// sum of the squares of all unknown numbers. This is a concave function with one maximum; nothing is drawn.
func (p *Problem) Rebuild(seen []float64) ([]float64, error) {
	solver, err := mdp.NewSoftSolver(p.Law, p.Discount, 1, softTolerance, p.Ended)
	if err != nil {
		return nil, err
	}
	var failed error
	// loss is what is minimised, the negative of the penalised likelihood, and its gradient unless that is nil.
	loss := func(gradient, unknown []float64) float64 {
		rewards := p.compose(unknown)
		optimum, err := solver.Solve(rewards)
		if err != nil {
			failed = err
		}
		if gradient != nil {
			byReward := p.Visits(optimum.Policy)
			floats.Sub(byReward, seen)
			copy(gradient, byReward)
			for i, f := range p.Features {
				gradient[i] = floats.Dot(f, byReward)
			}
			floats.AddScaled(gradient, Regularisation, unknown)
		}
		return (1-p.Discount)*floats.Dot(p.Start, optimum.Value) - floats.Dot(seen, rewards) +
			Regularisation/2*floats.Dot(unknown, unknown)
	}
	unknowns := len(seen)
	if p.Features != nil {
		unknowns = len(p.Features)
	}
	found, err := optimize.Minimize(optimize.Problem{
		Func: func(unknown []float64) float64 { return loss(nil, unknown) },
		Grad: func(gradient, unknown []float64) { loss(gradient, unknown) },
	}, make([]float64, unknowns), &optimize.Settings{GradientThreshold: gradientTolerance,
		MajorIterations: mostIterations, Converger: optimize.NeverTerminate{}}, &optimize.LBFGS{})
	switch {
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, fmt.Errorf("irl: %w", err)
	case found.Status != optimize.GradientThreshold:
		return nil, fmt.Errorf("irl: the rewards are not found after %d steps", found.Stats.MajorIterations)
	}
	return p.compose(found.X), nil
}

// compose returns the rewards that unknown numbers make.
func (p *Problem) compose(unknown []float64) []float64 {
	if p.Features == nil {
		return unknown
	}
	rewards := make([]float64, p.Law.States()*p.Law.Actions())
	for i, f := range p.Features {
		floats.AddScaled(rewards, unknown[i], f)
	}
	return rewards
}
