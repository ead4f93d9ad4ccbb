package campaign

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// knowledge says in at most three words what an observer of the goal knows.
var knowledge = map[string]string{
	"geometry":        "where waypoints end",
	"cost_difference": "costs of paths",
	"moves":           "the grid's moves",
	"rational":        "the true rewards",
	"mechanism":       "the policy",
	"progress":        "policy and progress",
	"learned":         "earlier flights",
	"heading":         "how flights start",
}

// watcher names an observer by what it knows, after an article such as "an observer".
func watcher(article, name string) string {
	if what, builtin := knowledge[name]; builtin {
		return fmt.Sprintf("%s who knows %s (%q)", article, what, name)
	}
	return fmt.Sprintf("the observer %q", name)
}

// ends returns a mean and the ends of its 95 % interval.
func ends(bits privacy.SampleMean) (mean, low, high float64) {
	const deviations = 1.96
	return bits.Mean, bits.Mean - deviations*bits.StandardError, bits.Mean + deviations*bits.StandardError
}

// bitsText writes a mean of bits and its interval, as 4.27 (3.98 .. 4.56).
func bitsText(bits privacy.SampleMean) string {
	mean, low, high := ends(bits)
	if math.IsInf(mean, 0) {
		return "no finite mean"
	}
	text := phrase.Number(mean, low, high)
	if between := phrase.Interval(low, high); between != "-" {
		text += " (" + between + ")"
	}
	return text
}

// exactText writes a number that has no interval.
func exactText(x float64) string { return phrase.Number(x, math.NaN(), math.NaN()) }

// atEpsilon writes at which epsilon something holds.
func atEpsilon(epsilon float64) string {
	if epsilon == leak.Unprivate {
		return "without noise"
	}
	return "at epsilon " + configs.EpsilonText(epsilon)
}

// precision returns the number of decimals that the widest interval of some means supports, and a note on them: how
// many flights, or other things, they are means of, and the half-width of that interval.
func precision(means []privacy.SampleMean, n int, of, goals string) (decimals int, note string) {
	decimals, widest := math.MaxInt, 0.0
	for _, m := range means {
		if mean, low, high := ends(m); !math.IsInf(mean, 0) {
			decimals, widest = min(decimals, phrase.Decimals(mean, low, high)), max(widest, high-mean)
		}
	}
	const fewest = 100 // see the error rates in the documentation of package leak
	if n < fewest {
		return decimals, fmt.Sprintf("Of intervals from only %d %s less than 95 %% hold the truth; use at least %d.", n, of,
			fewest)
	}
	return decimals, fmt.Sprintf("%d %s %s; bits are known to +-%s.", n, of, goals, phrase.Fixed(widest, decimals))
}

// leakFinding is what the sentences of a study of leakage say, at one distance flown.
type leakFinding struct {
	FlownKm, PriorBits float64
	Epsilons           []float64
	Strongest          string               // observer with the most bits
	Bits               []privacy.SampleMean // that it has learned, by epsilon

	// Knower is an observer who knows the mechanism, empty for none, with its bits At an epsilon, and those of them that
	// come FromReward, NaN if unknown. RewardsHidden says that there is noise on rewards.
	Knower                 string
	At                     float64
	KnowerBits, FromReward privacy.SampleMean
	RewardsHidden          bool
}

