package answer

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/planner"
)

// HidingSigns says in signs what hides the destination of the run on show.
func HidingSigns(w *model.World) string {
	goal := w.DrawnGoal()
	switch {
	case goal == nil && planner.LinearOf(w.Experiment.Mechanism) == nil:
		return w.Experiment.Mechanism.Name()
	case goal == nil:
		return "σ " + Fixed(w.Sigma, 2)
	case w.Sigma > 0:
		return fmt.Sprintf("σ %s cells   goal %s km off", Fixed(w.Sigma, 1), Fixed(goal.OffKm, 1))
	}
	return fmt.Sprintf("goal %s km off", Fixed(goal.OffKm, 1))
}

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

// StrengthHint explains epsilon.
func (a *Answers) StrengthHint() string {
	m := a.Model
	more := "more noise on the rewards"
	if m.DrawnGoal() != nil {
		more = "goals are drawn farther away"
	}
	return fmt.Sprintf("Strength of privacy, with δ = %s: smaller is more private, %s. %sDouble %s: %s",
		Number(m.Experiment.Delta()), more,
		either(m.HasAxis(), "Ticks above: where this flight changes. ", ""), either(a.Touch, "tap", "click"),
		Number(a.Standard.Privacy.Epsilon))
}

// MapHints explain what can be painted on the map, by Heat.
func (a *Answers) MapHints() []string {
	noise := either(a.Model.DrawnGoal() == nil, "What the noise of the mechanism added to the reward",
		"What the drawn goal's reward has above the true one")
	return []string{noise + ". Five entries a waypoint: a triangle each for north, south, east and west, a diamond for " +
		"to-target", "No reward map", "Where an observer of the goal believes the flight goes, as it unfolds"}
}
