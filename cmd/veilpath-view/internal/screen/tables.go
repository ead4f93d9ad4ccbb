package screen

import (
	"veilpath/cmd/veilpath-view/internal/answer"
)

// The tables. That of the help is open while the help is.
const (
	flightTable = "along"
	meanTable   = "mean"
	helpTable   = "help"
)

// outlineTables returns the tables of the outline.
func (s *Screen) outlineTables() (tables []answer.Table) {
	for _, row := range []struct {
		id, title string
		fill      func(*answer.Table)
	}{{flightTable, "This flight along epsilon", s.FlightAlong},
		{meanTable, "Mean distance of recognition along epsilon", s.MeanAlong},
		{helpTable, "Help: what there is to see, and keys", s.helpText}} {
		t := answer.Table{ID: row.id, Title: row.title, Head: []string{}, Rows: [][]string{},
			Open: s.tablesOpen[row.id] || row.id == helpTable && s.help}
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
		s.help = open
	case flightTable, meanTable:
		s.tablesOpen[id] = open
	default:
		return false
	}
	return true
}

// helpText says what the help does.
func (s *Screen) helpText(t *answer.Table) {
	t.Text = whatItIs + " " + howTo +
		" The picture takes these keys: Escape leads to it, Tab back to these words."
	t.Head = []string{"Keys", "What they do"}
	for _, row := range s.strokes() {
		t.Rows = append(t.Rows, row[:])
	}
}
