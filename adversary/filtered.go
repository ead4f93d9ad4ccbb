package adversary

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// filtered measures only positions, each coordinate with an independent normal error, and estimates velocity
// and acceleration with a Kalman filter. It models every coordinate of the acceleration as a process that
// decays at the rate of Ballistic and is driven by noise (Singer 1970), knows the final time, and predicts like
// Ballistic. The errors depend on the seed and the waypoints flown, so that one flight is always measured
// equally.
type filtered struct {
	Ballistic
	noiseKm float64
	seed    uint64
	random  *rand.Rand
	source  *rand.PCG
}

// manoeuvre is the filter's standard deviation of a coordinate of the acceleration, km/s^2: about that of GENEX
// commands on most of the way. A smaller value follows turns to waypoints too late, a larger one filters less
// of the error. speedGuess is the standard deviation of a coordinate of the velocity before the first
// measurement, km/s.
const (
	manoeuvre  = 0.0165
	speedGuess = 2
)

func newFiltered(s Settings) (Observer, error) {
	if err := s.checkDecay(); err != nil {
		return nil, err
	}
	if !(s.NoiseKm >= 0) || math.IsInf(s.NoiseKm, 0) {
		return nil, fmt.Errorf("adversary: error of measured positions %v km, want a finite number of at least 0", s.NoiseKm)
	}
	source := rand.NewPCG(0, 0)
	return &filtered{Ballistic: Ballistic{s.LambdaPerS}, noiseKm: s.NoiseKm, seed: s.Seed, source: source,
		random: rand.New(source)}, nil
}

func (o *filtered) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	o.source.Seed(o.seed, fingerprint(h))
	n := len(h.Samples)
	var r, v, a r3.Vec
	f := newFilter(o.Ballistic, h.StepS, o.noiseKm)
	for i := range h.Samples {
		measured := h.Samples[i].R
		measured.X += o.noiseKm * o.random.NormFloat64()
		measured.Y += o.noiseKm * o.random.NormFloat64()
		measured.Z += o.noiseKm * o.random.NormFloat64()
		if i == 0 {
			r = measured
		} else {
			r, v, a = f.advance(r, v, a)
			off := r3.Sub(measured, r)
			gain := f.update()
			r, v, a = r3.Add(r, r3.Scale(gain[0], off)), r3.Add(v, r3.Scale(gain[1], off)), r3.Add(a, r3.Scale(gain[2], off))
		}
		foreseen[i] = r3.Sub(o.Predict(r, v, a, float64(n-1-i)*h.StepS), origin)
	}
}

// fingerprint is a hash of the waypoints flown and the length of the flight.
func fingerprint(h *sim.History) uint64 {
	hash := fnv.New64a()
	var bytes [8]byte
	add := func(n int) {
		binary.LittleEndian.PutUint64(bytes[:], uint64(n))
		hash.Write(bytes[:])
	}
	add(len(h.Samples))
	for _, v := range h.Visits {
		add(v.State)
	}
	return hash.Sum64()
}

// filter is the covariance of the estimate of one coordinate's position, velocity and acceleration, the same
// for all three coordinates, and its propagation over a step.
type filter struct {
	p           [3][3]float64
	f           [3][3]float64 // transition matrix of a step
	driving     float64       // variance that the acceleration gains in a step
	measurement float64       // variance of a measured position
}

func newFilter(b Ballistic, stepS, noiseKm float64) *filter {
	decay := math.Exp(-b.LambdaPerS * stepS)
	gained := stepS // gain of the velocity for an acceleration of 1
	if b.LambdaPerS > 0 {
		gained = -math.Expm1(-b.LambdaPerS*stepS) / b.LambdaPerS
	}
	// Without decay, the driving noise is that of a process that decays in a minute.
	const slowest = 1. / 60
	driving := -math.Expm1(-2*max(b.LambdaPerS, slowest)*stepS) * manoeuvre * manoeuvre
	variance := noiseKm * noiseKm
	return &filter{
		p:       [3][3]float64{{variance, 0, 0}, {0, speedGuess * speedGuess, 0}, {0, 0, manoeuvre * manoeuvre}},
		f:       [3][3]float64{{1, stepS, b.Lag(stepS)}, {0, 1, gained}, {0, 0, decay}},
		driving: driving, measurement: variance,
	}
}

// advance propagates over a step: p becomes f p f' plus the driving noise.
func (f *filter) advance(r, v, a r3.Vec) (r3.Vec, r3.Vec, r3.Vec) {
	var fp, next [3][3]float64
	for i := range 3 {
		for j := range 3 {
			fp[i][j] = f.f[i][0]*f.p[0][j] + f.f[i][1]*f.p[1][j] + f.f[i][2]*f.p[2][j]
		}
	}
	for i := range 3 {
		for j := range 3 {
			next[i][j] = fp[i][0]*f.f[j][0] + fp[i][1]*f.f[j][1] + fp[i][2]*f.f[j][2]
		}
	}
	next[2][2] += f.driving
	f.p = next
	r = r3.Add(r, r3.Add(r3.Scale(f.f[0][1], v), r3.Scale(f.f[0][2], a)))
	v = r3.Add(v, r3.Scale(f.f[1][2], a))
	return r, v, r3.Scale(f.f[2][2], a)
}

// update includes a measured position and returns the gains of position, velocity and acceleration.
func (f *filter) update() (gain [3]float64) {
	total := f.p[0][0] + f.measurement
	if total == 0 {
		return gain
	}
	row := f.p[0]
	for i := range 3 {
		gain[i] = f.p[i][0] / total
	}
	for i := range 3 {
		for j := range 3 {
			f.p[i][j] -= gain[i] * row[j]
		}
	}
	return gain
}
