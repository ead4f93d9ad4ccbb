package study

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"veilpath/internal/table"
)

// recordWords and recordBits are the columns of the binary format of a record. It has 8 bytes for each word: epsilon
// and the numbers of Metrics, then run, flight and the integers of Metrics. A bit for each boolean follows, 4 bytes in
// all. Everything is little-endian.
var recordWords, recordBits = recordColumns()

func recordColumns() (words, bits []table.Column[Run]) {
	words = append(words, EpsilonColumn())
	flight := wholeMetric("flight", "", "", func(r *Run) *int { return &r.Flight }).Column
	integers := []table.Column[Run]{RunColumn(), flight}
	for _, m := range Metrics() {
		switch {
		case m.Truth:
			bits = append(bits, m.Column)
		case m.Whole:
			integers = append(integers, m.Column)
		default:
			words = append(words, m.Column)
		}
	}
	if len(bits) > 32 {
		panic("study: a record has 32 bits for booleans")
	}
	return append(words, integers...), bits
}

// runLength is the number of bytes that appendRun appends.
var runLength = 8*len(recordWords) + 4

// appendRun appends the bytes of a record.
func appendRun(b []byte, r *Run) []byte {
	for i := range recordWords {
		word := math.Float64bits(recordWords[i].Value(r))
		if recordWords[i].Whole {
			word = uint64(int64(recordWords[i].Value(r)))
		}
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	bits := uint32(0)
	for i := range recordBits {
		bits |= uint32(recordBits[i].Value(r)) << i
	}
	return binary.LittleEndian.AppendUint32(b, bits)
}

// decodeRun returns the record in at least runLength bytes from appendRun.
func decodeRun(b []byte) (r Run) {
	for i := range recordWords {
		word := binary.LittleEndian.Uint64(b[8*i:])
		value := math.Float64frombits(word)
		if recordWords[i].Whole {
			value = float64(int64(word))
		}
		recordWords[i].Set(&r, value)
	}
	bits := binary.LittleEndian.Uint32(b[8*len(recordWords):])
	for i := range recordBits {
		recordBits[i].Set(&r, float64(bits>>i&1))
	}
	return r
}

// errTruncated is the error for a part of the records.
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
	for _, records := range r.Seen {
		for i := range records {
			b = appendRun(b, &records[i])
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
		for rest := b[k*each : (k+1)*each]; len(rest) > 0; rest = rest[runLength:] {
			r.Seen[k] = append(r.Seen[k], decodeRun(rest))
		}
	}
	return nil
}
