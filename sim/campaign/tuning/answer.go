package tuning

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"veilpath/internal/phrase"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// searchAnswer is the request and the answer of a search as JSON, in the manifest and in the output of tune.
type searchAnswer struct {
	InWords           string                  `json:"in_words"`
	Epsilon           *float64                `json:"epsilon"` // chosen; null without a demand, or if none meets it
	Met               bool                    `json:"met"`
	Baselines         *campaign.BaselinesJSON `json:"baselines,omitempty"` // of flights
	Delta             float64                 `json:"delta"`
	Confidence        float64                 `json:"confidence"` // of all sets together
	Between           [2]float64              `json:"between"`    // epsilons searched
	Resolution        float64                 `json:"resolution"`
	MostRuns          int                     `json:"max_runs"`
	RadiusKm          float64                 `json:"radius_km,omitempty"`
	HiddenUntilKm     *float64                `json:"hidden_until_km"`
	Quantile          *float64                `json:"quantile"`
	MaxCost           *float64                `json:"max_cost"`
	MetEpsilons       [][2]float64            `json:"met_epsilons"` // ranges shown to meet all demands
	NotMetEpsilons    [][2]float64            `json:"not_met_epsilons"`
	UndecidedEpsilons [][2]float64            `json:"undecided_epsilons"`
	Demands           []demandJSON            `json:"demands"`
}

// demandJSON is a demand and the answer to it as JSON.
type demandJSON struct {
	Demand    string         `json:"demand"`
	Limit     float64        `json:"limit"`
	Met       [][2]float64   `json:"met_epsilons"`
	NotMet    [][2]float64   `json:"not_met_epsilons"`
	Undecided [][2]float64   `json:"undecided_epsilons"`
	Crossings []crossingJSON `json:"crossings"`
	Clipped   int            `json:"clipped_runs,omitempty"` // runs with a flight that counts as less than it is
	Looks     []lookJSON     `json:"looks"`
}

// crossingJSON is an epsilon at which the mean passes the limit, as JSON.
type crossingJSON struct {
	Epsilon float64 `json:"epsilon"`
	Low     float64 `json:"ci_low"`
	High    float64 `json:"ci_high"`
}

// lookJSON is an interim analysis as JSON.
type lookJSON struct {
	Runs   int          `json:"runs"`
	Low    float64      `json:"epsilon_low"` // range of the last runs
	High   float64      `json:"epsilon_high"`
	Met    [][2]float64 `json:"met_epsilons"`
	NotMet [][2]float64 `json:"not_met_epsilons"`
}

// known returns a number for JSON, nil for NaN.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// pairsOf returns ranges for JSON.
func pairsOf(ranges []study.Range) [][2]float64 {
	pairs := [][2]float64{}
	for _, r := range ranges {
		pairs = append(pairs, [2]float64{r.Low, r.High})
	}
	return pairs
}

func demandOf(a *study.Answer) demandJSON {
	d := demandJSON{Demand: a.Demand.Name, Limit: a.Demand.Limit,
		Met: pairsOf(a.Met), NotMet: pairsOf(a.NotMet), Undecided: pairsOf(a.Undecided),
		Crossings: []crossingJSON{}, Looks: []lookJSON{}}
	for _, c := range a.Crossings {
		d.Crossings = append(d.Crossings, crossingJSON{c.Value, c.Low, c.High})
	}
	for _, l := range a.Analyses {
		d.Looks = append(d.Looks, lookJSON{l.Runs, l.Axis.Low, l.Axis.High, pairsOf(l.Met), pairsOf(l.NotMet)})
	}
	return d
}

// addTried adds an epsilon that was tried separately.
func (a *searchAnswer) addTried(epsilon float64, decision study.Decision) {
	set := map[study.Decision]*[][2]float64{
		study.Met: &a.MetEpsilons, study.NotMet: &a.NotMetEpsilons, study.Undecided: &a.UndecidedEpsilons,
	}[decision]
	*set = append(*set, [2]float64{epsilon, epsilon})
}

// addDemand adds the demand of a search that tried epsilons separately, which met or did not meet it.
func (a *searchAnswer) addDemand(name string, limit float64) {
	a.Demands = append(a.Demands, demandJSON{Demand: name, Limit: limit, Met: a.MetEpsilons, NotMet: a.NotMetEpsilons,
		Undecided: a.UndecidedEpsilons, Crossings: []crossingJSON{}, Looks: []lookJSON{}})
}

// newSearchAnswer returns an answer without sets.
func newSearchAnswer(words string, epsilon float64) searchAnswer {
	none := [][2]float64{}
	return searchAnswer{InWords: strings.ReplaceAll(words, "\n", " "), Epsilon: known(epsilon),
		Met:         !math.IsNaN(epsilon),
		MetEpsilons: none, NotMetEpsilons: none, UndecidedEpsilons: none, Demands: []demandJSON{}}
}

