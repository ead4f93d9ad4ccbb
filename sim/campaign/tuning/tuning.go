package tuning

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/record/parquet"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// ChoiceName is the file with the settings that a tuning chose.
const ChoiceName = "config.yaml"

// PlaneName is the name of the picture of epsilon against the radius.
const PlaneName = "plane"

// Requirement has the demands on an epsilon and the parameters of the search.
type Requirement struct {
	HiddenUntilKm float64   // demand: maximum mean detection distance, km; NaN for none
	Share         float64   // of the flights that must stay hidden until then; NaN for a demand on the mean
	MaxCost       float64   // demand: maximum mean cost of privacy, a share; NaN for none
	Confidence    float64   // of the decisions and of the intervals, in (0, 1)
	RadiiKm       []float64 // of the table, ascending; nil for half, one, two and four times the observer's radius
	Low, High     float64   // range of epsilon
	Resolution    float64   // relative half-width below which an undecided range of epsilon is not divided
	MostRuns      int       // maximum number of runs
}

// Hidden reports whether there is a demand on the detection distance.
func (r *Requirement) Hidden() bool { return !math.IsNaN(r.HiddenUntilKm) }

// ofShare reports whether the demand on the distance is for a share of the flights.
func (r *Requirement) ofShare() bool { return !math.IsNaN(r.Share) }

// Cheap reports whether there is a demand on the cost.
func (r *Requirement) Cheap() bool { return !math.IsNaN(r.MaxCost) }

// options returns the flags of the demands, for the format of an error.
func (r *Requirement) options() string {
	switch {
	case r.Hidden() && r.Cheap():
		return "{hidden-until} and {max-cost}"
	case r.Hidden():
		return "{hidden-until}"
	}
	return "{max-cost}"
}

// check returns an error for values out of range.
func (r *Requirement) check() error {
	if err := checkBetween(r.Low, r.High); err != nil {
		return err
	}
	switch {
	case r.HiddenUntilKm <= 0 || r.HiddenUntilKm > 1e5:
		return campaign.RequestErrorf("{hidden-until} %g: want a distance above 0 km, up to 100000", r.HiddenUntilKm)
	case r.ofShare() && !r.Hidden():
		return campaign.RequestErrorf("{share}: it needs a demand on the distance; give {hidden-until} too")
	case r.Share <= 0 || r.Share >= 1:
		return campaign.RequestErrorf("{share} %g: want a share above 0 and below 1, such as 90%%", r.Share)
	case r.MaxCost <= 0 || math.IsInf(r.MaxCost, 0):
		return campaign.RequestErrorf("{max-cost} %g: want a share above 0, such as 5%% or 0.05", r.MaxCost)
	case !(r.Confidence > 0 && r.Confidence < 1):
		return campaign.RequestErrorf("{confidence} %g: want a share above 0 and below 1, such as 0.95", r.Confidence)
	case !(r.Resolution >= 0.001 && r.Resolution <= 1):
		return campaign.RequestErrorf("{resolution} %g: want a relative step from 0.001 to 1", r.Resolution)
	case r.MostRuns < 100:
		return campaign.RequestErrorf("{max-runs} %d: want at least 100", r.MostRuns)
	}
	return nil
}

// checkBetween returns an error for an invalid range of epsilon.
func checkBetween(low, high float64) error {
	if !(low >= 1e-6 && low < high && high <= 1e6) {
		return campaign.RequestErrorf("{between} %g,%g: want two epsilons from 1e-6 to 1e6, the lower first, such as "+
			"0.01,100",
			low, high)
	}
	return nil
}

