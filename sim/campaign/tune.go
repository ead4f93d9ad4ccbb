package campaign

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/option"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/setup"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// Tuning searches the epsilon that meets a requirement. It also computes the surface over all epsilons and radii.
type Tuning struct {
	Requirement
	program  *Program
	settings *configs.Loaded // of the surface
	choice   configs.Config  // settings for the chosen epsilon, without those of the surface
	survey   *study.Survey
	tally    *study.SurfaceTally
	radius   int                   // index of the observer's radius
	cells    [][]study.SurfaceCell // at the listed epsilons, by epsilon and radius
	segments [][]study.SurfaceCell // on the pieces of the whole range
	found    *study.Found          // answers to the demands, the distance first; nil without demands
	byRadius []RadiusAnswer        // the same for the radii of the requirement
}

// NewTuning prepares a tuning. It flies nothing. The file config.yaml has the settings of choice with the epsilon
// found.
func NewTuning(p *Program, settings *configs.Loaded, choice configs.Config, r Requirement) (*Tuning, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if vary.Has(settings.Vary, vary.RadiusKm) {
		return nil, RequestErrorf("vary: a tuning compares radii, so that adversary.radius_km cannot vary; leave it out, " +
			"or fly veilpath study")
	}
	own := settings.Adversary.RadiusKm
	var err error
	if r.RadiiKm, err = tableRadii(r.RadiiKm, own); err != nil {
		return nil, err
	}
	radii := planeRadii(r.RadiiKm, own)
	if err := p.CheckAxis(settings); err != nil {
		return nil, err
	}
	if why, fix := p.MoreThanRoutes(settings.Config); why != "" && r.options() != "" {
		return nil, RequestErrorf(r.options()+": %s, which a search for epsilon needs; %s, or leave the demand "+
			"out and read the epsilon from the surface", why, fix)
	}
	p.RemarkErrors(settings)
	if r.Hidden() {
		p.RemarkBeyond(r.HiddenUntilKm, "so almost every flight meets the demand", settings.Config)
	}
	experiment, err := p.Builder().Experiment(settings.Config)
	if err != nil {
		return nil, err
	}
	s := setup.Study(settings.Config, experiment)
	s.Epsilons = slices.DeleteFunc(slices.Clone(s.Epsilons),
		func(epsilon float64) bool { return epsilon == study.None() })
	if len(s.Epsilons) == 0 {
		return nil, RequestErrorf("study.epsilons none: tune searches for an epsilon, and the plan without noise " +
			"is only a baseline; list epsilons")
	}
	return &Tuning{Requirement: r, program: p, settings: settings, choice: choice, radius: slices.Index(radii, own),
		survey: &study.Survey{Study: s, RadiiKm: radii}}, nil
}

// Question implements Asker.
func (t *Tuning) Question() Question {
	return Question{Verb: "tune", Settings: t.settings, Solve: t.solve,
		Request: t.request(map[string]any{"settings": t.choice.SHA256()})}
}

// solve flies the surface, then the search.
func (t *Tuning) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	t.survey.Kept = kept
	t.tally = study.NewSurfaceTally(t.survey, t.Confidence)
	err := t.survey.Do(ctx, func(sightings []study.Sighting) error {
		t.tally.Add(sightings)
		t.program.Progress(Runs, sightings[len(sightings)-1].Run.Run+1, t.survey.Runs)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.cells, err = t.tally.Listed(); err != nil {
		return nil, err
	}
	if t.segments, err = t.tally.Segments(); err != nil {
		return nil, err
	}
	if demands := t.demands(t.survey.Experiment); len(demands) > 0 {
		if err := t.search(ctx, demands); err != nil {
			return nil, err
		}
	}
	return t.answer()
}

// search finds the epsilons that meet the demands, first for the observer, then for every radius of the table. The
// flights are those of the search for the observer: the experiment remembers the routes that it flew.
func (t *Tuning) search(ctx context.Context, demands []study.Demand) (err error) {
	s := study.Search{Study: t.survey.Study, Between: study.Range{Low: t.Low, High: t.High}, Resolution: t.Resolution,
		Confidence: t.Confidence, MostRuns: t.MostRuns, RadiiKm: t.survey.RadiiKm, Kept: t.survey.Kept,
		Practical: phrase.Practical,
		Progress:  func(runs, of int) { t.program.Progress(Runs, runs, of) }}
	s.Study.Noise = study.Common // the mean at an epsilon is the same for both kinds of noise
	if t.ofShare() {
		s.BeyondKm = t.HiddenUntilKm
	}
	if t.found, err = s.Find(ctx, demands...); err != nil {
		return err
	}
	s.Resolution = min(1, othersCoarser*t.Resolution)
	for _, radius := range t.RadiiKm {
		found := t.found
		if radius != t.settings.Adversary.RadiusKm {
			s.RadiusKm = radius
			if found, err = s.Find(ctx, demands...); err != nil {
				return err
			}
			t.found.Map.Join(found.Map) // more flights where the demand is met and not met at this radius
		}
		a, err := newRadiusAnswer(found, radius, &t.Requirement)
		if err != nil {
			return err
		}
		t.byRadius = append(t.byRadius, a)
	}
	return nil
}

// othersCoarser is how much coarser the searches for the radii other than the observer's are.
const othersCoarser = 2

// own returns the answer for the observer's radius.
func (t *Tuning) own() *RadiusAnswer {
	return &t.byRadius[slices.Index(t.RadiiKm, t.settings.Adversary.RadiusKm)]
}

// listed returns the cells at the listed epsilons and the observer's radius.
func (t *Tuning) listed() (cells []study.SurfaceCell) {
	for _, row := range t.cells {
		cells = append(cells, row[t.radius])
	}
	return cells
}

// unmet returns an error if no epsilon is shown to meet the requirement: how low the quantity of a demand gets that is
// met nowhere, or of the first one.
func (t *Tuning) unmet() error {
	if t.found == nil || !math.IsNaN(t.found.Chosen()) {
		return nil
	}
	failing := &t.found.Answers[0]
	for i := range t.found.Answers {
		if a := &t.found.Answers[i]; len(a.Met) == 0 {
			failing = a
		}
	}
	epsilon, lowest := t.lowest(&failing.Demand)
	return option.Errorf("no practical epsilon from %g to %g is shown to meet the demand: the %s must be at most %.4g; "+
		"its lowest value is about %.3g, near epsilon %.3g; relax the demand, allow more {max-runs}, or search another "+
		"range with {between}", t.Low, t.High, failing.Demand.Name, failing.Demand.Limit, lowest, epsilon)
}

// lowest returns the lowest mean of a demand's quantity over 64 epsilons of the range, and its epsilon. Both are
// NaN if no run was flown.
func (t *Tuning) lowest(d *study.Demand) (epsilon, mean float64) {
	epsilons := floats.LogSpan(make([]float64, 64), t.Low, t.High)
	epsilons[63] = t.High // without rounding errors
	means := t.found.Means(d, epsilons)
	at := floats.MinIdx(means)
	return epsilons[at], means[at]
}
