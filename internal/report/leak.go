package report

import (
	"cmp"
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
	drawn := epsilonsOf(r)
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
	f.Note = excludedNote(f.Panels)
	f.HeightInches = 2.2 + 2.6*float64(len(drawn))
	return f
}

// excludedNote returns a sentence on the series of a leak figure without a finite value.
func excludedNote(panels []Panel) string {
	var names []string
	for _, p := range panels {
		series := p.(*Chart).Series
		for i := range series {
			name := strings.ReplaceAll(series[i].Label, "\n", " ")
			if !series[i].drawn() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "No line where infinitely many bits are left, because the true goal of a flight was ruled out: " +
		strings.Join(names, ", ") + "."
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

// LeakWords says, for every way and every requested distance flown, what the strongest observer learned, and of the
// observer that Best returns how much of that came from the reward. finding is the first sentence.
func LeakWords(r *leak.Result, atKm []float64) (words []string, finding string) {
	surpassed, several := false, len(r.Study.Observers) > 1
	first := ""
	for _, row := range r.Rows() {
		if row.Observer != Best(r) || !slices.Contains(atKm, row.FlownKm) {
			continue
		}
		said := learned{Row: row, prior: r.PriorBits(), fromReward: math.NaN(), policies: r.Study.Policies,
			atDelta: atDelta(r, row.Way, row.Epsilon)}
		for _, l := range r.InformationGains() {
			if l.Way == row.Way && l.Epsilon == row.Epsilon && l.FlownKm == row.FlownKm && l.From == leak.Reward {
				said.fromReward, said.rewardError = l.Bits.Mean, l.Bits.StandardError
			}
		}
		for _, b := range r.Strongest() {
			if b.Way == row.Way && b.Epsilon == row.Epsilon && b.FlownKm == row.FlownKm {
				said.strongest = b
			}
		}
		sentences := said.words()
		words, first = append(words, sentences...), cmp.Or(first, sentences[0])
		surpassed = surpassed || said.isSurpassed()
	}
	if several && !surpassed {
		words = append(words, "no observer is shown to be stronger than "+Best(r))
	}
	return words, first
}

// learned is what observers learned of the flights of a way, after a distance flown: all flights for the observer of
// the row, half of them for the strongest one.
type learned struct {
	leak.Row
	prior float64 // bits before the flight
	// bits, with their standard error; NaN if not measured, or for an observer who excludes what happens
	fromReward, rewardError float64
	strongest               leak.Strongest
	policies                int    // private policies of each goal that the observer knows
	atDelta                 string // see leak.Way.AtDelta
}

// atDelta is AtDelta of a way at an epsilon.
func atDelta(r *leak.Result, way string, epsilon float64) string {
	i := slices.IndexFunc(r.Study.Ways, func(w leak.Way) bool { return w.Name == way && w.Epsilon == epsilon })
	return r.Study.Ways[i].AtDelta()
}

// policiesText writes a number of private policies.
func policiesText(n int) string {
	if n == 1 {
		return "1 policy"
	}
	return fmt.Sprintf("%d policies", n)
}

// rewardInterval returns the 95 % interval of what the observer learned from the private reward, with a sign.
func (l *learned) rewardInterval(sign float64) (low, high float64) {
	return sign*l.fromReward - deviations95*l.rewardError, sign*l.fromReward + deviations95*l.rewardError
}

// rewardShown reports whether the flights show that the private reward changed what the observer learned.
func (l *learned) rewardShown() bool {
	low, high := l.rewardInterval(1)
	return low > 0 || high < 0
}

// rewardText writes the interval of rewardInterval.
func (l *learned) rewardText(sign float64) string {
	low, high := l.rewardInterval(sign)
	return fmt.Sprintf("(%.2f .. %.2f)", low, high)
}

// isSurpassed reports whether another observer learned more on the flights that did not choose it.
func (l *learned) isSurpassed() bool {
	return l.strongest.Observer != l.Observer && l.strongest.BitsLeft.Mean < min(l.BitsLeft, l.prior)
}

// words says what the strongest observer learned and then, if that is another one, what the observer of the row did.
func (l *learned) words() []string {
	noise := "at epsilon " + strconv.FormatFloat(l.Epsilon, 'g', -1, 64) + l.atDelta
	if math.IsInf(l.Epsilon, 1) {
		noise = "without noise"
	}
	if l.Way != "" {
		noise += ", " + l.Way + ","
	}
	place := fmt.Sprintf("after %g km %s", l.FlownKm, noise)
	if !l.isSurpassed() {
		return l.rowWords(place + " the observer " + l.Observer)
	}
	left := l.strongest.BitsLeft
	return append([]string{fmt.Sprintf("%s the strongest observer, %s, has learned %.2f (standard error %.2f) of the "+
		"%.2f bits about the goal on the half of the flights that did not choose it",
		place, l.strongest.Observer, l.prior-left.Mean, left.StandardError, l.prior)},
		l.rowWords("the observer "+l.Observer)...)
}

// rowWords says what the observer of the row learned, and how much of it from the private reward.
func (l *learned) rowWords(who string) []string {
	bits := l.prior - l.BitsLeft
	switch {
	case math.IsInf(l.BitsLeft, 1):
		return []string{who + " has infinitely many bits about the goal left, because it ruled out the true goal of a " +
			"flight"}
	case bits < 0:
		return append([]string{fmt.Sprintf("%s is misled: it has %.2f bits about the goal left (standard error %.2f), more "+
			"than the %.2f before the flight", who, l.BitsLeft, l.StandardError, l.prior)}, l.rewardWords()...)
	}
	said := fmt.Sprintf("%s has learned %.2f (standard error %.2f) of the %.2f bits about the goal", who, bits,
		l.StandardError, l.prior)
	switch from := l.fromReward; {
	case from >= 0 && from < 0.05 && l.rewardError < 0.05:
		return []string{said + fmt.Sprintf(", almost 0 bits %s from the reward", l.rewardText(1))}
	case !math.IsNaN(from) && !l.rewardShown():
		return []string{said + fmt.Sprintf(", and the flights do not show whether it learned any from the reward %s",
			l.rewardText(1))}
	case from > 0 && from <= bits:
		return []string{said + fmt.Sprintf(", about %.1f bits %s from the reward", from, l.rewardText(1))}
	}
	return append([]string{said}, l.rewardWords()...)
}

// rewardWords says what knowledge of the private reward does to an observer that would be misled without it, or does
// worse with it. It names no cause of a loss: too few policies and the reward itself give the same loss.
func (l *learned) rewardWords() []string {
	switch from := l.fromReward; {
	case !l.rewardShown():
	case from < 0:
		return []string{fmt.Sprintf("it does worse by %.2f bits %s with what it learned of the reward from %s of each goal; "+
			"more policies (adversary.policies) may change this", -from, l.rewardText(-1), policiesText(l.policies))}
	case from > 0:
		return []string{fmt.Sprintf("without the reward it would have %.2f bits %s more left", from, l.rewardText(1))}
	}
	return nil
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
