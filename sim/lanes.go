package sim

// Lanes is the number of flights that FlyLanes flies in parallel. A stage of a step is a chain of dependent
// quotients and roots; parallel flights keep the processor busy while each chain waits.
const Lanes = 6

// Fly flies the route, or the nominal flight if it is nil, into a history whose slices it reuses. The scenario
// must be valid. The same scenario and route always give the same flight.
func (s *Scenario) Fly(route Route, h *History) (outcome Outcome) {
	launched := false
	next := func(int) (*Scenario, Route) {
		if launched {
			return nil, nil
		}
		launched = true
		return s, route
	}
	fly(next, []*History{h}, func(_ int, _ *History, o Outcome) { outcome = o }, nil)
	return outcome
}

// FlyLanes flies the routes that next returns in parallel, each exactly as Fly flies it in the scenario returned with
// it. It calls next for every free lane until that returns no scenario. It calls done for each flight when it ends,
// with the number of its route and the history of its lane, which is reused afterwards and must not be changed. The
// common first waypoints of a route and the route before it in its lane are not flown again if both have the same
// scenario, so routes that begin alike belong in one lane, one after another; scenarios and routes must not change
// until all are flown. If pause is not nil it is called every pauseSteps steps and after each flight.
func FlyLanes(next func(lane int) (*Scenario, Route), histories *[Lanes]History,
	done func(number int, h *History, outcome Outcome), pause func()) {
	var lanes [Lanes]*History
	for i := range histories {
		lanes[i] = &histories[i]
	}
	fly(next, lanes[:], done, pause)
}

// pauseSteps steps of Lanes flights take some half a millisecond in a browser.
const pauseSteps = 1000

// Trim keeps room for a long flight in only one history, that of the first lane.
func Trim(histories *[Lanes]History) {
	first := &histories[0]
	for i := range histories[1:] {
		h := &histories[1+i]
		if cap(h.Samples) > cap(first.Samples) {
			*h, *first = *first, *h
		}
		if cap(h.Samples) > usualSamples {
			h.Samples = nil
		}
	}
}

// fly flies the routes that next returns in the lanes with these histories, at most Lanes.
func fly(next func(lane int) (*Scenario, Route), lanes []*History,
	done func(number int, h *History, outcome Outcome), pause func()) {
	var flights [Lanes]flight
	var level, terminal [Lanes]*flight // of the flights in progress
	launched, flying := 0, 0
	launch := func(f *flight) bool {
		s, route := next(f.lane)
		if s != nil {
			f.launch(s, launched, route, lanes[f.lane])
			launched++
		}
		return s != nil
	}
	for lane := range lanes {
		if flights[flying].lane = lane; launch(&flights[flying]) {
			flying++
		}
	}
	for step := 1; flying > 0; step++ {
		if step%pauseSteps == 0 && pause != nil {
			pause()
		}
		onLevel, onTerminal, ends := 0, 0, false
		for i := range flying {
			f := &flights[i]
			if f.untested > 0 {
				f.untested--
			} else {
				f.checkEvents()
				ends = ends || f.ends
			}
			if f.engaged {
				terminal[onTerminal] = f
				onTerminal++
			} else {
				level[onLevel] = f
				onLevel++
			}
		}
		stepLevel(level[:onLevel])
		stepTerminal(terminal[:onTerminal])
		if !ends {
			continue
		}
		for i := flying - 1; i >= 0; i-- {
			f := &flights[i]
			if !f.ends {
				continue
			}
			f.finish()
			done(f.number, f.history, f.outcome)
			if pause != nil {
				pause()
			}
			if !launch(f) {
				flying--
				*f = flights[flying]
			}
		}
	}
}
