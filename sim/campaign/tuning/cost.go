package tuning

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"veilpath/internal/option"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/report"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/campaign/costs"
	"veilpath/sim/cost"
	"veilpath/sim/study"
)

// trialsName is the file of the epsilons that a tuning of a problem tried.
const trialsName = "trials.csv"

// searchAccuracy is the accuracy of the plans of a search, as a share of the limit.
const searchAccuracy = 1e-4

// Costs searches the strongest privacy that costs at most a share of a problem's value.
type Costs struct {
	campaign.Task
	Given  *setup.Input
	Search cost.Search
	Answer *cost.Answer
}

// NewCosts prepares a search. It sets the search's study. The search's limit is a share of the value.
func NewCosts(p *campaign.Program, g *setup.Input, m planner.Mechanism,
	stream func(planner.Mechanism, int) privacy.Address, s cost.Search) (*Costs, error) {
	r := Requirement{HiddenUntilKm: math.NaN(), Share: math.NaN(), MaxCost: s.Limit, Confidence: s.Confidence,
		Low: s.Low, High: s.High, Resolution: s.Resolution, MostRuns: s.MostRuns}
	if err := r.check(); err != nil {
		return nil, err
	}
	solved, err := cost.SolveAccurately(g.Problem, g.Tolerance)
	if err != nil {
		return nil, campaign.RequestErrorf("%w", err)
	}
	if err := cost.CheckValue(solved); err != nil {
		return nil, campaign.RequestErrorf("{max-cost}: %w", err)
	}
	// Private plans may have a larger tolerance than the optimum and the values, because a mean of runs cannot
	// resolve it.
	solved.Tolerance = max(solved.Tolerance, searchAccuracy*s.Limit*math.Abs(solved.Optimal.Value[solved.Start]))
	c := g.Settings.Config
	s.Study = cost.Study{Problem: solved, Mechanisms: []planner.Mechanism{m}, Guarantee: g.Guarantee(),
		Seed: c.Study.Seed, Workers: c.Study.Workers, Stream: stream}
	return &Costs{Given: g, Search: s, Task: campaign.Task{Program: p}}, nil
}

// Asked is all that the answer depends on.
func (t *Costs) Asked() campaign.Asked {
	s := &t.Search
	return campaign.Asked{Verb: "tune", Ended: t.EndedUnmet, Settings: t.Given.Settings,
		Commands: campaign.CommandsOf(s.Study.Mechanisms[0]),
		Request: []any{"cost", t.Given.Name, costs.ProblemSHA256(t.Given), t.Given.Tolerance,
			s.Study.Mechanisms[0].Name(), s.Limit, s.Low, s.High, s.Resolution, s.Confidence, s.MostRuns}}
}

// Do searches. It reuses the runs of the keeper.
func (t *Costs) Do(ctx context.Context, keeper pool.Keeper) (err error) {
	defer t.Measure()()
	count := t.Program.Counter(costs.CostRuns, -1)
	t.Search.Progress = func() { count(1) }
	t.Search.Study.Keeper = keeper
	t.Answer, err = t.Search.Find(ctx)
	return err
}

// Unmet returns an error if no epsilon is shown to cost at most the limit.
func (t *Costs) Unmet() error {
	if !math.IsNaN(t.Answer.Epsilon) {
		return nil
	}
	first := t.Answer.Trials[0]
	shown := math.Ceil(1e3*first.High-1e-9) / 10 // percent, rounded up
	err := option.Errorf("no epsilon from %g to %g is shown to cost at most %.3g %%: after %s at %g the mean is %.3g "+
		"%% (standard error %.2g), shown to be at most %g %%; allow a larger {max-cost} or more {max-runs}",
		t.Search.Low, t.Search.High, 100*t.Search.Limit, table.Count(first.Runs, "run"), first.Epsilon, 100*first.Mean,
		100*first.StandardError, shown)
	if most := min(1e6, 100*t.Search.High); most > t.Search.High {
		err = option.Errorf("%w, or extend the search, such as with {between} %g,%g", err, t.Search.High, most)
	}
	return err
}

