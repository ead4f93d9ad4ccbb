package study

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"veilpath/adversary"
	"veilpath/internal/pieces"
)

// Demand is a requirement on the flights of an epsilon: the mean of a quantity is at most a limit. A demand on
// a quantile limits the fraction of the flights beyond it.
type Demand struct {
	Name  string
	Limit float64
	Bound float64 // the quantity lies in [0, Bound]
	// Clips says that a larger quantity counts as Bound. The decisions are then about the mean of the clipped quantity.
	// That is at most the mean, so a decision NotMet holds for both.
	Clips bool
	// Falls says that in every run the quantity never grows with epsilon, so that the demand is met from one
	// epsilon on. Other means, such as the mean detection distance, may rise and fall along epsilon.
	Falls bool
	Of    func(*Run) float64
}

// value returns the quantity of a flight, which is at most Bound if the demand clips.
func (d *Demand) value(r *Run) float64 {
	if x := d.Of(r); !d.Clips || x < d.Bound {
		return x
	}
	return d.Bound
}

// MeanDistance demands a mean detection distance of at most limitKm. A flight that is recognised beyond FarthestKm
// counts as recognised there.
func (e *Experiment) MeanDistance(limitKm float64) Demand {
	return Demand{Name: "mean detection distance in km", Limit: limitKm, Bound: e.FarthestKm(), Clips: true,
		Of: func(r *Run) float64 { return r.DetectionKm }}
}

// QuantileDistance demands that at least the given fraction of the flights, in (0, 1), is detected at limitKm
// or less.
func QuantileDistance(limitKm, share float64) Demand {
	return Demand{Name: fmt.Sprintf("share of flights detected beyond %g km", limitKm), Limit: 1 - share, Bound: 1,
		Of: func(r *Run) float64 { return float64(count(r.DetectionKm > limitKm)) }}
}

// MeanCost demands a mean cost of privacy of at most limit. The cost falls with epsilon in every run: of two
// policies that are optimal for the rewards R + s z and R + t z with s < t, the first has at least the value of
// the second under R. Each has at least the value of the other under its own rewards; adding both inequalities
// shows that the second has at least the value of the first under z, and then the first inequality shows the
// claim. This holds only for linear mechanisms.
func (e *Experiment) MeanCost(limit float64) Demand {
	m := e.Mission
	optimal := m.Optimal.Value[m.Grid.Start]
	worst := slices.Min(m.Rewards.Joint) / (1 - m.Discount) // lower bound on the value of every policy
	return Demand{Name: "mean cost of privacy", Limit: limit, Bound: (optimal - worst) / math.Abs(optimal),
		Falls: e.linear() != nil, Of: func(r *Run) float64 { return r.CostOfPrivacy }}
}

// UsualSearch returns the range, accuracy and limits of a search that is asked for nothing else, without a study.
func UsualSearch() Search {
	return Search{Between: Range{Low: 0.01, High: 100}, Resolution: 0.08, Confidence: Confidence, MostRuns: 50_000}
}

// Search finds the epsilons of a range at which demands are met. It first flies runs on the whole range, then
// more runs on the undecided part: where the runs so far show that a demand is met or not met, no more runs are
// needed.
type Search struct {
	Study      Study   // its epsilons, runs and range are ignored
	Between    Range   // range of the search
	Resolution float64 // half the width of what may stay undecided between two decisions, relative, above 0
	Confidence float64 // in (0, 1)
	MostRuns   int
	RadiiKm    []float64                        // observers' radii for Found.Map; nil: only the one of the demands
	RadiusKm   float64                          // of the observer that the demands are about; 0: the experiment's
	BeyondKm   float64                          // above 0: Found.Map has the share of flights beyond this
	Practical  func(givesUp, lost float64) bool // see Find; may be nil
	Progress   func(runs, of int)               // reports the number of runs flown and the expected total; may be nil
	Interim    func(runs int, sets Sets)        // reports what is shown after each interim analysis; may be nil
	Kept       *pieces.Work                     // stores what is flown, see Survey; may be nil
	resample   func(run int, r Range) []Run     // returns the pieces of a run instead of flying it; may be nil
}

// Found is the result of a search.
type Found struct {
	Answers []Answer // one for every demand
	Map     *MeanMap

	// Impractical is the range below which, by the first runs, flights are not practical, if no practical epsilon seems
	// to meet the demands. What was undecided in it then stays so. It is empty otherwise.
	Impractical Range

	experiment *Experiment
	radiusKm   float64
	runs       ensemble
}

