package audit

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/internal/table"
)

// Answer returns the numbers of the audit, with their names and meanings.
func (r *Report) Answer() table.List {
	var l table.List
	l.Add("verdict", r.Verdict(), "result of all tests together")
	l.Add("why", r.Why(), "")
	l.Add("p_value", r.P(), "largest probability that a mechanism as described looks as bad")
	l.Add("false_alarms", r.FalseAlarms, "upper bound on the probability that a mechanism as described is not called "+
		"consistent, and that one that keeps (epsilon, delta) is called broken")
	l.Add("of", r.Of, "what is published")
	r.Claim.answer(&l)
	if low, _, found := r.bound(false); found {
		power := r.Power()
		l.Add("epsilon_at_least", low, "lower bound on epsilon at this delta, with 95 % confidence for any mechanism")
		l.Add("epsilon_ceiling", power.Ceiling, "largest lower bound that this number of releases can show")
		l.Add("releases_needed", power.Needed, "number of releases that shows that a mechanism without noise breaks the "+
			"promise")
	}
	if e := r.Entry(); e != nil {
		r.answerEntry(&l, e)
	}
	if r.Releases > 0 {
		l.Add("tables", r.Releases, "releases of a whole table, with one coin per entry")
		l.Add("entries", r.Entries, "entries of each release")
	}
	for _, t := range r.Tests {
		l.Add(t.Name, t.Statistic, t.Measure)
		l.Add("p_"+t.Name, t.P, "p-value of the claim, part of the "+t.of()+": "+t.Claim)
	}
	return l
}

func (c Claim) answer(l *table.List) {
	l.Add("epsilon", c.Epsilon, "claimed")
	l.Add("delta", c.Delta, "claimed")
	l.Add("adjacency", c.Adjacency, "claimed: b, the largest difference of one reward or of one row of probabilities, or "+
		"the distance of two goals in cells")
	if !c.gaussian() {
		return
	}
	attained, err := c.Attained()
	if err != nil {
		attained = math.NaN() // the claim has been judged, so it has one
	}
	l.Add("sigma", c.Sigma, "claimed: noise on every reward")
	l.Add("epsilon_attained", attained, "exact epsilon of this noise at this delta")
	l.Add("mu_claimed", c.Mu(), "b/sigma, the promise of this noise")
}

func (r *Report) answerEntry(l *table.List, e *Evidence) {
	if r.EntryName != "" {
		l.Add("entry", r.EntryName, "in which the two tables differ: column, row, action")
	}
	samples := "releases of each of the two tables"
	if e.Pooled {
		samples = "released unraised entries, and equally many raised ones"
	}
	l.Add("samples", e.Samples, samples)
	if !r.Claim.gaussian() {
		l.Add("mu", e.Mu, "measured; anything computed from the reward has at most the mu of the reward")
	}
	l.Add("mu_standard_error", e.MuStandardError, "standard error of mu")
}

