package record

import (
	"encoding/binary"
	"math"

	"veilpath/sim/study"
)

// The bits of a record's flags.
const (
	flagDetected = 1 << iota
	flagBeforeHandover
	flagFallback
	flagTimedOut
)

// encodeRun appends a record of a journal: epsilon, run, detection, hand-over, heading error, cost of
// privacy, flight time and path overhead, 8 bytes each; point, transitions and flags, 4 bytes each, and 4
// bytes of 0.
func encodeRun(b []byte, point int, r *study.Run) []byte {
	for _, x := range [...]uint64{
		math.Float64bits(r.Epsilon), uint64(r.Run), math.Float64bits(r.DetectionKm), math.Float64bits(r.HandoverKm),
		math.Float64bits(r.HeadingErrorDeg), math.Float64bits(r.CostOfPrivacy), math.Float64bits(r.FlightTimeS), math.Float64bits(r.PathOverhead),
	} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	flags := flag(r.Detected, flagDetected) | flag(r.BeforeHandover, flagBeforeHandover) |
		flag(r.Fallback, flagFallback) | flag(r.TimedOut, flagTimedOut)
	b = binary.LittleEndian.AppendUint32(b, uint32(point))
	b = binary.LittleEndian.AppendUint32(b, uint32(r.Transitions))
	b = binary.LittleEndian.AppendUint32(b, flags)
	return binary.LittleEndian.AppendUint32(b, 0)
}

func flag(set bool, bit uint32) uint32 {
	if set {
		return bit
	}
	return 0
}

// decodeRun reads back what encodeRun wrote.
func decodeRun(b []byte) (point int, r study.Run) {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	number := func(i int) float64 { return math.Float64frombits(word(i)) }
	half := func(i int) uint32 { return binary.LittleEndian.Uint32(b[64+4*i:]) }
	flags := half(2)
	return int(half(0)), study.Run{
		Epsilon: number(0), Run: int(word(1)), DetectionKm: number(2), HandoverKm: number(3),
		HeadingErrorDeg: number(4), CostOfPrivacy: number(5), FlightTimeS: number(6), PathOverhead: number(7),
		Transitions: int(half(1)),
		Detected:    flags&flagDetected != 0, BeforeHandover: flags&flagBeforeHandover != 0,
		Fallback: flags&flagFallback != 0, TimedOut: flags&flagTimedOut != 0,
	}
}
