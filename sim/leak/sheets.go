package leak

import (
	"slices"

	"veilpath/internal/table"
	"veilpath/planner/privacy"
)

// column is a column of a sheet.
type column = table.Column[table.Row]

// sheet returns a table without rows.
func sheet(name, title, text string, columns ...[]column) *table.Sheet {
	return &table.Sheet{Name: name, Title: title, Text: text, Columns: slices.Concat(columns...)}
}

// lead returns a column that identifies the row.
func lead(name, unit, heading, meaning string) []column {
	return []column{{Name: name, Unit: unit, Meaning: meaning, Heading: heading, Lead: true}}
}

// number returns a column of numbers. Without a heading it is in files only.
func number(name, unit, heading, format, meaning string) []column {
	return []column{{Name: name, Unit: unit, Meaning: meaning, Heading: heading, Format: format}}
}

// average returns the columns of a privacy.SampleMean: that of the mean, and a named one of its standard error.
func average(mean []column, errorName string) []column {
	c := mean[0]
	return append(mean, column{Name: errorName, Unit: c.Unit, Meaning: "its standard error", Heading: "+-",
		Format: c.Format, Beside: true})
}

// estimate returns the columns of a Mean: that of the mean, and those of its standard error and its interval.
func estimate(mean []column) []column {
	c := mean[0]
	all := average(mean, "standard_error")
	all[1].Meaning = "standard error of " + c.Name
	return append(all, column{Name: "ci_low", Unit: c.Unit, Meaning: "lower end of a 95 % interval of " + c.Name},
		column{Name: "ci_high", Unit: c.Unit, Meaning: "upper end of this interval"})
}

// interval95 is the half-width of an interval of some 95 %, in standard errors.
const interval95 = 1.96

// row returns a row with the cells of all columns of its values.
func row(values ...any) (cells table.Row) {
	for _, v := range values {
		switch v := v.(type) {
		case Mean:
			half := interval95 * v.StandardError
			cells = append(cells, v.Mean, v.StandardError, v.Mean-half, v.Mean+half)
		case privacy.SampleMean:
			cells = append(cells, v.Mean, v.StandardError)
		default:
			cells = append(cells, v)
		}
	}
	return cells
}

// Columns that several tables share.
var (
	ofWay      = lead("way", "", "way", "how the goal is hidden, apart from the epsilon")
	ofObserver = lead("observer", "", "observer", "observer of the goal")
	ofEpsilon  = []column{{Name: "epsilon", Unit: "1", Meaning: "strength of privacy; none for no noise",
		Heading: "epsilon", Lead: true, None: "none"}}
	ofFlown = lead("flown_km", "km", "flown km", "distance flown")
)

// left returns the columns of bits left. Their mean is infinite if the observer ruled out the goal of a flight.
func left(meaning string) []column {
	mean := bits("bits_left", "bits left", meaning)
	mean[0].None = "infinite"
	return estimate(mean)
}

// bits returns a column of bits.
func bits(name, heading, meaning string) []column {
	return number(name, "bit", heading, "%.2f", meaning)
}

// share returns a column of shares, shown in percent.
func share(name, heading, meaning string) []column {
	return number(name, "1", heading, "%.1p %%", meaning)
}

// policiesError returns the column of the part of a standard error that is due to the sample of private policies.
func policiesError(unit string) []column {
	return number("policies_standard_error", unit, "", "",
		"part of standard_error that is due to the sample of private policies that observers know")
}

// Sheets returns the tables of what observers learn about the goal: that of the strongest observer if there are
// several, and those of bits saved and costs if the ways have names.
func (r *Result) Sheets() []*table.Sheet {
	all := r.allSheets()
	if !slices.ContainsFunc(r.Study.Ways, func(w Way) bool { return w.Name != "" }) {
		all = all[:4]
		for _, s := range all { // the column of the ways is empty
			s.Columns = s.Columns[1:]
			for i := range s.Rows {
				s.Rows[i] = s.Rows[i][1:]
			}
		}
	}
	if len(r.Study.Observers) == 1 {
		all = slices.Delete(all, 1, 2)
	}
	return all
}

