package study

import (
	"context"
	"math"
	"slices"
	"sort"

	"veilpath/adversary"
)

// Search finds the epsilons at the border of what demands allow. It flies runs on the whole of a range of epsilon,
// then more of them on what is left of it: where the runs so far show that a demand is met, or that it is not, they
// need no company.
type Search struct {
	Study      Study   // its epsilons, runs and range are ignored
	Between    Range   // where to look
	Resolution float64 // of every border, relative, above 0
	Confidence float64 // in (0, 1)
	MostRuns   int
	Progress   func(runs, of int) // how many runs are flown and about how many it takes; nil for nobody
}

// Border is what a search found about a demand.
type Border struct {
	Demand Demand
	// Met is the last epsilon, from the end of the range where the demand is met sooner, such that all up to it are
	// shown to meet the demand; NaN when none is. NotMet is the first from which on all are shown not to.
	Met, NotMet float64
	Crossing    Estimate // of the epsilon at which the mean is the limit; NaN when it is not in the range
	Looks       []Look

	alpha float64 // error probability of Met, and of NotMet
	bets  []block // of runs, ascending
}

// block is runs from a first one on, and the tuned bet on them.
type block struct {
	first int
	bet   float64
}

// Look is what a border was known to be after some runs.
type Look struct {
	Runs        int
	Axis        Range // on which the last of them were flown
	Met, NotMet float64
	Crossing    Estimate
}

// Found is what a search comes to.
type Found struct {
	Borders []Border // of every demand
	runs    ensemble
}

// firstSearchRuns is how many runs are flown on the whole of the range before the first look.
const firstSearchRuns = 64

// Find flies until every border is known to the resolution: half the width of the crossing's interval is that small,
// relatively, and the last epsilon that is shown to meet the demand is within a third of it of the interval's end.
// It ends sooner when a demand is decided on all of the range, when a later demand is decided at the first one's
// answer, or after the most runs.
//
// With the confidence asked for all epsilons from the end of the range to Met meet the demand, however often the
// search looked: they are found in their order, each by an e-process, so that the error probability is that of the
// first that does not meet it (Maurer, Hothorn & Lehmacher 1995). Several demands share the error probability. The
// interval of the crossing is the set of epsilons at which MeanInterval's interval holds the limit; it supposes that
// the quantity rises or falls steadily.
func (s *Search) Find(ctx context.Context, demands ...Demand) (*Found, error) {
	found := &Found{runs: ensemble{axis: s.Between}}
	for _, d := range demands {
		found.Borders = append(found.Borders, Border{Demand: d, Met: math.NaN(), NotMet: math.NaN(), alpha: (1 - s.Confidence) / float64(len(demands))})
	}
	for flown, runs := 0, min(firstSearchRuns, s.MostRuns); ; {
		s.tell(flown, runs)
		if err := s.fly(ctx, &found.runs, flown, runs); err != nil {
			return nil, err
		}
		for i := range found.Borders {
			if err := found.Borders[i].look(&found.runs, s.Between, s.Confidence); err != nil {
				return nil, err
			}
		}
		more := min(s.needed(found, runs), s.MostRuns)
		if more <= runs {
			return found, nil
		}
		for i := range found.Borders {
			b := &found.Borders[i]
			b.bets = append(b.bets, block{runs, b.tuned(&found.runs, s.Resolution)})
		}
		found.runs.narrow(found.undecided(s.Between))
		flown, runs = runs, more
	}
}

func (s *Search) tell(runs, of int) {
	if s.Progress != nil {
		s.Progress(runs, of)
	}
}

// fly adds runs [first, end) to an ensemble.
func (s *Search) fly(ctx context.Context, e *ensemble, first, end int) error {
	on := s.Study
	on.Axis, on.Epsilons, on.Runs = e.axis, []float64{e.axis.Low}, end
	sweep := Sweep{Points: []Study{on}, Workers: on.Workers}
	return sweep.Fly(ctx, sweep.Batches(first, end), func(_ Batch, pieces []Run) error {
		e.add(pieces)
		s.tell(first+e.runs-first, end)
		return nil
	})
}

