package leak_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"veilpath/adversary"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// leakDemand is a demand whose limit is the truth at one epsilon of a search, which is the hardest for it: the answer
// is wrong where that epsilon is said to meet it, or a larger one.
type leakDemand struct {
	observer string
	policies int
	own      bool // the demand is on recognition of the mission's own goal, by a rule
	rule     adversary.Rule
	km       float64 // flown, or the radius of recognition
}

func (d leakDemand) String() string {
	if !d.own {
		return fmt.Sprintf("%s-bits-after-%gkm", d.observer, d.km)
	}
	return fmt.Sprintf("%s-within-%gkm", d.observer, d.km)
}

// truth is the quantity demanded at some epsilon, over many flights, or many policies where the observer asks for them.
func (d leakDemand) truth(tb testing.TB, w *leak.World, epsilon float64, studies, flights int) float64 {
	sum := 0.0
	for i := range studies {
		r := fly(tb, leak.Study{Ways: leak.Ways([]float64{epsilon}, leak.Way{World: w}), Observers: observers(d.observer),
			OwnGoal: d.own,
			InARow:  max(1, d.rule.Steps()), Flights: flights, Policies: d.policies, FlownKm: []float64{d.km},
			RadiiKm: []float64{d.km}, Seed: 1<<40 + uint64(i)})
		switch c := r.Recognitions()[0]; {
		case !d.own:
			sum += r.PriorBits() - r.Rows()[0].BitsLeft
		case d.rule == adversary.Stays:
			sum += c.Distance.Mean
		default:
			sum += c.InARow.Mean
		}
	}
	return sum / float64(studies)
}

// demand is that of a limit.
func (d leakDemand) demand(limit float64) leak.Demand {
	if d.own {
		return leak.Demand{HiddenUntilKm: limit, RadiusKm: d.km, Rule: d.rule}
	}
	return leak.Demand{Bits: limit, FlownKm: d.km}
}

// searchErrors is how many of some searches answer with an epsilon that does not meet the demand in truth, and how many
// say of the epsilon at the limit that it does not.
func (d leakDemand) searchErrors(tb testing.TB, w *leak.World, confidence float64, searches, studies,
	flights int) (wrong, not int) {
	const low, high, middle = 0.5, 4.0, 1.4142135623730951 // the first between the ends that is tried
	limit := d.truth(tb, w, middle, studies, flights)
	for seed := range uint64(searches) {
		s := leak.Search{Way: leak.Ways([]float64{0}, leak.Way{World: w})[0], Observer: observers(d.observer)[0],
			Demand: d.demand(limit),
			Low:    low, High: high, Resolution: 0.5, Confidence: confidence, Flights: 100, MostRuns: 400, Policies: d.policies,
			Seed: seed, Progress: ignore}
		answer, err := s.Find(context.Background())
		if err != nil {
			tb.Fatal(err)
		}
		if answer.Epsilon >= middle*(1-1e-9) {
			wrong++
		}
		for _, t := range answer.Trials {
			if math.Abs(t.Epsilon/middle-1) < 1e-9 && t.Decision == study.NotMet {
				not++
			}
		}
	}
	return wrong, not
}

// leakDemands are those whose errors are measured.
var leakDemands = []leakDemand{
	{observer: "geometry", km: 60}, {observer: "moves", km: 60}, {observer: "mechanism", policies: 40, km: 60},
	{observer: "moves", own: true, rule: adversary.Stays, km: 25}, {observer: "mechanism", policies: 40, own: true,
		rule: adversary.Stays, km: 25},
}

// BenchmarkLeakSearchErrors measures how often the answer of a search contradicts the truth, at a demand that is met up
// to an epsilon of the search and by no larger one: the share of 300 searches, in percent, beside what is said of them.
func BenchmarkLeakSearchErrors(b *testing.B) {
	w := fewGoals(b, nil, 16, 13, 10, 19, 6, 15)
	for _, d := range leakDemands {
		for _, confidence := range []float64{0.9, 0.99} {
			b.Run(fmt.Sprintf("%s/%g", d, 100*confidence), func(b *testing.B) {
				for range b.N {
					const searches = 300
					wrong, not := d.searchErrors(b, w, confidence, searches, 1+100*min(d.policies, 1), 20000/(1+99*min(d.policies, 1)))
					b.ReportMetric(100*float64(wrong)/searches, "%wrong")
					b.ReportMetric(100*float64(not)/searches, "%not-met")
					b.ReportMetric(0, "ns/op")
				}
			})
		}
	}
}

// BenchmarkLeakCoverage measures how many of 400 studies of flights at epsilon 1 have the bits that observers leave
// within two standard errors of the truth, in percent: the least over observers and distances flown.
func BenchmarkLeakCoverage(b *testing.B) {
	w := world(b, 80, nil)
	bits := func(flights int, seed uint64) []leak.Row {
		return fly(b, leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: w}),
			Observers: slices.Concat(observers("geometry"), observers("moves"), observers("heading")), Flights: flights,
			FlownKm: []float64{20, 50, 100}, Seed: seed}).Rows()
	}
	for _, flights := range []int{20, 50, 100, 200, 400} {
		b.Run(fmt.Sprint(flights), func(b *testing.B) {
			truth := bits(20_000, 1<<40)
			for range b.N {
				const studies = 400
				hits := make([]int, len(truth))
				for seed := range uint64(studies) {
					for i, row := range bits(flights, seed) {
						if math.Abs(row.BitsLeft-truth[i].BitsLeft) <= 1.96*row.StandardError {
							hits[i]++
						}
					}
				}
				b.ReportMetric(100*float64(slices.Min(hits))/studies, "%covered")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
