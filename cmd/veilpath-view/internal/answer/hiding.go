package answer

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/planner"
)

// hidingText says in words what hides the destination of the run on show, and how strongly.
func hidingText(w *model.World) string {
	text := fmt.Sprintf("Epsilon %s, delta %s: ", Number(w.Config.Privacy.Epsilon),
		Number(w.Experiment.Delta()))
	goal := w.DrawnGoal()
	if m := w.Experiment.Mechanism; goal == nil && planner.LinearOf(m) == nil {
		return text + m.Name() + " " + m.Meaning()
	}
	if goal == nil {
		return text + "Gaussian noise of sigma " + Fixed(w.Sigma, 2) + " on every reward"
	}
	text += "the goal planned for was drawn, " + Fixed(goal.OffKm, 1) + " km from the true one"
	if w.Sigma > 0 {
		text += ", by Gaussian noise of sigma " + Fixed(w.Sigma, 2) + " cells on its coordinates"
	}
	return text
}