// needed returns how many runs are flown before the next look, no more than there are when there is to be none: as
// many as every border needs, at most as many again as were flown.
func (s *Search) needed(f *Found, runs int) int {
	most := runs
	for i := range f.Borders {
		b := &f.Borders[i]
		if b.decided(s.Between) || i > 0 && b.agrees(&f.Borders[0]) || b.known(s.Resolution) {
			continue
		}
		const leastGrowth, mostGrowth, room = 1.1, 2, 1.05
		growth := mostGrowth * 1.0
		if needs := b.needs(runs, s.Resolution); !math.IsNaN(needs) {
			growth = min(max(room*needs/float64(runs), leastGrowth), mostGrowth)
		}
		most = max(most, int(math.Ceil(growth*float64(runs))))
	}
	return most
}

// needs estimates how many runs it takes in all until the interval of the crossing is as narrow as the resolution:
// its width falls as the square root of the runs. It is NaN when there is no interval.
func (b *Border) needs(runs int, resolution float64) float64 {
	excess := b.halfWidth() / resolution
	return float64(runs) * excess * excess
}

// halfWidth returns half the width of the interval of the crossing, relative; NaN when there is none.
func (b *Border) halfWidth() float64 { return math.Sqrt(b.Crossing.High/b.Crossing.Low) - 1 }

// tuned returns the bet for the runs to come, from those there are.
func (b *Border) tuned(e *ensemble, resolution float64) float64 {
	needs := b.needs(e.runs, resolution)
	if math.IsNaN(needs) {
		return 0
	}
	at := min(max(b.Crossing.Value, e.axis.Low), e.axis.High)
	_, std := e.at(at, b.Demand.Of).meanStd()
	if !(std > 0) {
		return 0
	}
	return newEvidence(b.Demand.Bound, b.Demand.Limit).tune(max(needs, float64(e.runs)), std, b.alpha)
}

// bet returns the tuned bet that was laid on a run.
func (b *Border) bet(run int) float64 {
	i := sort.Search(len(b.bets), func(i int) bool { return b.bets[i].first > run })
	if i == 0 {
		return 0
	}
	return b.bets[i-1].bet
}

// undecided returns the part of a range that some border may be in, and the first border's answer.
func (f *Found) undecided(between Range) Range {
	out := f.Borders[0].bracket(between)
	for i := range f.Borders[1:] {
		b := f.Borders[i+1].bracket(between)
		out = Range{min(out.Low, b.Low), max(out.High, b.High)}
	}
	return out
}

// bracket returns the part of a range that the border may be in.
func (b *Border) bracket(between Range) Range {
	low, high := b.Met, b.NotMet
	if b.Demand.Falls {
		low, high = high, low
	}
	if !math.IsNaN(low) {
		between.Low = low
	}
	if !math.IsNaN(high) {
		between.High = high
	}
	return between
}

// decided reports whether all of the range is shown to meet the demand, or not to.
func (b *Border) decided(between Range) bool {
	r := b.bracket(between)
	return r.Low >= r.High
}

// agrees reports whether what the first border's answer comes to is decided: it meets the demand too, or no epsilon
// that may meet the first demand meets this one.
func (b *Border) agrees(first *Border) bool {
	if b.Demand.Falls == first.Demand.Falls {
		return false
	}
	if b.Demand.Falls {
		return b.Met <= first.Met || b.NotMet >= first.NotMet
	}
	return b.Met >= first.Met || b.NotMet <= first.NotMet
}

// nearEnough is how near the last epsilon that is shown to meet the demand must come to the end of the crossing's
// interval, in units of the resolution.
const nearEnough = 1. / 3

// known reports whether the border is known to a resolution.
func (b *Border) known(resolution float64) bool {
	gap := 1 - b.Met/b.Crossing.Low
	if b.Demand.Falls {
		gap = b.Met/b.Crossing.High - 1
	}
	return b.halfWidth() <= resolution && gap <= nearEnough*resolution
}

