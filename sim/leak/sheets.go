package leak

import (
	"fmt"
	"slices"

	"veilpath/internal/table"
	"veilpath/planner/privacy"
)

// Sheets are the tables of what observers learn about the goal.
type Sheets struct {
	Leakage, Learned, Recognition *table.Sheet
	Strongest                     *table.Sheet // nil if there is one observer
	Saved, Outcomes               *table.Sheet // nil if the ways have no names
}

// All returns the tables that are not nil.
func (s *Sheets) All() []*table.Sheet {
	return slices.DeleteFunc([]*table.Sheet{s.Leakage, s.Strongest, s.Learned, s.Recognition, s.Saved,
		s.Outcomes}, func(s *table.Sheet) bool { return s == nil })
}

// interval95 is the half-width of an interval of some 95 %, in standard errors.
const interval95 = 1.96

// column is a column of a sheet.
type column = table.Column[table.Row]

// Columns that several tables share.
var (
	wayColumn = column{Name: "way", Meaning: "how the goal is hidden, apart from the epsilon", Heading: "way",
		Lead: true}
	observerColumn = column{Name: "observer", Meaning: "observer of the goal", Heading: "observer", Lead: true}
	epsilonColumn  = column{Name: "epsilon", Unit: "1", Meaning: "strength of privacy; none for no noise",
		Heading: "epsilon", Lead: true, None: "none"}
	flownColumn = column{Name: "flown_km", Unit: "km", Meaning: "distance flown", Heading: "flown km", Lead: true}
)

// errorColumns are the columns after a named mean: its standard error and its interval.
func errorColumns(of, unit, format string) []column {
	return []column{
		{Name: "standard_error", Unit: unit, Meaning: "standard error of " + of, Heading: "+-", Format: format, Beside: true},
		{Name: "ci_low", Unit: unit, Meaning: "lower end of a 95 % interval of " + of},
		{Name: "ci_high", Unit: unit, Meaning: "upper end of this interval"},
	}
}

// errorCells returns the cells of errorColumns.
func errorCells(e Mean) []any {
	return []any{e.StandardError, e.Mean - interval95*e.StandardError, e.Mean + interval95*e.StandardError}
}

// policiesColumn is the part of a standard error that is due to the sample of private policies.
func policiesColumn(unit string) column {
	return column{Name: "policies_standard_error", Unit: unit,
		Meaning: "part of standard_error that is due to the sample of private policies that observers know"}
}

// NewSheets returns the tables of a study.
func NewSheets(r *Result) *Sheets {
	named := slices.ContainsFunc(r.Study.Ways, func(w Way) bool { return w.Name != "" })
	s := &Sheets{Leakage: leakageSheet(r), Learned: learnedSheet(r), Recognition: recognitionSheet(r)}
	if len(r.Study.Observers) != 1 {
		s.Strongest = strongestSheet(r)
	}
	if named {
		s.Saved, s.Outcomes = savedSheet(r), outcomeSheet(r)
		return s
	}
	for _, sheet := range s.All() { // the column is empty
		sheet.Columns = sheet.Columns[1:]
		for i := range sheet.Rows {
			sheet.Rows[i] = sheet.Rows[i][1:]
		}
	}
	return s
}

// Columns returns the data columns of all tables of a study, each once.
func Columns() []column {
	empty := &Result{Study: new(Study)}
	var all []column
	for _, s := range []*table.Sheet{leakageSheet(empty), strongestSheet(empty), learnedSheet(empty),
		recognitionSheet(empty), savedSheet(empty), outcomeSheet(empty)} {
		for _, c := range s.Columns {
			if !c.Lead && !slices.ContainsFunc(all, func(other column) bool { return other.Heading == c.Heading }) {
				all = append(all, c)
			}
		}
	}
	return all
}

