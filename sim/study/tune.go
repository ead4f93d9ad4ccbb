package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Demand is a requirement on the flights of an epsilon: the mean of a quantity of theirs is at most a
// limit. A quantile is demanded by the share of flights beyond it.
type Demand struct {
	Name  string
	Limit float64
	Bound float64 // the quantity lies in [0, Bound]
	// Falls says that the quantity falls as epsilon grows, as a cost does; otherwise it rises.
	Falls bool
	Of    func(*Sighting) float64
}

// MeanDistance demands that the mean detection distance is at most a number of km for the observer of a
// survey's radius, given by index, which must not be above the experiment's own.
func (e *Experiment) MeanDistance(limitKm float64, radius int) Demand {
	return Demand{Name: "mean detection distance in km", Limit: limitKm, Bound: e.FarthestDetectionKm(),
		Of: func(s *Sighting) float64 { return s.ByRadius[radius].DistanceKm }}
}

// QuantileDistance demands that a share of the flights, in (0, 1), is detected at a number of km or less.
func QuantileDistance(limitKm, share float64, radius int) Demand {
	return Demand{Name: fmt.Sprintf("share of flights detected beyond %g km", limitKm), Limit: 1 - share, Bound: 1,
		Of: func(s *Sighting) float64 { return float64(count(s.ByRadius[radius].DistanceKm > limitKm)) }}
}

// MeanCost demands that the mean cost of privacy is at most a share.
func (e *Experiment) MeanCost(limit float64) Demand {
	m := e.Mission
	optimal := m.Optimal.Value[m.Grid.Start]
	worst := slices.Min(m.Rewards.Joint) / (1 - m.Discount) // no policy is worth less
	return Demand{Name: "mean cost of privacy", Limit: limit, Bound: (optimal - worst) / math.Abs(optimal), Falls: true,
		Of: func(s *Sighting) float64 { return s.CostOfPrivacy }}
}

// Verdict is what flights have shown about a demand.
type Verdict string

// The verdicts.
const (
	Met       Verdict = "met"
	NotMet    Verdict = "not met"
	Undecided Verdict = "undecided"
)

// Trial is an epsilon put to a demand.
type Trial struct {
	Epsilon       float64
	Demand        string
	Runs          int
	Mean          float64 // of the demand's quantity
	StandardError float64 // of that mean; the verdict rests on more than it, see Search
	Verdict       Verdict

	prefixes []float64 // means of the first trialRuns, 2 trialRuns, 4 trialRuns ... runs
}

// Search looks for the epsilon at the border of what a demand allows.
type Search struct {
	Survey     *Survey // its epsilons are ignored
	Low, High  float64 // epsilons between which to look, 0 < Low < High
	Resolution float64 // of the answer, relative, above 0
	Confidence float64 // that the answer meets the demand, in (0, 1)
	FirstRun   int     // of every trial
	MostRuns   int     // flights of one epsilon after which it is left undecided
	Progress   func(flights int)
}

// Answer is what a search found.
type Answer struct {
	Epsilon float64 // the last that was shown to meet the demand; NaN when none was
	Next    float64 // the first towards the border that was not; NaN when all of the range meet it
	Trials  []Trial
}

// Crossing estimates the epsilon at which the quantity reaches the limit, without the margin that the
// search keeps, with an interval of some 95 %. It is NaN when the trials do not lie on both sides.
//
// The trial with the most runs says how high the quantity is. The others say how it changes: they share
// their noise with it, so the difference over the runs that both have is known far better than either.
func (a *Answer) Crossing(limit float64) Estimate {
	if len(a.Trials) == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	trials := slices.SortedFunc(slices.Values(a.Trials), func(s, t Trial) int { return cmp.Compare(s.Epsilon, t.Epsilon) })
	anchor := slices.MaxFunc(trials, func(s, t Trial) int { return cmp.Compare(s.Runs, t.Runs) })
	for i := range trials {
		trials[i].Mean = anchor.Mean + trials[i].beyond(&anchor)
	}
	const z = 1.96
	ends := []float64{crossing(trials, limit-z*anchor.StandardError), crossing(trials, limit+z*anchor.StandardError)}
	return Estimate{crossing(trials, limit), slices.Min(ends), slices.Max(ends)}
}

// beyond returns how far the quantity of a trial is above that of another, over the longest beginning
// that both have.
func (t *Trial) beyond(other *Trial) float64 {
	n := min(len(t.prefixes), len(other.prefixes))
	if t.Epsilon == other.Epsilon || n == 0 {
		return t.Mean - other.Mean
	}
	return t.prefixes[n-1] - other.prefixes[n-1]
}

// crossing interpolates between the neighbouring trials whose means have the limit between them.
func crossing(trials []Trial, limit float64) float64 {
	for i := 1; i < len(trials); i++ {
		s, t := &trials[i-1], &trials[i]
		if (s.Mean <= limit) != (t.Mean <= limit) {
			share := (limit - s.Mean) / (t.Mean - s.Mean)
			return math.Exp(math.Log(s.Epsilon) + share*math.Log(t.Epsilon/s.Epsilon))
		}
	}
	return math.NaN()
}

