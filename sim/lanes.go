package sim

// Lanes is how many flights FlyLanes has under way at once. A stage of a step is a chain of dependent quotients and
// roots; flights side by side fill the processor while each waits for its own.
const Lanes = 6

// Fly flies the route, or the nominal flight when it is nil, into a history whose slices are reused.
// The scenario must be valid. The same scenario and route always give the same flight.
func (s *Scenario) Fly(route Route, h *History) (outcome Outcome) {
	launched := false
	next := func() (Route, *History, bool) {
		ok := !launched
		launched = true
		return route, h, ok
	}
	s.fly(next, func(_ int, _ *History, o Outcome) { outcome = o })
	return outcome
}

// FlyLanes flies the routes that next returns side by side, each exactly as Fly does alone; it asks for one when
// there is a lane for it, until there are no more. It passes on each flight as it ends, with the number of its route;
// the history is one of those given and is reused then.
func (s *Scenario) FlyLanes(next func() (Route, bool), histories *[Lanes]History, done func(number int, h *History, outcome Outcome)) {
	var storage [Lanes]*History
	free := storage[:0]
	for i := range histories {
		free = append(free, &histories[i])
	}
	launch := func() (Route, *History, bool) {
		route, ok := next()
		if !ok {
			return nil, nil, false
		}
		h := free[len(free)-1]
		free = free[:len(free)-1]
		return route, h, true
	}
	s.fly(launch, func(number int, h *History, outcome Outcome) {
		done(number, h, outcome)
		free = append(free, h)
	})
	trim(histories)
}

// usualSamples is the length of flights that are not long. Those that circle until they give up take ten times as many
// samples, and would leave that much room in every history.
const usualSamples = 1 << 12

// trim leaves room for a long flight in one history alone, that of the first to be launched next.
func trim(histories *[Lanes]History) {
	first := &histories[Lanes-1]
	for i := range histories[:Lanes-1] {
		h := &histories[i]
		if cap(h.Samples) > cap(first.Samples) {
			*h, *first = *first, *h
		}
		if cap(h.Samples) > usualSamples {
			h.Samples = nil
		}
	}
}

// fly flies the routes that next returns.
func (s *Scenario) fly(next func() (Route, *History, bool), done func(number int, h *History, outcome Outcome)) {
	var flights [Lanes]flight
	var level, terminal [Lanes]*flight // of those that are under way
	launched, flying := 0, 0
	launch := func(f *flight) bool {
		route, history, ok := next()
		if ok {
			f.launch(s, launched, route, history)
			launched++
		}
		return ok
	}
	for flying < Lanes && launch(&flights[flying]) {
		flying++
	}
	for flying > 0 {
		onLevel, onTerminal := 0, 0
		for i := range flying {
			f := &flights[i]
			if f.begin(); f.engaged {
				terminal[onTerminal] = f
				onTerminal++
			} else {
				level[onLevel] = f
				onLevel++
			}
		}
		stepLevel(level[:onLevel], s.StepS, s.SpeedKmS, s.AccelLimitKmS2)
		stepTerminal(terminal[:onTerminal], s.StepS, s.SpeedKmS, s.AccelLimitKmS2)
		for i := flying - 1; i >= 0; i-- {
			f := &flights[i]
			if !f.ended() {
				continue
			}
			if done(f.number, f.history, f.outcome); !launch(f) {
				flying--
				*f = flights[flying]
			}
		}
	}
}
