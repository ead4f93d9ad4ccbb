package configs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/internal/table"
	"veilpath/planner/deception"
	"veilpath/sim/vary"
)

// findings are faults in the combination of several values.
type findings []*Error

// add adds a fault if it is there. The keys involved are separated by blanks, the most likely cause first.
func (f *findings) add(wrong bool, keys, problem, allowed, fix string) {
	if wrong {
		*f = append(*f, &Error{keys: strings.Fields(keys), Problem: problem, Allowed: allowed, Fix: fix})
	}
}

// conflicts returns the reasons why a flight is impossible or its results meaningless.
func (c Config) conflicts() (found findings) {
	c.checkTeam(&found)
	c.checkGrid(&found)
	p, step, limit := c.Privacy, c.Sim.StepS, c.Sim.MaxTimeS
	const maxSteps = 20_000_000 // their history takes 2 GB
	found.add(limit < step || limit > maxSteps*step, "sim.max_time_s sim.step_s",
		fmt.Sprintf("a flight may last %.3g steps of %s s", limit/step, plainNumber(step)),
		fmt.Sprintf("sim.max_time_s from 1 to %d times sim.step_s", maxSteps), "change sim.step_s or sim.max_time_s")
	axis := c.Study.Axis
	for _, e := range c.Study.Epsilons {
		if axis.Whole() && (e < axis.Low || e > axis.High) && !math.IsInf(e, 1) {
			found.add(true, epsilonsKey+" "+axisKey, fmt.Sprintf("epsilon %s is outside the range %s", exactNumber(e), axis),
				"epsilons on the range", "widen the range, or remove it (study.axis none)")
			break
		}
	}
	// A flight may end before its hand-over, in a turn near the target, unless its waypoints are higher than that.
	height := math.Abs(c.TargetKm[2] - c.Vehicle.StartKm[2])
	handover := p.HandoverKm
	for _, v := range c.Vary {
		if low, _ := v.Ends(); v.Key == vary.HandoverKm {
			handover = min(handover, low)
		}
	}
	found.add(c.Sim.CaptureKm >= handover && c.Sim.CaptureKm > height,
		"sim.capture_km vary privacy.handover_km vehicle.start_km target_km",
		fmt.Sprintf("a flight ends at its closest approach within sim.capture_km = %s of the target, so it may end "+
			"before its hand-over at %s km", plainNumber(c.Sim.CaptureKm), plainNumber(handover)),
		"sim.capture_km below the smallest hand-over distance", "reduce sim.capture_km or raise privacy.handover_km")
	way, _ := deception.Find(p.Mechanism)
	found.add(way.Path && c.Planner.Slip > 0, "privacy.mechanism planner.slip",
		fmt.Sprintf("the way %s flies a path, and with planner.slip = %s moves may lead elsewhere", way.Name,
			plainNumber(c.Planner.Slip)), "planner.slip 0 for a way that flies a path", "set planner.slip to 0")
	return found
}

// checkTeam finds gridworlds that are too small for the start of their team, and teams whose joint reward takes days
// to plan for: a solver visits every entry in each sweep.
func (c Config) checkTeam(found *findings) {
	const maxEntries, actions = 2_000_000, 5 // of the joint reward; of each agent
	cells, agents := c.Example2.Columns*c.Example2.Rows, len(c.Example2.StartCells)
	entries := math.Pow(float64(actions*cells), float64(agents))
	found.add(entries > maxEntries, "example2.start_cells example2.columns example2.rows",
		fmt.Sprintf("the joint reward of %d agents on %d cells has %.3g entries", agents, cells, entries),
		fmt.Sprintf("at most %d entries, (5 * cells)^agents", maxEntries), "take fewer agents or a smaller grid")
	for _, cell := range c.Example2.StartCells {
		found.add(cell >= cells, "example2.start_cells example2.columns example2.rows",
			fmt.Sprintf("cell %d is outside the gridworld", cell), fmt.Sprintf("cells 0 to %d", cells-1),
			"move example2.start_cells or enlarge example2.columns and example2.rows")
	}
}

