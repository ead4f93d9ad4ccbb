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

// The names of an audit's files, beside its figure: its numbers as JSON, and the measured trade-off.
const (
	NumbersName  = "audit.json"
	TradeOffName = "tradeoff.csv"
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
	if sure, is := r.sureBound(); is {
		l.Add("epsilon_at_least", sure.epsilon, "lower bound on epsilon at this delta, with 95 % confidence for any "+
			"mechanism: the largest of those that do not need independent noise")
	}
	if r.Entry != nil {
		r.answerEntry(&l)
	}
	if r.Joint != nil {
		r.Joint.answer(&l)
	}
	for _, t := range r.Tests {
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

func (r *Report) answerEntry(l *table.List) {
	e := r.Entry
	if r.EntryName != "" {
		l.Add("entry", r.EntryName, "in which the two tables differ: column, row, action")
	}
	samples := "releases of each of the two tables"
	if e.pooled {
		samples = "released unraised entries, and equally many raised ones, of all releases of whole tables; coins decide " +
			"which are raised, so that a few entries of one kind have no counterpart"
	}
	l.Add("samples", e.Samples, samples)
	l.Add("mu", e.Mu, "measured; anything computed from the reward has at most the mu of the reward")
	l.Add("mu_standard_error", e.MuStandardError, "its standard error")
	if r.Claim.gaussian() {
		l.Add("mu_detectable", r.detectable(), "smallest mu that this audit detects with probability 0.9")
	}
	sure := "with 95 % confidence"
	if e.pooled {
		sure += " if the noise of all entries is independent"
	}
	ofEpsilon := sure
	if !e.pooled {
		ofEpsilon += r.together()
	}
	l.Add("epsilon_low", e.EpsilonLow, "lower bound on epsilon at this delta, "+ofEpsilon)
	l.Add("epsilon_ceiling", e.EpsilonCeiling, "largest lower bound that this number of samples can show")
	l.Add("mu_low", e.MuLow, "lower bound on mu somewhere on the trade-off curve, "+sure)
	if e.apart != nil {
		l.Add("epsilon_apart_low", e.apart.EpsilonLow, "lower bound from one entry of each release, for any mechanism, "+
			"with 95 % confidence"+r.together())
		l.Add("epsilon_apart_ceiling", e.apart.EpsilonCeiling, "largest lower bound that these releases can show")
	}
	if len(e.Events) == 0 {
		return
	}
	best := slices.MaxFunc(e.Events, func(a, b Event) int { return cmp.Compare(a.MuLow, b.MuLow) })
	l.Add("events", e.EventsTried, "uses of other entries; half of the releases choose the most revealing ones, "+
		"and the rest test them")
	l.Add("events_mu", best.Mu, "measured for the most revealing use")
	l.Add("events_mu_standard_error", best.MuStandardError, "its standard error")
	l.Add("events_mu_low", best.MuLow, "lower bound on mu, with 95 % confidence for this event")
}

// together says that a bound holds together with that from whole tables, if there is one.
func (r *Report) together() string {
	if r.Joint == nil {
		return ""
	}
	return ", together with epsilon_guesses_low"
}

func (j *Joint) answer(l *table.List) {
	l.Add("tables", j.Releases, "releases of a whole table, with one coin per entry")
	l.Add("entries", j.Entries, "coins of each release")
	l.Add("right", j.Right, "coins guessed right from the first release")
	l.Add("epsilon_guesses_low", j.EpsilonLow, "lower bound on epsilon at this delta from guesses of the coin of one "+
		"entry, for any mechanism; with 95 % confidence together with the bound that does not use whole tables, if any")
	l.Add("mu_once", j.MuOnce, "mu measured with the first release")
	l.Add("mu_once_standard_error", j.MuOnceStandardError, "its standard error")
	l.Add("mu_all", j.MuAll, "mu measured with all releases")
	l.Add("mu_all_standard_error", j.MuAllStandardError, "its standard error")
	l.Add("overdispersion", j.Overdispersion,
		"variance of the right guesses per release, over the variance for independent noise")
	l.Add("neighbour_correlation", j.Neighbours, "mean rank correlation of consecutive entries; 0 for "+
		"independent noise")
	l.Add("entry_correlation", j.Together, "mean squared rank correlation of any two entries, over the value for "+
		"independent noise")
	if j.Alike != 0 {
		l.Add("pair_correlation", j.Alike,
			fmt.Sprintf("largest rank correlation of two entries, %d and %d; with many entries "+
				"and few releases it is near 1 by chance, see p_pairs", j.Entry, j.OtherEntry))
	}
	l.Add("release_correlation", j.Again, fmt.Sprintf("largest rank correlation of two releases, %d and %d; "+
		"with many releases and few entries it is near 1 by chance, see p_releases", j.First, j.Second))
}

// WriteTradeOff writes the measured trade-off of an entry beside the promised one, as CSV.
func (r *Report) WriteTradeOff(w io.Writer) error {
	rows := [][]string{{"false_positive", "false_negative", "false_negative_promised", "mu", "mu_standard_error"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, p := range r.Entry.Curve {
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

// Words states in sentences the verdict with the strongest evidence, and lower bounds on epsilon: the one that holds
// for any mechanism, and a larger one for independent noise.
func (r *Report) Words() string {
	text := fmt.Sprintf("The verdict on %s is %s: %s.\n", r.Of, r.Verdict(), r.Why())
	const independent = "f the noise of all entries is independent, "
	sure, isSure := r.sureBound()
	other, isOther := r.boundIfIndependent()
	largest := sure.epsilon
	if isSure {
		text += "Epsilon is at least " + r.atDelta(sure)
	}
	if isOther && (!isSure || other.epsilon > sure.epsilon) {
		largest = other.epsilon
		if isSure {
			text += fmt.Sprintf(" I%sat least %.3g.", independent, other.epsilon)
		} else {
			text += "I" + independent + "epsilon is at least " + r.atDelta(other)
		}
	}
	switch {
	case largest <= r.Claim.Epsilon || r.Verdict() == Broken:
	case isSure && sure.epsilon > r.Claim.Epsilon:
		text += fmt.Sprintf(" A bound with 95 %% confidence is no verdict. A verdict has a false alarm rate of %g for "+
			"all tests together; more releases can reach it.", r.FalseAlarms)
	default:
		text += " That bound assumes independent noise, so it does not decide whether the promise holds."
	}
	return text
}

// atDelta writes a lower bound with its confidence, its evidence, and what is promised.
func (r *Report) atDelta(b lowerBound) string {
	text := fmt.Sprintf("%.3g at delta %g with 95 %% confidence%s; %g is promised", b.epsilon, r.Claim.Delta, b.from,
		r.Claim.Epsilon)
	if r.Verdict() == Consistent {
		text += fmt.Sprintf(", and these releases could show at most %.3g", b.ceiling)
	}
	return text + "."
}

// lowerBound is a lower bound on epsilon with 95 % confidence.
type lowerBound struct {
	epsilon, ceiling float64 // the ceiling is the largest that so many releases can show
	from             string  // evidence it comes from; empty for an entry that two tables differ in
}

// sureBound returns the largest lower bound on epsilon that holds for any mechanism, and whether there is one. It holds
// with 95 % confidence, since those that it is the largest of share the 5 %, see Judge.
func (r *Report) sureBound() (best lowerBound, found bool) {
	ceiling := 0.0
	add := func(epsilon, most float64, from string) {
		if ceiling = max(ceiling, most); !found || epsilon > best.epsilon {
			best, found = lowerBound{epsilon: epsilon, from: from}, true
		}
	}
	if e := r.Entry.sure(); e != nil {
		from := ""
		if e != r.Entry {
			from = ", from one entry of each release"
		}
		add(e.EpsilonLow, e.EpsilonCeiling, from)
	}
	if j := r.Joint; j != nil {
		add(j.EpsilonLow, j.ceiling(r.Claim), ", from guesses of one entry in whole tables")
	}
	best.ceiling = ceiling
	return best, found
}

// boundIfIndependent returns the lower bound that holds if the noise of all entries is independent, and whether there
// is one, because entries are pooled.
func (r *Report) boundIfIndependent() (bound lowerBound, found bool) {
	if r.Entry == nil || !r.Entry.pooled {
		return lowerBound{}, false
	}
	return lowerBound{epsilon: r.Entry.EpsilonLow, ceiling: r.Entry.EpsilonCeiling}, true
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
		text("p", func(t *Test) string {
			return strings.NewReplacer("below ", "<", "at most ", "<=").Replace(t.probability())
		}),
		text("result", func(t *Test) string {
			if t.P < r.share() {
				return "fails"
			}
			return "holds"
		}), text("part of", (*Test).of)}}
	t.Columns[0].Lead = true
	slices.SortStableFunc(t.Rows, func(a, b Test) int { return cmp.Compare(a.P, b.P) })
	t.Main = t.Rows[:min(len(t.Rows), mostClaims)]
	return t
}

// allowed is the value that the claim allows.
func (t *Test) allowed() string {
	switch {
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
