package external

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Every kind of answer comes back from a file as it was given: places to a millimetre, all else to the bit.
func TestAnswersComeBack(t *testing.T) {
	third := 1. / 3
	tables := func(values ...float64) *numbers { return &numbers{values: values} }
	given := map[string]*answer{
		"rewards":    {Rewards: tables(third, math.Inf(-1), 1e-300)},
		"policy":     {Policy: []int32{3, 0, 2}},
		"stochastic": {Stochastic: tables(third, 1-third)},
		"path":       {Path: []int32{0, 1, 7}},
		"goal":       {Goal: []int{4, 9}},
		"points":     {Points: tables(100+third, -third, 0)},
		"posterior":  {Posterior: tables(third, 1-third)},
	}
	kept := &Answers{}
	kept.Begin(Flights{Runs: 3, Also: []int{12}, Epsilons: []float64{0.5, 2}})
	for request, a := range given {
		kept.keep(request, a)
	}
	var file, again bytes.Buffer
	if err := errors.Join(kept.Write(&file), kept.Write(&again)); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Fatalf("written twice, %v, it differs", err)
	}
	read, err := ReadAnswers(&file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read.Flights, kept.Flights) || !read.Has(2) || !read.Has(12) || read.Has(3) || read.Has(-1) {
		t.Errorf("they are about %+v, want %+v", read.Flights, kept.Flights)
	}
	for request, want := range given {
		role := MechanismRole
		if want.Points != nil || want.Posterior != nil {
			role = ObserverRole
		}
		got, err := read.find(request, role)
		if err != nil {
			t.Errorf("%s: %v", request, err)
			continue
		}
		if want.Points == nil {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v came back as %+v", request, want, got)
			}
			continue
		}
		for i, x := range want.Points.values {
			if off := math.Abs(got.Points.values[i] - x); off > 1e-6 {
				t.Errorf("a place is %v km off", off)
			}
		}
	}
	if _, err := read.find("observer/1/2/3/4", ObserverRole); !errors.Is(err, ErrNotRecorded) || read.Missing() != 1 {
		t.Errorf("an unknown flight: %v, %d missing", err, read.Missing())
	}
}

// Flights of one seed that begin otherwise or last longer are different requests.
func TestFlightsAreToldApart(t *testing.T) {
	flight := func(v r3.Vec, samples int) *sim.History {
		h := &sim.History{Samples: make([]sim.Sample, samples)}
		h.Samples[0].V = v
		return h
	}
	names := map[string]bool{}
	for _, h := range []*sim.History{flight(r3.Vec{X: 1}, 5), flight(r3.Vec{X: 1}, 6), flight(r3.Vec{Y: 1}, 5), {}} {
		names[flightRequest(7, h)] = true
	}
	names[flightRequest(8, flight(r3.Vec{X: 1}, 5))] = true
	if len(names) != 5 {
		t.Errorf("5 flights have the names %v", names)
	}
	if a, b := flightRequest(7, flight(r3.Vec{X: 1}, 5)), flightRequest(7, flight(r3.Vec{X: 1 + 1e-15}, 5)); a != b {
		t.Errorf("rounding makes %s of %s", b, a)
	}
}

// A file that was cut off, or that another program wrote, is refused.
func TestDamagedAnswers(t *testing.T) {
	packed := func(text string) string {
		var to bytes.Buffer
		w := gzip.NewWriter(&to)
		io.WriteString(w, text)
		w.Close()
		return to.String()
	}
	whole := packed(`{"protocol":1,"runs":1,"epsilons":[1]}`)
	for name, text := range map[string]string{"nothing": "", "no gzip": "answers", "cut off": whole[:len(whole)-6],
		"no JSON": packed("answers"), "another protocol": packed(`{"protocol":2}`)} {
		if _, err := ReadAnswers(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), AnswersName) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadAnswers(strings.NewReader(whole)); err != nil {
		t.Error(err)
	}
}

// Nothing that a file holds makes reading it or finding an answer panic.
func FuzzAnswers(f *testing.F) {
	f.Add("{\"protocol\":1,\"runs\":1}\nmechanism/0/1/1 {\"goal\":[1,2]}")
	f.Add("{\"protocol\":1}\nx")
	f.Fuzz(func(t *testing.T, text string) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		io.WriteString(w, text)
		w.Close()
		a, err := ReadAnswers(&packed)
		if err != nil {
			return
		}
		for request := range a.given {
			for _, role := range []Role{MechanismRole, ObserverRole} {
				_, _ = a.find(request, role)
			}
		}
	})
}
