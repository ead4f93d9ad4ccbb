package reproduce

import (
	"context"
	"math"
	"slices"

	"veilpath/sim/study"
)

// publishedFlights is the sample size of a published point of Example 3.
const publishedFlights = 200

// flightDistances flies Example 3 and computes the mean distance at which the vehicle is recognised.
func flightDistances(ctx context.Context, b *bench) ([]Quantity, error) {
	p, err := open(flightFile)
	if err != nil {
		return nil, err
	}
	numbers, err := p.numbersAt("eps", "private_mean_detection_distance_km", "ε = ", b.Example3.Epsilons)
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
	return []Quantity{{Name: "mean distance (km)", Numbers: numbers,
		Readings: []Reading{{Name: "our vehicle model; the paper's is not stated in full", Values: values}}}}, nil
}
