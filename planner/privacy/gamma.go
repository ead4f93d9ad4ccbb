package privacy

import "math"

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
