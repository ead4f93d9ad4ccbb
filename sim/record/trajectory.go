package record

import (
	"encoding/csv"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"veilpath/adversary"
	"veilpath/sim"
)

// The files of one flight.
const (
	TrajectoryCSVName     = "trajectory.csv"
	TrajectoryParquetName = "trajectory.parquet"
)

// TrajectoryRow is one step of a recorded flight.
type TrajectoryRow struct {
	TimeS      float64 `parquet:"t_s"`
	X          float64 `parquet:"x_km"`
	Y          float64 `parquet:"y_km"`
	Z          float64 `parquet:"z_km"`
	VX         float64 `parquet:"vx_km_s"`
	VY         float64 `parquet:"vy_km_s"`
	VZ         float64 `parquet:"vz_km_s"`
	AX         float64 `parquet:"ax_km_s2"`
	AY         float64 `parquet:"ay_km_s2"`
	AZ         float64 `parquet:"az_km_s2"`
	DistanceKm float64 `parquet:"distance_km"`
	ErrorKm    float64 `parquet:"prediction_error_km"`
}

// trajectoryColumns returns the columns of a trajectory in order.
func trajectoryColumns() []column[TrajectoryRow] {
	number := func(name, unit, meaning string, get func(*TrajectoryRow) float64) column[TrajectoryRow] {
		return column[TrajectoryRow]{name: name, unit: unit, meaning: meaning, kind: double,
			put: putting(func(r *TrajectoryRow) parquet.Value { return parquet.DoubleValue(get(r)) })}
	}
	return []column[TrajectoryRow]{
		number("t_s", "s", "time since the start", func(r *TrajectoryRow) float64 { return r.TimeS }),
		number("x_km", "km", "position, east", func(r *TrajectoryRow) float64 { return r.X }),
		number("y_km", "km", "position, north", func(r *TrajectoryRow) float64 { return r.Y }),
		number("z_km", "km", "position, up", func(r *TrajectoryRow) float64 { return r.Z }),
		number("vx_km_s", "km/s", "velocity, east", func(r *TrajectoryRow) float64 { return r.VX }),
		number("vy_km_s", "km/s", "velocity, north", func(r *TrajectoryRow) float64 { return r.VY }),
		number("vz_km_s", "km/s", "velocity, up", func(r *TrajectoryRow) float64 { return r.VZ }),
		number("ax_km_s2", "km/s^2", "acceleration, east", func(r *TrajectoryRow) float64 { return r.AX }),
		number("ay_km_s2", "km/s^2", "acceleration, north", func(r *TrajectoryRow) float64 { return r.AY }),
		number("az_km_s2", "km/s^2", "acceleration, up", func(r *TrajectoryRow) float64 { return r.AZ }),
		number("distance_km", "km", "distance to the target", func(r *TrajectoryRow) float64 { return r.DistanceKm }),
		number("prediction_error_km", "km", "distance of the predicted final position from the target", func(r *TrajectoryRow) float64 { return r.ErrorKm }),
	}
}

// Trajectory joins a flight with what the observer made of it, step by step.
func Trajectory(h *sim.History, errors *adversary.PredictionErrors) []TrajectoryRow {
	rows := make([]TrajectoryRow, len(h.Samples))
	for i, s := range h.Samples {
		rows[i] = TrajectoryRow{
			TimeS: float64(i) * h.StepS,
			X:     s.R.X, Y: s.R.Y, Z: s.R.Z, VX: s.V.X, VY: s.V.Y, VZ: s.V.Z, AX: s.A.X, AY: s.A.Y, AZ: s.A.Z,
			DistanceKm: errors.DistanceKm[i], ErrorKm: errors.ErrorKm[i],
		}
	}
	return rows
}

// WriteTrajectoryCSV writes a flight as CSV, a row per step.
func WriteTrajectoryCSV(w io.Writer, rows []TrajectoryRow) error {
	table := csv.NewWriter(w)
	var columns []string
	for _, c := range trajectoryColumns() {
		columns = append(columns, c.name)
	}
	if err := table.Write(columns); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		values := [...]float64{r.TimeS, r.X, r.Y, r.Z, r.VX, r.VY, r.VZ, r.AX, r.AY, r.AZ, r.DistanceKm, r.ErrorKm}
		for j, v := range values {
			columns[j] = number(v)
		}
		if err := table.Write(columns); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// WriteTrajectoryParquet writes a flight as Parquet; version is the program's.
func WriteTrajectoryParquet(w io.Writer, rows []TrajectoryRow, version string) error {
	table := newTableWriter(w, trajectoryColumns(), version)
	for i := range rows {
		if err := table.add(&rows[i]); err != nil {
			return fmt.Errorf("encoding the trajectory: %w", err)
		}
	}
	return table.close()
}
