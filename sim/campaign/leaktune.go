package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/planner/quantity"
	"veilpath/sim/leak"
)

// LeakRequirement is what an epsilon is to meet for an observer of the goal, and how it is searched for.
type LeakRequirement struct {
	Leak          string  // demand: at most so many bits, as in 2bits, about a goal drawn from the prior; empty for none
	At            string  // distance flown after which that is asked, km
	HiddenUntilKm float64 // demand on recognition, where Leak is empty
	Low, High     float64 // epsilons between which to search
	Resolution    float64 // of the answer, relative
	Confidence    float64 // that it meets the demand
	Flights       int     // of a trial at first
	MostRuns      int     // of a trial
}

// LeakTuning is the search for the largest epsilon that meets a demand on what an observer of the goal learns.
type LeakTuning struct {
	Search leak.Search
	Answer leak.Answer
	Wall   time.Duration

	program  *Program
	settings *configs.Loaded
	choice   configs.Config
	asked    LeakRequirement
}

// InfersGoal reports whether the observer of settings is one of the goal.
func InfersGoal(c configs.Config) bool {
	m, err := adversary.Find(c.Adversary.Observer)
	return err == nil && m.Goal
}

// NewLeakTuning checks a requirement against settings. choice is what config.yaml is made of, with the epsilon found.
func (p *Program) NewLeakTuning(ctx context.Context, settings *configs.Loaded, choice configs.Config,
	r LeakRequirement) (*LeakTuning, error) {
	c := settings.Config
	if !InfersGoal(c) {
		return nil, mistake("{leak}: %s foresees where flights end and believes nothing of goals; take an observer of the "+
			"goal with {observer}, one of %v", c.Adversary.Observer, adversary.GoalNames())
	}
	if err := checkBetween(r.Low, r.High); err != nil {
		return nil, err
	}
	t := &LeakTuning{program: p, settings: settings, choice: choice, asked: r}
	demand, err := r.demand(c)
	if err != nil {
		return nil, err
	}
	model, err := adversary.FindGoalModel(c.Adversary.Observer)
	if err != nil {
		return nil, err
	}
	way, err := p.builder().Way(ctx, c)
	if err != nil {
		return nil, err
	}
	if demand.HiddenUntilKm > 0 && way.World.Own < 0 {
		return nil, mistake("{hidden-until}: the goal of the mission is not among adversary.candidates; add its cell, or " +
			"take all")
	}
	done := 0
	t.Search = leak.Search{Way: way, Observer: model, Demand: demand, Low: r.Low, High: r.High, Resolution: r.Resolution,
		Confidence: r.Confidence,
		Flights:    max(2, r.Flights), MostRuns: r.MostRuns, Policies: c.Adversary.Policies, Seed: c.Study.Seed,
		Workers:  c.Study.Workers,
		Progress: func(n int) { done += n; p.progress(Plans, done, -1) }}
	return t, nil
}

// demand reads the demand.
func (r *LeakRequirement) demand(c configs.Config) (leak.Demand, error) {
	d := leak.Demand{HiddenUntilKm: r.HiddenUntilKm, RadiusKm: c.Adversary.RadiusKm,
		Rule: c.Adversary.Recognition()}
	if r.Leak == "" {
		if !(d.HiddenUntilKm > 0) {
			return d, mistake("an observer of the goal is tuned against with {leak} or {hidden-until}; give one")
		}
		return d, nil
	}
	if d.HiddenUntilKm > 0 {
		return d, mistake("{leak} and {hidden-until} are two demands; give one")
	}
	d.HiddenUntilKm = 0
	var err error
	if d.Bits, err = parseBits(r.Leak); err != nil {
		return d, mistake("{leak} %s: %w", r.Leak, err)
	}
	at, err := parseKilometres(r.At)
	if err != nil || len(at) != 1 {
		return d, mistake("{at} %s: want one distance in km, 0 or more", r.At)
	}
	d.FlownKm = at[0]
	return d, nil
}

// Asked is all that the answer depends on.
func (t *LeakTuning) Asked() Asked {
	r := t.asked
	return Asked{Verb: "tune", Ended: t.program.unmet, Settings: t.settings,
		Request: []any{"leak", r.Leak, r.At, known(r.HiddenUntilKm), r.Low,
			r.High, r.Resolution, r.Confidence, r.Flights, r.MostRuns,
			t.choice.SHA256()}}
}

// Do searches, after the policies and flights that the keeper has.
func (t *LeakTuning) Do(ctx context.Context, keeper pool.Keeper) (err error) {
	start := t.program.now()
	t.Search.Keeper = keeper
	t.Answer, err = t.Search.Find(ctx)
	t.Wall = t.program.now().Sub(start)
	return err
}