// sentences returns the finding in words.
func (f *leakFinding) sentences() []string {
	const knows = 0.9 // share of the bits with which an observer knows the goal
	whole, after := exactText(f.PriorBits)+" bits", fmt.Sprintf("after %g km", f.FlownKm)
	least, most := math.Inf(1), math.Inf(-1) // bits of the strongest
	for _, bits := range f.Bits {
		least, most = min(least, bits.Mean), max(most, bits.Mean)
	}
	last := len(f.Bits) - 1
	text := figure.Sentence(watcher("an observer", f.Strongest))
	first, where := bitsText(f.Bits[0])+" of "+whole, after+" "+atEpsilon(f.Epsilons[0])
	switch {
	case !(least >= knows*f.PriorBits):
		text += " has " + first + " " + where
		if last > 0 {
			text += " and " + bitsText(f.Bits[last]) + " " + atEpsilon(f.Epsilons[last])
		}
	case last == 0:
		text += " knows the goal " + where + ": " + first
	default:
		decimals, _ := precision(f.Bits, 0, "", "")
		decimals = min(decimals, phrase.Decimals(f.PriorBits, math.NaN(), math.NaN())) // as in the bits that it is part of
		between := phrase.Fixed(least, decimals)
		if high := phrase.Fixed(most, decimals); high != between {
			between += " to " + high
		}
		text += fmt.Sprintf(" knows the goal %s, at every epsilon: %s of %s", after, between, whole)
	}
	sentences := []string{text + "."}

	reward := ""
	switch _, low, high := ends(f.FromReward); {
	case math.IsNaN(low):
	case low > 0 || high < 0:
		reward = bitsText(f.FromReward) + " of them come from the reward"
	default:
		reward = "none of them is shown to come from the reward (" + phrase.Interval(low, high) + ")"
	}
	if reward != "" && f.RewardsHidden {
		reward += ", which is what privacy protects"
	}
	second := figure.Sentence(atEpsilon(f.At)) + ", "
	if f.Knower != f.Strongest {
		second = figure.Sentence(watcher("one", f.Knower)) + " has " + bitsText(f.KnowerBits) + " bits " + atEpsilon(f.At)
		if reward != "" {
			second += "; "
		}
	}
	if f.Knower != "" && !math.IsInf(f.KnowerBits.Mean, -1) && (f.Knower != f.Strongest || reward != "") {
		sentences = append(sentences, second+reward+".")
	}
	return sentences
}

// cell is a row of the leakage of a study.
type cell struct {
	way, observer string
	epsilon, km   float64
}

// cells returns the bits learned, -Inf for an observer who ruled out the goal of a flight, and the shares of flights
// whose goal is the likeliest. strongest is the observer of every other cell that leak.Strongest chooses.
func cells(r *leak.Result) (bits map[cell]privacy.SampleMean, right map[cell]float64, strongest map[cell]string) {
	bits, right, strongest = map[cell]privacy.SampleMean{}, map[cell]float64{}, map[cell]string{}
	for _, row := range r.Rows() {
		at := cell{row.Way, row.Observer, row.Epsilon, row.FlownKm}
		bits[at] = privacy.SampleMean{Mean: r.PriorBits() - row.BitsLeft, StandardError: row.StandardError}
		right[at] = row.Top1
	}
	for _, s := range r.Strongest() {
		strongest[cell{way: s.Way, epsilon: s.Epsilon, km: s.FlownKm}] = s.Observer
	}
	return bits, right, strongest
}

