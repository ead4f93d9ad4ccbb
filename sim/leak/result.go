package leak

import (
	"math"

	"veilpath/adversary"
)

// Estimate is a mean over flights with its standard error.
type Estimate struct{ Mean, StandardError float64 }

// moments gather a mean.
type moments struct {
	n             int
	mean, squares float64
}

// add counts a value (Welford 1962).
func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.squares += d * (x - m.mean)
}

func (m *moments) estimate() Estimate {
	n := float64(m.n)
	return Estimate{m.mean, math.Sqrt(m.squares / (n - 1) / n)}
}

// Row says what one observer has left to learn at one epsilon after some km flown.
type Row struct {
	Observer      string
	Epsilon       float64 // +Inf for no noise
	FlownKm       float64
	BitsLeft      float64 // mean of -log2 of the true goal's posterior probability
	StandardError float64 // of BitsLeft
	Entropy       float64 // mean, of the posterior, bits
	Rank          float64 // mean, of the true goal; 1 for the likeliest
	Top1, Top5    float64 // share of flights whose goal is the likeliest, or among the five likeliest
}

// Recognition says how far from the target an observer recognises it: from there to the end at least half of the
// posterior lies within the radius of the target.
type Recognition struct {
	Observer string
	Epsilon  float64
	RadiusKm float64
	Distance Estimate // to the target, km; a flight that is never recognised counts as 0
	Never    float64  // share of flights never recognised
}

// Lesson is what was learned from one thing: the bits that an observer is ahead of one who does not know it, on the
// same flights.
type Lesson struct {
	Epsilon float64
	FlownKm float64
	From    string // HandoverRule, GridMoves or Reward
	Bits    Estimate
}

// What lessons are from.
const (
	HandoverRule = "hand-over rule" // geometry against the prior
	GridMoves    = "moves"          // moves against geometry
	Reward       = "reward"         // mechanism against moves
)

// Diversity says how many routes there are.
type Diversity struct {
	Epsilon  float64
	Distinct int     // different routes among the flights
	Bits     float64 // entropy of the route, by Miller and Madow: the plug-in estimate plus (distinct - 1)/(2 flights ln 2)
}

// Result is what a study found.
type Result struct {
	Study  *Study
	Sigmas []float64

	standing   [][][]standings // by epsilon, observer, distance flown
	recognised [][][]recognitions
	lessons    [][][]moments // by epsilon, lesson, distance flown
	routes     []map[string]int
	order      [][]string // of routes as they came, by epsilon
	taught     []taught
}

type standings struct{ bits, entropy, rank, top1, top5 moments }

type recognitions struct {
	distance moments
	never    int
}

// taught is a lesson and the observers, by number, that tell it: without is -1 for one who knows the prior alone.
type taught struct {
	from          string
	with, without int
}

func newResult(s *Study, sigmas []float64) *Result {
	r := &Result{Study: s, Sigmas: sigmas}
	number := map[string]int{}
	for i, m := range s.Observers {
		number[m.Name] = i
	}
	add := func(from, with, without string) {
		i, has := number[with]
		j, hasOther := -1, true
		if without != "" {
			j, hasOther = number[without]
		}
		if has && hasOther {
			r.taught = append(r.taught, taught{from, i, j})
		}
	}
	add(HandoverRule, "geometry", "")
	add(GridMoves, "moves", "geometry")
	add(Reward, "mechanism", "moves")
	for range s.Epsilons {
		var standing [][]standings
		var recognised [][]recognitions
		for range s.Observers {
			standing = append(standing, make([]standings, len(s.FlownKm)))
			recognised = append(recognised, make([]recognitions, len(s.RadiiKm)))
		}
		var lessons [][]moments
		for range r.taught {
			lessons = append(lessons, make([]moments, len(s.FlownKm)))
		}
		r.standing, r.recognised, r.lessons = append(r.standing, standing), append(r.recognised, recognised), append(r.lessons, lessons)
		r.routes, r.order = append(r.routes, map[string]int{}), append(r.order, nil)
	}
	return r
}

// add counts a flight at all epsilons.
func (r *Result) add(sights []sight) {
	for e := range sights {
		s := &sights[e]
		if r.routes[e][s.route]++; r.routes[e][s.route] == 1 {
			r.order[e] = append(r.order[e], s.route)
		}
		prior := -math.Log2(r.Study.World.Goals[s.goal].Prior)
		for o := range s.belief {
			for k, st := range s.belief[o].standing {
				r.standing[e][o][k].add(st)
			}
			for k, km := range s.belief[o].recognised {
				c := &r.recognised[e][o][k]
				c.distance.add(km)
				if km == 0 {
					c.never++
				}
			}
		}
		for i, t := range r.taught {
			for k, st := range s.belief[t.with].standing {
				before := prior
				if t.without >= 0 {
					before = s.belief[t.without].standing[k].Bits
				}
				r.lessons[e][i][k].add(before - st.Bits)
			}
		}
	}
}

func (s *standings) add(st adversary.Standing) {
	s.bits.add(st.Bits)
	s.entropy.add(st.Entropy)
	s.rank.add(st.Rank)
	s.top1.add(st.Top1)
	s.top5.add(st.Top5)
}

// PriorBits returns what there was to learn before the flight, bits.
func (r *Result) PriorBits() float64 { return r.Study.World.PriorBits() }

// Rows returns what is left to learn, by epsilon, observer and distance flown.
func (r *Result) Rows() []Row {
	var rows []Row
	for e, epsilon := range r.Study.Epsilons {
		for o, m := range r.Study.Observers {
			for k, km := range r.Study.FlownKm {
				s := &r.standing[e][o][k]
				bits := s.bits.estimate()
				rows = append(rows, Row{Observer: m.Name, Epsilon: epsilon, FlownKm: km, BitsLeft: bits.Mean, StandardError: bits.StandardError,
					Entropy: s.entropy.mean, Rank: s.rank.mean, Top1: s.top1.mean, Top5: s.top5.mean})
			}
		}
	}
	return rows
}

// Recognitions returns where the target is recognised, by epsilon, observer and radius.
func (r *Result) Recognitions() []Recognition {
	var all []Recognition
	for e, epsilon := range r.Study.Epsilons {
		for o, m := range r.Study.Observers {
			for k, radius := range r.Study.RadiiKm {
				c := &r.recognised[e][o][k]
				all = append(all, Recognition{Observer: m.Name, Epsilon: epsilon, RadiusKm: radius, Distance: c.distance.estimate(),
					Never: float64(c.never) / float64(r.Study.Flights)})
			}
		}
	}
	return all
}

// Lessons returns what taught how much, by epsilon, distance flown and lesson: those whose observers watched.
func (r *Result) Lessons() []Lesson {
	var all []Lesson
	for e, epsilon := range r.Study.Epsilons {
		for k, km := range r.Study.FlownKm {
			for i, t := range r.taught {
				all = append(all, Lesson{Epsilon: epsilon, FlownKm: km, From: t.from, Bits: r.lessons[e][i][k].estimate()})
			}
		}
	}
	return all
}

// Diversities returns how many routes there are at every epsilon.
func (r *Result) Diversities() []Diversity {
	var all []Diversity
	for e, epsilon := range r.Study.Epsilons {
		n, bits := float64(r.Study.Flights), 0.0
		for _, route := range r.order[e] {
			p := float64(r.routes[e][route]) / n
			bits -= p * math.Log2(p)
		}
		distinct := len(r.order[e])
		all = append(all, Diversity{Epsilon: epsilon, Distinct: distinct, Bits: bits + float64(distinct-1)/(2*n*math.Ln2)})
	}
	return all
}