// answer returns the request and the answer.
func (t *Tuning) answer() searchAnswer {
	r := t.Requirement
	out := newSearchAnswer(t.Sentence(), t.Chosen())
	out.Delta, out.Confidence, out.RadiusKm = t.Survey.Experiment.Delta(), r.Confidence, t.Settings.Adversary.RadiusKm
	out.Between, out.Resolution, out.MostRuns = [2]float64{r.Low, r.High}, r.Resolution, r.MostRuns
	out.HiddenUntilKm, out.Quantile, out.MaxCost = known(r.HiddenUntilKm), known(r.Share), known(r.MaxCost)
	out.Baselines = &campaign.BaselinesJSON{
		Direct:       table.Maybe(t.tally.MeanOf(directKm)),
		HandoverOnly: table.Maybe(t.tally.MeanOf(func(r *study.Run) float64 { return r.HandoverOnlyKm })),
		Planned:      table.Maybe(t.tally.MeanOf(plannedKm)),
	}
	if t.Found != nil {
		sets := t.Found.Sets()
		out.MetEpsilons, out.NotMetEpsilons = pairsOf(sets.Met), pairsOf(sets.NotMet)
		out.UndecidedEpsilons = pairsOf(sets.Undecided)
		for i := range t.Found.Answers {
			demand := demandOf(&t.Found.Answers[i])
			demand.Clipped = t.Found.Clipped(&t.Found.Answers[i].Demand)
			out.Demands = append(out.Demands, demand)
		}
	}
	return out
}

// tuningJSON is a tuning as JSON.
type tuningJSON struct {
	searchAnswer
	Chosen  map[string]any   `json:"chosen,omitempty"` // results of the search's flights at the chosen epsilon
	Radii   []radiusJSON     `json:"radii,omitempty"`  // answers by radius
	Surface []map[string]any `json:"surface"`
}

// radiusJSON is a RadiusAnswer as JSON.
type radiusJSON struct {
	RadiusKm  float64     `json:"radius_km"`
	Epsilon   table.Maybe `json:"epsilon"`   // null for none
	Practical bool        `json:"practical"` // the flights at the epsilon are of use
	Runs      int         `json:"runs"`      // at the epsilon
	MeanKm    table.Maybe `json:"mean_km"`
	Hidden    table.Maybe `json:"hidden_until"`
	Cost      table.Maybe `json:"cost_of_privacy"`
	Fallback  table.Maybe `json:"fallback"`
	setsJSON
}

// setsJSON is the sets of an answer as JSON.
type setsJSON struct {
	Met       [][2]float64 `json:"met_epsilons"`
	NotMet    [][2]float64 `json:"not_met_epsilons"`
	Undecided [][2]float64 `json:"undecided_epsilons"`
}

func radiusOf(a *RadiusAnswer) radiusJSON {
	out := radiusJSON{RadiusKm: a.RadiusKm, Epsilon: table.Maybe(a.Epsilon), Hidden: table.Maybe(a.Hidden),
		MeanKm: table.Maybe(math.NaN()), Cost: table.Maybe(math.NaN()), Fallback: table.Maybe(math.NaN()),
		setsJSON: setsJSON{pairsOf(a.Sets.Met), pairsOf(a.Sets.NotMet), pairsOf(a.Sets.Undecided)}}
	if c := &a.There; !math.IsNaN(a.Epsilon) {
		out.Practical, out.Runs, out.MeanKm = a.practical(), c.Runs, table.Maybe(c.Mean.Value)
		out.Cost, out.Fallback = table.Maybe(c.CostOfPrivacy.Value), table.Maybe(c.Fallback.Value)
	}
	return out
}

// WriteJSON writes the request, the answer and the surface.
func (t *Tuning) WriteJSON(w io.Writer) error { return table.WriteJSON(w, t.json()) }

func (t *Tuning) json() tuningJSON {
	objects := func(cells ...study.SurfaceCell) []map[string]any {
		return table.Table[study.SurfaceCell]{Columns: study.SurfaceColumns(), Rows: cells}.Objects()
	}
	out := tuningJSON{searchAnswer: t.answer()}
	if out.Met {
		out.Chosen = objects(t.own().There)[0]
	}
	for i := range t.ByRadius {
		out.Radii = append(out.Radii, radiusOf(&t.ByRadius[i]))
	}
	for _, row := range t.Cells {
		out.Surface = append(out.Surface, objects(row...)...)
	}
	return out
}

