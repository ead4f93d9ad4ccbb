package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"veilpath/cmd/internal/terminal"
	"veilpath/sim/reproduce"
)

// meanings says what each verdict means.
var meanings = map[reproduce.Verdict]string{
	reproduce.Exact:         "equal in floating point, or within a published limit",
	reproduce.Digits:        "equal in every printed digit",
	reproduce.MonteCarlo:    "within the sampling error of both",
	reproduce.AfterChange:   "one of the above, after the change named below it",
	reproduce.NotReproduced: "none of the above, under any change tried",
	reproduce.Contradicted:  "impossible: a proof, or the paper itself, says otherwise",
}

// printReproduction prints the verdicts with their numbers in the format asked for.
func (a *app) printReproduction(results []*reproduce.Result) error {
	switch a.format {
	case "csv":
		return reproduce.WriteComparison(a.stdout, results)
	case "json":
		return a.printJSON(judgements(results))
	}
	return writeVerdicts(a.stdout, results)
}

// judgementJSON is a quantity of the paper as printed in JSON.
type judgementJSON struct {
	Item     string         `json:"item"`
	Quantity string         `json:"quantity"`
	Numbers  int            `json:"numbers"`
	Verdicts map[string]int `json:"verdicts"`
	Reading  string         `json:"reading"`
	Change   string         `json:"change,omitempty"`
	Rows     []numberJSON   `json:"rows"`
}

// numberJSON is a number of the paper and what comes out.
type numberJSON struct {
	Quantity      string         `json:"quantity"`
	Published     float64        `json:"published"`
	Computed      terminal.Maybe `json:"computed"`
	StandardError terminal.Maybe `json:"standard_error"` // of the difference; 0 for a closed form
	Tolerance     terminal.Maybe `json:"tolerance"`      // up to which a difference counts as agreement
	Verdict       string         `json:"verdict"`
	Note          string         `json:"note,omitempty"`
}

func judgements(results []*reproduce.Result) []judgementJSON {
	all := []judgementJSON{}
	for _, r := range results {
		for _, j := range r.Judgements {
			out := judgementJSON{Item: r.Item.Name, Quantity: quantityOf(j), Numbers: len(j.Rows), Verdicts: map[string]int{},
				Reading: j.Reading().Name, Change: j.Reading().Change, Rows: []numberJSON{}}
			for _, row := range j.Rows {
				out.Verdicts[string(row.Verdict)]++
				out.Rows = append(out.Rows, numberJSON{row.Quantity, row.Published, terminal.Maybe(row.Computed), terminal.Maybe(row.StandardError), terminal.Maybe(row.Tolerance), string(row.Verdict), row.Note})
			}
			all = append(all, out)
		}
	}
	return all
}

// quantityOf names a quantity; one with a single number by that.
func quantityOf(j *reproduce.Judgement) string {
	if len(j.Rows) == 1 {
		return j.Rows[0].Quantity
	}
	return j.Name
}

// verdictLine has the columns of the table, 80 characters of a terminal.
const verdictLine = "  %s%7s %10s %10s  %s\n"

// quantityWidth is the width of the first column; a longer name has a line to itself.
const quantityWidth = 31

// writeVerdicts prints every quantity with its numbers, item by item, then how many numbers have each verdict.
func writeVerdicts(to io.Writer, results []*reproduce.Result) error {
	w := bufio.NewWriter(to)
	for _, r := range results {
		fmt.Fprintf(w, "%s  %s\n", r.Item.Name, r.Item.Title)
		if len(r.Judgements) > 0 {
			fmt.Fprintf(w, verdictLine, terminal.Padded("", quantityWidth), "numbers", "published", "computed", "verdict")
		}
		for _, j := range r.Judgements {
			writeJudgement(w, j)
		}
		fmt.Fprintln(w)
	}
	counts := reproduce.Count(results)
	for _, v := range reproduce.Verdicts() {
		fmt.Fprintf(w, "%5d  %-14s  %s\n", counts[v], v, meanings[v])
	}
	return w.Flush()
}

// writeJudgement prints a line for each verdict on a quantity.
func writeJudgement(w io.Writer, j *reproduce.Judgement) {
	name := quantityOf(j)
	if utf8.RuneCountInString(name) > quantityWidth {
		fmt.Fprintf(w, "  %s\n", name)
		name = ""
	}
	for _, v := range reproduce.Verdicts() {
		row, n := furthest(j.Rows, v)
		if n == 0 {
			continue
		}
		fmt.Fprintf(w, verdictLine, terminal.Padded(name, quantityWidth), fmt.Sprint(n), brief(row.Published), brief(row.Computed), v)
		name = ""
	}
	if change := j.Reading().Change; change != "" {
		indent := "    "
		for _, line := range terminal.Wrapped("change: "+change, terminal.Width-len("      ")) {
			fmt.Fprintf(w, "%s%s\n", indent, line)
			indent = "      "
		}
	}
}

// furthest returns the row of a verdict whose numbers are furthest apart, by what is tolerated where something is,
// and how many rows have the verdict.
func furthest(rows []reproduce.Row, v reproduce.Verdict) (found reproduce.Row, n int) {
	most := -1.0
	for _, row := range rows {
		if row.Verdict != v {
			continue
		}
		n++
		apart := math.Abs(row.Difference())
		if row.Tolerance > 0 {
			apart /= row.Tolerance
		}
		if !(apart <= most) {
			found, most = row, apart
		}
	}
	return found, n
}

// brief writes a number with the digits that people compare.
func brief(x float64) string { return fmt.Sprintf("%.5g", x) }
