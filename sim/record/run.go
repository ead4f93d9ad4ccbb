package record

import (
	"encoding/binary"
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"veilpath/sim/study"
)

// layout is how a journal stores a record: epsilon, run and flight, with every number and whole number of
// study.Metrics, 8 bytes each; then the point and the truths, a bit each, 4 bytes each.
type layout struct {
	numbers []func(*study.Run) *float64
	wholes  []func(*study.Run) *int
	truths  []func(*study.Run) *bool
}

// recordLayout is that of this version of the program.
var recordLayout = newLayout(study.Metrics())

func newLayout(metrics []study.Metric) layout {
	l := layout{
		numbers: []func(*study.Run) *float64{func(r *study.Run) *float64 { return &r.Epsilon }},
		wholes: []func(*study.Run) *int{func(r *study.Run) *int { return &r.Run },
			func(r *study.Run) *int { return &r.Flight }},
	}
	for _, m := range metrics {
		switch {
		case m.Number != nil:
			l.numbers = append(l.numbers, m.Number)
		case m.Whole != nil:
			l.wholes = append(l.wholes, m.Whole)
		default:
			l.truths = append(l.truths, m.Truth)
		}
	}
	if len(l.truths) > 32 {
		panic("record: more truths than a record has bits for")
	}
	return l
}

// length returns how many bytes a record has.
func (l *layout) length() int { return 8*(len(l.numbers)+len(l.wholes)) + 8 }

// encode appends a record of a point.
func (l *layout) encode(b []byte, point int, r *study.Run) []byte {
	for _, at := range l.numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*at(r)))
	}
	for _, at := range l.wholes {
		b = binary.LittleEndian.AppendUint64(b, uint64(*at(r)))
	}
	bits := uint32(0)
	for i, at := range l.truths {
		if *at(r) {
			bits |= 1 << i
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(point))
	return binary.LittleEndian.AppendUint32(b, bits)
}

// decode reads back what encode wrote.
func (l *layout) decode(b []byte) (point int, r study.Run) {
	for _, at := range l.numbers {
		*at(&r) = math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	for _, at := range l.wholes {
		*at(&r) = int(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	bits := binary.LittleEndian.Uint32(b[4:])
	for i, at := range l.truths {
		*at(&r) = bits&(1<<i) != 0
	}
	return int(binary.LittleEndian.Uint32(b)), r
}

// WriteRuns writes flights as CSV with the columns of runs.parquet: epsilon, run and the metrics.
func WriteRuns(w io.Writer, runs []study.Run) error {
	table, metrics := csv.NewWriter(w), study.Metrics()
	line := []string{"epsilon", "run"}
	for _, m := range metrics {
		line = append(line, m.Name)
	}
	table.Write(line)
	for i := range runs {
		line = append(line[:0], EpsilonText(runs[i].Epsilon), strconv.Itoa(runs[i].Run))
		for _, m := range metrics {
			line = append(line, SweptText(m.Value(&runs[i])))
		}
		table.Write(line)
	}
	table.Flush()
	return table.Error()
}
