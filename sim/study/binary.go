package study

import (
	"encoding/binary"
	"errors"
	"math"

	"veilpath/adversary"
)

// layout is the binary format of a record: epsilon, run and flight, with every number and integer of Metrics, 8
// bytes each; then the point and the booleans, one bit each, 4 bytes each. Numbers are little-endian.
type layout struct {
	numbers []func(*Run) *float64
	wholes  []func(*Run) *int
	truths  []func(*Run) *bool
}

// runLayout is the layout of this version of the program.
var runLayout = newLayout(Metrics())

func newLayout(metrics []Metric) layout {
	l := layout{
		numbers: []func(*Run) *float64{func(r *Run) *float64 { return &r.Epsilon }},
		wholes:  []func(*Run) *int{func(r *Run) *int { return &r.Run }, func(r *Run) *int { return &r.Flight }},
	}
	for _, m := range metrics {
		switch {
		case m.number != nil:
			l.numbers = append(l.numbers, m.number)
		case m.whole != nil:
			l.wholes = append(l.wholes, m.whole)
		default:
			l.truths = append(l.truths, m.truth)
		}
	}
	if len(l.truths) > 32 {
		panic("study: more truths than a record has bits for")
	}
	return l
}

// RunLength returns the number of bytes that AppendRun appends.
func RunLength() int { return 8*(len(runLayout.numbers)+len(runLayout.wholes)) + 8 }

// AppendRun appends the bytes of a record at a point of a sweep.
func AppendRun(b []byte, point int, r *Run) []byte {
	for _, at := range runLayout.numbers {
		b = appendFloat(b, *at(r))
	}
	for _, at := range runLayout.wholes {
		b = binary.LittleEndian.AppendUint64(b, uint64(*at(r)))
	}
	bits := uint32(0)
	for i, at := range runLayout.truths {
		if *at(r) {
			bits |= 1 << i
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(point))
	return binary.LittleEndian.AppendUint32(b, bits)
}

// DecodeRun returns the record in at least RunLength bytes from AppendRun.
func DecodeRun(b []byte) (point int, r Run) {
	for _, at := range runLayout.numbers {
		*at(&r), b = cutFloat(b)
	}
	for _, at := range runLayout.wholes {
		*at(&r) = int(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	bits := binary.LittleEndian.Uint32(b[4:])
	for i, at := range runLayout.truths {
		*at(&r) = bits&(1<<i) != 0
	}
	return int(binary.LittleEndian.Uint32(b)), r
}

func appendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

func cutFloat(b []byte) (x float64, rest []byte) {
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), b[8:]
}

// sightings are the sightings of a batch, with an encoding for a pool.Keeper: the number of detections of each,
// 4 bytes, then for each the record and its detections, 16 bytes each.
type sightings []Sighting

// detectionLength is the size of a detection in bytes.
const detectionLength = 16

// GobEncode implements gob.GobEncoder. All sightings have the same number of detections.
func (s sightings) GobEncode() ([]byte, error) {
	radii := 0
	if len(s) > 0 {
		radii = len(s[0].ByRadius)
	}
	b := make([]byte, 0, 4+len(s)*(RunLength()+radii*detectionLength))
	b = binary.LittleEndian.AppendUint32(b, uint32(radii))
	for i := range s {
		b = AppendRun(b, 0, &s[i].Run)
		for _, d := range s[i].ByRadius {
			b = appendFloat(b, d.DistanceKm)
			b = binary.LittleEndian.AppendUint64(b, uint64(d.Sample)<<2|uint64(count(d.BeforeHandover))<<1|
				uint64(count(d.Detected)))
		}
	}
	return b, nil
}

// GobDecode implements gob.GobDecoder.
func (s *sightings) GobDecode(b []byte) error {
	if len(b) < 4 {
		return errors.New("study: sightings are truncated")
	}
	radii := int(binary.LittleEndian.Uint32(b))
	b = b[4:]
	each := RunLength() + radii*detectionLength
	if len(b)%each != 0 {
		return errors.New("study: sightings are truncated")
	}
	*s = (*s)[:0]
	for ; len(b) > 0; b = b[each:] {
		var seen Sighting
		_, seen.Run = DecodeRun(b)
		rest := b[RunLength():]
		for range radii {
			var d adversary.Detection
			d.DistanceKm, rest = cutFloat(rest)
			bits := binary.LittleEndian.Uint64(rest)
			d.Sample, d.BeforeHandover, d.Detected = int(bits>>2), bits&2 != 0, bits&1 != 0
			seen.ByRadius, rest = append(seen.ByRadius, d), rest[8:]
		}
		*s = append(*s, seen)
	}
	return nil
}