// checkGrid finds cells and targets outside the grid of waypoints, and goals at the start.
func (c Config) checkGrid(found *findings) {
	p := c.Planner
	allowed := fmt.Sprintf("columns 0 to %d, rows 0 to %d", p.Columns-1, p.Rows-1)
	const grid = " planner.columns planner.rows"
	outside := map[string]bool{} // keys with a cell outside the grid, which is reported once
	check := func(key, name string, column, row int) {
		if !outside[key] && (column >= p.Columns || row >= p.Rows) {
			outside[key] = true
			found.add(true, key+grid, fmt.Sprintf("the %s, column %d, row %d, is outside the grid", name, column, row),
				allowed, "move it, or enlarge planner.columns and planner.rows")
		}
	}
	check("planner.start_cell", "start", p.StartCell[0], p.StartCell[1])
	start := !outside["planner.start_cell"]
	switch column, row := c.goal(); {
	case column < 0 || column >= float64(p.Columns) || row < 0 || row >= float64(p.Rows):
		found.add(start, "planner.columns planner.rows planner.spacing_km planner.start_cell target_km vehicle.start_km",
			fmt.Sprintf("the target, nearest to column %.0f, row %.0f, is outside the grid", column, row), allowed,
			"enlarge planner.columns, planner.rows or planner.spacing_km, or move planner.start_cell")
	case column == float64(p.StartCell[0]) && row == float64(p.StartCell[1]):
		found.add(start, "target_km vehicle.start_km planner.spacing_km", fmt.Sprintf("the waypoint nearest to the "+
			"target is the start, column %.0f, row %.0f, so there is nothing to plan", column, row),
			"a target at least half a spacing from the start, to the east, north, west or south",
			"move target_km or vehicle.start_km, or reduce planner.spacing_km")
	}
	for _, area := range p.KeepOut {
		for corner := range slices.Chunk(area, 2) {
			check("planner.keep_out", "keep-out area", corner[0], corner[1])
		}
	}
	for _, g := range p.Goals {
		check("planner.goals", "goal", g[0], g[1])
		found.add(g == p.StartCell, "planner.goals planner.start_cell", fmt.Sprintf("the goal %v is the start, so there "+
			"is nothing to plan", g), "cells other than planner.start_cell", "move the goal")
	}
	for _, g := range c.Deception.Bogus {
		check("deception.bogus", "bogus goal", g[0], g[1])
	}
	possible, _ := ParseCandidates(c.Adversary.Candidates) // the domain reports the error
	for _, cell := range possible.Cells {
		check("adversary.candidates", "candidate", cell.Column, cell.Row)
	}
}

// goal returns the cell nearest to the target in the horizontal plane; it may be outside the grid.
func (c Config) goal() (column, row float64) {
	cell := func(axis int) float64 {
		corner := c.Vehicle.StartKm[axis] - float64(c.Planner.StartCell[axis])*c.Planner.SpacingKm
		return math.Round((c.TargetKm[axis]-corner)/c.Planner.SpacingKm) + 0 // so that -0 prints as 0
	}
	return cell(0), cell(1)
}

// DirectKm returns the distance from the start to the target, km.
func (c Config) DirectKm() float64 {
	start, target := c.Vehicle.StartKm, c.TargetKm
	return math.Hypot(math.Hypot(target[0]-start[0], target[1]-start[1]), target[2]-start[2])
}

// recognitionKm returns how far the vehicle flies from the first to the last of the consecutive steps that an observer
// asks for, km. Observers with a smaller radius miss recognitions near the target.
func (c Config) recognitionKm() float64 {
	return float64(c.Adversary.ConsecutiveSteps-1) * c.Vehicle.SpeedKmS * c.Sim.StepS
}