// Sentence returns the answer: the epsilons to take, and what comes of it. It is empty without demands.
func (t *Tuning) Sentence() string {
	if t.Found == nil {
		return ""
	}
	r, own := &t.Requirement, t.own()
	var text string
	switch {
	case !math.IsNaN(own.Epsilon):
		text = fmt.Sprintf("To %s, take %s", t.demanded(), taken(own, r))
		if r.Hidden() {
			text += fmt.Sprintf(" (radius %g km)", own.RadiusKm)
		}
		if !own.practical() {
			text = phrase.NotPractical + text
		}
		text += "." + t.cameOf(own)
	case t.Found.Impractical != (study.Range{}):
		text = phrase.NotPractical + t.uselessly()
	default:
		text = fmt.Sprintf("No epsilon from %g to %g is shown to %s.", r.Low, r.High, t.demanded())
	}
	text += t.rest(own)
	for i := range t.Found.Answers {
		a := &t.Found.Answers[i]
		text += clippedText(t.Found.Clipped(&a.Demand), a.Demand.Bound)
	}
	return text
}

// taken returns the epsilons to take: the range of those that meet the demands that the chosen one is in.
func taken(a *RadiusAnswer, r *Requirement) string {
	in := a.Sets.Met[slices.IndexFunc(a.Sets.Met, func(met study.Range) bool { return met.Contains(a.Epsilon) })]
	low, high := phrase.EpsilonAtLeast(in.Low), phrase.EpsilonAtMost(in.High)
	switch {
	case in.Low == r.Low && in.High == r.High:
		return "any epsilon from " + low + " to " + high
	case in.Low == r.Low:
		return "epsilon " + high + " or less"
	case in.High == r.High:
		return "epsilon " + low + " or more"
	}
	return "an epsilon from " + low + " to " + high
}

// cameOf returns a sentence on the flights at the chosen epsilon, after a space.
func (t *Tuning) cameOf(a *RadiusAnswer) string {
	lost := fmt.Sprintf("loses %s of its value", phrase.Percent(a.There.CostOfPrivacy.Value))
	if share := a.There.Fallback.Value; share >= fewFallbacks {
		lost += fmt.Sprintf("; %s of the flights give up", phrase.Percent(share))
	}
	if !t.Requirement.Hidden() {
		return fmt.Sprintf(" At epsilon %s it %s.", phrase.EpsilonAtLeast(a.Epsilon), lost)
	}
	return fmt.Sprintf("\nIt then stays hidden in %s of the flights and %s.", phrase.Percent(a.Hidden), lost)
}

// uselessly returns a sentence on the demand where only epsilons meet it at which flights are of no use, by the first
// runs.
func (t *Tuning) uselessly() string {
	useless, a := t.Found.Impractical, &t.Found.Answers[0]
	epsilon := useless.Low
	for i, mean := range t.Found.Means(&a.Demand, t.Found.Map.Epsilons) {
		if at := t.Found.Map.Epsilons[i]; at <= useless.High && mean <= a.Demand.Limit {
			epsilon = at
		}
	}
	below := useless.High
	for _, notMet := range a.NotMet {
		if notMet.High >= below {
			below = min(below, notMet.Low)
		}
	}
	lost := study.Demand{Of: func(r *study.Run) float64 { return r.CostOfPrivacy }}
	givesUp := study.Demand{Of: func(r *study.Run) float64 {
		if r.Fallback {
			return 1
		}
		return 0
	}}
	at := []float64{epsilon}
	return fmt.Sprintf("only an epsilon below about %s may %s (radius %g km).\nAt epsilon %s, about %s of the flights "+
		"give up and %s of the value is lost.", phrase.Epsilon(below), t.demanded(), t.own().RadiusKm,
		phrase.Epsilon(epsilon), phrase.Percent(t.Found.Means(&givesUp, at)[0]), phrase.Percent(t.Found.Means(&lost, at)[0]))
}

