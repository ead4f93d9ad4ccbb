package campaign

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/option"
	"veilpath/internal/pieces"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/cost"
	"veilpath/sim/study"
)

// trialsName is the file of the epsilons tried.
const trialsName = "trials.csv"

// searchAccuracy is the accuracy of the plans of a search, as a share of the limit.
const searchAccuracy = 1e-4

// CostSearch searches the strongest privacy that costs at most a share of a problem's value.
type CostSearch struct {
	Requirement
	program *Program
	given   *setup.Input
	study   cost.Study
	found   *cost.Answer
}

// NewCostSearch prepares a search with a mechanism. Of the requirement it uses the demand on the cost. The stream is
// that of a cost.Study.
func NewCostSearch(p *Program, g *setup.Input, m planner.Mechanism,
	stream func(planner.Mechanism, int) privacy.Address, r Requirement) (*CostSearch, error) {
	r.HiddenUntilKm, r.Share = math.NaN(), math.NaN()
	if err := r.check(); err != nil {
		return nil, err
	}
	solved, err := cost.SolveAccurately(g.Problem, g.Tolerance)
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	if err := cost.CheckValue(solved); err != nil {
		return nil, RequestErrorf("{max-cost}: %w", err)
	}
	// Private plans may have a larger tolerance than the optimum and the values, because a mean of runs cannot
	// resolve it.
	solved.Tolerance = max(solved.Tolerance, searchAccuracy*r.MaxCost*math.Abs(solved.Optimal.Value[solved.Start]))
	c := g.Settings.Config
	return &CostSearch{Requirement: r, program: p, given: g, study: cost.Study{Problem: solved,
		Mechanisms: []planner.Mechanism{m}, Guarantee: g.Guarantee(), Seed: c.Study.Seed, Workers: c.Study.Workers,
		Stream: stream}}, nil
}

// Question implements Asker.
func (t *CostSearch) Question() Question {
	m := t.study.Mechanisms[0]
	return Question{Verb: "tune", Settings: t.given.Settings, Commands: CommandsOf(m), Solve: t.solve,
		Request: t.request(map[string]any{"problem": t.given.Name, "contents": ProblemSHA256(t.given),
			"tolerance": t.given.Tolerance, "mechanism": m.Name()})}
}

// solve searches.
func (t *CostSearch) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	count := t.program.Counter(CostRuns, -1)
	t.study.Kept = kept
	search := cost.Search{Study: t.study, Limit: t.MaxCost, Low: t.Low, High: t.High, Resolution: t.Resolution,
		Confidence: t.Confidence, MostRuns: t.MostRuns, Progress: func() { count(1) }}
	var err error
	if t.found, err = search.Find(ctx); err != nil {
		return nil, err
	}
	return t.answer()
}

// unmet returns an error if no epsilon is shown to cost at most the limit.
func (t *CostSearch) unmet() error {
	if !math.IsNaN(t.found.Epsilon) {
		return nil
	}
	last := t.found.Trials[len(t.found.Trials)-1]
	return option.Errorf("no epsilon from %g to %g is shown to cost at most %.3g %%: at %g it is %.3g %% (%.3g .. %.3g) "+
		"after %s; allow a larger {max-cost} or more {max-runs}, or search another range with {between}", t.Low, t.High,
		100*t.MaxCost, last.Epsilon, 100*last.Mean, 100*last.Low, 100*last.High, table.Count(last.Runs, "run"))
}

