package model

import (
	"bytes"
	"math"
	"testing"

	"veilpath/adversary"
	"veilpath/sim/study"
)

// members are flights to tell of: two that share what was kept, one beyond the fan, one under way.
func members() []*Member {
	path := Path{{{1, 2}, {3, -4}}, {{5, 6}, {7, float32(math.Inf(1))}}}
	curve := adversary.NewCurve([]adversary.Corner{{RadiusKm: 5, DistanceKm: 90, Sample: 7},
		{RadiusKm: 0.5, DistanceKm: 17, Sample: 99}}, 40)
	run := study.Run{Epsilon: 0.06, Run: 3, DetectionKm: 60.7, Detected: true, BeforeHandover: true, HandoverKm: 50,
		HeadingErrorDeg: -3,
		Transitions:     100, Fallback: true, TimedOut: true, CostOfPrivacy: math.NaN(), FlightTimeS: 268.5,
		PathOverhead: 1.5, DirectOverhead: 0.25, DirectKm: 101.5, HandoverOnlyKm: 60.9, PlannedKm: 60.8, Flight: 1<<52 - 1}
	return []*Member{
		{Run: run, Path: path, curve: curve},
		{Run: study.Run{Run: 4}, Path: path, curve: curve},
		{Run: study.Run{Run: FanRuns}, curve: curve},
		{Run: study.Run{Run: 5}, Path: Path{{{8, 9}}}, UnderWay: true},
	}
}

// Flights that share a path and a curve share them after they were told of.
func TestAnswersShare(t *testing.T) {
	flights := members()
	results, err := readAnswer(appendAnswer(nil, flights), make([]request, len(flights)))
	if err != nil {
		t.Fatal(err)
	}
	got := func(i int) *Member { return results[i].kept.(*Member) }
	if !share(got(0).Path, got(1).Path) || !share(got(0).curve.Corners(), got(1).curve.Corners()) || got(2).Path != nil {
		t.Error("what two flights shared is there twice, or one beyond the fan has a path")
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add(appendAnswer(nil, members()))
	f.Add(appendAnswer(nil, nil))
	f.Add(appendInt(nil, -1))
	f.Fuzz(func(t *testing.T, answer []byte) {
		results, err := readAnswer(answer, make([]request, 8))
		if err != nil {
			return
		}
		flights := make([]*Member, len(results))
		for i := range flights {
			flights[i] = results[i].kept.(*Member)
		}
		again, err := readAnswer(appendAnswer(nil, flights), make([]request, 8))
		if err != nil || len(again) != len(results) {
			t.Fatalf("%d flights are read again as %d: %v", len(results), len(again), err)
		}
		told := make([]*Member, len(again))
		for i := range told {
			told[i] = again[i].kept.(*Member)
		}
		if !bytes.Equal(appendAnswer(nil, told), appendAnswer(nil, flights)) {
			t.Error("flights are told differently once they were read")
		}
	})
}

func FuzzReadMessage(f *testing.F) {
	requests := []request{{draw: study.Draw{Seed: math.MaxUint64, Run: 7, Noise: study.Independent, Epsilon: 0.06},
		sigma: 3, horizonS: 400}, {draw: study.Draw{Noise: study.Common}}}
	f.Add(appendMessage(nil, []byte("sim:\n  step_s: 0.1\n"), 20, requests))
	f.Add(appendInt(nil, 1<<62))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readMessage(text)
		if err != nil {
			return
		}
		again, err := readMessage(appendMessage(nil, []byte(m.settings), m.radiusKm, m.requests))
		if err != nil || again.settings != m.settings || len(again.requests) != len(m.requests) {
			t.Fatalf("read again: %v, %+v, want %+v", err, again, m)
		}
	})
}
