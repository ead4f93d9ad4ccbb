package flightfile

import (
	"testing"
)

// A step holds the first observer's guess, and the guess of each further observer in columns with its name.
func TestStepsHoldTheGuessOfEveryObserver(t *testing.T) {
	step := FlightStep{Run: 7, Epsilon: 0.5, Others: []Guess{{ErrorKm: 1, X: 2, Y: 3, Z: 4}, {ErrorKm: 5, X: 6, Y: 7,
		Z: 8}}}
	step.GuessKm.X, step.GuessKm.Y, step.GuessKm.Z = 10, 20, 30
	got := map[string]float64{}
	var names []string
	for _, c := range FlightStepColumns([]string{"first", "second", "third"}) {
		if _, twice := got[c.Name]; twice {
			t.Errorf("two columns are called %s", c.Name)
		}
		got[c.Name] = c.Value(&step)
		names = append(names, c.Name)
	}
	for name, want := range map[string]float64{
		"run": 7, "epsilon": 0.5, "guess_x_km": 10, "guess_y_km": 20, "guess_z_km": 30,
		"prediction_error_km_second": 1, "guess_x_km_second": 2, "guess_y_km_second": 3, "guess_z_km_second": 4,
		"prediction_error_km_third": 5, "guess_x_km_third": 6, "guess_y_km_third": 7, "guess_z_km_third": 8,
	} {
		if x, there := got[name]; !there || x != want {
			t.Errorf("%s is %v, %t, want %v", name, x, there, want)
		}
	}
	if none, one := len(FlightStepColumns(nil)), len(FlightStepColumns([]string{"first"})); none != one ||
		len(names) != one+8 {
		t.Errorf("%d columns without observers, %d with one, %d with three", none, one, len(names))
	}
	if names[0] != "run" || names[1] != "epsilon" {
		t.Errorf("the first columns are %v", names[:2])
	}
}
