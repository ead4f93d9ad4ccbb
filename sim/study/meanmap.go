package study

// MeanMap is the mean detection distance over epsilon and the observer's radius, or the share of flights that are
// recognised beyond a distance, each over all runs that cover the epsilon. Its memory does not grow with the number of
// runs.
type MeanMap struct {
	Epsilons []float64 // ascending, with a constant ratio, over the whole range
	RadiiKm  []float64
	runs     []int       // at every epsilon
	sums     [][]float64 // by epsilon and radius
	beyondKm float64     // of the share; 0 for the mean distance
}

// mapColumns is the number of epsilons of a map: about one per two pixels of a figure.
const mapColumns = 240

func newMeanMap(axis Range, radiiKm []float64) *MeanMap {
	m := &MeanMap{Epsilons: axis.spread(mapColumns), RadiiKm: radiiKm}
	m.runs, m.sums = make([]int, mapColumns), make([][]float64, mapColumns)
	for i := range m.sums {
		m.sums[i] = make([]float64, len(radiiKm))
	}
	return m
}

// add adds the pieces of whole runs on a range.
func (m *MeanMap) add(pieces []Sighting, on Range) {
	at := 0
	for i := range pieces {
		p := &pieces[i]
		if i == 0 || p.Run.Run != pieces[i-1].Run.Run {
			at = place(m.Epsilons, on.Low)
		}
		last := i+1 == len(pieces) || pieces[i+1].Run.Run != p.Run.Run
		holds := func(epsilon float64) bool { return epsilon <= on.High && (last || epsilon < pieces[i+1].Epsilon) }
		for ; at < len(m.Epsilons) && holds(m.Epsilons[at]); at++ {
			m.runs[at]++
			for k, d := range p.ByRadius {
				if m.beyondKm > 0 {
					m.sums[at][k] += float64(count(d.DistanceKm > m.beyondKm))
					continue
				}
				m.sums[at][k] += d.DistanceKm
			}
		}
	}
}

// Join takes the means of another map of the same epsilons and radii at the epsilons at which it has more runs.
func (m *MeanMap) Join(other *MeanMap) {
	for i := range m.Epsilons {
		if other.runs[i] > m.runs[i] {
			m.runs[i], m.sums[i] = other.runs[i], other.sums[i]
		}
	}
}

// Cells returns the means, by epsilon and radius, with their numbers of runs and without intervals.
func (m *MeanMap) Cells() [][]SurfaceCell {
	cells := make([][]SurfaceCell, len(m.Epsilons))
	for i, epsilon := range m.Epsilons {
		for k, radius := range m.RadiiKm {
			c := SurfaceCell{Epsilon: epsilon, EpsilonHigh: epsilon, RadiusKm: radius, Runs: m.runs[i]}
			c.Mean.Value = m.sums[i][k] / float64(m.runs[i])
			cells[i] = append(cells[i], c)
		}
	}
	return cells
}
