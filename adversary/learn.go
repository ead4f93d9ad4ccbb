package adversary

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"veilpath/internal/pool"
	"veilpath/sim"
)

// Example is what a flight up to some sample teaches an observer who is told its goal.
type Example struct {
	goal     int       // its place among the goals that were still possible
	offsets  []float64 // by possible goal: logarithm of its probability, given the prior and what the hand-over has shown
	features []float32 // by possible goal: featureCount
}

// Teacher makes examples of flights. It serves one goroutine.
type Teacher struct {
	belief   *Belief
	features *features
}

// NewTeacher returns a teacher of an observer with the given knowledge, of which it uses the candidates, the hand-over
// and the waypoints.
func NewTeacher(k *Knowledge) (*Teacher, error) {
	if k.Waypoint == nil {
		return nil, errors.New("adversary: no waypoints to learn from")
	}
	t := &Teacher{features: newFeatures(k)}
	var err error
	t.belief, err = NewBelief(GoalModel{New: func(*Knowledge) (GoalObserver, error) { return t.features, nil }}, k)
	return t, err
}

// Example returns what a flight to a goal teaches up to a sample.
func (t *Teacher) Example(h *sim.History, sample, goal int) Example {
	var e Example
	t.belief.At(h, []int{sample}, func(_ int, posterior []float64) {
		for g, p := range posterior {
			if !(p > 0) {
				continue
			}
			if g == goal {
				e.goal = len(e.offsets)
			}
			e.offsets = append(e.offsets, math.Log(p))
			for _, x := range t.features.of(g) {
				e.features = append(e.features, float32(x))
			}
		}
	})
	return e
}

// ridge is the weight of the penalty |w|^2/2 on all weights together, against the logarithm of the likelihood of all
// examples. It bounds weights of features that no example contradicts.
const ridge = 0.1

// Learn returns the weights, for Knowledge.Learned, that make the goals of examples most probable: the maximum of the
// sum of the logarithms of their posterior probabilities, less ridge times |w|^2/2. That is concave, so there is one;
// it is found with L-BFGS, to a gradient of at most 1e-5 an example. The result does not depend on the workers.
func Learn(ctx context.Context, examples []Example, workers int) ([]float64, error) {
	f := &fit{ctx: ctx, examples: examples, workers: workers}
	problem := optimize.Problem{Func: f.loss, Grad: f.gradient}
	const gradient, iterations = 1e-5, 500
	result, err := optimize.Minimize(problem, make([]float64, featureCount),
		&optimize.Settings{GradientThreshold: gradient, MajorIterations: iterations}, &optimize.LBFGS{})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("adversary: the fit to %d flights fails: %w", len(examples), err)
	}
	return result.X, nil
}

// fit is a loss over examples, with its gradient, where it was last asked for.
type fit struct {
	ctx      context.Context
	examples []Example
	workers  int
	at       []float64
	value    float64
	slope    []float64
}

func (f *fit) loss(w []float64) float64 {
	f.evaluate(w)
	return f.value
}

func (f *fit) gradient(to, w []float64) {
	f.evaluate(w)
	copy(to, f.slope)
}

// part is what some examples contribute to loss and gradient.
type part struct {
	value float64
	slope [featureCount]float64
}

// evaluate sets the loss per example and its gradient. Parts of the examples are summed in their order.
func (f *fit) evaluate(w []float64) {
	if f.at != nil && floats.Equal(f.at, w) {
		return
	}
	const each = 32 // examples in a part
	n := float64(len(f.examples))
	f.at, f.slope = append(f.at[:0], w...), append(f.slope[:0], w...)
	f.value = ridge / 2 * floats.Dot(w, w) / n
	floats.Scale(ridge/n, f.slope)
	work := func() pool.Work[int, part] {
		var odds []float64
		return func(_ context.Context, i int, _ part) (p part, _ error) {
			for _, e := range f.examples[i*each : min((i+1)*each, len(f.examples))] {
				odds = e.contribute(w, odds, &p)
			}
			return p, nil
		}
	}
	for r, err := range pool.Ordered(f.ctx, f.workers, pool.Numbers(0, (len(f.examples)+each-1)/each), work) {
		if err != nil { // the context has ended
			f.value = math.NaN()
			return
		}
		f.value += r.Value.value / n
		floats.AddScaled(f.slope, 1/n, r.Value.slope[:])
	}
}

// contribute adds what an example contributes at some weights. odds is room.
func (e *Example) contribute(w, odds []float64, p *part) []float64 {
	odds = append(odds[:0], e.offsets...)
	largest := math.Inf(-1)
	for g := range odds {
		for i, x := range e.features[g*featureCount : (g+1)*featureCount] {
			odds[g] += w[i] * float64(x)
		}
		largest = max(largest, odds[g])
	}
	p.value -= odds[e.goal] - largest
	sum := 0.0
	for g, o := range odds {
		odds[g] = math.Exp(o - largest)
		sum += odds[g]
	}
	p.value += math.Log(sum)
	for g, o := range odds {
		share := o / sum
		if g == e.goal {
			share--
		}
		for i, x := range e.features[g*featureCount : (g+1)*featureCount] {
			p.slope[i] += share * float64(x)
		}
	}
	return odds
}