// leakScreen returns the answer of a study of leakage at some distances flown: a row for every observer, those with
// the most bits first. It has a column of bits for each of several distances, or else for each epsilon.
func leakScreen(r *leak.Result, atKm []float64) *found {
	const most = 3 // columns of bits
	epsilons := figure.Epsilons(r)
	shown := table.Spread(len(epsilons), most)
	at := cell{epsilon: epsilons[shown[(len(shown)-1)/2]], km: atKm[len(atKm)-1]}
	learned, right, strongest := cells(r)
	bits := func(observer string, at cell) privacy.SampleMean {
		at.observer = observer
		return learned[at]
	}

	f := &leakFinding{FlownKm: at.km, PriorBits: r.PriorBits(), Epsilons: epsilons, At: at.epsilon,
		Strongest: strongest[at], FromReward: privacy.SampleMean{StandardError: math.NaN()}}
	for _, epsilon := range epsilons {
		f.Bits = append(f.Bits, bits(f.Strongest, cell{epsilon: epsilon, km: at.km}))
	}
	if i := slices.IndexFunc(r.Study.Observers, func(m adversary.GoalModel) bool { return m.Private }); i >= 0 {
		f.Knower = r.Study.Observers[i].Name
		f.KnowerBits = bits(f.Knower, at)
	}
	for _, gain := range r.InformationGains() {
		if gain.From == leak.Reward && gain.Epsilon == at.epsilon && gain.FlownKm == at.km {
			f.FromReward = gain.Bits.SampleMean
		}
	}
	for i, way := range r.Study.Ways {
		f.RewardsHidden = f.RewardsHidden || way.Epsilon == at.epsilon && r.Sigmas[i] > 0
	}

	var columns []cell
	var headings []string
	if len(atKm) > 1 {
		for _, i := range table.Spread(len(atKm), most) {
			columns = append(columns, cell{epsilon: at.epsilon, km: atKm[i]})
			headings = append(headings, fmt.Sprintf("at %g km", atKm[i]))
		}
	} else {
		for _, i := range shown {
			columns = append(columns, cell{epsilon: epsilons[i], km: at.km})
			headings = append(headings, "at "+configs.EpsilonText(epsilons[i]))
		}
	}
	headings[0] = "bits " + headings[0]
	observers := slices.SortedStableFunc(slices.Values(r.Study.Observers), func(a, b adversary.GoalModel) int {
		return cmp.Compare(bits(b.Name, at).Mean, bits(a.Name, at).Mean)
	})
	var all []privacy.SampleMean // in the table
	for _, m := range observers {
		for _, c := range columns {
			all = append(all, bits(m.Name, c))
		}
	}
	goals := fmt.Sprintf("to %d goals", len(r.Study.World().Goals))
	if r.Study.OwnGoal {
		goals = "to the mission's goal"
	}
	decimals, note := precision(all, r.Study.Flights, "flights per epsilon"+r.Study.Ways[0].AtDelta(), goals)
	notes := []string{note}
	if slices.ContainsFunc(all, func(m privacy.SampleMean) bool { return math.IsInf(m.Mean, -1) }) {
		notes = append(notes, `"-": the observer ruled out the goal of a flight: no mean of its bits is finite.`)
	}
	var rows [][]string
	for i, m := range observers {
		row := []string{m.Name, cmp.Or(knowledge[m.Name], "the command's own")}
		for _, mean := range all[i*len(columns) : (i+1)*len(columns)] {
			row = append(row, phrase.Fixed(mean.Mean, decimals))
		}
		at.observer = m.Name
		rows = append(rows, append(row, phrase.Percent(right[at])))
	}
	return printedWays(f.sentences(), notes, 1, slices.Concat([]string{"observer", "what it knows"}, headings,
		[]string{"guess right at " + configs.EpsilonText(at.epsilon)}), rows)
}

// printedWays returns an answer as people read it: sentences, and a table of which lead columns identify a row.
func printedWays(words, notes []string, lead int, headings []string, rows [][]string) *found {
	return &found{Answer: answer.Answer{Words: words, Notes: notes, Next: answer.Next{Command: []string{"leak"}},
		Table: table.Plain{Headings: headings, Rows: rows, Lead: lead}}}
}

// hiding is a way of hiding the goal at an epsilon, what the observer who learns most has learned, and what it costs.
type hiding struct {
	leak.Outcome
	Name     string // of the way, with its epsilon and delta if it depends on them
	Observer string
	Bits     privacy.SampleMean
	Kind     kind
}

// kind says of what use a way is.
type kind int

const (
	practical   kind = iota
	impractical      // see phrase.Practical
	unmeasured       // all observers ruled out the goal of a flight
)

// hidings returns the ways of a study at a distance flown, by kind and bits.
func hidings(r *leak.Result, flownKm float64) []hiding {
	bits, _, strongest := cells(r)
	var all []hiding
	for i, o := range r.Outcomes() {
		at := cell{way: o.Way, epsilon: o.Epsilon, km: flownKm}
		at.observer = strongest[at]
		h := hiding{Outcome: o, Name: o.Way, Observer: at.observer, Bits: bits[at]}
		if _, found := deception.Find(o.Way); !found {
			h.Name += " " + atEpsilon(o.Epsilon) + r.Study.Ways[i].AtDelta()
		}
		switch {
		case math.IsInf(h.Bits.Mean, 0):
			h.Kind = unmeasured
		case !phrase.Practical(o.Fallback, o.Cost.Mean):
			h.Kind = impractical
		}
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b hiding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Bits.Mean, b.Bits.Mean))
	})
	return all
}

