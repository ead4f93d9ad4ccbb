package record

import (
	"testing"
	"time"

	"veilpath/sim/study"
)

// BenchmarkRecord measures the stages of a record after its flight, per record.
func BenchmarkRecord(b *testing.B) {
	const batch = 240
	records := sample(0, batch)
	folder := newFolder(b)
	j, _, err := OpenJournal(folder, runs, identity, time.Now, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	perRecord := func(b *testing.B, n int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
	}
	b.Run("journal", func(b *testing.B) {
		for b.Loop() {
			if err := j.Append(0, records); err != nil {
				b.Fatal(err)
			}
		}
		perRecord(b, batch)
	})
	replayed := newFolder(b)
	r, _, err := OpenJournal(replayed, runs, identity, time.Now, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for range 100 {
		if err := r.Append(0, records); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("replay", func(b *testing.B) {
		for b.Loop() {
			if err := r.Replay(func(int, [][]study.Run) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		perRecord(b, r.Records())
	})
}
