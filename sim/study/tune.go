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
// survey's radius, given by index.
func (e *Experiment) MeanDistance(limitKm float64, radius int) Demand {
	return Demand{Name: "mean detection distance, km", Limit: limitKm, Bound: e.FarthestKm(),
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
	worst := slices.Min(m.Rewards) / (1 - m.Discount) // no policy is worth less
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
	Epsilon   float64
	Demand    string
	Runs      int
	Mean      float64 // of the demand's quantity
	Low, High float64 // its interval when the trial ended
	Verdict   Verdict
}

// Search looks for the epsilon at the border of what a demand allows.
type Search struct {
	Survey     *Survey // its epsilons are ignored
	Low, High  float64 // epsilons between which to look, 0 < Low < High
	Resolution float64 // of the answer, relative, above 0
	Confidence float64 // that every verdict of the search is right, in (0, 1)
	MostRuns   int     // flights of one epsilon after which it is left undecided
	Progress   func(flights int)
}

// Answer is what a search found.
type Answer struct {
	Epsilon float64 // the last that was shown to meet the demand; NaN when none was
	Next    float64 // the first towards the border that was not; NaN when all of the range meet it
	Trials  []Trial
}

// Crossing estimates the epsilon at which the quantity reaches the limit, from the means of the trials
// around it: a point estimate, without the margin that the search keeps. It is NaN when no trials are on
// both sides.
func (a *Answer) Crossing(limit float64) float64 {
	trials := slices.SortedFunc(slices.Values(a.Trials), func(s, t Trial) int { return cmp.Compare(s.Epsilon, t.Epsilon) })
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
// rises or falls steadily. It tries both ends and then halves the bracket; every trial flies the runs
// 0, 1, ... with the noise they have at every epsilon, until a confidence sequence decides.
//
// What it says is honest all together: the verdicts share the error probability between them, so that
// with the confidence asked for none of them is wrong, however often the search looked.
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

// trialRuns is how many runs a trial flies between two looks.
const trialRuns = 128

// Try puts one epsilon to a demand, at the search's confidence.
func (s *Search) Try(ctx context.Context, d Demand, epsilon float64) (Trial, error) {
	return s.try(ctx, d, epsilon, s.Confidence)
}

func (s *Search) try(ctx context.Context, d Demand, epsilon, confidence float64) (Trial, error) {
	t := Trial{Epsilon: epsilon, Demand: d.Name, Verdict: Undecided}
	survey := *s.Survey
	survey.Epsilons = []float64{epsilon}
	sequences := newDecision(d, s.MostRuns, confidence)
	sum := 0.0
	for t.Runs < s.MostRuns && t.Verdict == Undecided && !s.hopeless(&t, d.Limit) {
		end := min(t.Runs+max(trialRuns, t.Runs/4), s.MostRuns)
		err := survey.Do(ctx, []int{0}, t.Runs, end, func(sightings []Sighting) error {
			for i := range sightings {
				value := d.Of(&sightings[i])
				if !sequences.add(value) {
					return fmt.Errorf("study: run %d at epsilon %g has %s %g, beyond the %g that confidence rests on", sightings[i].Run.Run, epsilon, d.Name, value, d.Bound)
				}
				sum += value
			}
			if s.Progress != nil {
				s.Progress(len(sightings))
			}
			return nil
		})
		if err != nil {
			return t, err
		}
		t.Runs, t.Mean = end, sum/float64(end)
		t.Low, t.High = sequences.interval()
		switch {
		case t.High <= d.Limit:
			t.Verdict = Met
		case t.Low > d.Limit:
			t.Verdict = NotMet
		}
	}
	return t, nil
}

// hopeless foresees, once an eighth of the most runs are flown, that the rest cannot decide either: the
// mean is so near the limit that even the last interval would hold both. Giving up early costs nothing
// but a verdict.
func (s *Search) hopeless(t *Trial, limit float64) bool {
	if t.Runs < s.MostRuns/8 {
		return false
	}
	half := (t.High - t.Low) / 2
	last := half * math.Sqrt(float64(t.Runs)/float64(s.MostRuns))
	return math.Abs(t.Mean-limit)+half/3 < last // a third of the half-width is some 1.2 standard errors
}

// decision is confidence sequences tuned for near, middling and far limits, which share the error
// probability: easy trials end soon and hard ones do not take much longer than they must.
type decision []*Sequence

func newDecision(d Demand, mostRuns int, confidence float64) decision {
	const scales = 3
	each := 1 - (1-confidence)/scales
	// Half-widths that take about mostRuns values, and 16 and 256 times fewer, of a standard deviation of
	// a tenth of the bound.
	finest := d.Bound / 10 * math.Sqrt(2*math.Log(2/(1-each))/float64(mostRuns))
	var sequences decision
	for i := range scales {
		sequences = append(sequences, NewSequence(d.Bound, finest*math.Pow(4, float64(i)), each))
	}
	return sequences
}

func (s decision) add(value float64) bool {
	ok := true
	for _, sequence := range s {
		ok = sequence.Add(value) && ok
	}
	return ok
}

// interval is where all sequences agree that the mean is.
func (s decision) interval() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, sequence := range s {
		l, h := sequence.Interval()
		low, high = max(low, l), min(high, h)
	}
	return low, high
}
