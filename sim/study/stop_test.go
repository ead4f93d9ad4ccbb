package study

import (
	"math"
	"testing"

	"veilpath/adversary"
)

// A flyer that is stopped passes on the records before the first flight that it left out, and the next call goes on:
// all records are those of a flyer that nobody stops, and however soon it is stopped it comes to an end.
func TestStoppedFlyersGoOnWhereTheyStopped(t *testing.T) {
	const runs = 12
	s := paper(t)
	s.Epsilons, s.Axis = nil, Range{Low: 0.3, High: 4}
	var draws []Draw
	var sigmas []float64
	for run := range runs {
		draws = append(draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: 0.4})
		sigma, err := s.Experiment.Sigma(0.4)
		if err != nil {
			t.Fatal(err)
		}
		sigmas = append(sigmas, sigma)
	}
	each := func(f *Flyer, o FlightOptions, first int, look func(Run) bool) (next int) {
		err := f.FlyEach(draws[first:], sigmas[first:], o, func(f Flight) bool { first++; return look(f.Run) })
		if err != nil {
			t.Fatal(err)
		}
		return first
	}
	axis := func(f *Flyer, o FlightOptions, first int, look func(Run) bool) (next int) {
		var records []Run
		n, err := f.FlyAxis(s, first, runs, o, func(f Flight) bool { records = append(records, f.Run); return true })
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if r.Run < first+n {
				look(r)
			}
		}
		return first + n
	}
	for name, fly := range map[string]func(*Flyer, FlightOptions, int, func(Run) bool) int{"flights": each, "axis": axis} {
		all := func(asked int) (records []Run, calls int) {
			s.Experiment.Forget()
			f, err := s.Experiment.NewFlyer()
			if err != nil {
				t.Fatal(err)
			}
			left, o := asked, FlightOptions{}
			if asked >= 0 {
				o.Stop = func() bool { left--; return left < 0 }
			}
			for next := 0; next < runs; calls++ {
				if calls > 100*runs {
					t.Fatalf("%s, stopped when asked %d times: %d of %d runs after %d calls", name, asked, next, runs, calls)
				}
				left = asked
				next = fly(f, o, next, func(r Run) bool { records = append(records, r); return true })
			}
			return records, calls
		}
		want, _ := all(-1)
		for _, asked := range []int{0, 1, 2, 7} {
			records, calls := all(asked)
			if calls < 2 || len(records) != len(want) {
				t.Fatalf("%s, stopped when asked %d times: %d records in %d calls, want %d in more than one", name, asked,
					len(records), calls, len(want))
			}
			for i := range want {
				if records[i] != want[i] {
					t.Errorf("%s, stopped when asked %d times: record %d is %+v, want %+v", name, asked, i, records[i], want[i])
				}
			}
		}
	}
}

// Up to a horizon flights that end before it are those of a flyer without one, and those that do not are neither
// recognised nor remembered: they are flown whole later. Between plans and steps the flyer pauses.
func TestFlightsUpToAHorizon(t *testing.T) {
	const runs, epsilon = 24, 0.06
	s := paper(t)
	sigma, err := s.Experiment.Sigma(epsilon)
	if err != nil {
		t.Fatal(err)
	}
	var draws []Draw
	var sigmas []float64
	for run := range runs {
		draws, sigmas = append(draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: epsilon}), append(sigmas, sigma)
	}
	s.Experiment.Forget()
	f, err := s.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	type flight struct {
		Run
		cut bool
	}
	const horizonS = 200
	pauses := 0
	fly := func(horizonS float64) (flights []flight) {
		o := FlightOptions{RadiusKm: math.Inf(1), HorizonS: horizonS, Pause: func() { pauses++ }}
		err := f.FlyEach(draws, sigmas, o, func(f Flight) bool {
			if cut := len(f.Curve.Corners()) == 0 && f.Curve.Detect(100) == (adversary.Detection{}); f.Cut && !cut {
				t.Errorf("run %d has a curve of its beginning", f.Run.Run)
			}
			flights = append(flights, flight{f.Run, f.Cut})
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return flights
	}
	short := fly(horizonS)
	if pauses < runs {
		t.Errorf("%d pauses in %d plans", pauses, runs)
	}
	pauses = 0
	whole := fly(0)
	if pauses < runs+20 { // a flight that goes in rounds takes some 25,000 steps
		t.Errorf("%d pauses in %d plans and their flights", pauses, runs)
	}
	cut := 0
	for i := range whole {
		want := whole[i]
		if want.cut {
			t.Errorf("run %d is cut without a horizon", i)
		}
		if want.FlightTimeS > horizonS {
			if got := short[i]; !got.cut || got.Detected || got.FlightTimeS > horizonS+1 ||
				got.CostOfPrivacy != want.CostOfPrivacy {
				t.Errorf("run %d of %g s up to %d s: %+v", i, want.FlightTimeS, horizonS, got)
			}
			cut++
		} else if short[i] != want {
			t.Errorf("run %d is %+v up to %d s, %+v without a horizon", i, short[i], horizonS, want)
		}
	}
	if cut == 0 || cut == runs {
		t.Errorf("%d of %d flights are cut", cut, runs)
	}
	if again := fly(horizonS); again[0].cut || again[runs-1].cut {
		t.Error("flights that are remembered whole are cut")
	}
}
