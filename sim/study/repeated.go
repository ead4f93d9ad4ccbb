package study

import "math"

// repeated is numbers in their order, of which many are the same: it keeps each once, and where it occurs.
type repeated struct {
	values []float64
	number map[uint64]uint32 // of a value in values, by its bits
	short  []uint16          // the numbers in order, while 16 bits hold them
	long   []uint32          // and from then on all
}

func (r *repeated) add(x float64) {
	bits := math.Float64bits(x)
	n, known := r.number[bits]
	if !known {
		if r.number == nil {
			r.number = map[uint64]uint32{}
		}
		n = uint32(len(r.values))
		r.number[bits] = n
		r.values = append(r.values, x)
	}
	switch {
	case r.long != nil:
		r.long = append(r.long, n)
	case n <= math.MaxUint16:
		r.short = append(r.short, uint16(n))
	default:
		r.long = make([]uint32, len(r.short), 2*len(r.short))
		for i, n := range r.short {
			r.long[i] = uint32(n)
		}
		r.long, r.short = append(r.long, n), nil
	}
}

func (r *repeated) len() int { return len(r.short) + len(r.long) }

// all returns the numbers in a new slice.
func (r *repeated) all() []float64 {
	all := make([]float64, 0, r.len())
	for _, n := range r.short {
		all = append(all, r.values[n])
	}
	for _, n := range r.long {
		all = append(all, r.values[n])
	}
	return all
}
