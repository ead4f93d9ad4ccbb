package privacy

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// SampleMean is a Monte Carlo mean, of draws or of flights, with its standard error.
type SampleMean struct {
	Mean, StandardError float64
	Draws               int // or flights
}

// HalfWidth returns half the width of Student's t interval at a confidence in (0, 1), infinite below two draws.
func (m SampleMean) HalfWidth(confidence float64) float64 {
	if m.Draws < leastDraws {
		return math.Inf(1)
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(m.Draws - 1)}
	return student.Quantile((1+confidence)/2) * m.StandardError
}

// Sample accumulates a SampleMean (Welford 1962). The zero value has no draws.
type Sample struct {
	draws        int
	mean, spread float64 // spread is the sum of squared distances from the mean
}

// Add counts a draw.
func (s *Sample) Add(x float64) {
	s.draws++
	d := x - s.mean
	s.mean += d / float64(s.draws)
	s.spread += d * (x - s.mean)
}

// Mean returns the mean of the draws, NaN without any. Its standard error is NaN below two draws.
func (s *Sample) Mean() SampleMean {
	n := float64(s.draws)
	if s.draws == 0 {
		return SampleMean{Mean: math.NaN(), StandardError: math.NaN()}
	}
	return SampleMean{Mean: s.mean, StandardError: math.Sqrt(s.spread / (n * (n - 1))), Draws: s.draws}
}
