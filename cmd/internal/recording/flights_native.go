//go:build !js

package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/flightfile"
)

// readFlights returns FlightsName of a folder's trajectories. Its values are read by the names of their columns, and
// an unknown one is infinite.
func readFlights(files fs.FS, trajectories string) ([]byte, error) {
	text, err := readAtMost(files, trajectories, largestTrajectories)
	if err != nil {
		return nil, err
	}
	rows, err := parquet.Read[struct {
		Run     int64    `parquet:"run"`
		Epsilon float64  `parquet:"epsilon"`
		TimeS   *float64 `parquet:"t_s,optional"`
		X       *float64 `parquet:"x_km,optional"`
		Y       *float64 `parquet:"y_km,optional"`
		Z       *float64 `parquet:"z_km,optional"`
		VX      *float64 `parquet:"vx_km_s,optional"`
		VY      *float64 `parquet:"vy_km_s,optional"`
		VZ      *float64 `parquet:"vz_km_s,optional"`
		AX      *float64 `parquet:"ax_km_s2,optional"`
		AY      *float64 `parquet:"ay_km_s2,optional"`
		AZ      *float64 `parquet:"az_km_s2,optional"`
		Away    *float64 `parquet:"distance_km,optional"`
		ErrorKm *float64 `parquet:"prediction_error_km,optional"`
	}](bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flightfile.TrajectoriesName, err)
	}
	known := func(v *float64) float64 {
		if v == nil {
			return math.Inf(1)
		}
		return *v
	}
	steps := make([]step, len(rows))
	for i, r := range rows {
		steps[i] = step{float64(r.Run), r.Epsilon, known(r.TimeS), known(r.X), known(r.Y), known(r.Z), known(r.VX),
			known(r.VY), known(r.VZ), known(r.AX), known(r.AY), known(r.AZ), known(r.Away), known(r.ErrorKm)}
	}
	return binary.Append(nil, binary.LittleEndian, steps)
}
