package leak

import (
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Row says what one observer has left to learn of flights hidden in one way, after some km flown.
type Row struct {
	Way           string
	Observer      string
	Epsilon       float64 // +Inf for no noise
	FlownKm       float64
	BitsLeft      float64 // mean of -log2 of the true goal's posterior probability
	StandardError float64 // of BitsLeft, see Mean
	PoliciesError float64 // the part of it that is due to private policies
	Entropy       float64 // mean, of the posterior, bits
	Rank          float64 // mean, of the true goal; 1 for the likeliest
	Top1, Top5    float64 // share of flights whose goal is the likeliest, or among the five likeliest
}

// Recognition says how far from the target an observer recognises it: from there to the end at least half of the
// posterior lies within the radius of the target.
type Recognition struct {
	Way      string
	Observer string
	Epsilon  float64
	RadiusKm float64
	Distance Mean // to the target, km; a flight that is never recognised counts as 0
	// Low and High are the ends of its 95 % interval, which leaves room for what no flight has shown (study.MeanInterval)
	Low, High float64
	Never     float64 // share of flights never recognised
	// the distance at which half of the posterior has lain within the radius for some steps in a row, coincidences among
	// them
	InARow Mean
}

// Lesson is what was learned from one thing: the bits that an observer is ahead of one who does not know it, on the
// same flights.
type Lesson struct {
	Way     string
	Epsilon float64
	FlownKm float64
	From    string // HandoverRule, GridMoves, Reward or FirstHeading
	Bits    Mean
}

// What lessons are from.
const (
	HandoverRule = "hand-over rule" // geometry against the prior
	GridMoves    = "moves"          // moves against geometry
	Reward       = "reward"         // mechanism against moves
	FirstHeading = "heading"        // heading against geometry
)

// Diversity says how many routes there are.
type Diversity struct {
	Way      string
	Epsilon  float64
	Distinct int // different routes among the flights
	// entropy of the route, by Miller and Madow: the plug-in estimate plus (distinct - 1)/(2 flights ln 2)
	Bits float64
}

// Outcome is what hiding came to, on average over the flights.
type Outcome struct {
	Way      string
	Epsilon  float64
	Cost     privacy.SampleMean // of privacy: value lost at the start, relative to the optimal one, on the true reward
	Detour   privacy.SampleMean // flight time over that of the planned flight, which has no noise, less 1
	Longer   privacy.SampleMean // flight time over that of the direct flight, less 1
	Fallback float64            // share of flights that gave their waypoints up
}

// Saving is what an observer learns less of flights hidden in one way than of those hidden in the first way of the same
// epsilon, bits.
type Saving struct {
	Way      string
	Observer string
	Epsilon  float64
	FlownKm  float64
	Bits     Mean
}

// Result is what a study found.
type Result struct {
	Study  *Study
	Sigmas []float64 // of the ways; 0 where goals are drawn

	ways   []tally
	taught []taught
}

// tally is what is gathered of one way.
type tally struct {
	standing                       [][]standings    // by observer, distance flown
	recognised                     [][]recognitions // by observer, radius
	lessons                        [][]estimator    // by lesson, distance flown
	base                           int              // number of the first way of the same epsilon
	saved                          [][]estimator    // by observer, distance flown
	routes                         map[string]int
	order                          []string // of routes as they came
	cost, detour, longer, fallback privacy.Sample
}

type standings struct {
	bits                      estimator
	halves                    halves
	entropy, rank, top1, top5 privacy.Sample
}

type recognitions struct {
	stayed, inARow estimator
	stayedKm       []float64 // of every flight
	never          int
}

// taught is a lesson and the observers, by number, that tell it: without is -1 for one who knows the prior alone.
type taught struct {
	from          string
	with, without int
}

// lessons are what the observers who watch tell.
func lessons(observers []adversary.GoalModel) []taught {
	number := map[string]int{"": -1}
	for i, m := range observers {
		number[m.Name] = i
	}
	var all []taught
	for _, l := range []struct{ from, with, without string }{
		{HandoverRule, "geometry", ""}, {GridMoves, "moves", "geometry"}, {Reward, "mechanism", "moves"},
		{FirstHeading, "heading", "geometry"},
	} {
		i, has := number[l.with]
		j, hasOther := number[l.without]
		if has && hasOther {
			all = append(all, taught{l.from, i, j})
		}
	}
	return all
}

func newResult(s *Study, sigmas []float64) *Result {
	r := &Result{Study: s, Sigmas: sigmas, taught: lessons(s.Observers)}
	for _, w := range s.Ways {
		t := tally{routes: map[string]int{}, base: slices.IndexFunc(s.Ways,
			func(other Way) bool { return other.Epsilon == w.Epsilon })}
		for range s.Observers {
			t.saved = append(t.saved, make([]estimator, len(s.FlownKm)))
			t.standing = append(t.standing, make([]standings, len(s.FlownKm)))
			t.recognised = append(t.recognised, make([]recognitions, len(s.RadiiKm)))
		}
		for range r.taught {
			t.lessons = append(t.lessons, make([]estimator, len(s.FlownKm)))
		}
		r.ways = append(r.ways, t)
	}
	return r
}

// add counts a flight, of a number, in all ways.
func (r *Result) add(run int, sights []sight) {
	for i := range sights {
		s := &sights[i]
		r.ways[i].add(run, s)
		r.ways[i].learn(s, r.taught, -math.Log2(r.Study.World().Goals[s.Goal].Prior))
		r.ways[i].save(s, &sights[r.ways[i].base])
	}
}

// save counts by how much less was learned of a flight than of another of the same run.
func (t *tally) save(s, base *sight) {
	for o := range s.Belief {
		for k := range s.Belief[o].Standing {
			t.saved[o][k].add(s.Belief[o].bits(k).minus(base.Belief[o].bits(k)))
		}
	}
}

func (t *tally) add(run int, s *sight) {
	if t.routes[s.Route]++; t.routes[s.Route] == 1 {
		t.order = append(t.order, s.Route)
	}
	t.cost.Add(s.Cost)
	t.detour.Add(s.Detour)
	t.longer.Add(s.Longer)
	t.fallback.Add(s.Fallback)
	for o := range s.Belief {
		b := &s.Belief[o]
		for k, st := range b.Standing {
			t.standing[o][k].add(run, b.bits(k), st)
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

// learn counts what a flight taught whom; prior is what there was to learn, bits.
func (t *tally) learn(s *sight, all []taught, prior float64) {
	for i, l := range all {
		for k := range s.Belief[l.with].Standing {
			before := reading{all: prior}
			if l.without >= 0 {
				before = s.Belief[l.without].bits(k)
			}
			t.lessons[i][k].add(before.minus(s.Belief[l.with].bits(k)))
		}
	}
}

func (s *standings) add(run int, bits reading, st adversary.Standing) {
	s.bits.add(bits)
	s.halves.add(run, bits)
	s.entropy.Add(st.Entropy)
	s.rank.Add(st.Rank)
	s.top1.Add(st.Top1)
	s.top5.Add(st.Top5)
}

// PriorBits returns what there was to learn before the flight, bits.
func (r *Result) PriorBits() float64 { return r.Study.World().PriorBits() }

// Rows returns what is left to learn, by way, observer and distance flown.
func (r *Result) Rows() []Row {
	var rows []Row
	for i, w := range r.Study.Ways {
		for o, m := range r.Study.Observers {
			for k, km := range r.Study.FlownKm {
				s := &r.ways[i].standing[o][k]
				bits := s.bits.mean()
				rows = append(rows, Row{Way: w.Name, Observer: m.Name, Epsilon: w.Epsilon, FlownKm: km, BitsLeft: bits.Mean,
					StandardError: bits.StandardError, PoliciesError: bits.PoliciesError,
					Entropy: s.entropy.Mean().Mean, Rank: s.rank.Mean().Mean, Top1: s.top1.Mean().Mean, Top5: s.top5.Mean().Mean})
			}
		}
	}
	return rows
}

// Recognitions returns where the target is recognised, by way, observer and radius.
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

// Lessons returns what taught how much, by way, distance flown and lesson: those whose observers watched.
func (r *Result) Lessons() []Lesson {
	var all []Lesson
	for i, w := range r.Study.Ways {
		for k, km := range r.Study.FlownKm {
			for l, t := range r.taught {
				all = append(all, Lesson{Way: w.Name, Epsilon: w.Epsilon, FlownKm: km, From: t.from,
					Bits: r.ways[i].lessons[l][k].mean()})
			}
		}
	}
	return all
}

// Diversities returns how many routes there are in every way.
func (r *Result) Diversities() []Diversity {
	var all []Diversity
	for i, w := range r.Study.Ways {
		t := &r.ways[i]
		n, bits := float64(r.Study.Flights), 0.0
		for _, route := range t.order {
			p := float64(t.routes[route]) / n
			bits -= p * math.Log2(p)
		}
		distinct := len(t.order)
		all = append(all, Diversity{Way: w.Name, Epsilon: w.Epsilon, Distinct: distinct,
			Bits: bits + float64(distinct-1)/(2*n*math.Ln2)})
	}
	return all
}

// Savings returns what every way but the first of its epsilon saves, by way, observer and distance flown.
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

// Outcomes returns what every way came to.
func (r *Result) Outcomes() []Outcome {
	var all []Outcome
	for i, w := range r.Study.Ways {
		t := &r.ways[i]
		all = append(all, Outcome{Way: w.Name, Epsilon: w.Epsilon, Cost: t.cost.Mean(), Detour: t.detour.Mean(),
			Longer: t.longer.Mean(), Fallback: t.fallback.Mean().Mean})
	}
	return all
}
