package study

import (
	"testing"
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

// Between plans and steps the flyer pauses.
func TestFlyersPause(t *testing.T) {
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
	pauses := 0
	o := FlightOptions{Pause: func() { pauses++ }}
	if err := f.FlyEach(draws, sigmas, o, func(Flight) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if pauses < runs+20 { // a flight that goes in rounds takes some 25,000 steps
		t.Errorf("%d pauses in %d plans and their flights", pauses, runs)
	}
}