// rest returns a sentence on the epsilons besides those to take, after a space.
func (t *Tuning) rest(a *RadiusAnswer) string {
	r, sets := &t.Requirement, &a.Sets
	open := a.Undecided
	if n := len(sets.NotMet); len(sets.Met) == 1 && sets.Met[0].Low == r.Low && len(sets.Undecided) == 1 && n == 1 &&
		open.High == sets.NotMet[0].Low && sets.NotMet[0].High == r.High {
		return fmt.Sprintf(" %s is undecided; above, it is not met.", epsilons(open))
	}
	var parts []string
	for _, set := range []struct {
		name   string
		ranges []study.Range
	}{{"met", sets.Met}, {"not met", sets.NotMet}, {"undecided", sets.Undecided}} {
		if len(set.ranges) > 0 {
			parts = append(parts, set.name+": "+rangesText(set.ranges, campaign.MostListed))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "; ")
	return " " + strings.ToUpper(text[:1]) + text[1:] + "."
}

// surfaceSentence returns the answer without demands: how the mean and the cost of privacy at the observer's radius
// change from the smallest to the largest listed epsilon.
func (t *Tuning) surfaceSentence() string {
	own := slices.SortedFunc(slices.Values(t.Own()),
		func(a, b study.SurfaceCell) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	decimals := campaign.Decimals(t.Settings.Config)
	where := func(c *study.SurfaceCell) string {
		return fmt.Sprintf("%s from the target, and privacy costs %.1f %%, at epsilon %g",
			campaign.EstimateText(decimals, c.Mean), 100*c.CostOfPrivacy.Value, c.Epsilon)
	}
	text := "The destination is recognised on average " + where(&own[0])
	if last := len(own) - 1; last > 0 {
		text += "; " + where(&own[last])
	}
	return text + ". No demand is given, so no epsilon is chosen."
}

// clippedText returns a sentence on the runs with a flight beyond a bound, after a space. It is empty without any.
func clippedText(runs int, boundKm float64) string {
	if runs == 0 {
		return ""
	}
	return fmt.Sprintf(" In %s a flight strayed and was recognised more than %.4g km from the target; it counts as "+
		"%.4g km in this mean.", table.Count(runs, "run"), boundKm, boundKm)
}

// BaselineSentence returns a sentence on the mean detection distances of the baselines over the flights of the
// surface.
func (t *Tuning) BaselineSentence() string {
	return campaign.BaselineSentence(t.Settings.Config, t.tally.MeanOf(plannedKm), t.tally.MeanOf(directKm))
}

func plannedKm(r *study.Run) float64 { return r.PlannedKm }
func directKm(r *study.Run) float64  { return r.DirectKm }

// demanded says what an epsilon that meets the demands is to do, as stay hidden until 56 km on average from
// "ballistic".
func (t *Tuning) demanded() string {
	r := t.Requirement
	cheap := fmt.Sprintf("lose at most %g %% of the value", 100*r.MaxCost)
	if !r.Hidden() {
		return cheap
	}
	of := "on average"
	if r.ofShare() {
		of = "in " + phrase.Percent(r.Share) + " of the flights"
	}
	what := fmt.Sprintf("stay hidden until %g km %s from %q", r.HiddenUntilKm, of, t.Settings.Adversary.Observer)
	if r.Cheap() {
		what += " and " + cheap
	}
	return what
}

// fewFallbacks is the share of fallbacks from which on an answer mentions them.
const fewFallbacks = 0.01

// rangesText returns the first ranges of epsilon as text.
func rangesText(ranges []study.Range, most int) string {
	texts := make([]string, len(ranges))
	for i, r := range ranges {
		texts[i] = fmt.Sprintf("%.4g .. %.4g", r.Low, r.High)
		if r.Low == r.High {
			texts[i] = fmt.Sprintf("%.4g", r.Low)
		}
	}
	return campaign.Listed(texts, most)
}

// addTo adds the answer to the results of its tune.
func (a searchAnswer) addTo(r *campaign.Results) {
	r.Answer, r.Words, r.First = a, []string{a.InWords}, a.tables()
}

// triedWords is the introduction of the page for tunes that try epsilons one by one.
const triedWords = "The figure shows the strengths of privacy ε that were tried, with intervals, and which ones " +
	"meet the demand."

// tables returns the request and the answer for a page.
func (a *searchAnswer) tables() []report.Table {
	number := func(x *float64) string {
		if x == nil {
			return "none"
		}
		return fmt.Sprintf("%.4g", *x)
	}
	ranges := func(pairs [][2]float64) string {
		var all []study.Range
		for _, p := range pairs {
			all = append(all, study.Range{Low: p[0], High: p[1]})
		}
		return rangesText(all, math.MaxInt)
	}
	question := report.Table{Title: "Question and answer",
		Text:  "The confidence holds for all sets of epsilons at once.",
		Words: true, Header: []string{"part", "value"}}
	row := func(name, value string) { question.Rows = append(question.Rows, []string{name, value}) }
	for _, d := range a.Demands {
		row("demand", fmt.Sprintf("%s at most %.4g", d.Demand, d.Limit))
	}
	row("quantile", number(a.Quantile))
	row("epsilons searched", fmt.Sprintf("%.4g .. %.4g", a.Between[0], a.Between[1]))
	row("confidence", fmt.Sprintf("%g %%", 100*a.Confidence))
	row("met", ranges(a.MetEpsilons))
	row("not met", ranges(a.NotMetEpsilons))
	row("undecided", ranges(a.UndecidedEpsilons))
	row("chosen", number(a.Epsilon))
	return []report.Table{question}
}
