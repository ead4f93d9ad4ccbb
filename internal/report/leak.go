package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/internal/table"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// LeakFigure shows the bits left to learn about the goal over the distance flown, in a panel for every epsilon, or
// for the first, middle and last of more than three. It draws a line for every observer. If the ways have names it
// draws a line for every way, for the observer that Best returns. finding is the title.
func LeakFigure(r *leak.Result, finding string) *Figure {
	f := &Figure{Title: sentence(finding), SharedX: true,
		Subtitle: fmt.Sprintf("%d flights of each, %d possible goals; bands are two standard errors of the mean",
			r.Study.Flights, len(r.Study.World().Goals))}
	const room = 3 // largest number of epsilons
	drawn := epsilonsOf(r)
	if n := len(drawn); n > room {
		drawn = []float64{drawn[0], drawn[n/2], drawn[n-1]}
		f.Subtitle += fmt.Sprintf("; %d of %d epsilons", room, n)
	}
	for i, epsilon := range drawn {
		panel := &Chart{Title: "Left to learn about the goal, " + atEpsilon(epsilon), Y: Axis{Label: "Bits", FromZero: true}}
		leftToLearn(panel, r, epsilon)
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

// epsilonsOf returns the different epsilons of a study.
func epsilonsOf(r *leak.Result) []float64 {
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

// LeakWords says, for every way and every requested distance flown, what the best observer learned, how much of that
// came from the reward, and what the strongest of several observers learned.
func LeakWords(r *leak.Result, atKm []float64) []string {
	words := []string{}
	who := Best(r)
	for _, row := range r.Rows() {
		if row.Observer != who || !slices.Contains(atKm, row.FlownKm) {
			continue
		}
		noise := "at epsilon " + strconv.FormatFloat(row.Epsilon, 'g', -1, 64)
		if math.IsInf(row.Epsilon, 1) {
			noise = "without noise"
		}
		if row.Way != "" {
			noise += ", " + row.Way + ","
		}
		text := fmt.Sprintf("after %g km %s the observer %s %s", row.FlownKm, noise, who,
			learnedWords(row.BitsLeft, row.StandardError, r.PriorBits()))
		for _, l := range r.InformationGains() {
			if l.Way == row.Way && l.Epsilon == row.Epsilon && l.FlownKm == row.FlownKm && l.From == leak.Reward &&
				!math.IsNaN(l.Bits.Mean) { // NaN for an observer who excludes what happens
				text += rewardWords(l.Bits.Mean, r.PriorBits()-row.BitsLeft)
			}
		}
		words = append(words, text+strongestWords(r, &row))
	}
	return words
}

// learnedWords says how many of the bits about the goal an observer has learned, or that flights misled it.
func learnedWords(left, standardError, prior float64) string {
	switch {
	case math.IsInf(left, 1):
		return fmt.Sprintf("has infinitely many bits left, because it ruled out the true goal of a flight, of the %.2f bits "+
			"about the goal", prior)
	case left > prior:
		return fmt.Sprintf("is misled: it has %.2f bits about the goal left (standard error %.2f), more than the %.2f "+
			"before the flight", left, standardError, prior)
	}
	return fmt.Sprintf("has learned %.2f (standard error %.2f) of the %.2f bits about the goal", prior-left, standardError,
		prior)
}

// rewardWords says how many bits of what was learned came from the private reward.
func rewardWords(bits, learned float64) string {
	switch {
	case bits < 0:
		return fmt.Sprintf("; the private reward misleads it by %.2f bits", -bits)
	case bits > learned: // without the reward an observer is misled
		return fmt.Sprintf("; without the reward it would have %.2f bits more left", bits)
	}
	return fmt.Sprintf("; %.2f bits from the reward", bits)
}

// strongestWords names the strongest of several observers at the way, epsilon and distance of a row.
func strongestWords(r *leak.Result, row *leak.Row) string {
	if len(r.Study.Observers) == 1 {
		return ""
	}
	for _, b := range r.Strongest() {
		if b.Way == row.Way && b.Epsilon == row.Epsilon && b.FlownKm == row.FlownKm && b.Observer != row.Observer {
			if math.IsInf(b.BitsLeft.Mean, 1) || b.BitsLeft.Mean > r.PriorBits() {
				return fmt.Sprintf("; the strongest observer, %s, has learned nothing", b.Observer)
			}
			return fmt.Sprintf("; the strongest observer, %s, has learned %.2f (%.2f) on the half of the flights that did "+
				"not choose it, where the table has all flights", b.Observer, r.PriorBits()-b.BitsLeft.Mean,
				b.BitsLeft.StandardError)
		}
	}
	return ""
}

// SheetPage returns the page of an answer: its words, a figure unless it is nil, and tables.
func SheetPage(kicker, made string, words []string, figure *Figure, sheets []*table.Sheet) *Page {
	p := &Page{Kicker: kicker, Title: sentence(words[0]), Made: made}
	if figure != nil {
		inside := *figure
		inside.Title = ""
		p.Title, p.Figures = figure.Title, []*Figure{&inside}
	}
	for _, line := range words {
		if sentence(line) != p.Title {
			p.Words = append(p.Words, sentence(line)+".")
		}
	}
	for _, s := range sheets {
		if len(s.Rows) > 0 {
			p.Tables = append(p.Tables, sheetTable(s))
		}
	}
	return p
}

// sheetTable returns a sheet as a table of a page.
func sheetTable(s *table.Sheet) Table {
	t := Table{Title: s.Title, Text: s.Text}
	columns := slices.DeleteFunc(s.Typed(), func(c table.Column[table.Row]) bool { return c.Heading == "" })
	for _, c := range columns {
		t.Header = append(t.Header, c.Heading)
	}
	for i := range s.Rows {
		cells := make([]string, len(columns))
		for k := range columns {
			cells[k] = columns[k].Shown(&s.Rows[i])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// sentence writes the first letter as a capital.
func sentence(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
