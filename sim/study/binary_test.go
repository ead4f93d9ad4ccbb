package study

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// What pieces hold of the records of a batch is what was flown, as every observer saw it.
func TestRecordsSurviveTheirEncoding(t *testing.T) {
	one := Run{Epsilon: 0.4, Run: 7, DetectionKm: 60.5, Detected: true, HandoverKm: math.NaN(), Flight: 1 << 40}
	two := Run{Epsilon: math.Inf(1), Run: 8, TimedOut: true, BeforeHandover: true, PathOverhead: -0.25}
	batches := []Records{{}, {Point: 7, Seen: [][]Run{{one}}}, {Point: 1, Seen: [][]Run{{one, two}, {two, one}}}}
	for _, want := range batches {
		const before = "header"
		whole, err := want.AppendBinary([]byte(before))
		if err != nil || string(whole[:len(before)]) != before {
			t.Fatalf("%q, %v", whole, err)
		}
		whole = whole[len(before):]
		got := Records{Point: 3, Seen: [][]Run{{two}, {two}, {two}}} // of an earlier use
		if err := got.UnmarshalBinary(whole); err != nil || got.Point != want.Point ||
			!slices.EqualFunc(got.Seen, want.Seen, func(a, b []Run) bool { return slices.EqualFunc(a, b, Run.Same) }) {
			t.Errorf("%+v came back as %+v, %v", want, got, err)
		}
		for n := range whole {
			if err := new(Records).UnmarshalBinary(whole[:n]); err == nil && n%runLength != 8 {
				t.Errorf("%d bytes of %d pass for whole", n, len(whole))
			}
		}
	}
	none := binary.LittleEndian.AppendUint32(make([]byte, 4), 1<<30) // observers without records
	if err := new(Records).UnmarshalBinary(none); err == nil {
		t.Error("records of no length are taken for those of many observers")
	}
}
