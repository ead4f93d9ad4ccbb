package model

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/cmd/internal/recording"
	"veilpath/sim"
	"veilpath/sim/study"
)

// Flight is one flight to show, step by step, with what the observer makes of it.
type Flight struct {
	Run            study.Run // for the present radius
	StepS          float64
	Samples        []sim.Sample
	Visits         []sim.Visit
	Errors         adversary.PredictionErrors
	HandoverSample int
	Target         r3.Vec              // where it was to end, km: one of the mission's
	Detection      adversary.Detection // for the present radius
	Rewards        []float64           // private, states x actions; nil for the direct flight
	Recorded       bool                // the steps are those of the open recording

	curve     adversary.Curve
	baselines study.Baselines
}

// load copies the flyer's last flight, which is held against baselines.
func (f *Flight) load(flyer *study.Flyer, r study.Run, baselines *study.Baselines) {
	flown := flyer.Detail()
	h := flown.History
	f.Run, f.StepS = r, h.StepS
	f.Samples, f.Visits = slices.Clone(h.Samples), slices.Clone(h.Visits)
	f.Errors.ErrorKm, f.Errors.DistanceKm = slices.Clone(flown.Errors.ErrorKm), slices.Clone(flown.Errors.DistanceKm)
	f.Rewards = slices.Clone(flown.Rewards)
	f.HandoverSample, f.Target = flown.Outcome.HandoverSample, flown.Outcome.Target
	f.curve, f.baselines = flown.Curve.Clone(), *baselines
}

// replay puts recorded steps in place of those that were flown, as far as these go.
func (f *Flight) replay(steps *recording.Flight, rule adversary.Rule) {
	n := len(steps.Samples)
	f.Samples, f.Errors, f.StepS, f.Recorded = steps.Samples, steps.Errors, steps.StepS, true
	f.Visits = slices.DeleteFunc(slices.Clone(f.Visits), func(v sim.Visit) bool { return v.Sample >= n })
	f.HandoverSample = min(f.HandoverSample, n)
	f.curve = adversary.Curve{}
	f.curve.Fill(&f.Errors, rule, f.HandoverSample)
}

// history is the flight as observers watch it.
func (f *Flight) history() sim.History {
	return sim.History{StepS: f.StepS, Samples: f.Samples, Visits: f.Visits, Handover: f.HandoverSample,
		GaveUp: f.Run.Fallback}
}

// made returns what is made of settings in force. They were checked: flyers, plans at their epsilon, for which sigmaAt
// found that there are some, and what observers and tallies take from them have been made before.
func made[T any](of T, err error) T {
	if err != nil {
		panic("model: of checked settings: " + err.Error())
	}
	return of
}

// detect judges the flight by another radius.
func (f *Flight) detect(radiusKm float64) {
	f.Detection = f.curve.Detect(radiusKm)
	f.Run.SetDetection(f.Detection)
	seen := f.baselines.At(radiusKm)
	f.Run.Compare(&seen)
}

// DurationS returns the time of the last sample.
func (f *Flight) DurationS() float64 { return float64(len(f.Samples)-1) * f.StepS }

// At returns the sample nearest to a time, in the flight.
func (f *Flight) At(timeS float64) int {
	return max(0, min(len(f.Samples)-1, int(math.Round(timeS/f.StepS))))
}

// TimeS returns when a sample was taken.
func (f *Flight) TimeS(sample int) float64 { return float64(sample) * f.StepS }
