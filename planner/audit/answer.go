package audit

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"veilpath/planner/quantity"
)

// The names of an audit's files, beside its figure: its numbers as JSON, and the measured trade-off.
const (
	NumbersName  = "audit.json"
	TradeOffName = "tradeoff.csv"
)

// Answer returns the numbers of the audit, with their names and meanings.
func (r *Report) Answer() quantity.List {
	var l quantity.List
	l.Add("verdict", r.Verdict(), "result of all tests together")
	l.Add("why", r.Why(), "")
	l.Add("p_value", r.P(), "largest probability that a mechanism as described looks as bad")
	l.Add("false_alarms", r.FalseAlarms, "upper bound on the probability that a mechanism as described is not called "+
		"consistent, and that one that keeps (epsilon, delta) is called broken")
	l.Add("of", r.Of, "what is published")
	r.Claim.answer(&l)
	if r.Entry != nil {
		r.answerEntry(&l)
	}
	if r.Joint != nil {
		r.Joint.answer(&l)
	}
	for _, t := range r.Tests {
		of := "part of the description"
		if t.Promise {
			of = "part of the promise"
		}
		l.Add("p_"+t.Name, t.P, "p-value of the claim, "+of+": "+t.Claim)
	}
	return l
}

func (c Claim) answer(l *quantity.List) {
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

func (r *Report) answerEntry(l *quantity.List) {
	e := r.Entry
	if r.EntryName != "" {
		l.Add("entry", r.EntryName, "in which the two tables differ: column, row, action")
	}
	samples := "releases of each of the two tables"
	if e.pooled {
		samples = "released unraised entries, and equally many raised ones, of all releases of whole tables"
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
	l.Add("epsilon_low", e.EpsilonLow, "lower bound on epsilon at this delta, "+sure)
	l.Add("epsilon_ceiling", e.EpsilonCeiling, "largest lower bound that this number of samples can show")
	l.Add("mu_low", e.MuLow, "lower bound on mu somewhere on the trade-off curve, "+sure)
	if e.apart != nil {
		l.Add("epsilon_apart_low", e.apart.EpsilonLow, "lower bound from one entry of each release, with 95 % confidence "+
			"for any mechanism")
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

func (j *Joint) answer(l *quantity.List) {
	l.Add("tables", j.Releases, "releases of a whole table, with one coin per entry")
	l.Add("entries", j.Entries, "coins of each release")
	l.Add("right", j.Right, "coins guessed right from the first release")
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

// Words states in sentences the verdict, its reason, and the lower bound on epsilon.
func (r *Report) Words() string {
	text := fmt.Sprintf("The verdict on %s is %s: %s.", r.Of, r.Verdict(), r.Why())
	if r.Entry != nil {
		text += "\n" + r.Entry.words(r.Claim)
		if r.Verdict() == Consistent && r.Entry.EpsilonLow > r.Claim.Epsilon {
			text += fmt.Sprintf(" A bound with 95 %% confidence is no verdict: that needs a false alarm rate of %g for all "+
				"tests together, and more releases to decide it.", r.FalseAlarms)
		}
	}
	return text
}

// words states the lower bound on epsilon, and what it rests on.
func (e *Entry) words(c Claim) string {
	text := fmt.Sprintf("psilon is at least %.3g at delta %g, with 95 %% confidence; the promise is %g, and this "+
		"number of releases could show at most %.3g.", e.EpsilonLow, c.Delta, c.Epsilon, e.EpsilonCeiling)
	if !e.pooled {
		return "E" + text
	}
	text = "If the noise of all entries is independent, e" + text
	if e.apart == nil {
		return text + fmt.Sprintf(" That is a claim about the description. A bound that rests on no description takes %d "+
			"releases of whole tables: more samples of a command make more, and in a file the column release says which "+
			"entries are of one release.", 3*LeastSamples)
	}
	return text + fmt.Sprintf(" Without that assumption epsilon is at least %.3g, from one entry of each release; "+
		"these releases could show at most %.3g.", e.apart.EpsilonLow, e.apart.EpsilonCeiling)
}
