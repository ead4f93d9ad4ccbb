package privacy

import "testing"

// BenchmarkNormals reports the time of one thousand standard normals.
func BenchmarkNormals(b *testing.B) {
	var n Noise
	dst := make([]float64, 1000)
	b.ReportAllocs()
	for b.Loop() {
		n.Normals(dst)
	}
}

// BenchmarkSeek reports the time to address a stream and take one number.
func BenchmarkSeek(b *testing.B) {
	var n Noise
	var dst [1]float64
	b.ReportAllocs()
	for i := range b.N {
		n.Seek(Address{Run: uint64(i)})
		n.Normals(dst[:])
	}
}
