package configs

import (
	"fmt"
	"math"
	"slices"

	"veilpath/internal/table"
	"veilpath/planner/deception"
)

// A finding is a fault in the combination of several values.
type finding struct {
	problem string
	allowed string
	fix     string
	keys    []string // keys involved, the most likely cause first
}

// conflict returns the finding of a check that stops at its first one.
func conflict(problem, allowed, fix string, keys ...string) []finding {
	return []finding{{problem, allowed, fix, keys}}
}

// conflicts returns the reasons why a flight is impossible or its results meaningless.
func (c Config) conflicts() []finding {
	return slices.Concat(c.oversizedTeam(), c.agentsOffGrid(), c.waypointsOffGrid(), c.areasOffGrid(),
		c.stepsOutOfRange(), c.epsilonsOffRange(), c.negativeHandover(), c.capturedEarly(),
		c.candidatesOffGrid(), c.slippingPaths())
}

// cells describes the cells of the grid.
func (p Planner) cells() string {
	return fmt.Sprintf("columns 0 to %d, rows 0 to %d", p.Columns-1, p.Rows-1)
}

// waypointsOffGrid finds starts and targets outside the grid of waypoints.
func (c Config) waypointsOffGrid() []finding {
	p := c.Planner
	column, row := c.goal()
	switch {
	case p.StartCell[0] >= p.Columns || p.StartCell[1] >= p.Rows:
		return conflict(
			fmt.Sprintf("the start, column %d, row %d, is outside the grid", p.StartCell[0], p.StartCell[1]), p.cells(),
			"move planner.start_cell or enlarge planner.columns and planner.rows",
			"planner.start_cell", "planner.columns", "planner.rows")
	case column < 0 || column >= float64(p.Columns) || row < 0 || row >= float64(p.Rows):
		return conflict(
			fmt.Sprintf("the target, nearest to column %.0f, row %.0f, is outside the grid", column, row), p.cells(),
			"enlarge planner.columns, planner.rows or planner.spacing_km, or move planner.start_cell",
			"planner.columns", "planner.rows", "planner.spacing_km", "planner.start_cell", "target_km", "vehicle.start_km")
	case column == float64(p.StartCell[0]) && row == float64(p.StartCell[1]):
		return conflict(
			fmt.Sprintf("the waypoint nearest to the target is the start, column %.0f, row %.0f, so there is nothing to plan",
				column, row),
			"a target at least half a spacing from the start, to the east, north, west or south",
			"move target_km or vehicle.start_km, or reduce planner.spacing_km",
			"target_km", "vehicle.start_km", "planner.spacing_km")
	}
	return nil
}

// negativeHandover finds hand-over distances that may be drawn below 0.
func (c Config) negativeHandover() []finding {
	p := c.Privacy
	if p.SpreadKm <= p.HandoverKm {
		return nil
	}
	return conflict(fmt.Sprintf("a hand-over distance within %s km of %s km may be below 0", plainNumber(p.SpreadKm),
		plainNumber(p.HandoverKm)), "privacy.handover_spread_km from 0 to privacy.handover_km",
		"reduce privacy.handover_spread_km", "privacy.handover_spread_km", "privacy.handover_km")
}

// captureShare is sim.capture_km over privacy.handover_km in preset paper, to two digits.
const captureShare = 0.06

// capturedEarly finds flights that may end before their hand-over, in a turn near the target. The waypoints of flights
// that start high above the target are not that near.
func (c Config) capturedEarly() []finding {
	smallest, height := c.Privacy.HandoverKm-c.Privacy.SpreadKm, math.Abs(c.TargetKm[2]-c.Vehicle.StartKm[2])
	if c.Sim.CaptureKm < smallest || c.Sim.CaptureKm <= height {
		return nil
	}
	handover, fix := plainNumber(c.Privacy.HandoverKm), "reduce privacy.handover_spread_km or sim.capture_km"
	if c.Privacy.SpreadKm == 0 {
		fix = fmt.Sprintf("set sim.capture_km to %.2g, for example", captureShare*smallest)
	} else {
		handover = fmt.Sprintf("%s km to %s", plainNumber(smallest),
			plainNumber(c.Privacy.FarthestHandoverKm()))
	}
	return conflict(fmt.Sprintf("a flight ends at its closest approach within sim.capture_km = %s of the target, so "+
		"it may end before its hand-over at %s km", plainNumber(c.Sim.CaptureKm), handover),
		"sim.capture_km below the smallest hand-over distance", fix, "sim.capture_km", "privacy.handover_km",
		"privacy.handover_spread_km", "vehicle.start_km", "target_km")
}