// tableRadii returns the radii of the table in ascending order. They include the observer's radius.
func tableRadii(radii []float64, radiusKm float64) ([]float64, error) {
	if radii == nil {
		return []float64{radiusKm / 2, radiusKm, 2 * radiusKm, 4 * radiusKm}, nil
	}
	radii = append(slices.Clone(radii), radiusKm)
	slices.Sort(radii)
	radii = slices.Compact(radii)
	for _, radius := range radii {
		if radius <= 0 || radius > 1e5 {
			return nil, campaign.RequestErrorf("{radii}: %g is out of range; want radii above 0 km, up to 100000", radius)
		}
	}
	return radii, nil
}

// planeRadii returns the radii of the plane: those of the table, and eighths to four times the observer's radius in
// steps of a quarter of an octave, or more if the table has more.
func planeRadii(table []float64, radiusKm float64) []float64 {
	quarters := func(radius float64) float64 { return 4 * math.Log2(radius/radiusKm) }
	first := min(-12, int(math.Floor(quarters(table[0]))))
	last := max(8, int(math.Ceil(quarters(table[len(table)-1]))))
	radii := slices.Clone(table)
	for q := first; q <= last; q++ {
		radii = append(radii, radiusKm*math.Exp2(float64(q)/4))
	}
	slices.Sort(radii)
	return slices.Compact(radii)
}

// Tuning searches the epsilon that meets a requirement. It also computes the surface over all epsilons and radii.
type Tuning struct {
	campaign.Task
	Settings    *configs.Loaded // of the surface
	Choice      configs.Config  // settings for the chosen epsilon, without those of the surface
	Requirement Requirement
	Survey      *study.Survey
	Cells       [][]study.SurfaceCell // at the listed epsilons, by epsilon and radius
	Segments    [][]study.SurfaceCell // on the pieces of the whole range
	Found       *study.Found          // answers to the demands, the distance first; nil without demands
	ByRadius    []RadiusAnswer        // the same for the radii of the requirement

	tally  *study.SurfaceTally
	radius int // index of the observer's radius
}

