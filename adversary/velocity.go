package adversary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// ConstantVelocity expects the vehicle to fly straight on at its current velocity until the final time, which
// is that of the last sample.
type ConstantVelocity struct {
	OnGround bool // it knows that the flight ends at altitude 0
}

func newConstantVelocity(Settings) (Observer, error) { return ConstantVelocity{}, nil }

func newConstantVelocityOnGround(Settings) (Observer, error) {
	return ConstantVelocity{OnGround: true}, nil
}

// Foresee implements Observer.
func (o ConstantVelocity) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i := range h.Samples {
		s := &h.Samples[i]
		T := float64(len(h.Samples)-1-i) * h.StepS
		foreseen[i] = r3.Add(r3.Sub(s.R, origin), r3.Scale(T, s.V))
		if o.OnGround {
			foreseen[i].Z = -origin.Z
		}
	}
}
