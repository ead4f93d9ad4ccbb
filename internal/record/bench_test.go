package record

import (
	"testing"
	"time"

	"veilpath/sim/study"
)

// sample returns records in which every field has a different value.
func sample(n int) []study.Run {
	records := make([]study.Run, n)
	for k := range records {
		x := float64(k) + 1./3
		records[k] = study.Run{
			Epsilon: 0.1 * x, Run: k << 33, DetectionKm: 2 * x, Detected: k%2 == 0,
			BeforeHandover: k%3 == 0, HandoverKm: 3 * x,
			HeadingErrorDeg: 4 * x, Transitions: k, Fallback: k%5 == 0, TimedOut: k%7 == 0, CostOfPrivacy: 5 * x,
			FlightTimeS: 6 * x, PathOverhead: -x,
		}
	}
	return records
}

// BenchmarkRecord measures the stages of a record after its flight, per record.
func BenchmarkRecord(b *testing.B) {
	const batch = 240
	records := study.Records{Seen: [][]study.Run{sample(batch)}}
	j, err := newFolder(b).OpenJournal(identity, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	perRecord := func(b *testing.B, n int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
	}
	b.Run("journal", func(b *testing.B) {
		for b.Loop() {
			if err := j.Keep(records.AppendBinary); err != nil {
				b.Fatal(err)
			}
		}
		perRecord(b, batch)
	})
	replayed := newFolder(b)
	r, err := replayed.OpenJournal(identity, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	for range 100 {
		if err := r.Keep(records.AppendBinary); err != nil {
			b.Fatal(err)
		}
	}
	defer r.Close()
	b.Run("replay", func(b *testing.B) {
		for b.Loop() {
			read, kept := study.Records{}, true
			if err := r.Rewind(); err != nil {
				b.Fatal(err)
			}
			for kept {
				if kept, err = r.Kept(read.UnmarshalBinary); err != nil {
					b.Fatal(err)
				}
			}
		}
		perRecord(b, 100*batch)
	})
}
