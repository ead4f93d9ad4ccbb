package study

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"veilpath/adversary"
)

// layout is the binary format of a record: epsilon, run and flight, with every number and integer of Metrics, 8
// bytes each; then the booleans, one bit each, 4 bytes. Numbers are little-endian.
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

// runLength is the number of bytes that appendRun appends.
var runLength = 8*(len(runLayout.numbers)+len(runLayout.wholes)) + 4

// appendRun appends the bytes of a record.
func appendRun(b []byte, r *Run) []byte {
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
	return binary.LittleEndian.AppendUint32(b, bits)
}

// decodeRun returns the record in at least runLength bytes from appendRun.
func decodeRun(b []byte) (r Run) {
	for _, at := range runLayout.numbers {
		*at(&r), b = cutFloat(b)
	}
	for _, at := range runLayout.wholes {
		*at(&r) = int(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	bits := binary.LittleEndian.Uint32(b)
	for i, at := range runLayout.truths {
		*at(&r) = bits&(1<<i) != 0
	}
	return r
}

func appendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

func cutFloat(b []byte) (x float64, rest []byte) {
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), b[8:]
}

// sightings are the sightings of a batch, with an encoding for pieces: the number of detections of each,
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
	b := make([]byte, 0, 4+len(s)*(runLength+radii*detectionLength))
	b = binary.LittleEndian.AppendUint32(b, uint32(radii))
	for i := range s {
		b = appendRun(b, &s[i].Run)
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
		return errTruncated
	}
	radii := int(binary.LittleEndian.Uint32(b))
	b = b[4:]
	each := runLength + radii*detectionLength
	if len(b)%each != 0 {
		return errTruncated
	}
	*s = (*s)[:0]
	for ; len(b) > 0; b = b[each:] {
		seen := Sighting{Run: decodeRun(b)}
		rest := b[runLength:]
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

// errTruncated is the error for records that are not whole.
var errTruncated = errors.New("study: records are truncated")

// Records are the records of a batch of flights of one point, one slice of the same length for each observer. They
// have an encoding for pieces: the point and the number of observers, 4 bytes each, then the records of every
// observer.
type Records struct {
	Point int
	Seen  [][]Run
}

// AppendBinary implements encoding.BinaryAppender.
func (r Records) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint32(b, uint32(r.Point))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Seen)))
	for _, seen := range r.Seen {
		for i := range seen {
			b = appendRun(b, &seen[i])
		}
	}
	return b, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler. It reuses the slices.
func (r *Records) UnmarshalBinary(b []byte) error {
	if len(b) < 8 {
		return errTruncated
	}
	observers := int(binary.LittleEndian.Uint32(b[4:]))
	r.Point, b = int(binary.LittleEndian.Uint32(b)), b[8:]
	if len(b) < observers || len(b) > 0 && (observers == 0 || len(b)%(observers*runLength) != 0) {
		return errTruncated
	}
	each := len(b) / max(1, observers)
	r.Seen = slices.Grow(r.Seen[:0], observers)[:observers]
	for k := range r.Seen {
		r.Seen[k] = r.Seen[k][:0]
		for own := b[k*each : (k+1)*each]; len(own) > 0; own = own[runLength:] {
			r.Seen[k] = append(r.Seen[k], decodeRun(own))
		}
	}
	return nil
}