// look takes what the runs show.
func (b *Border) look(e *ensemble, between Range, confidence float64) error {
	on := b.bracket(between)
	if on.Low >= on.High {
		return nil
	}
	all, err := e.treads(&b.Demand, b.bet, on)
	if err != nil {
		return err
	}
	treads := all.list
	enough, n := -math.Log(b.alpha), len(treads)
	met, not := 0, 0 // how many, from their ends of the range
	for met < n && b.from(treads, met, !b.Demand.Falls).below >= enough {
		met++
	}
	for not < n && b.from(treads, not, b.Demand.Falls).above >= enough {
		not++
	}
	upTo := func(count int) float64 { // the last epsilon of so many treads from the low end
		if count == n {
			return on.High
		}
		return max(on.Low, roundedTo(math.Nextafter(treads[count].low, 0), math.Floor))
	}
	downTo := func(count int) float64 { // the first epsilon of so many treads from the high end
		return min(on.High, roundedTo(treads[n-count].low, math.Ceil))
	}
	meets, fails := upTo, downTo
	if b.Demand.Falls {
		meets, fails = downTo, upTo
	}
	if met > 0 {
		b.Met = meets(met)
	}
	if not > 0 {
		b.NotMet = fails(not)
	}
	b.cross(all, on, confidence)
	b.Looks = append(b.Looks, Look{Runs: e.runs, Axis: e.axis, Met: b.Met, NotMet: b.NotMet, Crossing: b.Crossing})
	return nil
}

// from returns the i-th tread from the low end or from the high one.
func (b *Border) from(treads []tread, i int, low bool) *tread {
	if low {
		return &treads[i]
	}
	return &treads[len(treads)-1-i]
}

// cross estimates where the mean is the limit.
func (b *Border) cross(all *treads, on Range, confidence float64) {
	d, treads := &b.Demand, all.list
	n, t := len(treads), studentsT(all.runs, confidence)
	sides := map[int]int{}
	side := func(i int) int { // of the limit on which the interval lies, 0 when it holds the limit
		s, known := sides[i]
		if !known {
			const least = 0
			s = all.sample(i).side(d.Limit, least, confidence, t)
			sides[i] = s
		}
		return s
	}
	before := -1 // side at the low end
	if d.Falls {
		before = 1
	}
	end := func(i int) float64 {
		if i < n {
			return treads[i].low
		}
		return on.High
	}
	beyond := func(t tread) bool { return (t.mean > d.Limit) != d.Falls }
	first := slices.IndexFunc(treads, beyond)
	last := n - 1
	for last >= 0 && beyond(treads[last]) {
		last--
	}
	if first < 0 || last < 0 {
		b.Crossing = Estimate{math.NaN(), math.NaN(), math.NaN()}
		return
	}
	b.Crossing = Estimate{
		Value: math.Sqrt(end(first) * end(last+1)),
		Low:   end(sort.Search(n, func(i int) bool { return side(i) != before })),
		High:  end(sort.Search(n, func(i int) bool { return side(i) == -before })),
	}
}

// epsilonDigits is how many digits an epsilon that a search found has, so that people can write it down.
const epsilonDigits = 4

// roundedTo returns an epsilon of few digits, rounded as told.
func roundedTo(epsilon float64, round func(float64) float64) float64 {
	digits := epsilonDigits - 1 - int(math.Floor(math.Log10(epsilon)))
	if digits >= 0 {
		unit := math.Pow10(digits)
		return round(epsilon*unit) / unit
	}
	unit := math.Pow10(-digits)
	return round(epsilon/unit) * unit
}

// At returns what the flights of the search come to at an epsilon of the range that its last runs were flown on, such
// as the first border's Met, for the observer of the experiment.
func (f *Found) At(epsilon float64, e *Experiment, confidence float64) (SurfaceCell, error) {
	t := SurfaceTally{survey: &Survey{Study: Study{Experiment: e, Axis: f.runs.axis}, RadiiKm: []float64{e.Adversary.RadiusKm}}, confidence: confidence}
	for run := range f.runs.each {
		r := &run[pieceAt(run, epsilon)]
		t.runs = append(t.runs, []Sighting{{*r, []adversary.Detection{{Detected: r.Detected, DistanceKm: r.DetectionKm, BeforeHandover: r.BeforeHandover}}}})
	}
	rows, err := t.rows([]float64{epsilon})
	if err != nil {
		return SurfaceCell{}, err
	}
	return rows[0][0], nil
}