func leakageSheet(r *Result) *table.Sheet {
	s := &table.Sheet{Name: "leakage", Title: "Left to learn",
		Text: "Bits left are the mean of -log2 of the posterior probability of the true goal. The decrease of " +
			"this mean is a lower bound on how much the flight reveals about the goal.",
		Columns: slices.Concat([]column{wayColumn, observerColumn, epsilonColumn, flownColumn,
			{Name: "bits_left", Unit: "bit", Meaning: "bits left to learn about the goal: the mean of -log2 of its " +
				"posterior probability; infinite after a flight whose goal the observer ruled out", Heading: "bits left",
				Format: "%.2f", None: infinitely}},
			errorColumns("bits_left", "bit", "%.2f"), []column{
				{Name: "bits_learned", Unit: "bit", Meaning: "bits learned so far", Heading: "learned", Format: "%.2f"},
				{Name: "posterior_entropy_bits", Unit: "bit", Meaning: "mean entropy of the posterior"},
				{Name: "rank", Unit: "1", Meaning: "mean rank of the goal in the posterior; 1 is the likeliest",
					Heading: "rank", Format: "%.1f"},
				{Name: "top1", Unit: "1", Meaning: "share of flights whose goal is the likeliest", Heading: "top 1",
					Format: "%.1p %%"},
				{Name: "top5", Unit: "1", Meaning: "share of flights whose goal is among the five likeliest",
					Heading: "top 5", Format: "%.1p %%"},
				policiesColumn("bit"),
			})}
	for _, row := range r.Rows() {
		left := Mean{SampleMean: privacy.SampleMean{Mean: row.BitsLeft, StandardError: row.StandardError}}
		s.Rows = append(s.Rows, slices.Concat([]any{row.Way, row.Observer, row.Epsilon, row.FlownKm, row.BitsLeft},
			errorCells(left),
			[]any{r.PriorBits() - row.BitsLeft, row.Entropy, row.Rank, row.Top1, row.Top5, row.PoliciesError}))
	}
	return s
}

// infinitely is the number of bits left to an observer who ruled out the goal of a flight.
const infinitely = "infinite"

func strongestSheet(r *Result) *table.Sheet {
	s := &table.Sheet{Name: "strongest", Title: "The strongest observer",
		Text: "The observer with the fewest bits left is chosen on the flights with even numbers and measured on " +
			"those with odd numbers, so the choice does not bias its bits.",
		Columns: slices.Concat([]column{wayColumn, epsilonColumn, flownColumn,
			{Name: "strongest", Meaning: "observer with the fewest bits left on the flights with even numbers",
				Heading: "strongest", Lead: true},
			{Name: "bits_left", Unit: "bit", Meaning: "bits left on the flights with odd numbers", Heading: "bits left",
				Format: "%.2f", None: infinitely}},
			errorColumns("bits_left", "bit", "%.2f"), []column{
				{Name: "bits_learned", Unit: "bit", Meaning: "bits learned on these flights", Heading: "learned",
					Format: "%.2f"},
				policiesColumn("bit")})}
	for _, b := range r.Strongest() {
		s.Rows = append(s.Rows, slices.Concat([]any{b.Way, b.Epsilon, b.FlownKm, b.Observer, b.BitsLeft.Mean},
			errorCells(b.BitsLeft), []any{r.PriorBits() - b.BitsLeft.Mean, b.BitsLeft.PoliciesError}))
	}
	return s
}

func learnedSheet(r *Result) *table.Sheet {
	s := &table.Sheet{Name: "learned_from", Title: "Information gain",
		Text: "On the same flights, an observer with this source of information has so many bits fewer left than " +
			"one without it.",
		Columns: slices.Concat([]column{wayColumn, epsilonColumn, flownColumn,
			{Name: "from", Meaning: "source of information", Heading: "learned from", Lead: true},
			{Name: "bits", Unit: "bit", Meaning: "bits learned from this source", Heading: "bits", Format: "%.2f"}},
			errorColumns("bits", "bit", "%.2f"), []column{policiesColumn("bit")})}
	for _, l := range r.InformationGains() {
		s.Rows = append(s.Rows, slices.Concat([]any{l.Way, l.Epsilon, l.FlownKm, l.From, l.Bits.Mean}, errorCells(l.Bits),
			[]any{l.Bits.PoliciesError}))
	}
	return s
}

func recognitionSheet(r *Result) *table.Sheet {
	s := &table.Sheet{Name: "recognition", Title: "Recognition",
		Text: "Distance to the target from which at least half of the posterior stays within a radius of it.",
		Columns: slices.Concat([]column{wayColumn, observerColumn, epsilonColumn,
			{Name: "radius_km", Unit: "km", Meaning: "of recognition", Heading: "within km", Lead: true},
			{Name: "distance_km", Unit: "km", Meaning: "mean distance to the target from which on half of the " +
				"posterior stays within the radius of it; 0 for flights where it never does", Heading: "recognised at km",
				Format: "%.1f"}},
			errorColumns("distance_km", "km", "%.1f"), []column{
				{Name: "never", Unit: "1", Meaning: "share of flights whose target is never recognised", Heading: "never",
					Format: "%.1p %%"},
				{Name: "in_a_row_km", Unit: "km", Meaning: "mean distance by the rule of steps in a row, which counts " +
					"coincidences",
					Heading: "in a row", Format: "%.1f"},
				{Name: "in_a_row_standard_error", Unit: "km", Meaning: "its standard error", Heading: "+-", Format: "%.1f",
					Beside: true},
				policiesColumn("km"),
			})}
	for _, c := range r.Recognitions() {
		s.Rows = append(s.Rows, slices.Concat([]any{c.Way, c.Observer, c.Epsilon, c.RadiusKm, c.Distance.Mean},
			[]any{c.Distance.StandardError, c.Low, c.High},
			[]any{c.Never, c.InARow.Mean, c.InARow.StandardError, c.Distance.PoliciesError}))
	}
	return s
}