// Find returns the largest epsilon that is shown to meet the demand, or the smallest when the demand's
// quantity falls with epsilon, on a logarithmic grid of the resolution. It supposes that the quantity
// rises or falls steadily. It tries both ends and then halves the bracket; every trial flies the same
// runs, with the noise they have at every epsilon, until an e-process decides (Waudby-Smith &
// Ramdas 2023).
//
// With the confidence asked for the answer meets the demand, however often the search looked and however
// many epsilons it tried: the trials share the error probability between them.
func (s *Search) Find(ctx context.Context, d Demand) (Answer, error) {
	steps := max(1, int(math.Ceil(math.Log(s.High/s.Low)/math.Log1p(s.Resolution))))
	at := func(i int) float64 { // from the end that meets the demand sooner
		if d.Falls {
			i = steps - i
		}
		switch i {
		case 0:
			return s.Low
		case steps:
			return s.High
		}
		return roundedTo(s.Low*math.Exp(float64(i)/float64(steps)*math.Log(s.High/s.Low)), epsilonDigits)
	}
	most := 2 + int(math.Ceil(math.Log2(float64(steps)+1))) // trials
	answer := Answer{Epsilon: math.NaN(), Next: math.NaN()}
	try := func(i int) (bool, error) {
		t, err := s.try(ctx, d, at(i), 1-(1-s.Confidence)/float64(most))
		if err == nil {
			answer.Trials = append(answer.Trials, t)
		}
		return t.Verdict == Met, err
	}
	if met, err := try(0); err != nil || !met {
		answer.Next = at(0)
		return answer, err
	}
	answer.Epsilon = at(0)
	if met, err := try(steps); err != nil || met {
		answer.Epsilon = at(steps)
		return answer, err
	}
	low, high := 0, steps
	for high-low > 1 {
		middle := (low + high) / 2
		met, err := try(middle)
		if err != nil {
			return answer, err
		}
		if met {
			low = middle
		} else {
			high = middle
		}
	}
	answer.Epsilon, answer.Next = at(low), at(high)
	return answer, nil
}

// epsilonDigits is how many digits a tried epsilon has, so that people can write it down.
const epsilonDigits = 4

// roundedTo returns x to a number of significant digits.
func roundedTo(x float64, digits int) float64 {
	unit := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(x)))
	return math.Round(x*unit) / unit
}

// trialRuns is how many runs a trial flies at least.
const trialRuns = 128

// Try puts one epsilon to a demand, at the search's confidence. For a verdict that is to hold for an
// epsilon that flights have chosen, the trial must have others: see FirstRun.
func (s *Search) Try(ctx context.Context, d Demand, epsilon float64) (Trial, error) {
	return s.try(ctx, d, epsilon, s.Confidence)
}

func (s *Search) try(ctx context.Context, d Demand, epsilon, confidence float64) (Trial, error) {
	survey := *s.Survey
	survey.Epsilons = []float64{epsilon}
	t := trial{Trial: Trial{Epsilon: epsilon, Demand: d.Name, Verdict: Undecided}, demand: d, alpha: 1 - confidence, most: s.MostRuns,
		evidence: newEProcesses(d.Bound, d.Limit)}
	for sightings, err := range survey.sightings(ctx, []int{0}, s.FirstRun, s.FirstRun+s.MostRuns) {
		if err == nil && s.Progress != nil {
			s.Progress(len(sightings))
		}
		for i := range sightings {
			if err = t.add(d.Of(&sightings[i])); err != nil || t.over {
				break
			}
		}
		if err != nil {
			return t.Trial, fmt.Errorf("study: trying epsilon %g: %w", epsilon, err)
		}
		if t.over {
			break
		}
	}
	return t.Trial, nil
}

// trial is a trial under way.
type trial struct {
	Trial
	demand   Demand
	alpha    float64 // error probability of its verdict
	most     int     // runs
	evidence *eProcesses
	squares  float64 // of the distances from the mean
	over     bool    // more flights would not change the verdict
}

// add takes the quantity of the next run.
func (t *trial) add(value float64) error {
	if !t.evidence.add(value) {
		return fmt.Errorf("run %d has %s %g, beyond the %g that confidence rests on", t.Runs, t.demand.Name, value, t.demand.Bound)
	}
	t.Runs++
	off := value - t.Mean
	t.Mean += off / float64(t.Runs)
	t.squares += off * (value - t.Mean)
	if t.Runs == trialRuns<<len(t.prefixes) {
		t.prefixes = append(t.prefixes, t.Mean)
	}
	t.StandardError = math.Sqrt(t.squares/float64(max(1, t.Runs-1))) / math.Sqrt(float64(t.Runs))
	if t.Runs < min(trialRuns, t.most) {
		return nil
	}
	t.Verdict = t.evidence.verdict(t.alpha)
	t.over = t.Verdict != Undecided || t.hopeless()
	return nil
}

// hopeless foresees, once an eighth of the most runs are flown, that the rest cannot decide either,
// because the mean is too near the limit: n values decide when it is some sqrt(2 log(bets/alpha)/n)
// standard deviations away. Giving up early costs nothing but a verdict.
func (t *trial) hopeless() bool {
	if t.Runs < t.most/8 {
		return false
	}
	needed := t.StandardError * math.Sqrt(2*math.Log(bets/t.alpha)*float64(t.Runs)/float64(t.most))
	const luck = 1.5 // standard errors that the mean may still move away from the limit
	return math.Abs(t.Mean-t.demand.Limit)+luck*t.StandardError < needed
}
