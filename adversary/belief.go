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
	spreadKm   float64
	heading    bool // the observer knows that flights start along the line of sight

	entered   []int     // by goal: the first sample nearer than the hand-over distance; the number of samples if none is
	nearest   []float64 // by goal, if the hand-over distance is drawn: the smallest distance before it ended, km
	reached   int       // last sample included in nearest
	allowed   []float64 // by goal: the likelihood of the hand-over so far
	weights   []float64
	logs      []float64
	posterior []float64
	changes   []int // samples at which the posterior may change, ascending
	visited   map[int]struct{}

	rest  func()        // called before every change; nil for nothing
	track TrackObserver // that judges in place of all this; nil for the observer
	told  [][]float64   // by it, by sample
	err   error         // the first of it
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
		handoverKm: k.HandoverKm, spreadKm: k.HandoverSpreadKm,
		heading: m.Heading && k.LineOfSight,
		entered: make([]int, n), nearest: make([]float64, n), allowed: make([]float64, n),
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
	b.weigh(h)
	for _, sample := range b.changes {
		if b.rest != nil {
			b.rest()
		}
		left := b.see(h, visits, sample)
		if len(left) < len(visits) {
			b.weigh(h)
		}
		visits = left
		b.condition(h, sample)
		look(sample, b.posterior)
	}
}

// SetRest has Watch call rest before every change of the posterior; nil for nothing. A program with a single thread can
// do other work in it.
func (b *Belief) SetRest(rest func()) { b.rest = rest }

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
		b.weigh(h)
		b.condition(h, min(sample, h.Handover))
		look(k, b.posterior)
	}
}

// begin starts to follow a flight and returns the moves that are flown.
func (b *Belief) begin(h *sim.History) []sim.Visit {
	if b.spreadKm > 0 {
		b.depart()
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
			sure := (math.Sqrt(square) - b.handoverKm) / longest // steps that certainly stay outside
			if !(sure < float64(len(samples)-i)) {
				i = len(samples)
				break
			}
			i += max(1, int(sure))
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
	if b.spreadKm > 0 {
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

// weigh sets the weight of every goal to its prior times the likelihood of the moves and of the first heading,
// scaled so that the largest is 1.
func (b *Belief) weigh(h *sim.History) {
	b.observer.LogLikelihoods(b.logs)
	for goal, c := range b.candidates {
		b.logs[goal] += math.Log(c.Prior)
		if b.heading && !ahead(&h.Samples[0], c.TargetKm) {
			b.logs[goal] = math.Inf(-1)
		}
	}
	largest := slices.Max(b.logs)
	for goal, l := range b.logs {
		b.weights[goal] = math.Exp(l - largest)
	}
}

// ahead reports whether a vehicle's heading points to a target in the horizontal plane.
func ahead(s *sim.Sample, target r3.Vec) bool {
	x, y := target.X-s.R.X, target.Y-s.R.Y
	off := math.Atan2(s.V.X*y-s.V.Y*x, s.V.X*x+s.V.Y*y)
	const rounding = 1e-9 // rad
	return math.Abs(off) < rounding
}

// condition sets the posterior at a sample: the weights times the likelihood of the hand-over so far.
func (b *Belief) condition(h *sim.History, sample int) {
	b.findAllowed(h, sample)
	const lost = 1e-290 // a smaller sum has lost digits
	if sum := b.applyHandover(b.weights); !(sum > lost) {
		largest := math.Inf(-1)
		for goal, l := range b.logs {
			if b.allowed[goal] > 0 {
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
		if a := b.allowed[goal]; a == 0 {
			v = 0
		} else {
			v *= a
		}
		b.posterior[goal] = v
		sum += v
	}
	return sum
}

// findAllowed computes the likelihood of the hand-over up to a sample.
func (b *Belief) findAllowed(h *sim.History, sample int) {
	if b.spreadKm > 0 {
		b.findAllowedDrawn(h, sample)
		return
	}
	for goal, entered := range b.entered {
		allowed := entered == h.Handover
		switch {
		case sample < h.Handover:
			allowed = entered > sample
		case h.GaveUp:
			allowed = entered > h.Handover
		}
		b.allowed[goal] = 0
		if allowed {
			b.allowed[goal] = 1
		}
	}
}
