package runfile

import (
	"context"
	"io"
	"testing"

	"veilpath/internal/record"
	"veilpath/sim/study"
)

// rowsPerGroup is the length of a row group of package parquet.
const rowsPerGroup = 1 << 16

// BenchmarkRecord measures writing and reading, per record.
func BenchmarkRecord(b *testing.B) {
	many := sample(4 * rowsPerGroup)
	perRecord := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(many)), "ns/record")
	}
	b.Run("parquet", func(b *testing.B) {
		for b.Loop() {
			w := NewRunWriter(io.Discard, record.Sweep{}, Varied{}, "1.2.3")
			if err := w.Add(0, many); err != nil {
				b.Fatal(err)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
		perRecord(b)
	})
	folder, m := recorded(b, len(many), writeRuns(b, record.Sweep{}, many))
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if err := ReadRuns(context.Background(), folder, m,
				func([][]study.Run) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		perRecord(b)
	})
}
