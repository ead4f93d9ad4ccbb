package campaign

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/option"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// LeakSearch searches the largest epsilon that meets a demand on what an observer of the goal learns, or on where it
// recognises the goal.
type LeakSearch struct {
	Requirement
	program  *Program
	settings *configs.Loaded
	choice   configs.Config
	search   leak.Search
	found    leak.Answer
}

// InfersGoal reports whether the observer in the settings is an observer of the goal.
func InfersGoal(c configs.Config) bool {
	_, err := adversary.FindGoalModel(c.Adversary.Observer)
	return err == nil
}

// NewLeakSearch prepares a search. The file config.yaml has the settings of choice with the epsilon found. Of the
// requirement it uses one demand, LeakSearch or HiddenUntilKm, and at most MostRuns flights for an epsilon.
func NewLeakSearch(ctx context.Context, p *Program, settings *configs.Loaded, choice configs.Config,
	r Requirement) (*LeakSearch, error) {
	c := settings.Config
	model, err := adversary.FindGoalModel(c.Adversary.Observer)
	if err != nil {
		return nil, RequestErrorf("{leak}: observer %s predicts where flights end and has no beliefs about goals; "+
			"choose an observer of the goal with {observer}, one of %v", c.Adversary.Observer, adversary.GoalNames())
	}
	if r.Cheap() || r.ofShare() {
		return nil, RequestErrorf("{max-cost} and {share} are not for observers of the goal, such as %s; leave "+
			"them out", model.Name)
	}
	if err := r.checkBetween(); err != nil {
		return nil, err
	}
	r.At = cmp.Or(r.At, DefaultFlown(c))
	demand, err := r.demand(c)
	if err != nil {
		return nil, err
	}
	p.RemarkBeyond(demand.FlownKm, "so many flights have ended by then", c)
	way, err := p.Builder().Way(ctx, c)
	if err != nil {
		return nil, err
	}
	if demand.HiddenUntilKm > 0 && way.World.Own < 0 {
		return nil, RequestErrorf("{hidden-until}: the goal of the mission is not among adversary.candidates; add " +
			"its cell, or use all")
	}
	return &LeakSearch{Requirement: r, program: p, settings: settings, choice: choice,
		search: leak.Search{Way: way, Observer: model, Demand: demand, Low: r.Low, High: r.High, Resolution: r.Resolution,
			Confidence: r.Confidence, Flights: max(2, c.Study.Runs), MostRuns: r.MostRuns, MostWork: mostWork,
			Policies: c.Adversary.Policies, Training: c.Adversary.Training, Seed: c.Study.Seed, Workers: c.Study.Workers,
			Progress: p.Counter(Plans, -1)}}, nil
}

// mostWork is the work of a search, see leak.Search: about half a minute of a processor.
const mostWork = 250_000

// demand parses the demand.
func (r *Requirement) demand(c configs.Config) (leak.Demand, error) {
	d := leak.Demand{HiddenUntilKm: r.HiddenUntilKm, RadiusKm: c.Adversary.RadiusKm,
		Rule: c.Adversary.Recognition()}
	if r.Leak == "" {
		if !(d.HiddenUntilKm > 0) {
			return d, RequestErrorf("an observer of the goal needs the demand {leak} or {hidden-until}; give one")
		}
		return d, nil
	}
	if r.Hidden() {
		return d, RequestErrorf("{leak} and {hidden-until} are two demands; give one")
	}
	d.HiddenUntilKm = 0
	var err error
	if d.Bits, err = ParseBits(r.Leak); err != nil {
		return d, RequestErrorf("{leak} %s: %w", r.Leak, err)
	}
	at, err := ParseKilometres(r.At)
	if err != nil || len(at) != 1 {
		return d, RequestErrorf("{at} %s: want one distance in km, 0 or more", r.At)
	}
	d.FlownKm = at[0]
	return d, nil
}

// Question implements Asker.
func (t *LeakSearch) Question() Question {
	return Question{Verb: "tune", Settings: t.settings, Solve: t.solve,
		Request: t.request(map[string]any{"runs": t.settings.Study.Runs, "settings": t.choice.SHA256()})}
}

// solve searches.
func (t *LeakSearch) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	t.search.Kept = kept
	var err error
	if t.found, err = t.search.Find(ctx); err != nil {
		return nil, err
	}
	return t.answer()
}

// unmet returns an error if no epsilon is shown to meet the demand. It reports the value at the smallest epsilon,
// which is learned even with the strongest noise.
func (t *LeakSearch) unmet() error {
	if !math.IsNaN(t.found.Epsilon) {
		return nil
	}
	first, d := t.found.Trials[0], &t.search.Demand
	return option.Errorf("no epsilon from %g to %g is shown to meet the demand: at %g the %s are %.4g (standard "+
		"error %.2g), the limit is %.4g; the hand-over and the moves reveal most of this at any epsilon: relax the "+
		"demand, apply it after fewer km with {at}, or add countermeasures (veilpath leak {countermeasures})",
		t.Low, t.High, first.Epsilon, d.Quantity(), first.Mean, first.StandardError, d.Limit())
}

