package study

import (
	"bytes"
	"encoding/gob"
	"math"
	"slices"
	"testing"

	"veilpath/adversary"
)

// What a keeper has of sightings is what was seen, numbers that a flight does not have included.
func TestSightingsSurviveTheirEncoding(t *testing.T) {
	seen := sightings{
		{Run{Epsilon: 0.4, Run: 7, DetectionKm: 60.5, Detected: true, HandoverKm: math.NaN(), Flight: 1 << 40},
			[]adversary.Detection{{Detected: true, DistanceKm: 60.5, Sample: 812}, {}}},
		{Run{Epsilon: math.Inf(1), Run: 8, TimedOut: true, BeforeHandover: true, PathOverhead: -0.25},
			[]adversary.Detection{{DistanceKm: 1e-300, BeforeHandover: true, Detected: true}, {Sample: 1 << 40}}},
	}
	for n := range len(seen) + 1 {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(seen[:n]); err != nil {
			t.Fatal(err)
		}
		got := sightings{{Run: Run{Run: 3}}} // of an earlier use
		if err := gob.NewDecoder(&b).Decode(&got); err != nil || !slices.EqualFunc(got, seen[:n], func(a, b Sighting) bool {
			return a.Run.Same(b.Run) && slices.Equal(a.ByRadius, b.ByRadius)
		}) {
			t.Errorf("%d sightings came back as %+v, %v", n, got, err)
		}
	}
	whole, err := seen.GobEncode()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 5, len(whole) - 1} {
		if err := new(sightings).GobDecode(whole[:n]); err == nil {
			t.Errorf("%d bytes of %d pass for whole", n, len(whole))
		}
	}
}
