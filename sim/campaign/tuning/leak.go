package tuning

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/phrase"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/leak"
)

// LeakRequirement is a demand on what an observer of the goal learns, with the parameters of the search.
type LeakRequirement struct {
	Leak          string  // demand: maximum information about a goal drawn from the prior, such as 2bits; empty for none
	At            string  // distance flown at which Leak applies, km
	HiddenUntilKm float64 // demand on the detection distance, if Leak is empty
	Low, High     float64 // range of epsilon
	Resolution    float64 // relative accuracy of the answer
	Confidence    float64 // that the answer meets the demand
	Flights       int     // initial flights of a trial
	MostRuns      int     // maximum flights of a trial
}

// Leak searches the largest epsilon that meets a LeakRequirement.
type Leak struct {
	campaign.Task
	Search leak.Search
	Answer leak.Answer

	settings *configs.Loaded
	choice   configs.Config
	asked    LeakRequirement
}

// InfersGoal reports whether the observer in the settings is an observer of the goal.
func InfersGoal(c configs.Config) bool {
	m, err := adversary.Find(c.Adversary.Observer)
	return err == nil && m.Goal
}

// NewLeak prepares a search. The file config.yaml has the settings of choice with the epsilon found.
func NewLeak(ctx context.Context, p *campaign.Program, settings *configs.Loaded, choice configs.Config,
	r LeakRequirement) (*Leak, error) {
	c := settings.Config
	if !InfersGoal(c) {
		return nil, campaign.RequestErrorf("{leak}: observer %s predicts where flights end and has no beliefs about goals; "+
			"choose an observer of the goal with {observer}, one of %v", c.Adversary.Observer, adversary.GoalNames())
	}
	if err := checkBetween(r.Low, r.High); err != nil {
		return nil, err
	}
	r.At = cmp.Or(r.At, campaign.DefaultFlown(c))
	t := &Leak{Task: campaign.Task{Program: p}, settings: settings, choice: choice, asked: r}
	demand, err := r.demand(c)
	if err != nil {
		return nil, err
	}
	p.RemarkBeyond(demand.FlownKm, "so many flights have ended by then", c)
	model, err := adversary.FindGoalModel(c.Adversary.Observer)
	if err != nil {
		return nil, err
	}
	way, err := p.Builder().Way(ctx, c)
	if err != nil {
		return nil, err
	}
	if demand.HiddenUntilKm > 0 && way.World.Own < 0 {
		return nil, campaign.RequestErrorf("{hidden-until}: the goal of the mission is not among adversary.candidates; add " +
			"its " +
			"cell, or use all")
	}
	t.Search = leak.Search{Way: way, Observer: model, Demand: demand, Low: r.Low, High: r.High, Resolution: r.Resolution,
		Confidence: r.Confidence,
		Flights:    max(2, r.Flights), MostRuns: r.MostRuns, MostWork: mostWork, Policies: c.Adversary.Policies,
		Training: c.Adversary.Training,
		Seed:     c.Study.Seed,
		Workers:  c.Study.Workers,
		Progress: p.Counter(campaign.Plans, -1)}
	return t, nil
}

// mostWork is the work of a search, see leak.Search: about half a minute of a processor.
const mostWork = 250_000

// demand parses the demand.
func (r *LeakRequirement) demand(c configs.Config) (leak.Demand, error) {
	d := leak.Demand{HiddenUntilKm: r.HiddenUntilKm, RadiusKm: c.Adversary.RadiusKm,
		Rule: c.Adversary.Recognition()}
	if r.Leak == "" {
		if !(d.HiddenUntilKm > 0) {
			return d, campaign.RequestErrorf("an observer of the goal needs the demand {leak} or {hidden-until}; give one")
		}
		return d, nil
	}
	if d.HiddenUntilKm > 0 {
		return d, campaign.RequestErrorf("{leak} and {hidden-until} are two demands; give one")
	}
	d.HiddenUntilKm = 0
	var err error
	if d.Bits, err = campaign.ParseBits(r.Leak); err != nil {
		return d, campaign.RequestErrorf("{leak} %s: %w", r.Leak, err)
	}
	at, err := campaign.ParseKilometres(r.At)
	if err != nil || len(at) != 1 {
		return d, campaign.RequestErrorf("{at} %s: want one distance in km, 0 or more", r.At)
	}
	d.FlownKm = at[0]
	return d, nil
}

