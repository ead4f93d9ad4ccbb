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
	l.Add("verdict", r.Verdict(), "of all tests together")
	l.Add("why", r.Why(), "")
	l.Add("p_value", r.P(), "probability, at most, with which a mechanism that is as described looks as bad")
	l.Add("false_alarms", r.FalseAlarms, "probability, at most, of a verdict other than consistent on a mechanism that "+
		"is as described, and of broken on one that keeps (epsilon, delta)")
	l.Add("of", r.Of, "what is published")
	r.Claim.answer(&l)
	if r.Entry != nil {
		r.answerEntry(&l)
	}
	if r.Joint != nil {
		r.Joint.answer(&l)
	}
	for _, t := range r.Tests {
		of := "of the description"
		if t.Promise {
			of = "of the promise"
		}
		l.Add("p_"+t.Name, t.P, "p of the claim, "+of+": "+t.Claim)
	}
	return l
}

func (c Claim) answer(l *quantity.List) {
	l.Add("epsilon", c.Epsilon, "claimed")
	l.Add("delta", c.Delta, "claimed")
	l.Add("adjacency", c.Adjacency, "claimed: b, how far one reward may differ")
	if !c.gaussian() {
		return
	}
	attained, err := c.Attained()
	if err != nil {
		attained = math.NaN() // the claim has been judged, so it has one
	}
	l.Add("sigma", c.Sigma, "claimed: noise on every reward")
	l.Add("epsilon_attained", attained, "what that noise comes to at this delta, exactly")
	l.Add("mu_claimed", c.Mu(), "b in sigma: the promise of this noise")
}

func (r *Report) answerEntry(l *quantity.List) {
	e := r.Entry
	if r.EntryName != "" {
		l.Add("entry", r.EntryName, "that differs between the two tables: column, row, action")
	}
	samples := "releases of each of the two tables"
	if e.pooled {
		samples = "released entries as they are, and as many raised ones, over all releases of whole tables"
	}
	l.Add("samples", e.Samples, samples)
	l.Add("mu", e.Mu, "measured; what is computed from the reward can only have less")
	l.Add("mu_standard_error", e.MuStandardError, "its standard error")
	if r.Claim.gaussian() {
		l.Add("mu_detectable", r.detectable(), "mu that would have been found with probability 0.9")
	}
	sure := "with 95 % confidence"
	if e.pooled {
		sure += " where every entry has noise of its own"
	}
	l.Add("epsilon_low", e.EpsilonLow, "epsilon at this delta is at least this, "+sure)
	l.Add("epsilon_ceiling", e.EpsilonCeiling, "the most that so many samples can show")
	l.Add("mu_low", e.MuLow, "mu is at least this somewhere on the trade-off curve, "+sure)
	if e.apart != nil {
		l.Add("epsilon_apart_low", e.apart.EpsilonLow, "the same by one entry of each release, with 95 % confidence for any "+
			"mechanism")
		l.Add("epsilon_apart_ceiling", e.apart.EpsilonCeiling, "the most that these releases can show")
	}
	if len(e.Events) == 0 {
		return
	}
	best := slices.MaxFunc(e.Events, func(a, b Event) int { return cmp.Compare(a.MuLow, b.MuLow) })
	l.Add("events", e.EventsTried, "uses of other entries, of which the most revealing are chosen by half of the "+
		"releases and tested by the rest")
	l.Add("events_mu", best.Mu, "measured for the most revealing one")
	l.Add("events_mu_standard_error", best.MuStandardError, "its standard error")
	l.Add("events_mu_low", best.MuLow, "mu is at least this, with 95 % confidence for this event")
}

func (j *Joint) answer(l *quantity.List) {
	l.Add("tables", j.Releases, "releases of a whole table, a coin per entry")
	l.Add("entries", j.Entries, "coins of each release")
	l.Add("right", j.Right, "coins of the first release that it reveals")
	l.Add("mu_once", j.MuOnce, "mu by the first release")
	l.Add("mu_once_standard_error", j.MuOnceStandardError, "its standard error")
	l.Add("mu_all", j.MuAll, "mu by all releases")
	l.Add("mu_all_standard_error", j.MuAllStandardError, "its standard error")
	l.Add("overdispersion", j.Overdispersion,
		"variance of the coins guessed right by a release, over that of independent noise")
	l.Add("neighbour_correlation", j.Neighbours, "of the ranks of entries that follow each other; 0 for independent noise")
	l.Add("entry_correlation", j.Together, "mean squared correlation of the ranks of any two entries, over that of "+
		"independent noise")
	if j.Alike != 0 {
		l.Add("pair_correlation", j.Alike,
			fmt.Sprintf("largest between the ranks of two entries, %d and %d; of many entries "+
				"in few releases it is near 1 by chance, see p_pairs", j.Entry, j.OtherEntry))
	}
	l.Add("release_correlation", j.Again, fmt.Sprintf("largest between the ranks of two releases, %d and %d; of many "+
		"releases of few entries it is near 1 by chance, see p_releases", j.First, j.Second))
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

// Words says in sentences what the verdict is, what it rests on, and how large epsilon is at least.
func (r *Report) Words() string {
	text := fmt.Sprintf("The verdict on %s is %s: %s.", r.Of, r.Verdict(), r.Why())
	if r.Entry != nil {
		text += "\n" + r.Entry.words(r.Claim)
	}
	return text
}

// words says how large epsilon is at least, and what that rests on.
func (e *Entry) words(c Claim) string {
	text := fmt.Sprintf("psilon is at least %.3g at delta %g, with 95 %% confidence; %g is promised, and this number of "+
		"releases could show %.3g at most.", e.EpsilonLow, c.Delta, c.Epsilon, e.EpsilonCeiling)
	if !e.pooled {
		return "E" + text
	}
	text = "If every entry has noise of its own, e" + text
	if e.apart == nil {
		return text + fmt.Sprintf(" That is a claim about the description. The promise itself is tested once there are %d "+
			"releases of whole tables.", 3*LeastSamples)
	}
	return text + fmt.Sprintf(" Without that assumption epsilon is at least %.3g, by one entry of each release, and "+
		"could be shown to be %.3g at most.", e.apart.EpsilonLow, e.apart.EpsilonCeiling)
}
