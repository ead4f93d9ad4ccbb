package flightfile

import (
	"io"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/internal/table"
	"veilpath/sim"
)

// The files of one flight.
const (
	TrajectoryCSVName     = "trajectory.csv"
	TrajectoryParquetName = "trajectory.parquet"
	TrajectoriesName      = "trajectories.parquet" // of many flights
)

// TrajectoryRow is one step of a recorded flight.
type TrajectoryRow struct {
	TimeS float64
	sim.Sample
	DistanceKm, ErrorKm float64
}

// TrajectoryColumns returns the columns of a trajectory in order.
func TrajectoryColumns() []table.Column[TrajectoryRow] {
	return []table.Column[TrajectoryRow]{
		{Name: "t_s", Unit: "s", Meaning: "time since the start", Value: func(r *TrajectoryRow) float64 { return r.TimeS }},
		{Name: "x_km", Unit: "km", Meaning: "position, east", Value: func(r *TrajectoryRow) float64 { return r.R.X }},
		{Name: "y_km", Unit: "km", Meaning: "position, north", Value: func(r *TrajectoryRow) float64 { return r.R.Y }},
		{Name: "z_km", Unit: "km", Meaning: "position, up", Value: func(r *TrajectoryRow) float64 { return r.R.Z }},
		{Name: "vx_km_s", Unit: "km/s", Meaning: "velocity, east", Value: func(r *TrajectoryRow) float64 { return r.V.X }},
		{Name: "vy_km_s", Unit: "km/s", Meaning: "velocity, north", Value: func(r *TrajectoryRow) float64 { return r.V.Y }},
		{Name: "vz_km_s", Unit: "km/s", Meaning: "velocity, up", Value: func(r *TrajectoryRow) float64 { return r.V.Z }},
		{Name: "ax_km_s2", Unit: "km/s^2", Meaning: "acceleration, east",
			Value: func(r *TrajectoryRow) float64 { return r.A.X }},
		{Name: "ay_km_s2", Unit: "km/s^2", Meaning: "acceleration, north",
			Value: func(r *TrajectoryRow) float64 { return r.A.Y }},
		{Name: "az_km_s2", Unit: "km/s^2", Meaning: "acceleration, up",
			Value: func(r *TrajectoryRow) float64 { return r.A.Z }},
		{Name: "distance_km", Unit: "km", Meaning: "distance to the target",
			Value: func(r *TrajectoryRow) float64 { return r.DistanceKm }},
		{Name: "prediction_error_km", Unit: "km", Meaning: "distance of the predicted final position from the target",
			Value: func(r *TrajectoryRow) float64 { return r.ErrorKm }},
	}
}

// Trajectory joins the samples of a flight with the observer's prediction errors.
func Trajectory(h *sim.History, errors *adversary.PredictionErrors) []TrajectoryRow {
	rows := make([]TrajectoryRow, len(h.Samples))
	for i, s := range h.Samples {
		rows[i] = TrajectoryRow{float64(i) * h.StepS, s, errors.DistanceKm[i], errors.ErrorKm[i]}
	}
	return rows
}

// WriteTrajectory writes a flight as CSV, a row per step.
func WriteTrajectory(w io.Writer, rows []TrajectoryRow) error {
	return table.WriteCSV(w, TrajectoryColumns(), rows)
}

// FlightStep is one step of one of many flights, with the end that each observer predicts.
type FlightStep struct {
	Run     int
	Epsilon float64
	TrajectoryRow
	GuessKm r3.Vec  // predicted end; not finite where the first observer predicts nothing
	Others  []Guess // of the observers after the first
}

// Guess is the end of a flight that an observer predicts.
type Guess struct{ ErrorKm, X, Y, Z float64 } // not finite where it predicts nothing

// FlightStepColumns returns the columns of trajectories.parquet: run and epsilon, the columns of a trajectory, the
// first observer's guess, then the guess and error of each further observer under its name. A study with one
// observer may pass no names. Where an observer predicts nothing, its guess and its error are null.
func FlightStepColumns(observers []string) []table.Column[FlightStep] {
	columns := []table.Column[FlightStep]{
		{Name: "run", Unit: "1", Meaning: "number of the run, which names its noise",
			Value: func(s *FlightStep) float64 { return float64(s.Run) }, Whole: true},
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Value: func(s *FlightStep) float64 { return s.Epsilon }},
	}
	for _, c := range TrajectoryColumns() {
		c.Open = true
		columns = append(columns, table.Of(c, func(s *FlightStep) *TrajectoryRow { return &s.TrajectoryRow }))
	}
	columns = append(columns,
		table.Column[FlightStep]{Name: "guess_x_km", Unit: "km",
			Meaning: "where the observer expects the flight to end, east", Open: true,
			Value: func(s *FlightStep) float64 { return s.GuessKm.X }},
		table.Column[FlightStep]{Name: "guess_y_km", Unit: "km", Meaning: "north", Open: true,
			Value: func(s *FlightStep) float64 { return s.GuessKm.Y }},
		table.Column[FlightStep]{Name: "guess_z_km", Unit: "km", Meaning: "up", Open: true,
			Value: func(s *FlightStep) float64 { return s.GuessKm.Z }})
	for k := 1; k < len(observers); k++ {
		for _, of := range []struct {
			name, meaning string
			value         func(*Guess) float64
		}{
			{"prediction_error_km", "distance of the final position that it predicts from the target",
				func(g *Guess) float64 { return g.ErrorKm }},
			{"guess_x_km", "where it expects the flight to end, east", func(g *Guess) float64 { return g.X }},
			{"guess_y_km", "north", func(g *Guess) float64 { return g.Y }},
			{"guess_z_km", "up", func(g *Guess) float64 { return g.Z }},
		} {
			columns = append(columns, table.Column[FlightStep]{Name: of.name + "_" + observers[k], Unit: "km",
				Meaning: of.meaning, Open: true, Value: func(s *FlightStep) float64 { return of.value(&s.Others[k-1]) }})
		}
	}
	return columns
}