// Trials returns the trials in ascending order of epsilon.
func (t *Costs) Trials() []cost.Trial {
	return slices.SortedFunc(slices.Values(t.Answer.Trials),
		func(a, b cost.Trial) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
}

// Write writes the files, the manifest last.
func (t *Costs) Write(folder *record.Folder) error {
	results := campaign.Results{
		Intro:   triedWords,
		Files:   map[string]func(io.Writer) error{trialsName: t.WriteCSV},
		Figures: map[string]*report.Figure{"figure": t.figure()},
	}
	t.answer().addTo(&results)
	return t.WriteAnswer(folder, t.Asked(), results)
}

// answer returns the request and the decision for every epsilon tried.
func (t *Costs) answer() searchAnswer {
	s := &t.Search
	out := newSearchAnswer(t.Words(), t.Answer.Epsilon)
	out.Delta, out.Confidence, out.MaxCost = t.Given.Settings.Privacy.Delta, s.Confidence, known(s.Limit)
	out.Between, out.Resolution, out.MostRuns = [2]float64{s.Low, s.High}, s.Resolution, s.MostRuns
	for _, trial := range t.Trials() {
		out.addTried(trial.Epsilon, trial.Decision)
	}
	out.addDemand("mean cost of privacy", s.Limit)
	return out
}

// Words returns the answer as a sentence.
func (t *Costs) Words() string {
	limit, confidence := 100*t.Search.Limit, 100*t.Search.Confidence
	if math.IsNaN(t.Answer.Epsilon) {
		return fmt.Sprintf("No epsilon tried from %g to %g is shown to cost at most %.3g %% of the value, with %g %% "+
			"confidence.", t.Search.Low, t.Search.High, limit, confidence)
	}
	chosen := t.Answer.Trials[slices.IndexFunc(t.Answer.Trials, func(trial cost.Trial) bool {
		return trial.Epsilon == t.Answer.Epsilon
	})]
	return fmt.Sprintf("Epsilon %g at delta %g is the strongest privacy that is shown to cost at most %.3g %% of the "+
		"value: its mean cost lies between %.2f and %.2f %%, with %g %% confidence for all epsilons tried.",
		t.Answer.Epsilon, t.Given.Settings.Privacy.Delta, limit, 100*chosen.Low, 100*chosen.High, confidence)
}

// Table returns a table with a row per epsilon tried.
func (t *Costs) Table() table.Table[cost.Trial] {
	return table.Table[cost.Trial]{Columns: cost.TrialColumns(), Rows: t.Trials()}
}

// Effort implements campaign.Resumable.
func (t *Costs) Effort() string { return "" }

// Next implements campaign.Resumable. It suggests to measure the cost at the epsilon found.
func (t *Costs) Next(string) (next campaign.Next) {
	if t.Unmet() == nil {
		next.Command = []string{"cost", t.Given.Name, "{epsilons}", fmt.Sprint(t.Answer.Epsilon)}
	}
	return next
}

// decisions are the decisions of trials in words.
var decisions = map[study.Decision]string{study.Met: "costs no more", study.NotMet: "costs more",
	study.Undecided: "undecided"}

// Sections implements campaign.Answer.
func (t *Costs) Sections(bool) []table.Section {
	tried := t.Table()
	tried.Columns = append(tried.Columns, table.Column[cost.Trial]{Heading: "decision",
		Text: func(t *cost.Trial) string { return decisions[t.Decision] }})
	return []table.Section{{Table: tried.First("decision", "value lost"), Text: t.Words() +
		"\nThe cost is the mean at the run that decided, which is biased towards the decision; the intervals hold at " +
		"all times.\n\n"}}
}

// WriteCSV writes the trials.
func (t *Costs) WriteCSV(w io.Writer) error { return t.Table().WriteCSV(w) }

// WriteJSON writes the answer as JSON.
func (t *Costs) WriteJSON(w io.Writer) error {
	return table.WriteJSON(w, struct {
		Problem     string                  `json:"problem"`
		Epsilon     table.Maybe             `json:"epsilon"` // null if none meets the limit
		Met         bool                    `json:"met"`
		Delta       float64                 `json:"delta"`
		MaxCost     float64                 `json:"max_cost"`
		Confidence  float64                 `json:"confidence"`
		NextEpsilon table.Maybe             `json:"next_epsilon"`
		Trials      table.Table[cost.Trial] `json:"trials"`
	}{t.Given.Name, table.Maybe(t.Answer.Epsilon), !math.IsNaN(t.Answer.Epsilon), t.Given.Settings.Privacy.Delta,
		t.Search.Limit, t.Search.Confidence, table.Maybe(t.Answer.Next), t.Table()})
}

// figure draws the trials, the limit and the answer.
func (t *Costs) figure() *report.Figure {
	series := report.Series{Label: "mean with its\ninterval", Mark: report.Computed}
	for _, trial := range t.Trials() {
		series.AddInterval(trial.Epsilon, 100*trial.Mean, 100*trial.Low, 100*trial.High)
	}
	limit := 100 * t.Search.Limit
	chart := &report.Chart{
		X:      report.Axis{Label: "Privacy parameter ε", Scale: report.ScaleFor(series.X)},
		Y:      report.Axis{Label: "Cost of privacy (%)", FromZero: true},
		Series: []report.Series{series}, References: []report.Reference{{Label: fmt.Sprintf("at most %.3g %%", limit),
			At: limit, Strong: true}},
	}
	title := fmt.Sprintf("No ε up to %g is shown to cost at most %.3g %% of the value", t.Search.High, limit)
	if epsilon := t.Answer.Epsilon; !math.IsNaN(epsilon) {
		title = fmt.Sprintf("ε = %g is the strongest privacy shown to cost at most %.3g %% of the value", epsilon, limit)
		chart.References = append(chart.References, report.Reference{Label: fmt.Sprintf("ε = %g", epsilon), At: epsilon,
			Vertical: true, Strong: true})
	}
	return &report.Figure{Title: title, Panels: []report.Panel{chart},
		Subtitle: fmt.Sprintf("%s, %s perturbation; intervals hold at all times, with %g %% confidence for all together",
			filepath.Base(t.Given.Name), t.Search.Study.Mechanisms[0].Name(), 100*t.Search.Confidence)}
}