// slippingPaths finds ways that fly a path where moves slip.
func (c Config) slippingPaths() []finding {
	way, _ := deception.Find(c.Privacy.Mechanism)
	if !way.Path || c.Planner.Slip == 0 {
		return nil
	}
	return conflict(fmt.Sprintf("the way %s flies a path, and with planner.slip = %s moves may lead elsewhere", way.Name,
		plainNumber(c.Planner.Slip)), "planner.slip 0 for a way that flies a path", "set planner.slip to 0",
		"privacy.mechanism", "planner.slip")
}

// candidatesOffGrid finds possible goals outside the grid.
func (c Config) candidatesOffGrid() []finding {
	possible, _ := ParseCandidates(c.Adversary.Candidates) // the domain reports the error
	for _, cell := range possible.Cells {
		if cell.Column >= c.Planner.Columns || cell.Row >= c.Planner.Rows {
			return conflict(fmt.Sprintf("cell %d:%d is outside the grid", cell.Column, cell.Row), c.Planner.cells(),
				"name cells of the grid", "adversary.candidates", "planner.columns", "planner.rows")
		}
	}
	return nil
}

// maxSteps is the largest number of steps of a flight, whose history takes 2 GB.
const maxSteps = 20_000_000

// stepsOutOfRange finds flights without a single step, or with more steps than a history holds.
func (c Config) stepsOutOfRange() []finding {
	step, limit := c.Sim.StepS, c.Sim.MaxTimeS
	found := func(problem, fix string) []finding {
		return conflict(problem, fmt.Sprintf("sim.max_time_s from 1 to %d times sim.step_s", maxSteps), fix,
			"sim.max_time_s", "sim.step_s")
	}
	switch {
	case limit < step:
		return found(fmt.Sprintf("a flight of at most %s s ends before its first step of %s s", plainNumber(limit),
			plainNumber(step)), "raise sim.max_time_s")
	case limit > maxSteps*step:
		return found(fmt.Sprintf("a flight may last %.3g steps of %s s", limit/step, plainNumber(step)),
			"raise sim.step_s or reduce sim.max_time_s")
	}
	return nil
}

// DirectKm returns the distance from the start to the target, km.
func (c Config) DirectKm() float64 {
	start, target := c.Vehicle.StartKm, c.TargetKm
	return math.Hypot(math.Hypot(target[0]-start[0], target[1]-start[1]), target[2]-start[2])
}

// RecognitionKm returns how far the vehicle flies from the first to the last of the consecutive steps that an observer
// asks for, km. Observers with a smaller radius miss recognitions near the target.
func (c Config) RecognitionKm() float64 {
	return float64(c.Adversary.ConsecutiveSteps-1) * c.Vehicle.SpeedKmS * c.Sim.StepS
}

// goal returns the cell nearest to the target in the horizontal plane; it may be outside the grid.
func (c Config) goal() (column, row float64) {
	cell := func(axis int) float64 {
		corner := c.Vehicle.StartKm[axis] - float64(c.Planner.StartCell[axis])*c.Planner.SpacingKm
		return math.Round((c.TargetKm[axis]-corner)/c.Planner.SpacingKm) + 0 // so that -0 prints as 0
	}
	return cell(0), cell(1)
}

// warnings are findings about settings that are allowed, but probably not intended.
type warnings []finding

func (d *warnings) add(problem, fix string, keys ...string) {
	*d = append(*d, finding{problem: problem, fix: fix, keys: keys})
}