// firstSearchRuns is the number of runs on the whole range before the first interim analysis.
const firstSearchRuns = 64

// Find flies until every undecided range of epsilon is as narrow as the resolution. It stops earlier if a later
// demand is decided at the largest epsilon that meets the first demand, or after MostRuns.
//
// It assumes nothing about how a mean changes along epsilon, so the epsilons that meet a demand may be several
// ranges. One confidence holds for all epsilons and all interim analyses together: with it, no decision on any
// epsilon is ever wrong. Several demands share the error probability.
//
// Practical judges an epsilon by the share of flights that fall back in the first runs, and by their mean cost of
// privacy. If, by those runs, the demands are met only where it is false, no more runs are flown there.
func (s *Search) Find(ctx context.Context, demands ...Demand) (*Found, error) {
	found := &Found{experiment: s.Study.Experiment, radiusKm: s.radiusKm(), Map: newMeanMap(s.Between, s.radii())}
	found.Map.beyondKm = s.BeyondKm
	for _, d := range demands {
		found.Answers = append(found.Answers, *newAnswer(d, s.Between, (1-s.Confidence)/float64(len(demands))))
	}
	axis := s.Between
	for flown, runs := 0, min(firstSearchRuns, s.MostRuns); ; {
		found.runs.begin(axis)
		if err := s.fly(ctx, found, flown, runs); err != nil {
			return nil, err
		}
		for i := range found.Answers {
			if err := found.Answers[i].analyse(&found.runs); err != nil {
				return nil, err
			}
		}
		if flown == 0 && s.Practical != nil {
			found.leaveImpractical(s.Practical)
		}
		if s.Interim != nil {
			s.Interim(runs, found.Sets())
		}
		more := min(s.needed(found, runs), s.MostRuns)
		if more <= runs {
			return found, nil
		}
		for i := range found.Answers {
			a := &found.Answers[i]
			a.bets = append(a.bets, tunedBet{runs, a.tuned(&found.runs, s)})
		}
		axis = found.undecided()
		flown, runs = runs, more
	}
}

// radii returns the observers' radii.
func (s *Search) radii() []float64 {
	own := s.radiusKm()
	if slices.Contains(s.RadiiKm, own) {
		return s.RadiiKm
	}
	return append(slices.Clone(s.RadiiKm), own)
}

// radiusKm returns the radius of the observer that the demands are about.
func (s *Search) radiusKm() float64 {
	if s.RadiusKm > 0 {
		return s.RadiusKm
	}
	return s.Study.Experiment.Adversary.RadiusKm
}

// leaveImpractical leaves out what is not practical, if no practical epsilon meets all demands by the runs so far.
func (f *Found) leaveImpractical(practical func(givesUp, lost float64) bool) {
	share := Demand{Of: func(r *Run) float64 { return float64(count(r.Fallback)) }}
	lost := Demand{Of: func(r *Run) float64 { return r.CostOfPrivacy }}
	epsilons := f.Map.Epsilons
	givesUp, loses := f.Means(&share, epsilons), f.Means(&lost, epsilons)
	first := len(epsilons) // of the practical epsilons up to the largest
	for first > 0 && practical(givesUp[first-1], loses[first-1]) {
		first--
	}
	if first == 0 {
		return
	}
	unmet := make([]bool, len(epsilons)) // for some demand
	for i := range f.Answers {
		for k, mean := range f.Means(&f.Answers[i].Demand, epsilons) {
			unmet[k] = unmet[k] || !(mean <= f.Answers[i].Demand.Limit)
		}
	}
	if slices.Contains(unmet[first:], false) || !slices.Contains(unmet, false) {
		return
	}
	f.Impractical = Range{epsilons[0], epsilons[len(epsilons)-1]}
	if first < len(epsilons) {
		f.Impractical.High = epsilons[first]
	}
	for i := range f.Answers {
		f.Answers[i].leaveOut(f.Impractical.High)
	}
}