// WriteTradeOff writes the measured trade-off of an entry beside the promised one, as CSV.
func (r *Report) WriteTradeOff(w io.Writer) error {
	rows := [][]string{{"false_positive", "false_negative", "false_negative_promised", "mu", "mu_standard_error"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, p := range r.Entry().Curve {
		promised := 1.0
		if p.FalsePositive > 0 {
			promised = 0
			if p.FalsePositive < 1 {
				promised = r.Claim.FalseNegative(p.FalsePositive)
			}
		}
		rows = append(rows, []string{number(p.FalsePositive), number(p.FalseNegative), number(promised), number(p.Mu),
			number(p.MuStandardError)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// Words states in two sentences the verdict with the strongest evidence, and the lower bound on epsilon or, if the
// releases are too few to decide, what they could show. It may name the option {samples}, see package option.
func (r *Report) Words() string {
	c := r.Claim
	text := ""
	switch r.Verdict() {
	case Broken:
		return fmt.Sprintf("The promise is broken: %s.", r.Why())
	case NotAsDescribed:
		text = fmt.Sprintf("The mechanism is not as described: %s.", r.Why())
	default:
		text = fmt.Sprintf("The releases are consistent with the promise: %s.", r.Why())
	}
	low, _, found := r.bound(false)
	if power := r.Power(); power.Releases > 0 && !power.Enough() {
		return text + " " + r.tooFew(power)
	}
	if !found {
		return text
	}
	if low == 0 {
		return text + fmt.Sprintf(" Epsilon is at least 0 at delta %g with 95 %% confidence, which shows nothing; %g is "+
			"promised.", c.Delta, c.Epsilon)
	}
	return text + fmt.Sprintf(" Epsilon is at least %s at delta %g with 95 %% confidence; %g is promised.",
		lowerBound(low, c.Epsilon), c.Delta, c.Epsilon)
}

// lowerBound writes a lower bound with three digits, or with as many as tell it from what is promised.
func lowerBound(low, promised float64) string {
	for digits := 3; ; digits++ {
		text := strconv.FormatFloat(low, 'g', digits, 64)
		if low == promised || text != strconv.FormatFloat(promised, 'g', digits, 64) {
			return text
		}
	}
}

// tooFew says what the releases could show at most, and how many would decide.
func (r *Report) tooFew(p Power) string {
	text := fmt.Sprintf("These %d releases cannot show more than epsilon %.2g; ", p.Releases, p.Ceiling)
	needed, unit := p.Needed, ""
	if e := r.Entry(); r.Repeatable {
		if unit = "{samples} "; e == nil || e.Pooled { // half of the entries of a release are raised
			needed = (needed*r.Entries + 1) / 2
		}
	}
	const most = 100_000_000 // more would take days
	if needed > most {
		return text + fmt.Sprintf("more than %d would decide.", most)
	}
	return text + fmt.Sprintf("%s%d would decide.", unit, needed)
}

// Notes returns at most two sentences without which the answer would be read wrongly.
func (r *Report) Notes() (notes []string) {
	sure, _, found := r.bound(false)
	if other, _, pooled := r.bound(true); pooled && (!found || other > sure) {
		notes = append(notes, fmt.Sprintf("If the noise of all entries is independent, epsilon is at least %.3g.", other))
	}
	if slices.ContainsFunc(r.Tests, func(t Test) bool { return t.beyond() && t.P >= r.share() }) {
		notes = append(notes, "\"by chance\" is beyond what is allowed, by no more than chance explains.")
	}
	return notes
}

// bound returns the largest lower bound on epsilon, with the largest that so many releases can show: of the evidence
// that holds for any mechanism, or of that which assumes independent noise in all entries.
func (r *Report) bound(pooled bool) (low, ceiling float64, found bool) {
	for _, e := range r.Evidence {
		if e.Pooled == pooled {
			low, ceiling, found = max(low, e.EpsilonLow), max(ceiling, e.EpsilonCeiling), true
		}
	}
	return low, ceiling, found
}

// mostClaims is the number of claims that everybody reads.
const mostClaims = 8

// Claims returns a table of the tests: those that failed first, and then by their p-values.
func (r *Report) Claims() table.Table[Test] {
	text := func(heading string, of func(*Test) string) table.Column[Test] {
		return table.Column[Test]{Name: heading, Heading: heading, Text: of}
	}
	measured := table.Column[Test]{Name: "measured", Heading: "measured", Format: "%.4g",
		Value: func(t *Test) float64 { return t.Statistic }}
	t := table.Table[Test]{Rows: slices.Clone(r.Tests), Columns: []table.Column[Test]{
		text("claim about", func(t *Test) string { return t.Measure }), measured, text("allowed", (*Test).allowed),
		text("p", func(t *Test) string { return strings.ReplaceAll(t.probability(), "below ", "<") }),
		text("result", r.result), text("part of", (*Test).of)}}
	t.Columns[0].Lead = true
	slices.SortStableFunc(t.Rows, func(a, b Test) int { return cmp.Compare(a.P, b.P) })
	t.Main = t.Rows[:min(len(t.Rows), mostClaims)]
	return t
}

// result says whether a claim holds, or what is measured is beyond it by no more than chance explains.
func (r *Report) result(t *Test) string {
	switch {
	case t.P < r.share():
		return "fails"
	case t.beyond():
		return "by chance"
	}
	return "holds"
}

// allowed is the value that the claim allows.
func (t *Test) allowed() string {
	switch {
	case t.AtLeast:
		return fmt.Sprintf(">=%.4g", t.Limit)
	case !t.Chance:
		return fmt.Sprintf("%.4g", t.Limit)
	case t.Limit == 0:
		return "chance"
	}
	return fmt.Sprintf("near %.4g", t.Limit)
}

// of says what the claim is part of.
func (t *Test) of() string {
	if t.Promise {
		return "promise"
	}
	return "description"
}