// Columns returns the data columns of all tables of a study, each once.
func Columns() []column {
	var all []column
	for _, s := range (&Result{Study: new(Study)}).allSheets() {
		for _, c := range s.Columns {
			if !c.Lead && !slices.ContainsFunc(all, func(other column) bool { return other.Heading == c.Heading }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// allSheets returns the tables of leakage, the strongest observer, information gain, recognition, bits saved and costs.
func (r *Result) allSheets() []*table.Sheet {
	leakage := sheet("leakage", "Left to learn", "Bits left are the mean of -log2 of the posterior probability of the "+
		"true goal. The decrease of this mean is a lower bound on how much the flight reveals about the goal.",
		ofWay, ofObserver, ofEpsilon, ofFlown,
		left("bits left to learn about the goal: the mean of -log2 of its posterior probability; infinite after a "+
			"flight whose goal the observer ruled out"),
		bits("bits_learned", "learned", "bits learned so far"),
		number("posterior_entropy_bits", "bit", "", "", "mean entropy of the posterior"),
		number("rank", "1", "rank", "%.1f", "mean rank of the goal in the posterior; 1 is the likeliest"),
		share("top1", "top 1", "share of flights whose goal is the likeliest"),
		share("top5", "top 5", "share of flights whose goal is among the five likeliest"),
		policiesError("bit"))
	for _, l := range r.Rows() {
		m := Mean{SampleMean: privacy.SampleMean{Mean: l.BitsLeft, StandardError: l.StandardError}}
		leakage.Rows = append(leakage.Rows, row(l.Way, l.Observer, l.Epsilon, l.FlownKm, m, r.PriorBits()-l.BitsLeft,
			l.Entropy, l.Rank, l.Top1, l.Top5, l.PoliciesError))
	}

	strongest := sheet("strongest", "The strongest observer", "The observer with the fewest bits left is chosen on the "+
		"flights with even numbers and measured on those with odd numbers, so the choice does not bias its bits.",
		ofWay, ofEpsilon, ofFlown,
		lead("strongest", "", "strongest", "observer with the fewest bits left on the flights with even numbers"),
		left("bits left on the flights with odd numbers"),
		bits("bits_learned", "learned", "bits learned on these flights"), policiesError("bit"))
	for _, s := range r.Strongest() {
		strongest.Rows = append(strongest.Rows, row(s.Way, s.Epsilon, s.FlownKm, s.Observer, s.BitsLeft,
			r.PriorBits()-s.BitsLeft.Mean, s.BitsLeft.PoliciesError))
	}

	learned := sheet("learned_from", "Information gain", "On the same flights, an observer with this source of "+
		"information has so many bits fewer left than one without it.",
		ofWay, ofEpsilon, ofFlown, lead("from", "", "learned from", "source of information"),
		estimate(bits("bits", "bits", "bits learned from this source")), policiesError("bit"))
	for _, g := range r.InformationGains() {
		learned.Rows = append(learned.Rows, row(g.Way, g.Epsilon, g.FlownKm, g.From, g.Bits, g.Bits.PoliciesError))
	}

	recognition := sheet("recognition", "Recognition", "Distance to the target from which at least half of the "+
		"posterior stays within a radius of it.",
		ofWay, ofObserver, ofEpsilon, lead("radius_km", "km", "within km", "of recognition"),
		estimate(number("distance_km", "km", "recognised at km", "%.1f", "mean distance to the target from which on half "+
			"of the posterior stays within the radius of it; 0 for flights where it never does")),
		share("never", "never", "share of flights whose target is never recognised"),
		average(number("in_a_row_km", "km", "in a row", "%.1f", "mean distance by the rule of steps in a row, which counts "+
			"coincidences"), "in_a_row_standard_error"),
		policiesError("km"))
	for _, c := range r.Recognitions() {
		recognition.Rows = append(recognition.Rows, row(c.Way, c.Observer, c.Epsilon, c.RadiusKm, c.Distance.SampleMean,
			c.Low, c.High, c.Never, c.InARow.SampleMean, c.Distance.PoliciesError))
	}

	saved := sheet("saved", "Bits saved", "How many bits fewer an observer learns than from the first way with the same "+
		"epsilon, on flights with the same noise.",
		ofWay, ofObserver, ofEpsilon, ofFlown,
		estimate(bits("bits", "bits saved", "how many bits fewer the observer learns")), policiesError("bit"))
	for _, s := range r.Savings() {
		saved.Rows = append(saved.Rows, row(s.Way, s.Observer, s.Epsilon, s.FlownKm, s.Bits, s.Bits.PoliciesError))
	}

	return []*table.Sheet{leakage, strongest, learned, recognition, saved, r.outcomes()}
}

// outcomes returns the table of costs.
func (r *Result) outcomes() *table.Sheet {
	s := sheet("outcomes", "Costs of hiding the goal", "Means over the flights: cost of privacy, the value lost at the "+
		"start relative to the optimal value, and detour, extra flight time over that of the planned flight, which has no "+
		"noise.",
		ofWay, ofEpsilon,
		average(share("cost_of_privacy", "cost", "mean cost of privacy: value lost at the start, relative to the optimal "+
			"value"), "cost_standard_error"),
		average(share("detour", "detour", "mean of flight time / flight time of the planned flight - 1, over the flights "+
			"that the time limit did not end"), "detour_standard_error"),
		share("fallback", "fall-back", "share of flights that fell back"),
		share("timed_out", "timed out", "share of flights that the time limit ended, which have no detour"),
		average(share("direct_overhead", "over direct", "mean of flight time / flight time of the direct flight - 1"),
			"direct_overhead_standard_error"))
	for _, o := range r.Outcomes() {
		s.Rows = append(s.Rows, row(o.Way, o.Epsilon, o.Cost, o.Detour, o.Fallback, o.TimedOut, o.Longer))
	}
	return s
}

// NewMechanismsSheet returns the table of ways that are named after their mechanisms, for one observer.
func NewMechanismsSheet(r *Result, flownKm float64) *table.Sheet {
	outcomes := r.outcomes()
	s := sheet("mechanisms", "Leakage and costs", outcomes.Text,
		lead("mechanism", "", "mechanism", ofWay[0].Meaning), ofEpsilon,
		average(bits("bits_learned", "bits", "bits learned by an observer who knows the mechanism"), "standard_error"),
		outcomes.Columns[2:])
	for _, l := range r.Rows() {
		if l.FlownKm == flownKm {
			learned := privacy.SampleMean{Mean: r.PriorBits() - l.BitsLeft, StandardError: l.StandardError}
			s.Rows = append(s.Rows, append(row(l.Way, l.Epsilon, learned), outcomes.Rows[len(s.Rows)][2:]...))
		}
	}
	return s
}

// NewReleasesSheet returns the table of several flights to one goal.
func NewReleasesSheet(rows []ReleasesRow) *table.Sheet {
	s := sheet("releases", "Several flights to one goal", "Bits left to learn before the hand-over of the last flight, "+
		"if every flight is planned from its own release or all from one, and the exact joint guarantee of the releases "+
		"for one entry.",
		ofObserver, ofEpsilon, lead("flights", "", "flights", "flights to one goal"),
		average(bits("bits_left", "bits left, new noise", "bits left to learn if every flight has its own release"),
			"standard_error"),
		average(bits("bits_left_reused", "bits left, reused", "bits left to learn if all flights reuse one release"),
			"reused_standard_error"),
		number("composed_mu", "1", "mu", "%.3f", "mu of all releases with new noise together, for one entry"),
		number("composed_epsilon", "1", "exact epsilon together", "%.3f", "their epsilon at the same delta, exact, which "+
			"may be below the given one for one flight"),
		policiesError("bit"))
	for _, r := range rows {
		s.Rows = append(s.Rows, row(r.Observer, r.Epsilon, r.Flights, r.Fresh.SampleMean, r.Reused.SampleMean, r.ComposedMu,
			r.ComposedEpsilon, r.Fresh.PoliciesError))
	}
	return s
}

// NewRewardsSheet returns the table of what observers find out about rewards.
func NewRewardsSheet(rows []RewardsRow) *table.Sheet {
	interval := func(c []column) []column {
		name, unit := c[0].Name, c[0].Unit
		return append(c, column{Name: name + "_low", Unit: unit, Meaning: "lower end of a 95 % interval of " + name},
			column{Name: name + "_high", Unit: unit, Meaning: "upper end of this interval"})
	}
	s := sheet("summary", "What is found out about the reward", "Rewards rebuilt from what is seen, compared with the "+
		"true reward: EPIC distance is 0 for the same reward up to shaping and scale and 0.707 for an unrelated one.",
		ofEpsilon, lead("seen", "", "what is seen", "what the observer sees"),
		interval(number("epic", "1", "EPIC distance", "%.3f", "mean EPIC distance from the true reward")),
		interval(number("pearson", "1", "Pearson", "%.3f", "mean correlation of the canonical rewards")),
		interval(share("value_lost", "value lost", "mean share of the value lost under the true reward by planning with "+
			"what was rebuilt")),
		interval(share("told_apart", "told apart", "probability of telling which of two rewards, which differ in one entry, "+
			"was planned with")),
		share("told_apart_most", "at most", "largest such probability that the mechanism promises"))
	for _, r := range rows {
		cells := row(r.Epsilon, r.Seen)
		for _, i := range []Interval{r.Distance, r.Pearson, r.Lost, r.Told} {
			cells = append(cells, i.Mean, i.Low, i.High)
		}
		s.Rows = append(s.Rows, append(cells, r.ToldMost))
	}
	return s
}