// New prepares a tuning. It flies nothing. The file config.yaml has the settings of choice with the epsilon
// found.
func New(p *campaign.Program, settings *configs.Loaded, choice configs.Config, r Requirement) (*Tuning, error) {
	if err := r.check(); err != nil {
		return nil, err
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
	if why, fix := p.MoreThanRoutes(settings.Config); why != "" && (r.Hidden() || r.Cheap()) {
		return nil, campaign.RequestErrorf(r.options()+": %s, which a search for epsilon needs; %s, or leave the demand "+
			"out and "+
			"read the epsilon from the surface", why, fix)
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
		return nil, campaign.RequestErrorf("study.epsilons none: tune searches for an epsilon, and the plan without noise " +
			"is " +
			"only a baseline; list epsilons")
	}
	return &Tuning{
		Task: campaign.Task{Program: p}, Settings: settings, Choice: choice, Requirement: r,
		radius: slices.Index(radii, own), Survey: &study.Survey{Study: s, RadiiKm: radii},
	}, nil
}

// demands returns the demands of the requirement, the distance first.
func (r *Requirement) demands(e *study.Experiment) (demands []study.Demand) {
	switch {
	case r.ofShare():
		demands = append(demands, study.QuantileDistance(r.HiddenUntilKm, r.Share))
	case r.Hidden():
		demands = append(demands, e.MeanDistance(r.HiddenUntilKm))
	}
	if r.Cheap() {
		demands = append(demands, e.MeanCost(r.MaxCost))
	}
	return demands
}

// Asked returns everything that the answer depends on.
func (t *Tuning) Asked() campaign.Asked {
	r := &t.Requirement
	return campaign.Asked{Verb: "tune", Ended: t.EndedUnmet, Settings: t.Settings, Request: []any{
		known(r.HiddenUntilKm), known(r.Share), known(r.MaxCost), r.Confidence, r.RadiiKm, r.Low, r.High, r.Resolution,
		r.MostRuns, t.Choice.SHA256(),
	}}
}

// Do flies the surface, then the search. It reuses the flights of the keeper.
func (t *Tuning) Do(ctx context.Context, keeper pool.Keeper) error {
	defer t.Measure()()
	t.Survey.Keeper = keeper
	done := 0
	t.tally = study.NewSurfaceTally(t.Survey, t.Requirement.Confidence)
	err := t.Survey.Do(ctx, func(sightings []study.Sighting) error {
		t.tally.Add(sightings)
		done = sightings[len(sightings)-1].Run.Run + 1
		t.Program.Progress(campaign.Runs, done, t.Survey.Runs)
		return nil
	})
	if err != nil {
		return err
	}
	if t.Cells, err = t.tally.Listed(); err != nil {
		return err
	}
	if t.Segments, err = t.tally.Segments(); err != nil {
		return err
	}
	return t.search(ctx)
}

// search finds the epsilon that meets the demands, if there are any.
func (t *Tuning) search(ctx context.Context) error {
	r := &t.Requirement
	demands := r.demands(t.Survey.Experiment)
	if len(demands) == 0 {
		return nil
	}
	s := study.Search{Study: t.Survey.Study, Between: study.Range{Low: r.Low, High: r.High}, Resolution: r.Resolution,
		Confidence: r.Confidence,
		MostRuns:   r.MostRuns, RadiiKm: t.Survey.RadiiKm, Keeper: t.Survey.Keeper, Practical: phrase.Practical,
		Progress: func(runs, of int) { t.Program.Progress(campaign.Runs, runs, of) }}
	s.Study.Noise = study.Common // the mean at an epsilon is the same for both kinds of noise
	if r.ofShare() {
		s.BeyondKm = r.HiddenUntilKm
	}
	var err error
	if t.Found, err = s.Find(ctx, demands...); err != nil {
		return err
	}
	return t.searchRadii(ctx, s, demands)
}

// own returns the answer for the observer's radius.
func (t *Tuning) own() *RadiusAnswer {
	return &t.ByRadius[slices.Index(t.Requirement.RadiiKm, t.Settings.Adversary.RadiusKm)]
}

// Chosen returns the epsilon that is shown to meet all demands, NaN if none is. Among several it returns the one
// with the lowest cost, or with the strongest privacy if the only demand is on the cost.
func (t *Tuning) Chosen() float64 {
	if t.Found == nil {
		return math.NaN()
	}
	return t.Found.Chosen()
}

// Own returns the cells of the observer's radius, by epsilon.
func (t *Tuning) Own() []study.SurfaceCell {
	cells := make([]study.SurfaceCell, len(t.Cells))
	for i, row := range t.Cells {
		cells[i] = row[t.radius]
	}
	return cells
}

// Unmet returns an error if no epsilon is shown to meet the requirement.
func (t *Tuning) Unmet() error {
	r := t.Requirement
	if t.Found == nil || !math.IsNaN(t.Chosen()) {
		return nil
	}
	first := &t.Found.Answers[0]
	if t.Found.Impractical != (study.Range{}) {
		return fmt.Errorf("no practical epsilon from %g to %g is shown to meet the demand; relax it, or lessen what hiding "+
			"costs", r.Low, r.High)
	}
	if len(first.Met) > 0 {
		return fmt.Errorf("no epsilon is shown to meet both demands: the distance is met at %s and the cost at %s; "+
			"allow a higher cost or a larger distance",
			rangesText(first.Met, campaign.MostListed), rangesText(t.Found.Answers[1].Met, campaign.MostListed))
	}
	failing := first
	for i := range t.Found.Answers {
		if a := &t.Found.Answers[i]; len(a.Met) == 0 && len(a.Undecided) == 0 {
			failing = a
		}
	}
	cure := "relax it, or search another range of epsilon"
	if epsilon, mean := t.lowest(&failing.Demand); mean > failing.Demand.Limit {
		cure = fmt.Sprintf("its minimum is about %.3g, near epsilon %.3g; %s", mean, epsilon, cure)
	}
	if len(failing.Undecided) > 0 {
		cure = fmt.Sprintf("%s is undecided; relax the demand, allow more flights, or search another range of epsilon",
			rangesText(failing.Undecided, campaign.MostListed))
	}
	return fmt.Errorf("no epsilon from %g to %g is shown to meet the demand after %s: the %s must be at most "+
		"%.4g; %s",
		r.Low, r.High, table.Count(failing.Analyses[len(failing.Analyses)-1].Runs, "run"), failing.Demand.Name,
		failing.Demand.Limit, cure)
}

// lowest returns the lowest mean of a demand's quantity over 64 epsilons of the range, and its epsilon. Both are
// NaN if no run was flown.
func (t *Tuning) lowest(d *study.Demand) (epsilon, mean float64) {
	r := &t.Requirement
	epsilons := floats.LogSpan(make([]float64, 64), r.Low, r.High)
	epsilons[63] = r.High // without rounding errors
	means := t.Found.Means(d, epsilons)
	at := floats.MinIdx(means)
	return epsilons[at], means[at]
}

// Effort implements campaign.Resumable.
func (t *Tuning) Effort() string { return "" }

// Next implements campaign.Resumable.
func (t *Tuning) Next(folder string) campaign.Next {
	next := campaign.Next{Files: "no picture: one needs two epsilons and two radii"}
	if t.pictured() {
		next.Files = "picture  " + filepath.Join(folder, PlaneName+".png")
	}
	switch why, _ := t.Program.MoreThanRoutes(t.Settings.Config); {
	case t.Found != nil && t.Unmet() == nil:
		next.Files += "   settings  " + filepath.Join(folder, ChoiceName)
		next.Command = chosen(folder)
	case t.Found == nil && why == "":
		own := t.Own()
		next.Command = []string{"tune", "{hidden-until}", fmt.Sprintf("%.3g", own[len(own)/2].Mean.Value)}
	}
	return next
}

// chosen is the command that flies with the epsilon found.
func chosen(folder string) []string {
	return []string{"study", "{config}", filepath.Join(folder, ChoiceName), "{runs}", "2000"}
}

// pictured reports whether there is a heat map, which needs at least two epsilons and two radii.
func (t *Tuning) pictured() bool {
	return (t.Found != nil || len(t.Segments) > 1) && len(t.Survey.RadiiKm) > 1
}

// Write writes the files of the tuning, the manifest last.
func (t *Tuning) Write(folder *pieces.Folder) error {
	files := map[string]func(io.Writer) error{
		flightfile.SurfaceName: func(w io.Writer) error {
			return parquet.Write(w, study.SegmentColumns(), t.Program.Version, t.Segments...)
		},
		flightfile.SummaryName: t.WriteCSV, // for the viewer and for spreadsheets
	}
	if err := t.draw(folder); err != nil {
		return err
	}
	choice := t.Choice
	if t.Requirement.Hidden() {
		choice.Study.HiddenUntilKm = t.Requirement.HiddenUntilKm
	}
	choose(files, choice, t.Chosen())
	results := campaign.Results{Files: files, Runs: t.Survey.Runs, Baselines: t.Survey.Experiment.Baselines}
	if t.Found != nil {
		t.answer().addTo(&results)
	} else {
		results.Words = []string{t.surfaceSentence()}
	}
	results.Words = append(results.Words, t.BaselineSentence())
	return t.WriteAnswer(folder, t.Asked(), results)
}

// choose adds the file of settings with the epsilon found, if there is one.
func choose(files map[string]func(io.Writer) error, config configs.Config, epsilon float64) {
	if math.IsNaN(epsilon) {
		return
	}
	config.Privacy.Epsilon, config.Study.Epsilons, config.Study.Axis = epsilon, []float64{epsilon}, configs.Axis{}
	config.Study.Workers = 0 // does not change answers
	files[ChoiceName] = func(w io.Writer) error { _, err := w.Write(config.YAML()); return err }
}