// warnings returns findings about settings that are allowed, but probably not intended.
func (c Config) warnings() (found findings) {
	warn := func(wrong bool, keys, problem, fix string) { found.add(wrong, keys, problem, "", fix) }
	c.warnOfSteps(warn)
	handover, direct, up := c.Privacy.HandoverKm, c.DirectKm(), c.TargetKm[2]-c.Vehicle.StartKm[2]
	within := "privacy.handover_km = " + plainNumber(handover)
	warn(direct < handover, "privacy.handover_km vehicle.start_km target_km",
		fmt.Sprintf("the start is %.4g km from the target, within %s, so the flight is never private", direct, within),
		"start further away or reduce privacy.handover_km")
	nearest := math.Sqrt(max(0, direct*direct-up*up)) // level distance of a goal
	for _, goal := range c.Planner.Goals {
		columns, rows := float64(goal[0]-c.Planner.StartCell[0]), float64(goal[1]-c.Planner.StartCell[1])
		level := c.Planner.SpacingKm * math.Hypot(columns, rows)
		nearest = min(nearest, level)
		warn(math.Hypot(level, up) < handover, "planner.goals privacy.handover_km planner.start_cell",
			fmt.Sprintf("the start is %.4g km from the goal in column %d, row %d, within %s, so flights to it are never private",
				math.Hypot(level, up), goal[0], goal[1], within), "move the start or that goal, or reduce privacy.handover_km")
	}
	warn(c.TargetKm[2] != 0, "target_km", fmt.Sprintf("the altitude of the target is %s km, and observers that "+
		"extrapolate to the ground expect altitude 0", plainNumber(c.TargetKm[2])), "give the target the altitude 0")
	reach := math.Sqrt2 * float64(c.Planner.MaxTransitions) * c.Planner.SpacingKm // diagonally
	warn(nearest-reach > handover, "planner.max_transitions planner.spacing_km privacy.handover_km",
		fmt.Sprintf("%d waypoints lead at most %.4g km away from the start, and %s begins %.4g km away, so every flight "+
			"falls back", c.Planner.MaxTransitions, reach, within, nearest-handover), "raise planner.max_transitions")
	warn(math.Abs(up) >= handover, "privacy.handover_km vehicle.start_km target_km",
		fmt.Sprintf("the waypoints lie %.4g km above or below the target, not within %s, so no flight is handed over",
			math.Abs(up), within), "raise privacy.handover_km")
	needed := direct / c.Vehicle.SpeedKmS
	warn(needed > c.Sim.MaxTimeS, "sim.max_time_s vehicle.speed_km_s vehicle.start_km target_km",
		fmt.Sprintf("the direct flight takes %.4g s, longer than sim.max_time_s = %s, so no flight arrives", needed,
			plainNumber(c.Sim.MaxTimeS)), "raise sim.max_time_s")
	across := 2 * c.Vehicle.SpeedKmS * c.Vehicle.SpeedKmS / c.Vehicle.AccelLimitKmS2
	warn(across > handover, "privacy.handover_km vehicle.accel_limit_km_s2 vehicle.speed_km_s",
		fmt.Sprintf("the vehicle turns in circles of %.4g km across, wider than %s, so flights may miss the target", across,
			within), "raise privacy.handover_km or vehicle.accel_limit_km_s2, or reduce vehicle.speed_km_s")
	warn(c.Adversary.RadiusKm >= handover, "adversary.radius_km privacy.handover_km",
		fmt.Sprintf("a prediction counts as right within adversary.radius_km = %s of the target, as far as %s or farther, "+
			"so flights may be recognised where nothing tells the target", plainNumber(c.Adversary.RadiusKm), within),
		"reduce adversary.radius_km")
	warn(c.Privacy.Deceives(), "privacy.mechanism", fmt.Sprintf("the way %s %s: epsilon and delta have no effect on it, "+
		"so all epsilons fly the same plan, except none, which flies the plan without this way", c.Privacy.Mechanism,
		deception.NoGuarantee), "use privacy.mechanism "+OnReward+" for a guarantee")
	return found
}

// warnOfSteps warns of steps of a flight that are too long for what happens in them.
func (c Config) warnOfSteps(warn func(wrong bool, keys, problem, fix string)) {
	step, flown, span, radius := c.Sim.StepS, c.Vehicle.SpeedKmS*c.Sim.StepS, c.recognitionKm(), c.Adversary.RadiusKm
	atMost := func(s float64) string { return "use a step of at most " + plainNumber(s) + " s" }
	below := func(s float64) string { return atMost(table.Digits(s, 3, math.Floor)) }
	warn(span > radius, "sim.step_s adversary.radius_km adversary.consecutive_steps vehicle.speed_km_s",
		fmt.Sprintf("the vehicle flies %.4g km during %d consecutive steps, further than adversary.radius_km = %s, so a "+
			"detection near the target is missed", span, c.Adversary.ConsecutiveSteps, plainNumber(radius)),
		below(step*radius/span)+", or reduce adversary.consecutive_steps")
	warn(flown > c.Planner.SpacingKm, "sim.step_s planner.spacing_km vehicle.speed_km_s",
		fmt.Sprintf("the vehicle flies %.4g km in a step, further than planner.spacing_km = %s, and passes waypoints "+
			"unseen", flown, plainNumber(c.Planner.SpacingKm)), below(step*c.Planner.SpacingKm/flown))
	floors := []float64{c.Guidance.GenexMinTgoS, c.Guidance.WaypointMinTgoS}
	for i, key := range []string{"guidance.genex_min_tgo_s", "guidance.waypoint_min_tgo_s"} {
		floor := floors[i]
		warn(step > floor, "sim.step_s "+key, fmt.Sprintf("the step of %s s is longer than %s = %s, so the steering "+
			"overshoots", plainNumber(step), key, plainNumber(floor)), atMost(floor)+", or raise "+key)
	}
}

// locate completes findings. Of the keys involved, each names the one set by the strongest layer, which the user has
// most likely just changed.
func locate(c Config, layers []layer, found findings) []*Error {
	for _, e := range found {
		e.Key = e.keys[0]
		for _, l := range slices.Backward(layers) {
			if i := slices.IndexFunc(e.keys, func(key string) bool { return l.origins[key] != "" }); i >= 0 {
				e.Key, e.Origin = e.keys[i], l.origins[e.keys[i]]
				break
			}
		}
		e.Value = shortened(c.Texts()[e.Key])
	}
	return found
}
