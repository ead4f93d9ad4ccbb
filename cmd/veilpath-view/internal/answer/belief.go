package answer

import (
	"fmt"
	"math"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/internal/phrase"
)

// Inferring reports whether the beliefs of observers of the goal are on show.
func (a *Answers) Inferring() bool { return a.Heat == HeatBelief }

// Inferred is the observer of the goal whose beliefs are on show, nil for none.
func (a *Answers) Inferred() *adversary.GoalModel {
	if !a.Inferring() {
		return nil
	}
	return &adversary.GoalModels()[a.Observer]
}

// Belief returns what the chosen observer believes at this moment, nil while that is not known.
func (a *Answers) Belief() *model.Belief {
	if !a.Inferring() {
		return nil
	}
	return a.Model.Inference.At(a.Model.Flight().At(a.Model.Clock.TimeS))
}

// BeliefText says what the chosen observer knows, or why it knows nothing, for those who cannot see it.
func (a *Answers) BeliefText() string {
	b := a.Belief()
	if b == nil {
		return either(a.Inferring(), a.Model.Inference.Problem, "")
	}
	return fmt.Sprintf("The observer called %s has %s of %s bits left to learn and ranks the goal %s.", a.Inferred().Name,
		phrase.Fixed(b.Entropy, 1), phrase.Fixed(a.Model.Inference.Bits, 1), "no. "+Number(math.Round(b.Rank)))
}
