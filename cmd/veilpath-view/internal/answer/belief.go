package answer

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/model"
)

// Inferring reports whether the beliefs of observers of the goal are on show.
func (a *Answers) Inferring() bool { return a.Heat == HeatBelief }

// View returns the observer whose belief is painted, nil while there is none.
func (a *Answers) View() *model.View {
	watching := a.Model.Watching()
	if a.Observer < 0 || a.Observer >= len(watching) {
		return nil
	}
	return &watching[a.Observer]
}

// Belief returns what the chosen observer believes at this moment, nil while that is not known.
func (a *Answers) Belief() *model.Belief {
	if v := a.View(); v != nil && a.Inferring() {
		f := a.Model.Flight()
		return v.At(f.At(a.Model.Clock.TimeS))
	}
	return nil
}

// BeliefText says what the chosen observer knows, or why it knows nothing, for those who cannot see it.
func (a *Answers) BeliefText() string {
	b := a.Belief()
	if b == nil {
		return either(a.Inferring(), a.Model.Inference.Problem, "")
	}
	return fmt.Sprintf("The observer called %s has %s of %s bits left to learn and ranks the goal %s.", a.View().Name,
		Fixed(b.Entropy, 1), Fixed(a.Model.Inference.Bits, 1), "no. "+Number(math.Round(b.Rank)))
}
