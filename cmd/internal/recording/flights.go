package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// FlightsName is the file with the recorded steps of flights. It is made from trajectories.parquet, which the page's
// program cannot read.
const FlightsName = "flights.bin"

// Flight is the recorded steps of a flight, with what the study's first observer made of them.
type Flight struct {
	Run     int
	Epsilon float64
	StepS   float64
	Samples []sim.Sample
	Errors  adversary.PredictionErrors
}

// step is a row of FlightsName.
type step struct {
	Run, Epsilon, TimeS, X, Y, Z, VX, VY, VZ, AX, AY, AZ, DistanceKm, ErrorKm float64
}

// ParseFlights reads what FlightsName holds.
func ParseFlights(data []byte) (flights []Flight, err error) {
	steps := make([]step, len(data)/binary.Size(step{}))
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, steps); err != nil {
		return nil, fmt.Errorf("%s is cut short: %w", FlightsName, err)
	}
	for i, s := range steps {
		if !(s.Run >= 0 && s.Run <= math.MaxInt32) {
			return nil, errors.New(FlightsName + " holds no flights")
		}
		if n := len(flights); n == 0 || flights[n-1].Run != int(s.Run) || flights[n-1].Epsilon != s.Epsilon {
			flights = append(flights, Flight{Run: int(s.Run), Epsilon: s.Epsilon})
		} else if n := len(flights) - 1; len(flights[n].Samples) == 1 {
			flights[n].StepS = s.TimeS - steps[i-1].TimeS
		}
		f := &flights[len(flights)-1]
		f.Samples = append(f.Samples, sim.Sample{R: r3.Vec{X: s.X, Y: s.Y, Z: s.Z}, V: r3.Vec{X: s.VX, Y: s.VY, Z: s.VZ},
			A: r3.Vec{X: s.AX, Y: s.AY, Z: s.AZ}})
		f.Errors.DistanceKm = append(f.Errors.DistanceKm, s.DistanceKm)
		f.Errors.ErrorKm = append(f.Errors.ErrorKm, s.ErrorKm)
	}
	return flights, nil
}