// stepWarnings returns the warnings about the length of a step.
func (c Config) stepWarnings() (found warnings) {
	step, k := c.Sim.StepS, c.Adversary.ConsecutiveSteps
	atMost := func(s float64) string { return fmt.Sprintf("use a step of at most %s s", plainNumber(s)) }
	below := func(s float64) string { return atMost(table.Digits(s, 3, math.Floor)) }
	flown := c.Vehicle.SpeedKmS * step
	if span := c.RecognitionKm(); span > c.Adversary.RadiusKm {
		found.add(fmt.Sprintf("the vehicle flies %.4g km during %d consecutive steps, further than adversary.radius_km = "+
			"%s, so they cannot all fall inside the ball and a detection near the target is missed",
			span, k, plainNumber(c.Adversary.RadiusKm)), below(step*c.Adversary.RadiusKm/span)+
			", or reduce adversary.consecutive_steps", "sim.step_s", "adversary.radius_km",
			"adversary.consecutive_steps", "vehicle.speed_km_s")
	}
	if flown > c.Planner.SpacingKm {
		found.add(fmt.Sprintf("the vehicle flies %.4g km in a step, further than planner.spacing_km = %s, and passes "+
			"waypoints unseen", flown, plainNumber(c.Planner.SpacingKm)), below(step*c.Planner.SpacingKm/flown),
			"sim.step_s", "planner.spacing_km", "vehicle.speed_km_s")
	}
	for _, floor := range []struct {
		key string
		s   float64
	}{{"guidance.genex_min_tgo_s", c.Guidance.GenexMinTgoS}, {"guidance.waypoint_min_tgo_s", c.Guidance.WaypointMinTgoS}} {
		if step > floor.s {
			found.add(fmt.Sprintf("the step of %s s is longer than %s = %s, so the steering overshoots", plainNumber(step),
				floor.key, plainNumber(floor.s)), atMost(floor.s)+", or raise "+floor.key, "sim.step_s", floor.key)
		}
	}
	return found
}

// distanceWarnings returns the warnings about the start and the end of the flight.
func (c Config) distanceWarnings() (found warnings) {
	direct, up := c.DirectKm(), c.TargetKm[2]-c.Vehicle.StartKm[2]
	handover, limit, speed := plainNumber(c.Privacy.HandoverKm), plainNumber(c.Sim.MaxTimeS), c.Vehicle.SpeedKmS
	if direct < c.Privacy.HandoverKm {
		found.add(fmt.Sprintf("the start is %.4g km from the target, within privacy.handover_km = %s, so the flight is "+
			"never private", direct, handover), "start further away or reduce privacy.handover_km",
			"privacy.handover_km", "vehicle.start_km", "target_km")
	}
	nearest := math.Sqrt(max(0, direct*direct-up*up)) // level distance of a goal
	for _, goal := range c.Planner.Goals {
		columns, rows := float64(goal[0]-c.Planner.StartCell[0]), float64(goal[1]-c.Planner.StartCell[1])
		far := c.Planner.SpacingKm * math.Hypot(columns, rows)
		nearest = min(nearest, far)
		if math.Hypot(far, up) < c.Privacy.HandoverKm {
			found.add(fmt.Sprintf("the start is %.4g km from the goal in column %d, row %d, within privacy.handover_km = %s, "+
				"so a flight to it is never private", math.Hypot(far, up), goal[0], goal[1], handover),
				"move the start or that goal, or reduce privacy.handover_km", "planner.goals", "privacy.handover_km",
				"planner.start_cell")
		}
	}
	found = append(found, c.groundWarnings()...)
	reach := math.Sqrt2 * float64(c.Planner.MaxTransitions) * c.Planner.SpacingKm // diagonally
	if nearest-reach > c.Privacy.HandoverKm {
		found.add(fmt.Sprintf("planner.max_transitions = %d waypoints lead at most %.4g km away from the start, and "+
			"privacy.handover_km = %s begins %.4g km away, so every flight falls back, the plan without noise too",
			c.Planner.MaxTransitions, reach, handover, nearest-c.Privacy.HandoverKm),
			"raise planner.max_transitions", "planner.max_transitions", "planner.spacing_km", "privacy.handover_km")
	}
	if height := math.Abs(up); height >= c.Privacy.HandoverKm {
		found.add(fmt.Sprintf("the waypoints lie %.4g km above or below the target, not within privacy.handover_km = %s, "+
			"so no flight is handed over: each ends by fall-back, or at sim.max_time_s", height, handover),
			"raise privacy.handover_km", "privacy.handover_km", "vehicle.start_km", "target_km")
	}
	if needed := direct / speed; needed > c.Sim.MaxTimeS {
		found.add(fmt.Sprintf("the direct flight takes %.4g s, longer than sim.max_time_s = %s, so no flight arrives", needed,
			limit), "raise sim.max_time_s", "sim.max_time_s", "vehicle.speed_km_s", "vehicle.start_km", "target_km")
	}
	if across := 2 * speed * speed / c.Vehicle.AccelLimitKmS2; across > direct && direct > 0 {
		found.add(fmt.Sprintf("the vehicle turns in circles of %.4g km across, wider than the %.4g km from the start to "+
			"the target, so flights may circle waypoints that they cannot reach until sim.max_time_s", across, direct),
			fmt.Sprintf("raise vehicle.accel_limit_km_s2 above %.2g, or reduce vehicle.speed_km_s", 2*speed*speed/direct),
			"vehicle.accel_limit_km_s2", "vehicle.speed_km_s", "vehicle.start_km", "target_km")
	}
	column, row := c.goal()
	if c.Planner.Slip == 0 && math.Abs(column-float64(c.Planner.StartCell[0])) <= 1 &&
		math.Abs(row-float64(c.Planner.StartCell[1])) <= 1 {
		found.add("the goal is a neighbour of the start, so the optimal value there is 0 and the relative cost of privacy "+
			"is undefined", "reduce planner.spacing_km or move the start",
			"planner.spacing_km", "vehicle.start_km", "target_km")
	}
	return found
}

