package audit

import "math"

const (
	// leastLearnt is the least number of releases that a reading is learnt from, which is a quarter of them otherwise.
	leastLearnt = 8
	// mostReadingWork bounds the multiplications of the search for two entries that share noise.
	mostReadingWork = 2e9
)

// reading reads one entry off a whole release for someone who knows every other input, as the neighbours of (epsilon,
// delta) do: noise that entries share can be read off the others. It is the entry, less a multiple of the noise of
// other entries.
type reading struct {
	entry int
	of    int // the other entry; -1 for the mean of all others
	by    float64
}

// readings learns the reading with the least noise from the first releases, and reads the rest: A where the entry was
// not raised, B where it was. There are no samples if there are too few releases or only one entry.
func (c Claim) readings(releases []Release) (s Samples, found bool) {
	learn := learnt(len(releases))
	if len(releases) < 2*learn || len(releases[0].Values) < 2 {
		return s, false
	}
	noise := make([][]float64, learn)
	for k := range noise {
		noise[k] = releases[k].noise(c.Adjacency)
	}
	r := learnReading(noise)
	for k := learn; k < len(releases); k++ {
		v := releases[k].Values[r.entry] - r.by*r.others(releases[k].noise(c.Adjacency))
		s.add(v, releases[k].Raised[r.entry])
	}
	s.Threshold = c.Adjacency / 2
	return s, min(len(s.A), len(s.B)) >= fewestSamples
}

// learnt is how many of some releases a reading is learnt from.
func learnt(releases int) int { return max(leastLearnt, releases/4) }

// others returns the noise that a reading takes off, before it is multiplied.
func (r *reading) others(noise []float64) float64 {
	if r.of >= 0 {
		return noise[r.of]
	}
	mean := 0.0
	for i, v := range noise {
		if i != r.entry {
			mean += v
		}
	}
	return mean / float64(len(noise)-1)
}

// learnReading returns the reading that leaves the least noise: from the mean of all other entries, from an entry
// beside, or, if there is time to try all pairs, from any other entry.
func learnReading(noise [][]float64) (best reading) {
	n, least := len(noise[0]), math.Inf(1)
	columns := make([][]float64, n)
	sums := make([]float64, len(noise))
	for i := range columns {
		columns[i] = make([]float64, len(noise))
		for k, row := range noise {
			columns[i][k] = row[i]
			sums[k] += row[i]
		}
	}
	try := func(entry, of int, from []float64) {
		own := columns[entry]
		by := 0.0
		if squares := dot(from, from); squares > 0 {
			by = dot(own, from) / squares
		}
		left := 0.0
		for k, v := range own {
			d := v - by*from[k]
			left += d * d
		}
		if left < least {
			least, best = left, reading{entry: entry, of: of, by: by}
		}
	}
	reach := 1
	if float64(n)*float64(n)*float64(len(noise)) < mostReadingWork {
		reach = n
	}
	mean := make([]float64, len(noise))
	for i := range n {
		for k, sum := range sums {
			mean[k] = (sum - noise[k][i]) / float64(n-1)
		}
		try(i, -1, mean)
		for other := max(0, i-reach); other <= min(n-1, i+reach); other++ {
			if other != i {
				try(i, other, columns[other])
			}
		}
	}
	return best
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
