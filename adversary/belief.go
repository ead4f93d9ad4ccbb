package adversary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Belief is the posterior of the goal, given everything seen so far. The likelihood is the product of the
// likelihoods of the moves, from a GoalObserver, and of the hand-over: while waypoints are commanded, no sample
// lies nearer to the target than the hand-over distance, and the sample at which they end is the first that
// does. If that distance is drawn for every flight, the likelihood is the probability of the distances with
// which this holds. If a flight ends its waypoints because of their number, this reveals nothing, and the
// belief ignores what the flight does afterwards.
//
// It is also an Observer; its error is the radius around the target that contains half of the posterior. It
// serves one goroutine.
type Belief struct {
	observer   GoalObserver
	path       pathWatcher // the observer, if it sees the flown path; nil otherwise
	candidates []Candidate
	handoverKm float64
	drawn      func(km float64) float64 // Knowledge.HandoverCDF
	heading    bool                     // the observer knows that flights start along the line of sight

	entered   []int     // by goal: the first sample nearer than the hand-over distance; the number of samples if none is
	nearest   []float64 // by goal, if the hand-over distance is drawn: the smallest distance before it ended, km
	last      int       // last sample included in nearest
	handover  []float64 // by goal: the likelihood of the hand-over so far
	logs      []float64 // by goal: of prior times likelihood of the moves, up to a constant
	weights   []float64 // by goal: the same, relative to the largest
	posterior []float64
	changes   []int // samples at which the posterior may change, ascending
	visited   map[int]struct{}

	pause      func()        // called before every change; nil for nothing
	track      TrackObserver // replaces observer and hand-over; nil without one
	posteriors [][]float64   // of track, by sample
	err        error         // the first one of track
}

// NewBelief returns the belief of an observer of the goal with the given knowledge, which it keeps.
func NewBelief(m GoalModel, k *Knowledge) (*Belief, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	if m.New == nil {
		track, err := m.Track(k)
		return &Belief{track: track, candidates: k.Candidates}, err
	}
	observer, err := m.New(k)
	if err != nil {
		return nil, err
	}
	n := len(k.Candidates)
	path, _ := observer.(pathWatcher)
	return &Belief{observer: observer, path: path, candidates: k.Candidates,
		handoverKm: k.HandoverKm, drawn: k.HandoverCDF,
		heading: m.Heading && k.LineOfSight,
		entered: make([]int, n), nearest: make([]float64, n), handover: make([]float64, n),
		weights: make([]float64, n), logs: make([]float64, n), posterior: make([]float64, n),
		visited: map[int]struct{}{}}, nil
}

// Watch follows a flight and calls look with the posterior at sample 0 and wherever it may have changed; it
// holds from that sample to the next call, or to the end. The slice holds until the next call. It is all NaN if
// the flight is impossible for every candidate.
func (b *Belief) Watch(h *sim.History, look func(sample int, posterior []float64)) {
	if b.track != nil {
		b.watchTrack(h, look)
		return
	}
	visits := b.begin(h)
	b.findChanges(visits, h.Handover)
	b.updateWeights(h)
	for _, sample := range b.changes {
		if b.pause != nil {
			b.pause()
		}
		moves := len(visits)
		if visits = b.see(h, visits, sample); len(visits) < moves {
			b.updateWeights(h)
		}
		b.updatePosterior(h, sample)
		look(sample, b.posterior)
	}
}

// SetRest has Watch call rest before every change of the posterior; nil for nothing. A program with a single thread can
// do other work in it.
func (b *Belief) SetRest(rest func()) { b.pause = rest }

// At follows a flight and calls look with the posterior at the given samples, ascending, and their index in the
// list: each is the posterior that Watch reported last by then. It skips the samples in between. The number of
// samples stands for the end.
func (b *Belief) At(h *sim.History, samples []int, look func(k int, posterior []float64)) {
	if b.track != nil {
		b.judge(h, samples, look)
		return
	}
	visits := b.begin(h)
	for k, sample := range samples {
		visits = b.see(h, visits, sample)
		b.updateWeights(h)
		b.updatePosterior(h, min(sample, h.Handover))
		look(k, b.posterior)
	}
}

// begin starts to follow a flight and returns the moves that are flown.
func (b *Belief) begin(h *sim.History) []sim.Visit {
	if b.drawn != nil {
		b.resetNearest()
	} else {
		b.findEntries(h)
	}
	b.observer.Reset()
	clear(b.visited)
	visits := h.Visits
	if n := len(visits); h.GaveUp && n > 0 {
		visits = visits[:n-1] // the command of the last visit is not flown
	}
	return visits
}

// see passes the moves up to a sample to the observer and returns the remaining moves.
func (b *Belief) see(h *sim.History, visits []sim.Visit, sample int) []sim.Visit {
	for len(visits) > 0 && visits[0].Sample <= sample {
		if b.path != nil {
			b.path.SeePath(h.Samples[:visits[0].Sample+1])
		}
		_, again := b.visited[visits[0].State]
		b.visited[visits[0].State] = struct{}{}
		b.observer.See(visits[0].State, visits[0].Commanded, again)
		visits = visits[1:]
	}
	return visits
}

// findEntries finds, for every goal, the first sample nearer to it than the hand-over distance, with the same
// test as flights. Between samples the distance changes by at most the longest step, so it skips samples that
// are far from the goal.
func (b *Belief) findEntries(h *sim.History) {
	samples := h.Samples
	longest := stride(samples)
	limit := b.handoverKm * b.handoverKm
	for goal := range b.candidates {
		target := b.candidates[goal].TargetKm
		i := 0
		for i < len(samples) {
			toGo := r3.Sub(target, samples[i].R)
			square := r3.Dot(toGo, toGo)
			if square < limit {
				break
			}
			outside := (math.Sqrt(square) - b.handoverKm) / longest // steps that certainly stay outside
			if !(outside < float64(len(samples)-i)) {
				i = len(samples)
				break
			}
			i += max(1, int(outside))
		}
		b.entered[goal] = i
	}
}