// fly adds runs [first, end) on the range of the last block.
func (s *Search) fly(ctx context.Context, found *Found, first, end int) error {
	e := &found.runs
	if s.resample != nil {
		for run := first; run < end; run++ {
			e.add(s.resample(run, e.axis()))
		}
		return nil
	}
	on := s.Study
	on.Axis, on.Epsilons, on.Runs = e.axis(), []float64{e.axis().Low}, end
	survey := Survey{Study: on, First: first, RadiiKm: s.radii(), Kept: s.Kept}
	s.report(e.runs, end)
	var pieces []Run
	own := slices.Index(survey.RadiiKm, s.RadiusKm)
	return survey.Do(ctx, func(sightings []Sighting) error {
		pieces = pieces[:0]
		for i := range sightings {
			run := sightings[i].Run
			if s.RadiusKm > 0 {
				run.SetDetection(sightings[i].ByRadius[own])
			}
			pieces = append(pieces, run)
		}
		e.add(pieces)
		found.Map.add(sightings, e.axis())
		s.report(e.runs, end)
		return nil
	})
}

func (s *Search) report(runs, of int) {
	if s.Progress != nil {
		s.Progress(runs, of)
	}
}

// needed returns the number of runs to be flown before the next interim analysis, at most the present number if
// there is none: as many as every demand needs, but at most twice the present number.
func (s *Search) needed(f *Found, runs int) int {
	most := runs
	for i := range f.Answers {
		a := &f.Answers[i]
		_, halfWidth := a.widest()
		if halfWidth <= s.Resolution || i > 0 && a.decidedWhere(&f.Answers[0]) {
			continue
		}
		const leastGrowth, mostGrowth, room = 1.1, 2, 1.05
		growth := min(max(room*a.needs(runs, s.Resolution)/float64(runs), leastGrowth), mostGrowth)
		most = max(most, int(math.Ceil(growth*float64(runs))))
	}
	return most
}

// needs estimates the total number of runs until the widest gap is as narrow as the resolution; its width falls
// with the square root of the runs.
func (a *Answer) needs(runs int, resolution float64) float64 {
	_, halfWidth := a.widest()
	excess := halfWidth / resolution
	return float64(runs) * excess * excess
}

// tuned returns the bet for the next runs, estimated from the present runs: the one that is optimal in the
// widest gap.
func (a *Answer) tuned(e *ensemble, s *Search) float64 {
	gap, _ := a.widest()
	at := math.Sqrt(gap.Low * gap.High)
	for _, c := range a.Crossings {
		if gap.Contains(c.Value) {
			at = c.Value
		}
	}
	if at == 0 {
		return 0 // nothing is undecided
	}
	var values counter
	for r := range e.at(at) {
		values.add(a.Demand.value(r))
	}
	_, std := values.sample().meanStd()
	if !(std > 0) {
		return 0
	}
	runs := max(min(a.needs(e.runs, s.Resolution), float64(s.MostRuns)), float64(e.runs))
	return newEvidence(a.Demand.Bound, a.Demand.Limit).tune(runs, std, a.alpha)
}

// bet returns the tuned bet on a run.
func (a *Answer) bet(run int) float64 {
	i := sort.Search(len(a.bets), func(i int) bool { return a.bets[i].first > run })
	if i == 0 {
		return 0
	}
	return a.bets[i-1].bet
}

// decidedWhere reports whether more runs for this demand are useless, judging by the first demand: this demand
// is decided at the largest epsilon that meets the first one, or no epsilon meets the first one yet.
func (a *Answer) decidedWhere(first *Answer) bool {
	n := len(first.Met)
	return n == 0 || a.Decision(first.Met[n-1].High) != Undecided
}

// undecided returns the range that contains everything undecided.
func (f *Found) undecided() Range {
	out := Range{math.Inf(1), 0}
	for i := range f.Answers {
		for _, gap := range f.Answers[i].gaps() {
			out.Low, out.High = min(out.Low, gap.Low), max(out.High, gap.High)
		}
	}
	return out
}

// Sets returns the epsilons that are shown to meet all demands, those that are shown not to meet at least one,
// and the rest.
func (f *Found) Sets() Sets {
	met, notMet := f.Answers[0].Met, f.Answers[0].NotMet
	for i := range f.Answers[1:] {
		a := &f.Answers[i+1]
		met, notMet = intersection(met, a.Met), union(notMet, a.NotMet)
	}
	return newSets(f.Answers[0].between, met, notMet)
}

