package tuning

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

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
	out.HiddenUntilKm, out.Quantile, out.MaxCost = known(r.HiddenUntilKm), known(r.Quantile), known(r.MaxCost)
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
	Surface []map[string]any `json:"surface"`
}

// WriteJSON writes the request, the answer and the surface.
func (t *Tuning) WriteJSON(w io.Writer) error { return table.WriteJSON(w, t.json()) }

func (t *Tuning) json() tuningJSON {
	objects := func(cells ...study.SurfaceCell) []map[string]any {
		return table.Table[study.SurfaceCell]{Columns: study.SurfaceColumns(), Rows: cells}.Objects()
	}
	out := tuningJSON{searchAnswer: t.answer()}
	if out.Met {
		out.Chosen = objects(t.There)[0]
	}
	for _, row := range t.Cells {
		out.Surface = append(out.Surface, objects(row...)...)
	}
	return out
}

// Sentence returns the answer: a line on the chosen epsilon and a line on all epsilons. It is empty without
// demands.
func (t *Tuning) Sentence() string {
	if t.Found == nil {
		return ""
	}
	r, decimals := t.Requirement, campaign.Decimals(t.Settings.Config)
	sets := t.Found.Sets()
	text := fmt.Sprintf("No epsilon from %g to %g is shown to be one that %s.", r.Low, r.High, t.demanded())
	if epsilon := t.Chosen(); !math.IsNaN(epsilon) {
		there, hidden := &t.There, ""
		if r.ofQuantile() {
			beyond := t.Found.Means(&t.Found.Answers[0].Demand, []float64{epsilon})[0]
			hidden = fmt.Sprintf("%.1f %% of the flights stay hidden until %g km, ", 100*(1-beyond), r.HiddenUntilKm)
		}
		text = fmt.Sprintf("Epsilon %g %s. There %sthe mean of %s is %.*f km, 80 %% of the flights are recognised "+
			"at %s, and privacy costs %.1f %%.", epsilon, t.demanded(), hidden,
			table.Count(there.Runs, "flight"), decimals, there.Mean.Value,
			fmt.Sprintf("%.*f to %.*f km", decimals-1, there.P10.Value, decimals-1, there.P90.Value),
			100*there.CostOfPrivacy.Value)
		if share := there.Fallback.Value; share >= fewFallbacks {
			text += fmt.Sprintf(" %.1f %% of these flights fall back, because their policies do not lead to the target.",
				100*share)
		}
	}
	text += fmt.Sprintf("\nMet: %s. Not met: %s. Undecided: %s. This holds for all epsilons at once (delta %g, "+
		"%g %% confidence).", rangesText(sets.Met, campaign.MostListed), rangesText(sets.NotMet, campaign.MostListed),
		rangesText(sets.Undecided, campaign.MostListed), t.Survey.Experiment.Delta(), 100*r.Confidence)
	for i := range t.Found.Answers {
		a := &t.Found.Answers[i]
		text += clippedText(t.Found.Clipped(&a.Demand), a.Demand.Bound)
	}
	return text
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

// demanded describes the effect of an epsilon that meets the demands.
func (t *Tuning) demanded() string {
	r := t.Requirement
	cheap := fmt.Sprintf("costs at most %g %% of the value", 100*r.MaxCost)
	if !r.Hidden() {
		return cheap
	}
	what := fmt.Sprintf("keeps the mean detection distance at or below %g km", r.HiddenUntilKm)
	if r.ofQuantile() {
		what = fmt.Sprintf("keeps %g %% of the flights hidden until %g km", 100*r.Quantile, r.HiddenUntilKm)
	}
	what += fmt.Sprintf(" (observer of radius %g km)", t.Settings.Adversary.RadiusKm)
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
