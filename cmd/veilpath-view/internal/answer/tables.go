package answer

import (
	"fmt"
)

// NoCurve says why nothing is known along epsilon.
const NoCurve = "No curve: with these settings each ε is flown by itself."

// Table is what a chart shows, or the help, in words and numbers. Those of one that is closed are not told.
type Table struct {
	ID    string     `json:"id"`
	Title string     `json:"title"`
	Open  bool       `json:"open"`
	Text  string     `json:"text"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"` // the first of each is its heading
}

// FlightAlong tells at which epsilons the run on show flies another flight, and where each is recognised.
func (a *Answers) FlightAlong(t *Table) {
	m := a.Model
	switch {
	case m.ShowsBaseline():
		t.Text = "This flight has no noise: it is the same at every epsilon."
		return
	case !m.HasAxis():
		t.Text = NoCurve
		return
	}
	flights := m.Axis.Treads(m.RunNumber, m.Config.Adversary.RadiusKm)
	if len(flights) == 0 {
		t.Text = "It is being flown."
		return
	}
	t.Text = fmt.Sprintf("Where run %d is recognised by a radius of %s km. At every epsilon in the first column its "+
		"flight becomes another.", m.RunNumber, Number(m.Config.Adversary.RadiusKm))
	t.Head = []string{"From epsilon", "To epsilon", "Kilometres from the target"}
	for _, f := range flights {
		t.Rows = append(t.Rows, []string{Short(f.Low), Short(f.High),
			either(f.Detected, Fixed(f.DetectionKm, 1), "never recognised")})
	}
}

// MeanAlong tells the mean at some epsilons and its band.
func (a *Answers) MeanAlong(t *Table) {
	m := a.Model
	if !m.HasAxis() {
		t.Text = NoCurve
		return
	}
	c := m.MeanAlong(true)
	run := &m.Private.Run
	t.Text = fmt.Sprintf("Kilometres from the target, on average over %d flights. The band holds along the whole axis "+
		"with 95 %%. %s: %s. %s: %s.",
		c.Runs, "Planned without noise", baselineText(run.PlannedKm), Capital(m.DirectWay()), baselineText(run.DirectKm))
	if c.Runs == 0 {
		return
	}
	t.Head = []string{"Epsilon", "Mean", "Band from", "Band to", "Less the planned"}
	epsilons := []float64{0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 20}
	for _, epsilon := range epsilons {
		if epsilon < c.Epsilons[0] || epsilon > c.Epsilons[len(c.Epsilons)-1] {
			continue
		}
		i := PlaceAlong(c.Epsilons, epsilon)
		row := []string{Number(epsilon), Fixed(c.Mean[i], 1), "–", "–", Signed(c.Mean[i]-run.PlannedKm, 1)}
		if c.Low != nil {
			row[2], row[3] = Fixed(c.Low[i], 1), Fixed(c.High[i], 1)
		}
		t.Rows = append(t.Rows, row)
	}
}
