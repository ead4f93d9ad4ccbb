package model

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
	"veilpath/sim/study"
)

// Flight is one flight to show, step by step, with what the observer makes of it.
type Flight struct {
	Run            study.Run // for the present radius
	StepS          float64
	Samples        []sim.Sample
	Visits         []sim.Visit
	Track          adversary.Track
	Predicted      []r3.Vec // final position foreseen at every step, km
	HandoverSample int
	Detection      adversary.Step // zero unless Run.Detected
	Policy         []int32        // nil for the nominal flight
	Rewards        []float64      // private, states x actions; nil for the nominal flight

	profile adversary.Profile
}

// load copies the flyer's last flight.
func (f *Flight) load(e *study.Experiment, flyer *study.Flyer, r study.Run) {
	h := &flyer.History
	f.Run, f.StepS = r, h.StepS
	f.Samples = append(f.Samples[:0], h.Samples...)
	f.Visits = append(f.Visits[:0], h.Visits...)
	f.Track.ErrorKm = append(f.Track.ErrorKm[:0], flyer.Track.ErrorKm...)
	f.Track.DistanceKm = append(f.Track.DistanceKm[:0], flyer.Track.DistanceKm...)
	f.Policy = slices.Clone(flyer.Plan.Policy)
	f.Rewards = slices.Clone(flyer.Rewards)
	f.HandoverSample = flyer.Outcome.HandoverSample
	f.profile.Fill(&f.Track, e.Adversary.ConsecutiveSteps)
	f.predict(adversary.Ballistic{LambdaPerS: e.Adversary.LambdaPerS})
}

// predict fills the positions that the observer foresees.
func (f *Flight) predict(b adversary.Ballistic) {
	f.Predicted = f.Predicted[:0]
	last := len(f.Samples) - 1
	for i, s := range f.Samples {
		f.Predicted = append(f.Predicted, b.Predict(s.R, s.V, s.A, float64(last-i)*f.StepS))
	}
}

// detect judges the flight by another radius.
func (f *Flight) detect(radiusKm float64) {
	f.Detection = judge(&f.Run, &f.profile, f.HandoverSample, radiusKm)
}

// judge sets where a run was detected by an observer of the radius, as study.Flyer does.
func judge(r *study.Run, p *adversary.Profile, handover int, radiusKm float64) adversary.Step {
	step, detected := p.Detect(radiusKm)
	r.DetectionKm, r.Detected = step.DistanceKm, detected
	r.BeforeHandover = detected && step.Sample < handover
	return step
}

// DurationS returns the time of the last sample.
func (f *Flight) DurationS() float64 { return float64(len(f.Samples)-1) * f.StepS }

// At returns the sample in force at a time, in the flight.
func (f *Flight) At(timeS float64) int {
	const rounding = 1e-9 // steps
	return max(0, min(len(f.Samples)-1, int(timeS/f.StepS+rounding)))
}

// TimeS returns when a sample was taken.
func (f *Flight) TimeS(sample int) float64 { return float64(sample) * f.StepS }
