package screen

import (
	"fmt"
	"slices"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// outlineTable is what a chart shows, or the help, in words and numbers. Those of one that is closed are not told.
type outlineTable struct {
	ID    string     `json:"id"`
	Title string     `json:"title"`
	Open  bool       `json:"open"`
	Text  string     `json:"text"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"` // the first of each is its heading
}

// The tables. That of the help is open while the help is.
const (
	flightTable  = "along"
	meanTable    = "mean"
	surfaceTable = "surface"
	helpTable    = "help"
)

// outlineTables returns the tables of the outline.
func (s *Screen) outlineTables() (tables []outlineTable) {
	for _, row := range []struct {
		id, title string
		fill      func(*outlineTable)
	}{{flightTable, "This flight along epsilon", s.flightAlong},
		{meanTable, "Mean distance of recognition along epsilon", s.meanAlong},
		{surfaceTable, "Mean distance of recognition by epsilon and radius", s.surface},
		{helpTable, "Help: what there is to see, and keys", s.helpText}} {
		t := outlineTable{ID: row.id, Title: row.title, Head: []string{}, Rows: [][]string{},
			Open: s.tablesOpen[row.id] || row.id == helpTable && s.Help.Open}
		if t.Open {
			row.fill(&t)
		}
		tables = append(tables, t)
	}
	return tables
}

// openTable opens a table of the outline, or closes it, and reports whether there is one.
func (s *Screen) openTable(id string, open bool) bool {
	switch id {
	case helpTable:
		s.Help.Open = open
	case flightTable, meanTable, surfaceTable:
		s.tablesOpen[id] = open
	default:
		return false
	}
	return true
}

// flightAlong tells at which epsilons the run on show flies another flight, and where each is recognised.
func (s *Screen) flightAlong(t *outlineTable) {
	m := s.Model
	switch {
	case m.ShowsBaseline():
		t.Text = "This flight has no noise: it is the same at every epsilon."
		return
	case !m.HasAxis():
		t.Text = s.NoCurve()
		return
	}
	flights := m.Axis.Treads(m.RunNumber, m.Config.Adversary.RadiusKm)
	if len(flights) == 0 {
		t.Text = "It is being flown."
		return
	}
	t.Text = fmt.Sprintf("Where run %d is recognised by a radius of %s km. At every epsilon in the first column its "+
		"flight becomes another.%s", m.RunNumber, number(m.Config.Adversary.RadiusKm),
		either(m.WhatIf.Any(), " What was changed by hand is left out.", ""))
	t.Head = []string{"From epsilon", "To epsilon", "Kilometres from the target"}
	for _, f := range flights {
		t.Rows = append(t.Rows, []string{answer.Short(f.Low), answer.Short(f.High),
			either(f.Detected, fixed(f.DetectionKm, 1), "never recognised")})
	}
}

// meanAlong tells the mean at some epsilons, with its band and what was published.
func (s *Screen) meanAlong(t *outlineTable) {
	m := s.Model
	if !m.HasAxis() {
		t.Text = s.NoCurve()
		return
	}
	c := m.MeanAlong(s.Chosen(), !s.UI.Captured())
	run := &m.Private.Run
	t.Text = fmt.Sprintf("Kilometres from the target, on average over %d flights. The band holds along the whole axis "+
		"with 95 %%. %s: %s. %s: %s.",
		c.Runs, answer.Capital(s.PlannedName()), answer.BaselineText(run.PlannedKm), answer.Capital(m.DirectWay()), answer.BaselineText(run.DirectKm))
	if c.Runs == 0 {
		return
	}
	t.Head = []string{"Epsilon", "Mean", "Band from", "Band to", "Less the planned", "Published"}
	epsilons := []float64{0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 20}
	published := map[float64]string{}
	for _, p := range s.Published.Points(m.Config) {
		published[p.Epsilon] = fixed(p.MeanKm, 1)
		epsilons = append(epsilons, p.Epsilon)
	}
	slices.Sort(epsilons)
	for _, epsilon := range slices.Compact(epsilons) {
		if epsilon < c.Epsilons[0] || epsilon > c.Epsilons[len(c.Epsilons)-1] {
			continue
		}
		i := answer.PlaceAlong(c.Epsilons, epsilon)
		row := []string{number(epsilon), fixed(c.Mean[i], 1), "–", "–", answer.Signed(c.Mean[i]-run.PlannedKm, 1),
			published[epsilon]}
		if c.Low != nil {
			row[2], row[3] = fixed(c.Low[i], 1), fixed(c.High[i], 1)
		}
		t.Rows = append(t.Rows, row)
	}
}

// surface tells the mean at every epsilon and radius of the map.
func (s *Screen) surface(t *outlineTable) {
	m := s.Survey()
	t.Text = "Kilometres from the target on average, by the radius of recognition" +
		either(m.Recorded, ", as recorded.", fmt.Sprintf(", over %d flights.", m.Flights()))
	t.Head = []string{"Epsilon"}
	for _, radius := range m.RadiiKm {
		t.Head = append(t.Head, number(radius)+" km")
	}
	for i, epsilon := range m.Epsilons {
		row := []string{number(epsilon)}
		for j := range m.RadiiKm {
			mean, flights := m.MeanKm(i, j)
			row = append(row, either(flights > 0, fixed(mean, 1), "–"))
		}
		t.Rows = append(t.Rows, row)
	}
}

// helpText says what the help does.
func (s *Screen) helpText(t *outlineTable) {
	t.Text = panel.WhatItIs + " " + either(s.Layout.Compact, panel.HowToTouch, panel.HowToPoint) +
		" The picture takes these keys: Escape leads to it, Tab back to these words."
	t.Head = []string{"Keys", "What they do"}
	for _, row := range s.strokes() {
		t.Rows = append(t.Rows, row[:])
	}
}