// hidingWords says of ordered ways which one hides best, which impractical one hides more, if one does, and what the
// way named base leaks.
func hidingWords(all []hiding, base string, priorBits, flownKm float64) (words []string) {
	more := slices.IndexFunc(all, func(h hiding) bool { return h.Kind == impractical && h.Bits.Mean < all[0].Bits.Mean })
	unchanged := slices.IndexFunc(all, func(h hiding) bool { return h.Way == base })
	for i, h := range all {
		clause, bits := h.Name, "bits"
		switch i {
		case 0:
			clause = fmt.Sprintf("of %s, %s hides best", table.Count(len(all), "way"), h.Name)
			bits = fmt.Sprintf("of %s bits after %g km", exactText(priorBits), flownKm)
		case more:
			clause += " hides more"
		case unchanged:
		default:
			continue
		}
		if h.Kind == impractical {
			clause = phrase.NotPractical + clause
		}
		text := figure.Sentence(clause) + ": "
		if i == 0 || h.Observer != all[0].Observer {
			text += watcher("an observer", h.Observer) + " has "
		}
		text += fmt.Sprintf("%s %s, for %s of the value", bitsText(h.Bits), bits, phrase.Percent(h.Cost.Mean))
		if h.Fallback > 0 {
			text += "; " + phrase.Percent(h.Fallback) + " of the flights give up"
		}
		words = append(words, text+".")
	}
	return words
}

// hidingScreen returns the answer of a study of several ways, a row for each: mechanisms with their epsilons or, if
// there is a way named base, changes of it with the observers who learn most.
func hidingScreen(r *leak.Result, all []hiding, base string, flownKm float64) *found {
	var bits []privacy.SampleMean
	for _, h := range all {
		bits = append(bits, h.Bits)
	}
	decimals, note := precision(bits, r.Study.Flights, "flights of every way",
		fmt.Sprintf("to %d goals", len(r.Study.World().Goals)))
	headings := []string{"mechanism", "epsilon", "bits", "95 % interval", "value lost", "gives up"}
	if base != "" {
		headings[0], headings[1] = "way", "strongest observer"
	}
	var rows [][]string
	for _, h := range all {
		mean, low, high := ends(h.Bits)
		row := []string{h.Way, configs.EpsilonText(h.Epsilon), phrase.Fixed(mean, decimals), phrase.Interval(low, high),
			phrase.Percent(h.Cost.Mean), phrase.Percent(h.Fallback)}
		switch {
		case base != "":
			row[1] = h.Observer
		case h.Name == h.Way:
			row[1] = "-"
		}
		rows = append(rows, row)
	}
	return printedWays(hidingWords(all, base, r.PriorBits(), flownKm), []string{note}, 2, headings, rows)
}

// releasesScreen returns the answer of a study of several flights to one goal, drawn so many times from as many goals.
// atDelta says at which delta epsilon holds.
func releasesScreen(rows []leak.ReleasesRow, drawn, goals int, priorBits float64, atDelta string) *found {
	var fresh, reused []privacy.SampleMean // bits learned
	for _, r := range rows {
		r.Fresh.Mean, r.Reused.Mean = priorBits-r.Fresh.Mean, priorBits-r.Reused.Mean
		fresh, reused = append(fresh, r.Fresh.SampleMean), append(reused, r.Reused.SampleMean)
	}
	decimals, note := precision(slices.Concat(fresh, reused), drawn, "goals", fmt.Sprintf("drawn from %d", goals))
	var text string // about the last row
	var cells [][]string
	for i, r := range rows {
		text = fmt.Sprintf("After %s %s%s each, %s has %s of %s bits if every flight has new noise, and %s if all reuse one "+
			"release.", table.Count(r.Flights, "flight"), atEpsilon(r.Epsilon), atDelta, watcher("an observer", r.Observer),
			bitsText(fresh[i]), exactText(priorBits), bitsText(reused[i]))
		together := "-"
		if !math.IsNaN(r.ComposedEpsilon) {
			together = phrase.EpsilonAtLeast(r.ComposedEpsilon)
			text += " The new noise guarantees epsilon " + together + " for one entry of the releases together."
		}
		cells = append(cells, []string{r.Observer, configs.EpsilonText(r.Epsilon), fmt.Sprint(r.Flights),
			phrase.Fixed(fresh[i].Mean, decimals), phrase.Fixed(reused[i].Mean, decimals), together})
	}
	return printedWays([]string{text}, []string{note}, 3,
		[]string{"observer", "epsilon", "flights", "bits, new noise", "bits, reused", "epsilon together"}, cells)
}
