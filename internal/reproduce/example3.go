package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/report"
	"veilpath/sim/study"
)

// publishedFlights is the sample size of a published point.
const publishedFlights = 200

func computeExample3(ctx context.Context, b *bench) (*Result, error) {
	p, err := open("fig_ex3_detection_distance_vs_eps")
	if err != nil {
		return nil, err
	}
	numbers, err := p.numbersAt("eps", "private_mean_detection_distance_km", "ε = ", b.Example3.Epsilons)
	if err != nil {
		return nil, err
	}
	direct, err := scalar("ex3_nonprivate_detection_distance", "")
	if err != nil {
		return nil, err
	}
	flights := b.Example3
	flights.Workers = b.Workers
	tally, err := flights.NewTally()
	if err != nil {
		return nil, err
	}
	if err := flights.Do(ctx, func(records []study.Run) error {
		tally.Add(records)
		b.done(len(records))
		return nil
	}); err != nil {
		return nil, err
	}
	summaries := tally.Summaries()
	values := make([]Value, len(numbers))
	for i, n := range numbers {
		s := summaries[slices.Index(flights.Epsilons, n.X)]
		values[i] = Value{Mean: s.MeanKm, SE: s.StdKm / math.Sqrt(float64(s.Runs)),
			PublishedSE: s.StdKm / math.Sqrt(publishedFlights)}
	}
	nominal := flights.Experiment.Baselines.Direct
	step := flights.Experiment.Scenario.SpeedKmS * flights.Experiment.Scenario.StepS
	direct.HalfUnit += step / 2 // a detection is observed at a step
	result := &Result{Judgements: []*Judgement{
		Quantity{Name: "mean distance (km)", Numbers: numbers,
			Readings: []Reading{{Name: "our vehicle model; the paper's is not stated in full", Values: values}}}.Judge(),
		Quantity{Name: "distance without privacy (km)", Numbers: []Number{direct}, Readings: []Reading{{
			Name: fmt.Sprintf("our vehicle model, one angle of which was fitted to this number; seen to a step of %.2g km",
				step), Values: []Value{{Mean: nominal.DetectionKm}}}}}.Judge(),
	}}
	printed := publishedCurve("published", 1, numbers)
	drawn, err := report.StudyFigure(report.StudyResult{
		Summaries: summaries, DetectionKm: tally.DetectionKm,
		HandoverKm: flights.Experiment.Scenario.HandoverKm, Delta: flights.Experiment.Delta(),
		RadiusKm:  flights.Experiment.Adversary.RadiusKm,
		Published: &printed,
	})
	if err != nil {
		return nil, err
	}
	result.Figures = []Figure{{Name: "example3", Draw: drawn}}
	curve := result.Judgements[0]
	baselines, last := flights.Experiment.Baselines, len(summaries)-1
	planned, handover := baselines.Planned.DetectionKm, baselines.HandoverOnly.DetectionKm
	result.Summary = prose("example3", struct {
		Agreeing, Numbers                     int
		RMS, Planned, Direct, Apart, Handover float64
		Low, High                             float64 // epsilons
		Most, Least                           float64 // effect of noise at Low and High, km
	}{curve.count()[MonteCarlo], len(curve.Rows), curve.RMS(0), planned, nominal.DetectionKm,
		nominal.DetectionKm - planned,
		nominal.DetectionKm - handover, summaries[0].Epsilon, summaries[last].Epsilon, -summaries[0].NoiseKm,
		-summaries[last].NoiseKm})
	return result, nil
}
