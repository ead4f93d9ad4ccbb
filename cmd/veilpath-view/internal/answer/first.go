package answer

// firstRuns are how many runs the first flight on show is chosen from.
const firstRuns = 20

// Telling returns the run that shows best what epsilon does: of the first runs the one that is recognised most nearer
// to the target as epsilon falls from the one in force to an eighth of it, and at no epsilon between farther away than
// now. Where there is none it is the first run. It is known once the axis of all of these runs is.
func (a *Answers) Telling() (run int, known bool) {
	m := a.Model
	const reach = 8 // ratio of epsilons
	now := m.Config.Privacy.Epsilon
	most := 0.0
	for i := range min(firstRuns, m.Runs()) {
		treads := m.Axis.Treads(i, m.Config.Adversary.RadiusKm)
		if treads == nil {
			return 0, false
		}
		at, least, farther := 0.0, 0.0, false
		for _, t := range treads {
			if t.Low <= now && now <= t.High {
				at = t.DetectionKm
			}
		}
		least = at
		for _, t := range treads {
			if t.High >= now/reach && t.Low <= now {
				farther = farther || t.DetectionKm > at
				least = min(least, t.DetectionKm)
			}
		}
		if nearer := at - least; !farther && nearer > most {
			run, most = i, nearer
		}
	}
	return run, true
}
