package adversary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Observer foresees where flights end. It may keep tables from one flight to the next, so it serves one
// goroutine.
type Observer interface {
	// Foresee sets foreseen[i] to the final position expected at sample i, in km from an origin that is only
	// the frame's and tells the observer nothing. There are as many as samples.
	Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec)
}

// Settings are what observers may be told; each reads its own.
type Settings struct {
	LambdaPerS float64  // decay rate of the extrapolated acceleration, 1/s, >= 0
	NoiseKm    float64  // standard deviation of the error of every coordinate of a measured position, km, >= 0
	Seed       uint64   // of that error
	Steering   Steering // how vehicles are steered
}

// checkDecay returns an error unless the decay rate is a finite number of at least 0.
func (s *Settings) checkDecay() error {
	if !(s.LambdaPerS >= 0) || math.IsInf(s.LambdaPerS, 0) {
		return fmt.Errorf("adversary: decay rate %v 1/s, want a finite number of at least 0", s.LambdaPerS)
	}
	return nil
}

// Model is an observer that settings choose by name.
type Model struct {
	Name    string
	Meaning string // what it measures and supposes, after its name in a sentence
	New     func(Settings) (Observer, error)

	// KeepsAltitude says that it foresees from the present sample and the time to go alone, and of a flight that is
	// level the altitude flown: it recognises no target at another altitude before the hand-over.
	KeepsAltitude bool
}

var models = []Model{
	{"ballistic", "measures position, velocity and acceleration exactly, knows the final time, lets the acceleration decay and predicts the final position", newBallistic, true},
	{"constant_velocity", "measures position and velocity, knows the final time and flies straight on until then", newConstantVelocity, true},
	{"constant_velocity_ground", "does the same and knows that flights end on the ground, at altitude 0", newConstantVelocityOnGround, false},
	{"impact_time", "measures as ballistic does but does not know the final time, and predicts where its extrapolation meets the ground", newImpactTime, false},
	{"filtered", "measures positions alone, with an error, filters them (Kalman), knows the final time and predicts as ballistic does", newFiltered, false},
	{"handover_circle", "knows the distance of the hand-over, that the target lies on the ground and the law that steers to it, and from the hand-over on takes the target that explains what it measures best", newHandoverCircle, false},
}

// Models returns the observers there are, the default first.
func Models() []Model { return slices.Clone(models) }

// KeepsAltitude reports whether the observer of a name does, see Model.
func KeepsAltitude(name string) bool {
	return slices.ContainsFunc(models, func(m Model) bool { return m.Name == name && m.KeepsAltitude })
}

// Names returns the names of the observers there are, the default first.
func Names() []string {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = m.Name
	}
	return names
}

// New returns the observer of a name. It refuses a name or a setting that is not allowed.
func New(name string, s Settings) (Observer, error) {
	for _, m := range models {
		if m.Name == name {
			return m.New(s)
		}
	}
	return nil, fmt.Errorf("adversary: no observer is called %q; there are %s", name, strings.Join(Names(), ", "))
}

// PredictionErrors is what an observer makes of one flight: per step, the distance of the foreseen final
// position from the target and the vehicle's own distance from it, both km.
type PredictionErrors struct {
	ErrorKm    []float64
	DistanceKm []float64

	foreseen []r3.Vec // from the target
}

// Fill lets an observer watch a flight towards the target, reusing its storage.
func (e *PredictionErrors) Fill(o Observer, h *sim.History, target r3.Vec) {
	n := len(h.Samples)
	e.ErrorKm, e.DistanceKm, e.foreseen = resize(e.ErrorKm, n), resize(e.DistanceKm, n), resize(e.foreseen, n)
	o.Foresee(h, target, e.foreseen)
	for i := range h.Samples {
		r, f := &h.Samples[i].R, &e.foreseen[i]
		x, y, z := r.X-target.X, r.Y-target.Y, r.Z-target.Z
		e.DistanceKm[i] = math.Sqrt(x*x + y*y + z*z)
		e.ErrorKm[i] = math.Sqrt(f.X*f.X + f.Y*f.Y + f.Z*f.Z)
	}
}

// resize returns a slice of length n, reusing s where it is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
