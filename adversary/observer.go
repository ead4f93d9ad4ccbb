package adversary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Observer predicts where flights end. It may keep tables between flights, so it serves one goroutine.
type Observer interface {
	// Foresee sets foreseen[i] to the final position predicted at sample i, in km relative to origin, which is
	// only a frame of reference: the observer must not use it otherwise. A sample without a prediction gets infinity.
	Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec)
}

// Failure returns the error of an observer that may fail, such as a command; nil for others. Such an observer has a
// method Err, which returns its first error. Its predictions for that flight, and for later ones, are invalid.
func Failure(o Observer) error {
	if fallible, ok := o.(interface{ Err() error }); ok {
		return fallible.Err()
	}
	return nil
}

// Settings are the settings of observers; each uses its own.
type Settings struct {
	LambdaPerS float64    // decay rate of the extrapolated acceleration, 1/s, >= 0
	NoiseKm    float64    // standard deviation of the error of every coordinate of a measured position, km, >= 0
	Seed       uint64     // of that error
	Steering   Steering   // of the vehicles
	Knowledge  *Knowledge // of observers of the goal
}

// checkDecay returns an error unless the decay rate is a finite number of at least 0.
func (s *Settings) checkDecay() error {
	if !(s.LambdaPerS >= 0) || math.IsInf(s.LambdaPerS, 0) {
		return fmt.Errorf("adversary: decay rate %v 1/s, want a finite number of at least 0", s.LambdaPerS)
	}
	return nil
}

// Model is an observer that settings select by name.
type Model struct {
	Name    string
	Meaning string // what it measures and assumes; follows its name in a sentence
	New     func(Settings) (Observer, error)

	Goal    bool // it infers the goal, see GoalModel, and needs Settings.Knowledge
	Private bool // its knowledge depends on the noise: it uses samples of private policies
	Learns  bool // likewise: it uses weights learned from flights of the mechanism
	Errs    bool // it measures with an error, which is the same for flights of one route
}

// KnowsNoise reports whether its knowledge depends on the noise of the flights that it observes.
func (m *Model) KnowsNoise() bool { return m.Private || m.Learns }

// endpoints are the observers that predict where flights end.
var endpoints = []Model{
	{Name: "ballistic", New: newBallistic, Meaning: "measures position, velocity and acceleration exactly, knows the " +
		"final time, lets the acceleration decay and predicts the final position"},
	{Name: "constant_velocity", New: func(Settings) (Observer, error) { return constantVelocity{}, nil },
		Meaning: "measures position and velocity, knows the final time and predicts straight flight until then"},
	{Name: "constant_velocity_ground", New: func(Settings) (Observer, error) { return constantVelocity{true}, nil },
		Meaning: "does what constant_velocity does and knows that flights end on the ground, at altitude 0"},
	{Name: "impact_time", New: newImpactTime, Meaning: "measures as ballistic does but does not know the final time, " +
		"and predicts where its extrapolation meets the ground"},
	{Name: "filtered", New: newFiltered, Errs: true, Meaning: "measures only positions, with an error, filters them " +
		"(Kalman), knows the final time and predicts as ballistic does"},
	{Name: "handover_circle", New: newHandoverCircle,
		Meaning: "knows the hand-over distance, that the target lies on the ground and the steering law to it, " +
			"and after the hand-over predicts the target that fits its measurements best"},
}

// Models returns all observers, the default first: first those that predict where flights end, then those of
// the goal.
func Models() []Model {
	models := slices.Clone(endpoints)
	for _, m := range goalModels {
		models = append(models, Model{Name: m.Name, Meaning: m.Meaning, Goal: true, Private: m.Private, Learns: m.Learns,
			New: func(s Settings) (Observer, error) {
				if s.Knowledge == nil {
					return nil, fmt.Errorf("adversary: the observer %s infers the goal, but has no candidates", m.Name)
				}
				return NewBelief(m, s.Knowledge)
			}})
	}
	return models
}

// Find returns the observer with a name.
func Find(name string) (Model, error) {
	for _, m := range Models() {
		if m.Name == name {
			return m, nil
		}
	}
	return Model{}, fmt.Errorf("adversary: there is no observer %q; want one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all observers, the default first.
func Names() []string {
	var names []string
	for _, m := range Models() {
		names = append(names, m.Name)
	}
	return names
}