// Unmet returns the error for a demand that no epsilon is shown to meet. The smallest epsilon says what is told
// whatever the noise.
func (t *LeakTuning) Unmet() error {
	if !math.IsNaN(t.Answer.Epsilon) {
		return nil
	}
	first := t.Answer.Trials[0]
	return option.Errorf("no epsilon from %g to %g is shown to meet the requirement: at %g the %s come to %.4g (standard "+
		"error %.2g), the limit %.4g; most of that is learned from the hand-over and the moves, at any epsilon: relax the "+
		"demand, ask after fewer km with {at}, or add countermeasures (veilpath leak {countermeasures})",
		t.Search.Low, t.Search.High, first.Epsilon, t.Search.Demand.Quantity(), first.Mean, first.StandardError,
		t.Search.Demand.Limit())
}

// Trials is the table of the epsilons tried, ascending.
func (t *LeakTuning) Trials() *table.Sheet {
	s := &table.Sheet{Name: "trials", Title: "Epsilons tried",
		Text: "What the demand is on, at every epsilon tried, and whether it is shown to meet it.",
		Columns: []table.Column[table.Row]{
			{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Heading: "epsilon", Format: "%.4f", Lead: true},
			{Name: "runs", Meaning: "flights", Heading: "runs"},
			{Name: "mean", Meaning: t.Search.Demand.Quantity(), Heading: "mean", Format: "%.3f"},
			{Name: "standard_error", Meaning: "its standard error", Heading: "+-", Format: "%.3f", Beside: true},
			{Name: "decision", Meaning: "met, not met or undecided", Heading: "decision"},
		}}
	for _, trial := range slices.SortedFunc(slices.Values(t.Answer.Trials),
		func(a, b leak.Trial) int { return cmp.Compare(a.Epsilon, b.Epsilon) }) {
		s.Rows = append(s.Rows, []any{trial.Epsilon, trial.Runs, trial.Mean, trial.StandardError, string(trial.Decision)})
	}
	return s
}

// Words is the answer in a sentence.
func (t *LeakTuning) Words() string {
	d, who := t.Search.Demand, t.Search.Observer.Name
	kept := fmt.Sprintf("the observer %s has learned at most %g bits about the goal after %g km", who, d.Bits, d.FlownKm)
	if d.HiddenUntilKm > 0 {
		kept = fmt.Sprintf("the observer %s recognises the goal within %g km at %g km from it on average, or nearer", who,
			d.RadiusKm, d.HiddenUntilKm)
	}
	if math.IsNaN(t.Answer.Epsilon) {
		return "no epsilon is shown to be so small that " + kept
	}
	return fmt.Sprintf("at epsilon %.4g %s, with confidence %g; that it is so at smaller epsilons too is assumed, not "+
		"shown", t.Answer.Epsilon, kept, t.Search.Confidence)
}

// answer returns what was asked, and the epsilons tried by what is shown of them.
func (t *LeakTuning) answer() searchAnswer {
	s, d := &t.Search, &t.Search.Demand
	out := newSearchAnswer(t.Words(), t.Answer.Epsilon)
	out.Delta, out.Confidence, out.RadiusKm = s.Way.World.Delta(), s.Confidence, d.RadiusKm
	out.Between, out.Resolution, out.MostRuns = [2]float64{s.Low, s.High}, s.Resolution, s.MostRuns
	if d.HiddenUntilKm > 0 {
		out.HiddenUntilKm = known(d.HiddenUntilKm)
	}
	for _, trial := range slices.SortedFunc(slices.Values(t.Answer.Trials),
		func(a, b leak.Trial) int { return cmp.Compare(a.Epsilon, b.Epsilon) }) {
		out.addTried(trial.Epsilon, trial.Decision)
	}
	out.Demands = append(out.Demands, demandJSON{Demand: d.Quantity(), Limit: d.Limit(), Met: out.MetEpsilons,
		NotMet:    out.NotMetEpsilons,
		Undecided: out.UndecidedEpsilons, Crossings: []crossingJSON{}, Looks: []lookJSON{}})
	return out
}

// MarshalJSON writes all of the answer. The epsilon is null when none meets the demand.
func (t *LeakTuning) MarshalJSON() ([]byte, error) {
	d := t.Search.Demand
	answer := map[string]any{"epsilon": quantity.Maybe(t.Answer.Epsilon), "next_epsilon": quantity.Maybe(t.Answer.Next),
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

// Write writes the trials, their figure and the settings with the epsilon that was found.
func (t *LeakTuning) Write(folder *record.Folder) error {
	trials := t.Trials()
	figures := map[string]*report.Figure{"figure": report.TrialsFigure(t.Answer.Trials, t.Search.Demand, t.Words())}
	files := map[string]func(io.Writer) error{
		TrialsName: trials.WriteCSV, "trials.parquet": func(w io.Writer) error {
			return parquet.Write(w, trials.Typed(), t.program.Version, trials.Rows)
		},
	}
	choose(files, t.choice, t.Answer.Epsilon)
	answer := t.answer()
	return t.program.writeAnswer(folder, t.Asked(), Results{Files: files, Figures: figures, Answer: &answer, Wall: t.Wall})
}
