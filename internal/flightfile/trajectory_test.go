package flightfile

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// A trajectory has the time of every sample and each number in its own column.
func TestTrajectoryHasTimesAndColumns(t *testing.T) {
	flight := &sim.History{StepS: 0.25, Samples: []sim.Sample{
		{R: r3.Vec{X: 1, Y: 2, Z: 3}, V: r3.Vec{X: 4, Y: 5, Z: 6}, A: r3.Vec{X: 7, Y: 8, Z: 9}}, {}, {}}}
	errors := &adversary.PredictionErrors{DistanceKm: []float64{10, 20, 30}, ErrorKm: []float64{11, 21, 31}}
	var text strings.Builder
	if err := WriteTrajectory(&text, Trajectory(flight, errors)); err != nil {
		t.Fatal(err)
	}
	want := "t_s,x_km,y_km,z_km,vx_km_s,vy_km_s,vz_km_s,ax_km_s2,ay_km_s2,az_km_s2,distance_km,prediction_error_km\n" +
		"0,1,2,3,4,5,6,7,8,9,10,11\n" +
		"0.25,0,0,0,0,0,0,0,0,0,20,21\n" +
		"0.5,0,0,0,0,0,0,0,0,0,30,31\n"
	if got := text.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
