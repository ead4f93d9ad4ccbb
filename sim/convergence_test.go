package sim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// endOf flies for a given time, a multiple of the step, and returns the last sample. The scenario must
// not reach its target in that time.
func endOf(t *testing.T, s sim.Scenario, route sim.Route, step, time float64) sim.Sample {
	t.Helper()
	s.StepS, s.MaxTimeS = step, time
	history, outcome := fly(t, &s, route)
	if !outcome.TimedOut || history.Duration() != time {
		t.Fatalf("step %g: %+v, want to time out at %g s", step, outcome, time)
	}
	return history.Samples[len(history.Samples)-1]
}

// Halving the step of a fourth-order method divides the error by 16. Measured orders may be off by what
// the next power of the step still contributes.
const orderTolerance = 0.25

// checkOrder flies with steps halved from the given one and measures the order of convergence towards the
// exact end.
func checkOrder(t *testing.T, end func(step float64) sim.Sample, exact sim.Sample, step float64) {
	t.Helper()
	previous := 0.0
	for halving := range 4 {
		got := end(step)
		e := r3.Norm(r3.Sub(got.R, exact.R))
		const floor = 1e-10 // km; below that rounding would be measured
		if e < floor {
			t.Fatalf("step %g: the error %.3g km is too small to measure an order", step, e)
		}
		if halving > 0 {
			order := math.Log2(previous / e)
			if !(math.Abs(order-4) <= orderTolerance) {
				t.Errorf("from step %g to %g the error falls from %.3g to %.3g km: order %.2f, want 4", 2*step, step, previous, e,
					order)
			}
			t.Logf("step %g: error %.3g km, order %.3f", step, e, order)
		}
		previous, step = e, step/2
	}
}

// A waypoint at the centre of the turn keeps the command above the limit, so the vehicle flies a circle
// of radius V^2/limit. The state left has the same waypoint, so it is never farther.
func TestSaturatedTurnConvergesToTheCircle(t *testing.T) {
	const T = 24.0
	s := paperScenario()
	s.Target, s.HandoverKm, s.HeadingRad = r3.Vec{X: 1000}, 0, 0
	radius := s.SpeedKmS * s.SpeedKmS / s.AccelLimitKmS2
	centre := r3.Add(s.Start, r3.Vec{Y: radius})
	route := &course{at: []r3.Vec{centre, centre}}
	sin, cos := math.Sincos(s.SpeedKmS * T / radius)
	exact := sim.Sample{R: r3.Add(centre, r3.Vec{X: radius * sin, Y: -radius * cos})}
	checkOrder(t, func(step float64) sim.Sample { return endOf(t, *s, route, step, T) }, exact, 2)
}

// Two smooth flights without a limit, against themselves with a step so fine that its error is a few
// thousandths of the finest one measured, (1/8)^4.
func TestSteeringConvergesWithOrderFour(t *testing.T) {
	for _, c := range []struct {
		name  string
		time  float64
		step  float64
		route sim.Route
	}{
		{"leg", 24, 4, &course{at: []r3.Vec{{X: -200, Y: -50, Z: 10}, {X: -140, Y: 20, Z: 10}}}},
		{"GENEX", 96, 8, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := paperScenario()
			s.AccelLimitKmS2, s.HandoverKm, s.HeadingRad = 10, 0, -0.3
			exact := endOf(t, *s, c.route, c.step/64, c.time)
			checkOrder(t, func(step float64) sim.Sample { return endOf(t, *s, c.route, step, c.time) }, exact, c.step)
		})
	}
}
