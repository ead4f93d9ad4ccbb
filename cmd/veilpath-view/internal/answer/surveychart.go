package answer

import (
	"fmt"
	"math"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/model"
)

// Survey is the map of the selected flights.
func (a *Answers) Survey() *model.Survey { return a.Model.SurveyOf(a.Chosen()) }

// SurveyMost is the distance that the strongest colour of the map stands for: a round one that no mean is beyond, km.
func (a *Answers) SurveyMost() float64 {
	m, far := a.Survey(), 0.0
	for i := range m.Epsilons {
		for j := range m.RadiiKm {
			if mean, n := m.MeanKm(i, j); n > 0 {
				far = math.Max(far, mean)
			}
		}
	}
	const step = 10 // km
	return math.Max(step, step*math.Ceil(far/step))
}

// SurveyOf says of which flights the map is, where it is not of all that it will be of or not of the selected ones.
func (a *Answers) SurveyOf() string {
	m := a.Survey()
	switch n := m.Flights(); {
	case m.Recorded:
		return ""
	case n == 0:
		return either(m.Begun(), "flying …", "")
	case a.Chosen().Runs != nil && m == &a.Model.Survey:
		return "of all flights"
	case n < a.Model.SurveyRuns():
		return either(n == 1, "1 flight", fmt.Sprintf("%d flights", n))
	}
	return ""
}

// SurveyAwaited says why the map is empty; it is empty where the map is not.
func (a *Answers) SurveyAwaited() string {
	all := &a.Model.Survey
	switch {
	case a.Survey().Begun():
		return ""
	case all.Problem != "":
		return "There is no map: " + all.Problem
	case all.Begun():
		return "The map is of the first " + strconv.Itoa(a.Model.SurveyRuns()) + " flights, of which none is selected."
	case a.Model.HasAxis():
		return "Flying …"
	}
	return "With " + a.apart() + " each ε is flown by itself, after all else. That takes a while."
}

// Short writes a value of an axis in three digits.
func Short(v float64) string { return chart.Number(model.Rounded(v)) }