func savedSheet(r *Result) *table.Sheet {
	s := &table.Sheet{Name: "saved", Title: "Bits saved",
		Text: "How many bits fewer an observer learns than from the first way with the same epsilon, on flights with " +
			"the same noise.",
		Columns: slices.Concat([]column{wayColumn, observerColumn, epsilonColumn, flownColumn,
			{Name: "bits", Unit: "bit", Meaning: "how many bits fewer the observer learns", Heading: "bits saved",
				Format: "%.2f"}},
			errorColumns("bits", "bit", "%.2f"), []column{policiesColumn("bit")})}
	for _, v := range r.Savings() {
		s.Rows = append(s.Rows, slices.Concat([]any{v.Way, v.Observer, v.Epsilon, v.FlownKm, v.Bits.Mean}, errorCells(v.Bits),
			[]any{v.Bits.PoliciesError}))
	}
	return s
}

func outcomeSheet(r *Result) *table.Sheet {
	s := &table.Sheet{Name: "outcomes", Title: "Costs of hiding the goal",
		Text: "Means over the flights: cost of privacy, the value lost at the start relative to the optimal value, and " +
			"detour, extra flight time over that of the planned flight, which has no noise.",
		Columns: []column{wayColumn, epsilonColumn,
			{Name: "cost_of_privacy", Unit: "1", Meaning: "mean cost of privacy: value lost at the start, relative " +
				"to the optimal value", Heading: "cost", Format: "%.1p %%"},
			{Name: "cost_standard_error", Unit: "1", Meaning: "its standard error", Heading: "+-", Format: "%.1p %%",
				Beside: true},
			{Name: "detour", Unit: "1", Meaning: "mean of flight time / flight time of the planned flight - 1, over the " +
				"flights that the time limit did not end", Heading: "detour", Format: "%.1p %%", Open: true},
			{Name: "detour_standard_error", Unit: "1", Meaning: "its standard error", Heading: "+-", Format: "%.1p %%",
				Beside: true, Open: true},
			{Name: "fallback", Unit: "1", Meaning: "share of flights that fell back", Heading: "fall-back",
				Format: "%.1p %%"},
			{Name: "timed_out", Unit: "1", Meaning: "share of flights that the time limit ended, which have no detour",
				Heading: "timed out", Format: "%.1p %%"},
			{Name: "direct_overhead", Unit: "1", Meaning: "mean of flight time / flight time of the direct flight - 1",
				Heading: "over direct", Format: "%.1p %%", Open: true},
			{Name: "direct_overhead_standard_error", Unit: "1", Meaning: "its standard error", Heading: "+-", Format: "%.1p %%",
				Beside: true, Open: true},
		}}
	for _, o := range r.Outcomes() {
		s.Rows = append(s.Rows, []any{o.Way, o.Epsilon, o.Cost.Mean, o.Cost.StandardError, o.Detour.Mean,
			o.Detour.StandardError, o.Fallback, o.TimedOut, o.Longer.Mean, o.Longer.StandardError})
	}
	return s
}

// NewMechanismsSheet returns the table of ways that are named after their mechanisms, for one observer.
func NewMechanismsSheet(r *Result, flownKm float64) *table.Sheet {
	outcomes := outcomeSheet(r)
	mechanism := wayColumn
	mechanism.Name, mechanism.Heading = "mechanism", "mechanism"
	s := &table.Sheet{Name: "mechanisms", Title: "Leakage and costs", Text: outcomes.Text,
		Columns: slices.Concat([]column{mechanism, epsilonColumn,
			{Name: "bits_learned", Unit: "bit", Meaning: "bits learned by an observer who knows the mechanism",
				Heading: "bits",
				Format:  "%.2f"},
			{Name: "standard_error", Unit: "bit", Meaning: "its standard error", Heading: "+-", Format: "%.2f", Beside: true}},
			outcomes.Columns[2:])}
	next := 0
	for _, row := range r.Rows() {
		if row.FlownKm == flownKm {
			s.Rows = append(s.Rows, slices.Concat([]any{row.Way, row.Epsilon, r.PriorBits() - row.BitsLeft, row.StandardError},
				outcomes.Rows[next][2:]))
			next++
		}
	}
	return s
}

