package answer

import "math"

// firstRuns are how many runs the first flight on show is chosen from.
const firstRuns = 20

// Telling returns the run that shows best what epsilon does: of the first runs the one that is recognised most nearer
// to the target as epsilon falls from the one in force to an eighth of it, and nowhere between farther away than now.
// Where there is none it is the first run. It is known once the axis of all of these runs is.
func (a *Answers) Telling() (run int, known bool) {
	const reach, steps = 8, 40 // ratio of epsilons, in equal ratios
	m := a.Model
	now, most := m.Config.Privacy.Epsilon, 0.0
	for i := range min(firstRuns, m.Runs()) {
		radius := m.RadiusOf(i)
		at, known := m.Axis.DetectionKm(i, now, radius)
		if !known {
			return 0, false
		}
		nearer := 0.0
		for k := 1; k <= steps && nearer >= 0; k++ {
			epsilon := now / math.Pow(reach, float64(k)/steps)
			switch km, known := m.Axis.DetectionKm(i, epsilon, radius); {
			case known && km > at:
				nearer = -1
			case known:
				nearer = max(nearer, at-km)
			}
		}
		if nearer > most {
			run, most = i, nearer
		}
	}
	return run, true
}
