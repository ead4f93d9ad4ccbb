package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"veilpath/internal/table"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// LeakFigure shows the bits left to learn about the goal over the distance flown, in a panel for every epsilon, or
// for the first, middle and last of more than three. It draws a line for every observer. If the ways have names it
// draws a line for every way, for the observer that Best returns. finding is the title.
func LeakFigure(r *leak.Result, finding string) *Figure {
	f := &Figure{Title: Sentence(finding), SharedX: true,
		Subtitle: fmt.Sprintf("%d flights of each, %d possible goals; bands are two standard errors of the mean",
			r.Study.Flights, len(r.Study.World().Goals))}
	const room = 3 // largest number of epsilons
	drawn := Epsilons(r)
	if n := len(drawn); n > room {
		drawn = []float64{drawn[0], drawn[n/2], drawn[n-1]}
		f.Subtitle += fmt.Sprintf("; %d of %d epsilons", room, n)
	}
	for i, epsilon := range drawn {
		panel := &Chart{Title: "Left to learn about the goal, " + atEpsilon(epsilon), Y: Axis{Label: "Bits", FromZero: true}}
		leftToLearn(panel, r, epsilon)
		var lines []Series
		for _, s := range panel.Series {
			lines = joined(lines, s, " and\n")
		}
		panel.Series = lines
		if i == len(drawn)-1 {
			panel.X = Axis{Label: "Distance flown (km)", FromZero: true}
		}
		panel.References = []Reference{{Label: fmt.Sprintf("before the flight:\n%.2f bits", r.PriorBits()), At: r.PriorBits(),
			Strong: true}}
		f.Panels = append(f.Panels, panel)
	}
	f.HeightInches = 2.2 + 2.6*float64(len(drawn))
	return f
}

// Epsilons returns the different epsilons of a study.
func Epsilons(r *leak.Result) []float64 {
	var all []float64
	for _, w := range r.Study.Ways {
		if !slices.Contains(all, w.Epsilon) {
			all = append(all, w.Epsilon)
		}
	}
	return all
}

// atEpsilon returns the text for an epsilon.
func atEpsilon(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return "no noise"
	}
	return "ε = " + strconv.FormatFloat(epsilon, 'g', -1, 64)
}

// leftToLearn draws the curves of a panel.
func leftToLearn(panel *Chart, r *leak.Result, epsilon float64) {
	named := slices.ContainsFunc(r.Study.Ways, func(w leak.Way) bool { return w.Name != "" })
	for _, row := range r.Rows() {
		label := row.Observer
		if named {
			label = row.Way
			if strings.Contains(label, "=") {
				label = strings.ReplaceAll(label, " ", "\n") // one setting per line
			}
		}
		if row.Epsilon == epsilon && (!named || row.Observer == Best(r)) {
			left := row.BitsLeft
			if math.IsInf(left, 1) {
				left = math.NaN() // no point
			}
			point(panel, label, row.FlownKm, privacy.SampleMean{Mean: left, StandardError: row.StandardError})
		}
	}
}

// Best returns the name of the observer who knows the mechanism, or of the last observer if none does.
func Best(r *leak.Result) string {
	best := ""
	for _, m := range r.Study.Observers {
		if best = m.Name; m.Private {
			break
		}
	}
	return best
}

// longestTitle is the maximum length of a sentence that is a title, characters. A longer one is text below a shorter
// title.
const longestTitle = 110

// SheetPage returns the page of an answer: its words, a figure unless it is nil, and tables. The title is that of the
// figure, or the first sentence, or the kind of the answer if these are long.
func SheetPage(kicker, made string, words []string, figure *Figure, sheets []*table.Sheet) *Page {
	p := &Page{Kicker: kicker, Title: Sentence(strings.TrimSuffix(words[0], ".")), Made: made}
	if figure != nil {
		inside := *figure
		inside.Title = ""
		p.Title, p.Figures = figure.Title, []*Figure{&inside}
	}
	if utf8.RuneCountInString(p.Title) > longestTitle {
		p.Kicker, p.Title = "veilpath", kicker
	}
	for _, line := range words {
		if line = strings.TrimSuffix(Sentence(line), "."); line != p.Title {
			p.Words = append(p.Words, line+".")
		}
	}
	for _, s := range sheets {
		if len(s.Rows) > 0 {
			p.Tables = append(p.Tables, PrintedTable(s.Title, s.Text, s))
		}
	}
	return p
}

// PrintedTable returns all rows of a printed table as a table of a page. The table must have a column.
func PrintedTable(title, text string, printed table.Printable) Table {
	t := Table{Title: title, Text: text}
	columns, _ := printed.Shown(0)
	t.Rows = make([][]string, len(columns[0].Cells))
	for _, c := range columns {
		t.Header = append(t.Header, c.Heading)
		for i, cell := range c.Cells {
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}

// Sentence writes the first letter as a capital.
func Sentence(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