// Asked returns everything that the answer depends on.
func (t *Leak) Asked() campaign.Asked {
	r := t.asked
	return campaign.Asked{Verb: "tune", Ended: t.EndedUnmet, Settings: t.settings,
		Request: []any{"leak", r.Leak, r.At, known(r.HiddenUntilKm), r.Low,
			r.High, r.Resolution, r.Confidence, r.Flights, r.MostRuns,
			t.choice.SHA256()}}
}

// Do searches. It reuses the policies and flights of the keeper.
func (t *Leak) Do(ctx context.Context, keeper pool.Keeper) (err error) {
	defer t.Measure()()
	t.Search.Keeper = keeper
	t.Answer, err = t.Search.Find(ctx)
	return err
}

// Unmet returns an error if no epsilon is shown to meet the demand. It reports the value at the smallest epsilon,
// which is learned even with the strongest noise.
func (t *Leak) Unmet() error {
	if !math.IsNaN(t.Answer.Epsilon) {
		return nil
	}
	first := t.Answer.Trials[0]
	return option.Errorf("no epsilon from %g to %g is shown to meet the demand: at %g the %s are %.4g (standard "+
		"error %.2g), the limit is %.4g; the hand-over and the moves reveal most of this at any epsilon: relax the "+
		"demand, apply it after fewer km with {at}, or add countermeasures (veilpath leak {countermeasures})",
		t.Search.Low, t.Search.High, first.Epsilon, t.Search.Demand.Quantity(), first.Mean, first.StandardError,
		t.Search.Demand.Limit())
}

// Trials returns the table of the epsilons tried, ascending.
func (t *Leak) Trials() *table.Sheet {
	s := &table.Sheet{Name: "trials", Title: "Epsilons tried",
		Text: "The quantity of the demand at every epsilon tried, and whether the epsilon is shown to meet the demand.",
		Columns: []table.Column[table.Row]{
			{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Heading: "epsilon", Format: "%.4f", Lead: true},
			{Name: "runs", Meaning: "flights", Heading: "runs"},
			{Name: "mean", Meaning: t.Search.Demand.Quantity(), Heading: "mean", Format: "%.3f"},
			{Name: "standard_error", Meaning: "its standard error", Heading: "+-", Format: "%.3f", Beside: true},
			{Name: "decision", Meaning: "met, not met or undecided", Heading: "decision"},
		}}
	for _, trial := range t.ascending() {
		s.Rows = append(s.Rows, []any{trial.Epsilon, trial.Runs, trial.Mean, trial.StandardError, string(trial.Decision)})
	}
	return s
}