// groundWarnings returns the warnings about places that contradict what observers know of the ground.
func (c Config) groundWarnings() (found warnings) {
	const ground = "altitude 0, where observers expect the ground"
	if z := c.Vehicle.StartKm[2]; z < 0 {
		found.add(fmt.Sprintf("the start is %s km below %s, so those that extrapolate to the ground name the place "+
			"of the vehicle", plainNumber(-z), ground), "give the start an altitude of 0 or more", "vehicle.start_km")
	}
	if z := c.TargetKm[2]; z != 0 {
		found.add(fmt.Sprintf("the altitude of the target is %s km, not %s, so those that extrapolate to the ground "+
			"miss it", plainNumber(z), ground), "give the target the altitude 0", "target_km")
	}
	return found
}

// handoverWarnings returns the warnings about circles that do not fit into the one of the hand-over.
func (c Config) handoverWarnings() (found warnings) {
	handover, radius := plainNumber(c.Privacy.HandoverKm), plainNumber(c.Adversary.RadiusKm)
	across := 2 * c.Vehicle.SpeedKmS * c.Vehicle.SpeedKmS / c.Vehicle.AccelLimitKmS2
	if across > c.Privacy.HandoverKm {
		found.add(fmt.Sprintf("the vehicle turns in circles of %.4g km across, wider than privacy.handover_km = %s, "+
			"so flights may miss the target: they end beside it unrecognised, or circle until sim.max_time_s",
			across, handover),
			"raise privacy.handover_km or vehicle.accel_limit_km_s2, or reduce vehicle.speed_km_s",
			"privacy.handover_km", "vehicle.accel_limit_km_s2", "vehicle.speed_km_s")
	}
	if c.Adversary.RadiusKm >= c.Privacy.HandoverKm {
		found.add(fmt.Sprintf("a prediction counts as right within adversary.radius_km = %s of the target, as far as "+
			"privacy.handover_km = %s or farther, so flights may count as recognised where nothing tells the target",
			radius, handover), "reduce adversary.radius_km", "adversary.radius_km", "privacy.handover_km")
	}
	return found
}

// guaranteeWarnings warns if the mechanism gives no guarantee.
func (c Config) guaranteeWarnings() (found warnings) {
	if c.Privacy.Deceives() {
		found.add(fmt.Sprintf("the way %s %s: epsilon and delta have no effect on it, so all epsilons fly the same plan, "+
			"except none, which flies the plan without this way", c.Privacy.Mechanism, deception.NoGuarantee),
			"use privacy.mechanism "+OnReward+" for a guarantee", "privacy.mechanism")
	}
	return found
}

// locate turns findings into errors. Of the keys involved, each error names the one set by the strongest layer,
// which the user has most likely just changed.
func locate(c Config, layers []layer, findings []finding) []*Error {
	if len(findings) == 0 {
		return nil
	}
	var errs []*Error
	texts := c.Texts()
	for _, f := range findings {
		e := &Error{Key: f.keys[0], Problem: f.problem, Allowed: f.allowed, Fix: f.fix}
		for _, l := range slices.Backward(layers) {
			i := slices.IndexFunc(f.keys, func(key string) bool { return l.origins[key] != "" })
			if i >= 0 {
				e.Key, e.Origin = f.keys[i], l.origins[f.keys[i]]
				break
			}
		}
		e.Value = shortened(texts[e.Key])
		errs = append(errs, e)
	}
	return errs
}
