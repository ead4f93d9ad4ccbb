package leak

import (
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Row holds what one observer has left to learn of flights hidden in one way, after a distance flown.
type Row struct {
	Way           string
	Observer      string
	Epsilon       float64 // +Inf for no noise
	FlownKm       float64
	BitsLeft      float64 // mean of -log2 of the true goal's posterior probability
	StandardError float64 // of BitsLeft, see Mean
	PoliciesError float64 // part of StandardError that is due to the sample of private policies
	Entropy       float64 // mean entropy of the posterior, bits
	Rank          float64 // mean rank of the true goal in the posterior; 1 is the likeliest
	Top1, Top5    float64 // shares of flights whose goal is the likeliest, and among the five likeliest
}

// Recognition holds how far from the target an observer recognises it: from there to the end of the flight, at
// least half of the posterior probability lies within the radius of the target.
type Recognition struct {
	Way      string
	Observer string
	Epsilon  float64
	RadiusKm float64
	Distance Mean // mean distance to the target, km; 0 for a flight whose target is never recognised
	// Low and High are the ends of the 95 % interval of Distance, which allows for flights that no run has shown
	// (study.MeanInterval).
	Low, High float64
	Never     float64 // share of flights whose target is never recognised
	// mean distance at which half of the posterior has lain within the radius for a number of steps in a row;
	// coincidences count too
	InARow Mean
}

// InformationGain is how many bits an observer learns from one source of information: on the same flights, it
// has that many bits fewer left than an observer without this source.
type InformationGain struct {
	Way     string
	Epsilon float64
	FlownKm float64
	From    string // HandoverRule, GridMoves, Reward or FirstHeading
	Bits    Mean
}

// Sources of information, each with the two observers compared.
const (
	HandoverRule = "hand-over rule" // geometry compared with the prior
	GridMoves    = "moves"          // moves compared with geometry
	Reward       = "reward"         // mechanism compared with moves
	FirstHeading = "heading"        // heading compared with geometry
)

// Outcome holds the mean costs of hiding the goal in one way.
type Outcome struct {
	Way      string
	Epsilon  float64
	Cost     privacy.SampleMean // of privacy: share of the optimal value at the start that is lost, on the true reward
	Costs    []float64          // of every flight
	Detour   privacy.SampleMean // flight time over that of the planned flight, which has no noise, minus 1
	Longer   privacy.SampleMean // flight time divided by that of the direct flight, minus 1
	Fallback float64            // share of flights that gave up their waypoints
	TimedOut float64            // share of flights that the time limit ended; they have no Detour and are not Longer
}

// Saving holds how many bits fewer an observer learns of flights hidden in one way than of flights hidden in
// the first way with the same epsilon.
type Saving struct {
	Way      string
	Observer string
	Epsilon  float64
	FlownKm  float64
	Bits     Mean
}

// Strongest holds how many bits the strongest observer has left to learn of flights hidden in one way, after a
// distance flown. The observer with the fewest bits left is chosen on the flights with even numbers and
// measured on those with odd numbers: on the flights that choose it, its mean would be biased low.
type Strongest struct {
	Way      string
	Epsilon  float64 // +Inf for no noise
	FlownKm  float64
	Observer string
	BitsLeft Mean // mean over the flights with odd numbers
}

// Result is the result of a study.
type Result struct {
	Study  *Study
	Sigmas []float64 // of the ways; 0 if goals are drawn

	ways    []tally
	sources []source
}

// tally accumulates the flights of one way.
type tally struct {
	standing                                 [][]standings    // by observer, distance flown
	recognised                               [][]recognitions // by observer, radius
	gains                                    [][]estimator    // by source, distance flown
	base                                     int              // number of the first way with the same epsilon
	saved                                    [][]estimator    // by observer, distance flown
	costs                                    []float64
	cost, detour, longer, fallback, timedOut privacy.Sample
}

// standings accumulates the standings of the true goal after a distance flown.
type standings struct {
	bits                      estimator
	halves                    [2]estimator // bits of the flights that choose the strongest observer, and of the others
	entropy, rank, top1, top5 privacy.Sample
}

// recognitions accumulates the distances of recognition within a radius.
type recognitions struct {
	stayed, inARow estimator
	stayedKm       []float64 // of every flight
	never          int
}

// source is a source of information and the numbers of the observers with and without it; without is -1 for the
// prior.
type source struct {
	name          string
	with, without int
}

// sourcesOf returns the sources whose observers both watch.
func sourcesOf(observers []adversary.GoalModel) []source {
	number := map[string]int{"": -1}
	for i, m := range observers {
		number[m.Name] = i
	}
	var all []source
	for _, names := range [][3]string{{HandoverRule, "geometry", ""}, {GridMoves, "moves", "geometry"},
		{Reward, "mechanism", "moves"}, {FirstHeading, "heading", "geometry"}} {
		with, has := number[names[1]]
		without, hasOther := number[names[2]]
		if has && hasOther {
			all = append(all, source{names[0], with, without})
		}
	}
	return all
}

func newResult(s *Study, sigmas []float64) *Result {
	r := &Result{Study: s, Sigmas: sigmas, sources: sourcesOf(s.Observers)}
	for _, w := range s.Ways {
		t := tally{base: slices.IndexFunc(s.Ways,
			func(other Way) bool { return other.Epsilon == w.Epsilon })}
		for range s.Observers {
			t.saved = append(t.saved, make([]estimator, len(s.FlownKm)))
			t.standing = append(t.standing, make([]standings, len(s.FlownKm)))
			t.recognised = append(t.recognised, make([]recognitions, len(s.RadiiKm)))
		}
		for range r.sources {
			t.gains = append(t.gains, make([]estimator, len(s.FlownKm)))
		}
		r.ways = append(r.ways, t)
	}
	return r
}

// add counts flight number run in all ways.
func (r *Result) add(run int, sights []sight) {
	for i := range sights {
		s, t := &sights[i], &r.ways[i]
		t.add(run, s)
		prior := reading{all: -math.Log2(r.Study.World().Goals[s.Goal].Prior)} // bits before the flight
		for l, source := range r.sources {
			for k := range s.Belief[source.with].Standing {
				before := prior
				if source.without >= 0 {
					before = s.Belief[source.without].bits(k)
				}
				t.gains[l][k].add(before.minus(s.Belief[source.with].bits(k)))
			}
		}
		base := &sights[t.base]
		for o := range s.Belief {
			for k := range s.Belief[o].Standing {
				t.saved[o][k].add(s.Belief[o].bits(k).minus(base.Belief[o].bits(k)))
			}
		}
	}
}

// add counts flight number run.
func (t *tally) add(run int, s *sight) {
	t.cost.Add(s.Cost)
	t.costs = append(t.costs, s.Cost)
	if !math.IsNaN(s.Detour) {
		t.detour.Add(s.Detour)
	}
	if !math.IsNaN(s.Longer) {
		t.longer.Add(s.Longer)
	}
	t.fallback.Add(s.Fallback)
	t.timedOut.Add(s.TimedOut)
	for o := range s.Belief {
		b := &s.Belief[o]
		for k, standing := range b.Standing {
			c, bits := &t.standing[o][k], b.bits(k)
			c.bits.add(bits)
			c.halves[run%2].add(bits)
			c.entropy.Add(standing.Entropy)
			c.rank.Add(standing.Rank)
			c.top1.Add(standing.Top1)
			c.top5.Add(standing.Top5)
		}
		for k, km := range b.Stayed {
			c := &t.recognised[o][k]
			stayed, inARow := b.recognised(k)
			c.stayed.add(stayed)
			c.stayedKm = append(c.stayedKm, stayed.all)
			c.inARow.add(inARow)
			if km == 0 {
				c.never++
			}
		}
	}
}

// PriorBits returns the bits to learn before the flight: the entropy of the prior.
func (r *Result) PriorBits() float64 { return r.Study.World().PriorBits() }

// Rows returns the bits left, by way, observer and distance flown.
func (r *Result) Rows() []Row {
	var rows []Row
	for i, w := range r.Study.Ways {
		for o, m := range r.Study.Observers {
			for k, km := range r.Study.FlownKm {
				s := &r.ways[i].standing[o][k]
				bits := s.bits.left()
				rows = append(rows, Row{Way: w.Name, Observer: m.Name, Epsilon: w.Epsilon, FlownKm: km, BitsLeft: bits.Mean,
					StandardError: bits.StandardError, PoliciesError: bits.PoliciesError,
					Entropy: s.entropy.Mean().Mean, Rank: s.rank.Mean().Mean, Top1: s.top1.Mean().Mean, Top5: s.top5.Mean().Mean})
			}
		}
	}
	return rows
}

// Strongest returns the strongest observer by way and distance flown. An observer that rules out the true goal
// of a flight has infinitely many bits left. It is chosen only if all observers did so.
func (r *Result) Strongest() []Strongest {
	var all []Strongest
	for i, w := range r.Study.Ways {
		for k, km := range r.Study.FlownKm {
			best, least := 0, math.Inf(1)
			for o := range r.Study.Observers {
				if bits := r.ways[i].standing[o][k].halves[0].left().Mean; bits < least {
					best, least = o, bits
				}
			}
			all = append(all, Strongest{Way: w.Name, Epsilon: w.Epsilon, FlownKm: km,
				Observer: r.Study.Observers[best].Name, BitsLeft: r.ways[i].standing[best][k].halves[1].left()})
		}
	}
	return all
}

// Recognitions returns the recognition distances, by way, observer and radius.
func (r *Result) Recognitions() []Recognition {
	var all []Recognition
	for i, w := range r.Study.Ways {
		farthest := w.World.farthestKm()
		for o, m := range r.Study.Observers {
			for k, radius := range r.Study.RadiiKm {
				c := &r.ways[i].recognised[o][k]
				distance := c.stayed.mean()
				low, high := study.MeanInterval(slices.Sorted(slices.Values(c.stayedKm)), 0, farthest, study.Confidence)
				policies := interval95 * distance.PoliciesError
				all = append(all, Recognition{Way: w.Name, Observer: m.Name, Epsilon: w.Epsilon, RadiusKm: radius,
					Distance: distance, Low: distance.Mean - math.Hypot(distance.Mean-low, policies),
					High:  distance.Mean + math.Hypot(high-distance.Mean, policies),
					Never: float64(c.never) / float64(r.Study.Flights), InARow: c.inARow.mean()})
			}
		}
	}
	return all
}

// InformationGains returns the bits from each source whose observers both watch, by way, distance flown and
// source.
func (r *Result) InformationGains() []InformationGain {
	var all []InformationGain
	for i, w := range r.Study.Ways {
		for k, km := range r.Study.FlownKm {
			for l, t := range r.sources {
				all = append(all, InformationGain{Way: w.Name, Epsilon: w.Epsilon, FlownKm: km, From: t.name,
					Bits: r.ways[i].gains[l][k].mean()})
			}
		}
	}
	return all
}

// Savings returns the savings of all ways except the first of each epsilon, by way, observer and distance
// flown.
func (r *Result) Savings() []Saving {
	var all []Saving
	for i, w := range r.Study.Ways {
		for o, m := range r.Study.Observers {
			for k, km := range r.Study.FlownKm {
				if r.ways[i].base != i {
					all = append(all, Saving{Way: w.Name, Observer: m.Name, Epsilon: w.Epsilon, FlownKm: km,
						Bits: r.ways[i].saved[o][k].mean()})
				}
			}
		}
	}
	return all
}

// Outcomes returns the mean costs of every way.
func (r *Result) Outcomes() []Outcome {
	var all []Outcome
	for i, w := range r.Study.Ways {
		t := &r.ways[i]
		all = append(all, Outcome{Way: w.Name, Epsilon: w.Epsilon, Cost: t.cost.Mean(), Costs: t.costs,
			Detour: t.detour.Mean(), Longer: t.longer.Mean(), Fallback: t.fallback.Mean().Mean,
			TimedOut: t.timedOut.Mean().Mean})
	}
	return all
}