// stride returns the length of the longest step between samples, with a margin far above rounding, km.
func stride(samples []sim.Sample) float64 {
	longest := 0.0
	for i := 1; i < len(samples); i++ {
		step := r3.Sub(samples[i].R, samples[i-1].R)
		longest = max(longest, r3.Dot(step, step))
	}
	const margin = 1 + 1e-9
	return math.Sqrt(longest) * margin
}

// findChanges lists the samples at which something is seen; if the hand-over distance is drawn, these are all
// samples before the hand-over.
func (b *Belief) findChanges(visits []sim.Visit, handover int) {
	b.changes = append(b.changes[:0], 0, handover)
	for _, v := range visits {
		b.changes = append(b.changes, v.Sample)
	}
	if b.drawn != nil {
		for sample := 1; sample < handover; sample++ {
			b.changes = append(b.changes, sample)
		}
	} else {
		for _, sample := range b.entered {
			if sample < handover {
				b.changes = append(b.changes, sample)
			}
		}
	}
	slices.Sort(b.changes)
	b.changes = slices.Compact(b.changes)
}

// updateWeights sets the weight of every goal to its prior times the likelihood of the moves and of the first heading,
// scaled so that the largest is 1.
func (b *Belief) updateWeights(h *sim.History) {
	b.observer.LogLikelihoods(b.logs)
	for goal, c := range b.candidates {
		b.logs[goal] += math.Log(c.Prior)
		if b.heading && !headsFor(&h.Samples[0], c.TargetKm) {
			b.logs[goal] = math.Inf(-1)
		}
	}
	largest := slices.Max(b.logs)
	for goal, l := range b.logs {
		b.weights[goal] = math.Exp(l - largest)
	}
}

// headsFor reports whether a vehicle's heading points to a target in the horizontal plane.
func headsFor(s *sim.Sample, target r3.Vec) bool {
	x, y := target.X-s.R.X, target.Y-s.R.Y
	off := math.Atan2(s.V.X*y-s.V.Y*x, s.V.X*x+s.V.Y*y)
	const rounding = 1e-9 // rad
	return math.Abs(off) < rounding
}

// updatePosterior sets the posterior at a sample: the weights times the likelihood of the hand-over so far.
func (b *Belief) updatePosterior(h *sim.History, sample int) {
	if b.drawn != nil {
		b.drawnHandover(h, sample)
	} else {
		b.fixedHandover(h, sample)
	}
	const smallest = 1e-290 // a smaller sum has lost digits
	if sum := b.applyHandover(b.weights); !(sum > smallest) {
		largest := math.Inf(-1)
		for goal, l := range b.logs {
			if b.handover[goal] > 0 {
				largest = max(largest, l)
			}
		}
		for goal, l := range b.logs {
			b.posterior[goal] = math.Exp(l - largest)
		}
		b.applyHandover(b.posterior)
	}
	sum := 0.0
	for _, p := range b.posterior {
		sum += p
	}
	for goal := range b.posterior {
		b.posterior[goal] /= sum
	}
}

// applyHandover sets the posterior to values times the likelihood of the hand-over, and returns its sum.
func (b *Belief) applyHandover(values []float64) float64 {
	sum := 0.0
	for goal, v := range values {
		if a := b.handover[goal]; a == 0 {
			v = 0
		} else {
			v *= a
		}
		b.posterior[goal] = v
		sum += v
	}
	return sum
}

// fixedHandover sets the likelihood of the hand-over up to a sample.
func (b *Belief) fixedHandover(h *sim.History, sample int) {
	for goal, entered := range b.entered {
		possible := entered == h.Handover
		switch {
		case sample < h.Handover:
			possible = entered > sample
		case h.GaveUp:
			possible = entered > h.Handover
		}
		b.handover[goal] = 0
		if possible {
			b.handover[goal] = 1
		}
	}
}

// Err returns the first error of a TrackObserver. The posteriors of that flight, and of later ones, are NaN.
func (b *Belief) Err() error { return b.err }

// watchTrack is Watch for a TrackObserver.
func (b *Belief) watchTrack(h *sim.History, look func(sample int, posterior []float64)) {
	b.changes = b.changes[:0]
	for sample := 0; sample < len(h.Samples); sample += max(1, b.track.Every()) {
		b.changes = append(b.changes, sample)
	}
	b.judge(h, b.changes, func(k int, posterior []float64) { look(b.changes[k], posterior) })
}

// judge is At for a TrackObserver. Samples past the last one stand for the end.
func (b *Belief) judge(h *sim.History, samples []int, look func(k int, posterior []float64)) {
	b.posteriors = slices.Grow(b.posteriors[:0], len(samples))[:len(samples)]
	for k := range b.posteriors {
		b.posteriors[k] = slices.Grow(b.posteriors[k][:0], len(b.candidates))[:len(b.candidates)]
	}
	inFlight := slices.Clone(samples)
	for k := range inFlight {
		inFlight[k] = max(0, min(inFlight[k], len(h.Samples)-1))
	}
	if b.err == nil {
		b.err = b.track.Judge(h, inFlight, b.posteriors)
	}
	for k, posterior := range b.posteriors {
		if b.err != nil {
			for goal := range posterior {
				posterior[goal] = math.NaN()
			}
		}
		look(k, posterior)
	}
}
