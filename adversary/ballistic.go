package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Ballistic extrapolates the flight with the measured acceleration decaying exponentially:
// a(t) = a exp(-lambda (t - t0)) until the final time (paper, Example 3).
type Ballistic struct {
	LambdaPerS float64 // decay rate, 1/s, >= 0; 0 keeps the acceleration constant
}

// smallDecay is the product lambda T below which the lag is summed as a series: below it, the closed form loses
// more than two digits to cancellation.
const smallDecay = 1e-2

// Lag returns the double integral of the relative decay exp(-lambda t) over T seconds, T/lambda - (1 -
// exp(-lambda T))/lambda^2, in s^2. It tends to T^2/2 as lambda tends to 0.
func (b Ballistic) Lag(T float64) float64 {
	x := b.LambdaPerS * T
	if x < smallDecay {
		// T^2 (x - 1 + e^-x)/x^2 to rounding: the next term is a relative x^6/20160.
		return T * T * (1./2 - x*(1./6-x*(1./24-x*(1./120-x*(1./720-x/5040)))))
	}
	return T * T * ((x + math.Expm1(-x)) / (x * x))
}

// Predict returns the predicted position T seconds ahead from position r, velocity v and acceleration a (km,
// km/s, km/s^2).
func (b Ballistic) Predict(r, v, a r3.Vec, T float64) r3.Vec {
	return r3.Add(r3.Add(r, r3.Scale(T, v)), r3.Scale(b.Lag(T), a))
}

// BallisticObserver predicts with a Ballistic. It keeps a table of the lags.
type BallisticObserver struct {
	Ballistic
	tabulated Ballistic // the observer for which lag was computed, with stepS
	stepS     float64
	lag       []float64 // by number of steps to go
}

// NewBallisticObserver returns an observer with the given decay rate, 1/s.
func NewBallisticObserver(lambdaPerS float64) *BallisticObserver {
	return &BallisticObserver{Ballistic: Ballistic{LambdaPerS: lambdaPerS}}
}

func newBallistic(s Settings) (Observer, error) {
	if err := s.checkDecay(); err != nil {
		return nil, err
	}
	return NewBallisticObserver(s.LambdaPerS), nil
}

// Foresee implements Observer. The final time is that of the last sample, so the time to go is a whole number
// of steps.
func (o *BallisticObserver) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	n := len(h.Samples)
	if o.stepS != h.StepS || o.tabulated != o.Ballistic {
		o.stepS, o.tabulated, o.lag = h.StepS, o.Ballistic, o.lag[:0]
	}
	for i := len(o.lag); i < n; i++ {
		o.lag = append(o.lag, o.Lag(float64(i)*h.StepS))
	}
	for i := range h.Samples {
		s, f := &h.Samples[i], &foreseen[i]
		toGo := n - 1 - i
		T, lag := float64(toGo)*h.StepS, o.lag[toGo]
		f.X = (s.R.X - origin.X) + (T*s.V.X + lag*s.A.X)
		f.Y = (s.R.Y - origin.Y) + (T*s.V.Y + lag*s.A.Y)
		f.Z = (s.R.Z - origin.Z) + (T*s.V.Z + lag*s.A.Z)
	}
}
