package privacy

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Address names one stream of study noise. Addresses that differ in any field name independent streams; the
// same address names the same stream on every machine, independent of earlier draws.
type Address struct {
	Seed    uint64 // the study's seed
	Cell    uint64 // the setting within the study, such as the index of epsilon
	Run     uint64 // the run within the setting
	Purpose uint64 // what the numbers are used for, so that streams never collide
}

// SimulationNotice says what the noise of studies is not for. Files with results of such noise carry it.
const SimulationNotice = "This noise is for simulation: anyone who knows its seed can remove it. Publish only what " +
	"veilpath privatize writes."

// Noise is the seeded generator of studies: standard normals from ChaCha8, whose 256-bit seed is the Address,
// little endian, in the order of its fields. It is fast and repeatable, as a study needs and as a release must
// not be; it has no Read method and cannot serve as an Entropy. The zero value is at the start of the zero
// Address. It is not safe for concurrent use.
type Noise struct {
	source  rand.ChaCha8
	seeded  bool
	address [32]byte
}

// Seek moves to the start of the stream named by a. It does not allocate.
func (n *Noise) Seek(a Address) {
	binary.LittleEndian.PutUint64(n.address[0:], a.Seed)
	binary.LittleEndian.PutUint64(n.address[8:], a.Cell)
	binary.LittleEndian.PutUint64(n.address[16:], a.Run)
	binary.LittleEndian.PutUint64(n.address[24:], a.Purpose)
	n.source.Seed(n.address)
	n.seeded = true
}

// Address returns the stream's address: whatever was drawn since.
func (n *Noise) Address() Address {
	return Address{
		Seed:    binary.LittleEndian.Uint64(n.address[0:]),
		Cell:    binary.LittleEndian.Uint64(n.address[8:]),
		Run:     binary.LittleEndian.Uint64(n.address[16:]),
		Purpose: binary.LittleEndian.Uint64(n.address[24:]),
	}
}

// Normals fills dst with the next independent standard normals of the stream. Filling one slice, or its parts
// one after the other, gives the same numbers. It does not allocate.
func (n *Noise) Normals(dst []float64) {
	if !n.seeded {
		n.Seek(Address{})
	}
	for i := range dst {
		u := n.source.Uint64()
		layer := &ziggurat[u&layerMask]
		magnitude := int64(u) >> layerBits
		x := float64(magnitude) * layer.scale
		if magnitude < layer.core && magnitude > -layer.core {
			dst[i] = x
			continue
		}
		dst[i] = n.outsideCore(int(u&layerMask), x)
	}
}

// Uniform returns the next number of the stream as a multiple of 2^-53 in [0, 1).
func (n *Noise) Uniform() float64 { return float64(n.word()>>11) / (1 << 53) }

// outsideCore finishes a draw outside the part of its layer that surely lies under the density: it is in the
// tail or the wedge, or it is drawn again.
func (n *Noise) outsideCore(layer int, x float64) float64 {
	for {
		if layer == 0 {
			return math.Copysign(n.tail(), x)
		}
		low, high := ziggurat[layer].density, ziggurat[layer].densityAbove
		if low+float64(n.Uniform()*(high-low)) < halfSquareExp(x) {
			return x
		}
		u := n.source.Uint64()
		layer = int(u & layerMask)
		magnitude := int64(u) >> layerBits
		x = float64(magnitude) * ziggurat[layer].scale
		if magnitude < ziggurat[layer].core && magnitude > -ziggurat[layer].core {
			return x
		}
	}
}

// tail draws a normal beyond the base of the ziggurat (Marsaglia 1964).
func (n *Noise) tail() float64 {
	for {
		x := -portableLog(1-n.Uniform()) / zigguratBase
		y := -portableLog(1 - n.Uniform())
		if 2*y > x*x {
			return zigguratBase + x
		}
	}
}

// LogGamma returns the logarithm of a number of the gamma distribution with a shape above 0 and scale 1, made of the
// next words of the stream, by rejection (Marsaglia and Tsang 2000). Numbers of a small shape are too close to 0 for
// anything but their logarithm. Like normals it is the same on every machine.
func (n *Noise) LogGamma(shape float64) float64 {
	if shape < 1 {
		// G of the shape is G of one more times U^(1/shape).
		boost := portableLog(openUniform(n.word())) / shape
		return n.LogGamma(shape+1) + boost
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	var z [1]float64
	for {
		n.Normals(z[:])
		v := 1 + float64(c*z[0])
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		u, square := openUniform(n.word()), float64(z[0]*z[0])
		const squeeze = 0.0331 // below which no logarithm is needed
		if u < 1-float64(squeeze*square*square) ||
			portableLog(u) < float64(square/2)+d-float64(d*v)+float64(d*portableLog(v)) {
			return portableLog(d * v)
		}
	}
}

// Laplace returns a Laplace number of scale 1 made of the stream's next word, at most 37 in size.
func (n *Noise) Laplace() float64 {
	word := n.word()
	size := -portableLog(openUniform(word))
	if word&1 == 1 {
		return -size
	}
	return size
}

// word is the stream's next one.
func (n *Noise) word() uint64 {
	if !n.seeded {
		n.Seek(Address{})
	}
	return n.source.Uint64()
}

// openUniform makes a number in the open interval (0, 1), an odd multiple of 2^-53, of the upper 52 bits of a word.
func openUniform(word uint64) float64 { return (float64(word>>12) + 0.5) / (1 << 52) }
