package privacy

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// Entropy is the randomness of a release: the operating system's, through crypto/rand. The zero value is ready
// for use. It cannot be seeded or made from a generator: it has no exported field, constructor or setter, so
// that the Noise of a study or any other repeatable source cannot take its place. If the system has no
// randomness, crypto/rand ends the program. It is not safe for concurrent use.
type Entropy struct {
	fill   func([]byte) // nil for the system's randomness; set in tests of this package
	buffer [512]byte
	left   int
}

// word returns 64 uniform bits and erases them from the buffer.
func (e *Entropy) word() uint64 {
	if e.left == 0 {
		if e.fill == nil {
			rand.Read(e.buffer[:]) // never fails: see crypto/rand
		} else {
			e.fill(e.buffer[:])
		}
		e.left = len(e.buffer)
	}
	next := e.buffer[e.left-8 : e.left]
	e.left -= 8
	w := binary.LittleEndian.Uint64(next)
	clear(next)
	return w
}

// below is uniform on 0..n-1, exactly (Lemire 2019): the high word of n times 64 random bits, drawn again where
// a result would have one chance too many.
func (e *Entropy) below(n uint64) uint64 {
	high, low := bits.Mul64(e.word(), n)
	if low < n {
		for surplus := -n % n; low < surplus; {
			high, low = bits.Mul64(e.word(), n)
		}
	}
	return high
}

// bernoulli is true with probability p/q, p <= q, exactly. It takes no random word if p = q.
func (e *Entropy) bernoulli(p, q uint64) bool { return p == q || e.below(q) < p }

// bernoulliExp is true with probability exp(-p/q), p <= q, exactly (Canonne, Kamath and Steinke 2020, Algorithm 1): the
// length of a run of successes of probabilities p/(q k), k = 1, 2, ..., is even with that probability. A success of
// p/(q k) is one of p/q and one of 1/k.
func (e *Entropy) bernoulliExp(p, q uint64) bool {
	k := uint64(1)
	for e.bernoulli(p, q) && e.bernoulli(1, k) {
		k++
	}
	return k&1 == 1
}