// NewReleasesSheet returns the table of several flights to one goal.
func NewReleasesSheet(rows []ReleasesRow) *table.Sheet {
	s := &table.Sheet{Name: "releases", Title: "Several flights to one goal",
		Text: "Bits left to learn before the hand-over of the last flight, if every flight is planned from its " +
			"own release or all from one, and the exact joint guarantee of the releases for one entry.",
		Columns: []column{observerColumn, epsilonColumn,
			{Name: "flights", Meaning: "flights to one goal", Heading: "flights", Lead: true},
			{Name: "bits_left", Unit: "bit", Meaning: "bits left to learn if every flight has its own release",
				Heading: "bits left, new noise", Format: "%.2f"},
			{Name: "standard_error", Unit: "bit", Meaning: "its standard error", Heading: "+-", Format: "%.2f", Beside: true},
			{Name: "bits_left_reused", Unit: "bit", Meaning: "bits left to learn if all flights reuse one release",
				Heading: "bits left, reused",
				Format:  "%.2f"},
			{Name: "reused_standard_error", Unit: "bit", Meaning: "its standard error", Heading: "+-", Format: "%.2f",
				Beside: true},
			{Name: "composed_mu", Unit: "1", Meaning: "mu of all releases with new noise together, for one entry",
				Heading: "mu",
				Format:  "%.3f"},
			{Name: "composed_epsilon", Unit: "1", Meaning: "their epsilon at the same delta, exact, which may be " +
				"below the given one for one flight",
				Heading: "exact epsilon together",
				Format:  "%.3f"},
			policiesColumn("bit"),
		}}
	for _, r := range rows {
		s.Rows = append(s.Rows, []any{r.Observer, r.Epsilon, r.Flights, r.Fresh.Mean, r.Fresh.StandardError, r.Reused.Mean,
			r.Reused.StandardError, r.ComposedMu, r.ComposedEpsilon, r.Fresh.PoliciesError})
	}
	return s
}

// NewPairsSheet returns the table of how well noise hides which of two goals is true, at a delta.
func NewPairsSheet(pairs []Pair, delta float64) *table.Sheet {
	s := &table.Sheet{Name: "two_goals", Title: "Between two goals",
		Text: "The rewards of two goals differ in most entries, so a guarantee for one entry says little about them. " +
			"All values are exact except the shares of releases that name their goal.",
		Columns: []column{epsilonColumn,
			{Name: "sigma", Unit: "reward", Meaning: "standard deviation of the noise", Heading: "sigma", Format: "%.3f",
				Lead: true},
			{Name: "entries", Meaning: "number of entries in which the two rewards differ", Heading: "entries"},
			{Name: "distance_b", Unit: "1", Meaning: "L2 distance of the two rewards in adjacencies b", Heading: "distance b",
				Format: "%.2f"},
			{Name: "mu", Unit: "1", Meaning: "L2 distance of the two rewards in sigma: the mu between the two",
				Heading: "mu", Format: "%.2f"},
			{Name: "epsilon_between", Unit: "1", Meaning: "epsilon between the two at the same delta",
				Heading: fmt.Sprintf("epsilon between, delta %g", delta), Format: "%.2f"},
			{Name: "told", Unit: "1", Meaning: "probability that the best test identifies which of the two goals is true",
				Heading: "distinguished", Format: "%.2p %%"},
			{Name: "named_one", Unit: "1", Meaning: "share of releases that name the first goal among all candidates",
				Heading: "first named", Format: "%.1p %%"},
			{Name: "named_one_low", Unit: "1", Meaning: "exact lower bound of its probability"},
			{Name: "named_one_high", Unit: "1", Meaning: "exact upper bound"},
			{Name: "named_other", Unit: "1", Meaning: "share of releases that name the second goal among all candidates",
				Heading: "second named",
				Format:  "%.1p %%"},
			{Name: "named_other_low", Unit: "1", Meaning: "exact lower bound of its probability"},
			{Name: "named_other_high", Unit: "1", Meaning: "exact upper bound"},
		}}
	for _, p := range pairs {
		s.Rows = append(s.Rows, []any{p.Epsilon, p.Sigma, p.Group.Entries, p.Group.Distance / p.AdjacencyB, p.Group.Mu,
			p.Group.Epsilon, p.Group.Distinguished,
			p.NamedOne.Probability.Mean, p.NamedOne.Low, p.NamedOne.High, p.NamedOther.Probability.Mean, p.NamedOther.Low,
			p.NamedOther.High})
	}
	return s
}