// trials returns the table of the epsilons tried.
func (t *LeakSearch) trials() table.Table[leak.Trial] {
	return table.Table[leak.Trial]{Rows: t.found.Trials, Columns: []table.Column[leak.Trial]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Heading: "epsilon", Format: "%.4f", Lead: true,
			Open: true, Value: func(t *leak.Trial) float64 { return t.Epsilon }},
		{Name: "runs", Meaning: "flights", Heading: "runs", Whole: true,
			Value: func(t *leak.Trial) float64 { return float64(t.Runs) }},
		{Name: "mean", Meaning: t.search.Demand.Quantity(), Heading: "mean", Format: "%.3f", Open: true,
			Value: func(t *leak.Trial) float64 { return t.Mean }},
		{Name: "standard_error", Meaning: "its standard error", Heading: "+-", Format: "%.3f", Beside: true, Open: true,
			Value: func(t *leak.Trial) float64 { return t.StandardError }},
		{Name: "decision", Meaning: "met, not met or undecided", Heading: "decision", Repeats: true,
			Text: func(t *leak.Trial) string { return string(t.Decision) }},
	}}
}

// words returns the answer as a sentence.
func (t *LeakSearch) words() string {
	d, who := t.search.Demand, t.search.Observer.Name
	kept := fmt.Sprintf("the observer %s learns at most %g bits about the goal in the first %g km", who, d.Bits,
		d.FlownKm)
	if d.HiddenUntilKm > 0 {
		kept = fmt.Sprintf("the observer %s recognises the goal to within %g km on average at most %g km before it", who,
			d.RadiusKm, d.HiddenUntilKm)
	}
	if math.IsNaN(t.found.Epsilon) {
		return "no epsilon is shown to be small enough that " + kept + t.soFar()
	}
	return fmt.Sprintf("at epsilon %.4g %s, with confidence %g", t.found.Epsilon, kept, t.Confidence) + t.soFar()
}

// soFar says what is left open if the search ended before it reached its resolution.
func (t *LeakSearch) soFar() string {
	low, high := t.found.Epsilon, t.found.Next
	if !t.found.Ended {
		return ""
	}
	if math.IsNaN(low) {
		low = t.Low
	}
	if math.IsNaN(high) || high <= low {
		high = t.High
	}
	return fmt.Sprintf(".\nThis is known so far, after %s; to go on, search between %s and %s",
		table.Count(len(t.found.Trials), "epsilon"), phrase.Epsilon(low), phrase.Epsilon(high))
}

// asked sorts the trials and returns the request and the decisions.
func (t *LeakSearch) asked() *searchAnswer {
	d := &t.search.Demand
	sets := tried(t.found.Trials, func(t leak.Trial) (float64, study.Decision) { return t.Epsilon, t.Decision })
	out := t.searched(t.words(), t.found.Epsilon, sets,
		study.Answer{Demand: study.Demand{Name: d.Quantity(), Limit: d.Limit()}, Sets: sets})
	out.Delta, out.RadiusKm = t.search.Way.World.Delta(), d.RadiusKm
	return out
}

// answer returns the answer with every epsilon tried. In JSON the epsilon is null if none meets the demand.
func (t *LeakSearch) answer() (*answer.Answer, error) {
	asked, d, trials, world := t.asked(), &t.search.Demand, t.trials(), t.search.Way.World
	out := map[string]any{"epsilon": table.Maybe(t.found.Epsilon), "next_epsilon": table.Maybe(t.found.Next),
		"met": !math.IsNaN(t.found.Epsilon), "observer": t.search.Observer.Name, "delta": world.Delta(),
		"confidence": t.Confidence, "limit": d.Limit(), "demand": d.Quantity(), "trials": trials, "in_words": t.words()}
	if d.HiddenUntilKm > 0 {
		out["hidden_until_km"], out["radius_km"] = d.HiddenUntilKm, d.RadiusKm
	} else {
		out["leak_bits"], out["flown_km"], out["prior_bits"] = d.Bits, d.FlownKm, world.PriorBits()
	}
	a := &answer.Answer{Words: strings.Split(t.words(), "\n"), Table: trials,
		CSV:  answer.File{Name: trialsName, Write: trials.WriteCSV},
		JSON: answer.File{Name: AnswerName, Write: func(w io.Writer) error { return table.WriteJSON(w, out) }},
		Files: map[string]func(io.Writer) error{"trials.parquet": func(w io.Writer) error {
			return parquet.Write(w, trials.Columns, t.program.Version, trials.Rows)
		}},
		Figures: map[string]*figure.Figure{"figure": t.figure()},
		Effort:  table.Count(len(trials.Rows), "epsilon"), Unmet: t.unmet()}
	choose(a, t.choice, t.found.Epsilon)
	return a, asked.addTo(a)
}

// figure draws the trials.
func (t *LeakSearch) figure() *figure.Figure {
	var means figure.Series
	for _, trial := range t.found.Trials {
		mean, low, high := ends(trial.SampleMean)
		means.AddInterval(trial.Epsilon, mean, max(0, low), high)
	}
	d := &t.search.Demand
	return t.trialsFigure(figure.Sentence(d.Quantity()), means, d.Limit(), t.found.Epsilon,
		fmt.Sprintf("Observer %s; 95 %% intervals", t.search.Observer.Name))
}
