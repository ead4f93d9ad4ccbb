package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// tuneFlags are the flags of tune that are not configuration keys.
type tuneFlags struct {
	hiddenUntilKm float64 // NaN when not given
	quantile      float64 // likewise
	maxCost       string
	confidence    float64
	radii         string
	between       string
	resolution    float64
	mostRuns      int
}

func (a *app) tuneCommand() *cobra.Command {
	var flags tuneFlags
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Find the largest epsilon that keeps the destination hidden",
		Long: `tune flies one set of flights and shows the whole surface: for every epsilon and every observer's radius,
how far from the target the destination is recognised, how often before hand-over, and what that costs.

Given a requirement it finds the epsilon. --hidden-until D asks that the destination stays hidden until the
vehicle is D km away: the mean detection distance is at most D. With --quantile 0.9 not the mean but the
0.9-quantile is: 90 % of the flights stay hidden that long. tune answers the largest epsilon, so the least
noise, that is shown to meet it. --max-cost 5% asks that privacy costs at most that share of the value; with
--hidden-until it is checked at the answer, alone it gives the smallest epsilon, so the most privacy.

tune halves a bracket of epsilons and flies run after run at each, the same noise at every epsilon, until a
test that may be looked at after every run decides, or --max-runs are flown. With the confidence asked for
the answer meets the requirement. It exits with 1 when no epsilon is shown to.

It writes surface.parquet, heatmap and pareto as PNG and SVG, config.yaml with the epsilon chosen, and
manifest.json.`,
		Example: `  veilpath tune
  veilpath tune --hidden-until 56 --radius 0.7 --confidence 0.95
  veilpath tune --hidden-until 30 --quantile 0.25 --format json
  veilpath tune --hidden-until 58 --max-cost 5% --out out/choice
  veilpath study --config out/choice/config.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.tune(cmd, flags) },
	}
	f := cmd.Flags()
	flags.hiddenUntilKm, flags.quantile = math.NaN(), math.NaN()
	f.Var((*optional)(&flags.hiddenUntilKm), "hidden-until", "demand: hidden until `km` from the target, on average")
	f.Var((*optional)(&flags.quantile), "quantile", "make --hidden-until a demand on this quantile of the flights, in (0, 1)")
	f.StringVar(&flags.maxCost, "max-cost", "", "demand: mean cost of privacy at most this `share`, such as 5%")
	f.Float64Var(&flags.confidence, "confidence", 0.95, "of the verdicts and of the intervals, in (0, 1)")
	f.String("radius", "", "radius of the observer the requirement is for, km (adversary.radius_km)")
	f.StringVar(&flags.radii, "radii", "", "radii of the surface, km: start:stop:step or a list (default: from 1/8 of the radius to 4 times)")
	f.StringVar(&flags.between, "between", "0.01,100", "epsilons between which to search: `low,high`")
	f.Float64Var(&flags.resolution, "resolution", 0.02, "of the answer, relative, from 0.001 to 1")
	f.IntVar(&flags.mostRuns, "max-runs", 50_000, "flights at one epsilon after which it counts as undecided")
	f.String("epsilons", "", "epsilons of the surface: start:stop:step or a list (study.epsilons)")
	f.String("runs", "", "runs per epsilon of the surface (study.runs)")
	return cmd
}

// optional is a number that may be left out, and is NaN then.
type optional float64

// String returns the number as it is typed; nothing when there is none.
func (o *optional) String() string {
	if o == nil || math.IsNaN(float64(*o)) {
		return ""
	}
	return strconv.FormatFloat(float64(*o), 'g', -1, 64)
}

// Set reads a finite number.
func (o *optional) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return errors.New("not a number")
	}
	*o = optional(x)
	return nil
}

// Type names what the flag takes.
func (o *optional) Type() string { return "float64" }

// tuneKeys are the flags of tune that stand for configuration keys.
var tuneKeys = map[string]string{"epsilons": "study.epsilons", "runs": "study.runs", "radius": "adversary.radius_km"}

// requirement is what tune was asked for, checked.
type requirement struct {
	tuneFlags
	maxCost   float64 // NaN without one
	radiiKm   []float64
	low, high float64
}

// hidden reports whether a distance is demanded, ofQuantile whether of a quantile, cheap whether a cost is.
func (r *requirement) hidden() bool     { return !math.IsNaN(r.hiddenUntilKm) }
func (r *requirement) ofQuantile() bool { return !math.IsNaN(r.quantile) }
func (r *requirement) cheap() bool      { return !math.IsNaN(r.maxCost) }

// tuning is what tune found.
type tuning struct {
	loaded      *configs.Loaded
	choice      configs.Config // for the epsilon chosen: without what only shapes the surface
	requirement requirement
	survey      *study.Survey
	radius      int // index of the observer's own
	cells       [][]study.SurfaceCell
	answer      *study.Answer // nil without a requirement
	cost        *study.Trial  // of the answer, where --max-cost goes with --hidden-until
	wall        time.Duration
}

func (a *app) tune(cmd *cobra.Command, flags tuneFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	loaded, err := a.load(cmd, tuneKeys)
	if err != nil {
		return err
	}
	choice, err := a.load(cmd, map[string]string{"radius": tuneKeys["radius"]})
	if err != nil {
		return err
	}
	r, err := newRequirement(flags, loaded.Adversary.RadiusKm)
	if err != nil {
		return usageError{err}
	}
	experiment, err := setup.Experiment(loaded.Config)
	if err != nil {
		return err
	}
	folder, err := a.freshFolder("tune")
	if err != nil {
		return err
	}
	t := &tuning{loaded: loaded, choice: choice.Config, requirement: r, radius: slices.Index(r.radiiKm, loaded.Adversary.RadiusKm),
		survey: &study.Survey{Study: setup.Study(loaded.Config, experiment), RadiiKm: r.radiiKm}}
	start := time.Now()
	if err := a.look(cmd.Context(), t); err != nil {
		folder.Discard()
		if errors.Is(err, context.Canceled) {
			err = fmt.Errorf("interrupted before the answer; nothing was written: %w", err)
		}
		return err
	}
	t.wall = time.Since(start)
	if err := t.write(folder); err != nil {
		return err
	}
	if err := a.printTuning(t); err != nil {
		return err
	}
	if len(t.cells) < 2 || len(t.cells[0]) < 2 {
		a.remark("no figures: they take two epsilons and two radii")
	}
	a.remark("written to %s", folder.Path())
	return t.unmet()
}

// look flies the surface and searches for the epsilon.
func (a *app) look(ctx context.Context, t *tuning) error {
	tally, err := study.NewSurfaceTally(t.survey, t.requirement.confidence)
	if err != nil {
		return err
	}
	bar := a.newProgress(t.survey.Runs*len(t.survey.Epsilons), "flights")
	all := make([]int, len(t.survey.Epsilons))
	for i := range all {
		all[i] = i
	}
	err = t.survey.Do(ctx, all, 0, t.survey.Runs, func(sightings []study.Sighting) error {
		tally.Add(sightings)
		bar.add(len(sightings))
		return nil
	})
	bar.end()
	if err != nil {
		return err
	}
	t.cells = tally.Cells()
	return a.search(ctx, t)
}

// search finds the epsilon that the requirement asks for, if it asks.
func (a *app) search(ctx context.Context, t *tuning) error {
	r, e := t.requirement, t.survey.Experiment
	if !r.hidden() && !r.cheap() {
		return nil
	}
	bar := a.newProgress(-1, "flights")
	defer bar.end()
	one := *t.survey
	one.RadiiKm = []float64{t.loaded.Adversary.RadiusKm}
	s := study.Search{Survey: &one, Low: r.low, High: r.high, Resolution: r.resolution, Confidence: r.confidence, MostRuns: r.mostRuns, Progress: bar.add}
	demand := e.MeanCost(r.maxCost)
	switch {
	case r.ofQuantile():
		demand = study.QuantileDistance(r.hiddenUntilKm, r.quantile, 0)
	case r.hidden():
		demand = e.MeanDistance(r.hiddenUntilKm, 0)
	}
	if r.hidden() && r.cheap() {
		s.Confidence = 1 - (1-r.confidence)/2 // shared with the cost
	}
	answer, err := s.Find(ctx, demand)
	if err != nil {
		return err
	}
	t.answer = &answer
	if r.hidden() && r.cheap() && !math.IsNaN(answer.Epsilon) {
		s.FirstRun = s.MostRuns // the runs before have chosen the epsilon
		cost, err := s.Try(ctx, e.MeanCost(r.maxCost), answer.Epsilon)
		if err != nil {
			return err
		}
		t.cost = &cost
	}
	return nil
}

// chosen returns the epsilon that meets the whole requirement, NaN when none is shown to.
func (t *tuning) chosen() float64 {
	if t.answer == nil || (t.cost != nil && t.cost.Verdict != study.Met) {
		return math.NaN()
	}
	return t.answer.Epsilon
}

// unmet returns the error for a requirement that no epsilon is shown to meet.
func (t *tuning) unmet() error {
	r := t.requirement
	if t.answer == nil || !math.IsNaN(t.chosen()) {
		return nil
	}
	if t.cost != nil {
		return fmt.Errorf("no epsilon is shown to meet both: the largest that stays hidden, %g, costs %.2f %% (standard error %.2f), and smaller ones cost more; raise --max-cost or --hidden-until",
			t.answer.Epsilon, 100*t.cost.Mean, 100*t.cost.StandardError)
	}
	first, cure := t.answer.Trials[0], "relax it, or search further with --between"
	if first.Verdict == study.Undecided {
		cure = "that is too near to tell: relax it, allow more flights with --max-runs, or search further with --between"
	}
	return fmt.Errorf("no epsilon from %g to %g is shown to meet the requirement: after %d runs at %g the %s is %.4g (standard error %.2g), the limit %.4g; %s",
		r.low, r.high, first.Runs, first.Epsilon, first.Demand, first.Mean, first.StandardError, t.limit(), cure)
}

// limit returns what the first demand limits its quantity to.
func (t *tuning) limit() float64 {
	r := t.requirement
	switch {
	case r.ofQuantile():
		return 1 - r.quantile
	case r.hidden():
		return r.hiddenUntilKm
	}
	return r.maxCost
}

// newRequirement checks the flags for an observer of a radius.
func newRequirement(f tuneFlags, radiusKm float64) (requirement, error) {
	r := requirement{tuneFlags: f, maxCost: math.NaN()}
	between, err := configs.ParseRange(f.between)
	switch {
	case err != nil:
		return r, fmt.Errorf("--between: %w", err)
	case len(between) != 2 || !(between[0] >= 1e-6) || !(between[0] < between[1]) || !(between[1] <= 1e6):
		return r, fmt.Errorf("--between %s: want two epsilons from 1e-6 to 1e6, the lower first, such as 0.01,100", f.between)
	case f.hiddenUntilKm <= 0 || f.hiddenUntilKm > 1e5:
		return r, fmt.Errorf("--hidden-until %g: want a distance above 0 km, up to 100000", f.hiddenUntilKm)
	case r.ofQuantile() && !r.hidden():
		return r, errors.New("--quantile: it says which quantile --hidden-until is a demand on; give that too")
	case f.quantile <= 0 || f.quantile >= 1:
		return r, fmt.Errorf("--quantile %g: want a share above 0 and below 1, such as 0.9", f.quantile)
	case !(f.confidence > 0 && f.confidence < 1):
		return r, fmt.Errorf("--confidence %g: want a share above 0 and below 1, such as 0.95", f.confidence)
	case !(f.resolution >= 0.001 && f.resolution <= 1):
		return r, fmt.Errorf("--resolution %g: want a relative step from 0.001 to 1", f.resolution)
	case f.mostRuns < 100:
		return r, fmt.Errorf("--max-runs %d: want at least 100", f.mostRuns)
	}
	r.low, r.high = between[0], between[1]
	if f.maxCost != "" {
		if r.maxCost, err = parseShare(f.maxCost); err != nil {
			return r, err
		}
	}
	r.radiiKm, err = surfaceRadii(f.radii, radiusKm)
	return r, err
}

// parseShare reads 5% or 0.05.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share > 0) || math.IsInf(share, 0) {
		return 0, fmt.Errorf("--max-cost %s: want a share above 0, such as 5%% or 0.05", text)
	}
	if share > 1 && !percent {
		return 0, fmt.Errorf("--max-cost %s: that is more than all of the value; write %s%% for hundredths, %g%% if it is meant", text, text, 100*share)
	}
	return share, nil
}

// surfaceRadii returns the radii of the surface, ascending, the observer's own among them.
func surfaceRadii(text string, radiusKm float64) ([]float64, error) {
	var radii []float64
	if text == "" {
		for quarter := -12; quarter <= 8; quarter++ {
			radii = append(radii, radiusKm*math.Exp2(float64(quarter)/4))
		}
		return radii, nil
	}
	radii, err := configs.ParseRange(text)
	if err != nil {
		return nil, fmt.Errorf("--radii: %w", err)
	}
	if !slices.Contains(radii, radiusKm) {
		radii = append(radii, radiusKm)
	}
	slices.Sort(radii)
	if radii[0] <= 0 || radii[len(radii)-1] > 1e5 {
		return nil, fmt.Errorf("--radii %s: want radii above 0 km, up to 100000", text)
	}
	return radii, nil
}

// choiceName is the file with the settings that tune chose.
const choiceName = "config.yaml"

// write writes the files of tune.
func (t *tuning) write(folder *record.Folder) error {
	if err := folder.Write(record.SurfaceName, func(w io.Writer) error { return record.WriteSurfaceParquet(w, t.cells, version) }); err != nil {
		return err
	}
	if err := t.draw(folder); err != nil {
		return err
	}
	if epsilon := t.chosen(); !math.IsNaN(epsilon) {
		config := t.choice
		config.Privacy.Epsilon, config.Study.Epsilons = epsilon, []float64{epsilon}
		if err := folder.Write(choiceName, func(w io.Writer) error { _, err := w.Write(config.YAML()); return err }); err != nil {
			return err
		}
	}
	m, err := newManifest("tune", t.loaded)
	if err != nil {
		return err
	}
	m.Runs, m.NominalDetectionKm = t.survey.Runs, t.survey.Experiment.Nominal.DetectionKm
	m.WallTimeS, m.Workers = t.wall.Seconds(), workers(t.survey.Workers)
	return folder.Write(record.ManifestName, func(w io.Writer) error { return record.WriteManifest(w, m) })
}