// answer returns the answer with every epsilon tried. It suggests to measure the cost at the epsilon found.
func (t *CostSearch) answer() (*answer.Answer, error) {
	asked := t.asked()
	trials := table.Table[cost.Trial]{Columns: cost.TrialColumns(), Rows: t.found.Trials}
	shown := trials
	shown.Columns = append(slices.Clip(shown.Columns), table.Column[cost.Trial]{Heading: "decision",
		Text: func(t *cost.Trial) string { return decisions[t.Decision] }})
	var out table.List
	out.Add("problem", t.given.Name, "")
	out.Add("epsilon", t.found.Epsilon, "")
	out.Add("met", !math.IsNaN(t.found.Epsilon), "")
	out.Add("delta", t.given.Settings.Privacy.Delta, "")
	out.Add("max_cost", t.MaxCost, "")
	out.Add("confidence", t.Confidence, "")
	out.Add("next_epsilon", t.found.Next, "")
	out.Add("trials", trials, "")
	a := &answer.Answer{Table: shown.First("decision", "value lost"),
		Words: []string{t.words(), "The cost is the mean at the run that decided, which is biased towards the decision; " +
			"the intervals hold at all times."},
		CSV:     answer.File{Name: trialsName, Write: trials.WriteCSV},
		JSON:    answer.File{Name: AnswerName, Write: out.WriteJSON},
		Figures: map[string]*figure.Figure{"figure": t.figure()}, Unmet: t.unmet()}
	if a.Unmet == nil {
		a.Next.Command = []string{"cost", t.given.Name, "{epsilons}", fmt.Sprint(t.found.Epsilon)}
	}
	return a, asked.addTo(a)
}

// asked sorts the trials and returns the request and the decisions.
func (t *CostSearch) asked() *searchAnswer {
	slices.SortFunc(t.found.Trials, func(a, b cost.Trial) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	var sets study.Sets
	for _, trial := range t.found.Trials {
		set := map[study.Decision]*[]study.Range{
			study.Met: &sets.Met, study.NotMet: &sets.NotMet, study.Undecided: &sets.Undecided,
		}[trial.Decision]
		*set = append(*set, study.Range{Low: trial.Epsilon, High: trial.Epsilon})
	}
	out := t.searched(t.words(), t.found.Epsilon, sets,
		study.Answer{Demand: study.Demand{Name: "mean cost of privacy", Limit: t.MaxCost}, Sets: sets})
	out.Delta = t.given.Settings.Privacy.Delta
	return out
}

// decisions are the decisions of trials in words.
var decisions = map[study.Decision]string{study.Met: "costs no more", study.NotMet: "costs more",
	study.Undecided: "undecided"}

// words returns the answer as a sentence.
func (t *CostSearch) words() string {
	limit, confidence := 100*t.MaxCost, 100*t.Confidence
	if math.IsNaN(t.found.Epsilon) {
		return fmt.Sprintf("No epsilon tried from %g to %g is shown to cost at most %.3g %% of the value, with %g %% "+
			"confidence.", t.Low, t.High, limit, confidence)
	}
	chosen := t.found.Trials[slices.IndexFunc(t.found.Trials, func(trial cost.Trial) bool {
		return trial.Epsilon == t.found.Epsilon
	})]
	return fmt.Sprintf("Epsilon %g at delta %g is the strongest privacy that is shown to cost at most %.3g %% of the "+
		"value: its mean cost lies between %.2f and %.2f %%, with %g %% confidence for all epsilons tried.",
		chosen.Epsilon, t.given.Settings.Privacy.Delta, limit, 100*chosen.Low, 100*chosen.High, confidence)
}

// figure draws the trials, in ascending order of epsilon, with the limit and the chosen epsilon.
func (t *CostSearch) figure() *figure.Figure {
	means := figure.Series{Label: "mean with its\ninterval", Mark: figure.Computed}
	for _, trial := range t.found.Trials {
		means.AddInterval(trial.Epsilon, 100*trial.Mean, 100*trial.Low, 100*trial.High)
	}
	limit := 100 * t.MaxCost
	return t.chosenIn(&figure.Chart{
		X:          figure.Axis{Label: "Privacy parameter ε", Scale: figure.ScaleFor(means.X)},
		Y:          figure.Axis{Label: "Cost of privacy (%)", FromZero: true},
		Series:     []figure.Series{means},
		References: []figure.Reference{{Label: fmt.Sprintf("at most %.3g", limit), At: limit, Strong: true}},
	}, t.found.Epsilon, fmt.Sprintf(
		"%s, %s perturbation; intervals hold at all times, with %g %% confidence for all together",
		filepath.Base(t.given.Name), t.study.Mechanisms[0].Name(), 100*t.Confidence))
}