// Chosen returns, of the epsilons that meet all demands, the one with the smallest cost: the largest, because
// in every run the cost of privacy never grows with epsilon (see MeanCost). If only costs are demanded, it
// returns the smallest, which has the strongest privacy. It is NaN if no epsilon is shown to meet the demands.
func (f *Found) Chosen() float64 {
	met := f.Sets().Met
	if len(met) == 0 {
		return math.NaN()
	}
	if !slices.ContainsFunc(f.Answers, func(a Answer) bool { return !a.Demand.Falls }) {
		return met[0].Low
	}
	return met[len(met)-1].High
}

// At returns the cell of the surface for an epsilon of the range, for the observer of the demands, from the runs
// that cover it. There are fewer such runs where the demands were decided early. Its intervals are for this
// number of runs and this single epsilon.
func (f *Found) At(epsilon, confidence float64) (SurfaceCell, error) {
	radius := f.radiusKm
	of := Survey{Study: Study{Experiment: f.experiment, Axis: f.runs.blocks[0].axis}, RadiiKm: []float64{radius}}
	t := SurfaceTally{survey: &of, confidence: confidence}
	for r := range f.runs.at(epsilon) {
		d := adversary.Detection{Detected: r.Detected, DistanceKm: r.DetectionKm, BeforeHandover: r.BeforeHandover}
		t.runs = append(t.runs, []Sighting{{*r, []adversary.Detection{d}}})
	}
	rows, err := t.rows([]float64{epsilon})
	if err != nil {
		return SurfaceCell{}, err
	}
	return rows[0][0], nil
}

// Clipped returns the number of runs with a quantity beyond the bound of a demand, anywhere on the range that they were
// flown on.
func (f *Found) Clipped(d *Demand) (runs int) {
	for run := range f.runs.each {
		runs += count(slices.ContainsFunc(run, func(r Run) bool { return d.Of(&r) > d.Bound }))
	}
	return runs
}

// Means returns the means of a demand's quantity, clipped if the demand clips, at epsilons of the range. Each is over
// the runs that cover the epsilon.
func (f *Found) Means(d *Demand, epsilons []float64) []float64 {
	means := make([]float64, len(epsilons))
	for i, epsilon := range epsilons {
		runs := 0.0
		for r := range f.runs.at(epsilon) {
			means[i] += d.value(r)
			runs++
		}
		means[i] /= runs
	}
	return means
}

// StandardErrors returns the standard errors of Means; NaN for a single run.
func (f *Found) StandardErrors(d *Demand, epsilons []float64) []float64 {
	errors := make([]float64, len(epsilons))
	for i, mean := range f.Means(d, epsilons) {
		runs := 0.0
		for r := range f.runs.at(epsilons[i]) {
			errors[i] += (d.value(r) - mean) * (d.value(r) - mean)
			runs++
		}
		errors[i] = math.Sqrt(errors[i] / (runs - 1) / runs)
	}
	return errors
}

// ensemble is a list of blocks of runs. Each block covers a range of epsilon that lies within the range of the
// block before.
type ensemble struct {
	blocks []runBlock
	runs   int // in all blocks
}

// runBlock is a block of runs that were flown on one range of epsilon.
type runBlock struct {
	axis   Range
	pieces []Run // run by run, epsilon ascending, the first of each run at the low end of the range
}

// begin opens a block on a range; runs added later belong to it.
func (e *ensemble) begin(axis Range) { e.blocks = append(e.blocks, runBlock{axis: axis}) }

// axis is the range of the last block, which every run covers.
func (e *ensemble) axis() Range { return e.blocks[len(e.blocks)-1].axis }

// add adds the pieces of more runs on the range of the last block.
func (e *ensemble) add(pieces []Run) {
	for range byRun(pieces) {
		e.runs++
	}
	last := &e.blocks[len(e.blocks)-1]
	last.pieces = append(last.pieces, pieces...)
}

// each yields the pieces of every run.
func (e *ensemble) each(yield func([]Run) bool) {
	for _, b := range e.blocks {
		for run := range byRun(b.pieces) {
			if !yield(run) {
				return
			}
		}
	}
}

// at yields, for every run that covers an epsilon, its piece at that epsilon.
func (e *ensemble) at(epsilon float64) iter.Seq[*Run] {
	return func(yield func(*Run) bool) {
		for _, b := range e.blocks {
			if !b.axis.Contains(epsilon) {
				continue
			}
			for run := range byRun(b.pieces) {
				if !yield(&run[pieceAt(run, epsilon)]) {
					return
				}
			}
		}
	}
}