// ascending returns the trials in ascending order of epsilon.
func (t *Leak) ascending() []leak.Trial {
	return slices.SortedFunc(slices.Values(t.Answer.Trials),
		func(a, b leak.Trial) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
}

// Words returns the answer as a sentence.
func (t *Leak) Words() string {
	d, who := t.Search.Demand, t.Search.Observer.Name
	kept := fmt.Sprintf("the observer %s learns at most %g bits about the goal in the first %g km", who, d.Bits,
		d.FlownKm)
	if d.HiddenUntilKm > 0 {
		kept = fmt.Sprintf("the observer %s recognises the goal to within %g km on average at most %g km before it", who,
			d.RadiusKm, d.HiddenUntilKm)
	}
	if math.IsNaN(t.Answer.Epsilon) {
		return "no epsilon is shown to be small enough that " + kept + t.soFar()
	}
	return fmt.Sprintf("at epsilon %.4g %s, with confidence %g", t.Answer.Epsilon, kept, t.Search.Confidence) + t.soFar()
}

// soFar says what is left open if the search ended before it reached its resolution.
func (t *Leak) soFar() string {
	low, high := t.Answer.Epsilon, t.Answer.Next
	if !t.Answer.Ended {
		return ""
	}
	if math.IsNaN(low) {
		low = t.Search.Low
	}
	if math.IsNaN(high) || high <= low {
		high = t.Search.High
	}
	return fmt.Sprintf(".\nThis is known so far, after %s; to go on, search between %s and %s",
		table.Count(len(t.Answer.Trials), "epsilon"), phrase.Epsilon(low), phrase.Epsilon(high))
}

// answer returns the request and the decision for every epsilon tried.
func (t *Leak) answer() searchAnswer {
	s, d := &t.Search, &t.Search.Demand
	out := newSearchAnswer(t.Words(), t.Answer.Epsilon)
	out.Delta, out.Confidence, out.RadiusKm = s.Way.World.Delta(), s.Confidence, d.RadiusKm
	out.Between, out.Resolution, out.MostRuns = [2]float64{s.Low, s.High}, s.Resolution, s.MostRuns
	if d.HiddenUntilKm > 0 {
		out.HiddenUntilKm = known(d.HiddenUntilKm)
	}
	for _, trial := range t.ascending() {
		out.addTried(trial.Epsilon, trial.Decision)
	}
	out.addDemand(d.Quantity(), d.Limit())
	return out
}

// Effort implements campaign.Resumable.
func (t *Leak) Effort() string {
	return t.Timed(table.Count(len(t.Answer.Trials), "epsilon"))
}

// Next implements campaign.Resumable.
func (t *Leak) Next(folder string) (next campaign.Next) {
	if t.Unmet() == nil {
		next.Command = chosen(folder)
	}
	return next
}

// Sections implements campaign.Answer.
func (t *Leak) Sections(bool) []table.Section {
	return []table.Section{{Text: t.Words() + "\n\n", Table: t.Trials()}}
}

// WriteCSV writes the trials.
func (t *Leak) WriteCSV(w io.Writer) error { return t.Trials().WriteCSV(w) }

// WriteJSON writes the whole answer.
func (t *Leak) WriteJSON(w io.Writer) error { return table.WriteJSON(w, t) }

// MarshalJSON writes the whole answer. The epsilon is null if none meets the demand.
func (t *Leak) MarshalJSON() ([]byte, error) {
	d := t.Search.Demand
	answer := map[string]any{"epsilon": table.Maybe(t.Answer.Epsilon), "next_epsilon": table.Maybe(t.Answer.Next),
		"met": !math.IsNaN(t.Answer.Epsilon), "observer": t.Search.Observer.Name,
		"delta": t.Search.Way.World.Delta(), "confidence": t.Search.Confidence, "limit": d.Limit(), "demand": d.Quantity(),
		"trials": t.Trials(), "in_words": t.Words()}
	if d.HiddenUntilKm > 0 {
		answer["hidden_until_km"], answer["radius_km"] = d.HiddenUntilKm, d.RadiusKm
	} else {
		answer["leak_bits"], answer["flown_km"], answer["prior_bits"] = d.Bits, d.FlownKm, t.Search.Way.World.PriorBits()
	}
	return json.Marshal(answer)
}

// Write writes the trials, their figure, and the settings with the epsilon found.
func (t *Leak) Write(folder *record.Folder) error {
	trials := t.Trials()
	figures := map[string]*report.Figure{"figure": report.TrialsFigure(t.ascending(), t.Search.Demand, t.Words())}
	files := map[string]func(io.Writer) error{
		trialsName: trials.WriteCSV, "trials.parquet": func(w io.Writer) error {
			return parquet.Write(w, trials.Typed(), t.Program.Version, trials.Rows)
		},
	}
	choose(files, t.choice, t.Answer.Epsilon)
	results := campaign.Results{Files: files, Figures: figures, Intro: triedWords}
	t.answer().addTo(&results)
	return t.WriteAnswer(folder, t.Asked(), results)
}
