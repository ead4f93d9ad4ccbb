package configs

import (
	"math"
	"slices"
	"strings"
	"sync"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// Source says who chose the default of a key.
type Source string

// The sources of defaults: published in arXiv 2309.12476, Example 3, or chosen here for settings that the paper
// does not state, so as to reproduce its detection distances.
const (
	Paper Source = "paper"
	Ours  Source = "ours"
)

// Field describes a key.
type Field struct {
	Key      string // as in "vehicle.speed_km_s"
	Unit     string // "1" for a pure number, empty for a word
	Default  string // value in preset paper, as YAML
	Source   Source
	Meaning  string // whole sentences
	Unhashed bool   // no result of a study depends on it, so it is left out of the hash

	domain domain
}

// Type names the kind of value: number, whole number, choice, heading or list.
func (f Field) Type() string { return f.domain.kind }

// Choices returns the words of a choice, nil for other keys.
func (f Field) Choices() []string { return slices.Clone(f.domain.words) }

// Allowed describes the accepted values.
func (f Field) Allowed() string { return f.domain.allowed }

// The beginnings of the facts of a field.
const (
	unitMark    = "Unit: "
	allowedMark = "Allowed: "
)

// Facts states unit, range, default and source on one line.
func (f Field) Facts() string {
	unit, chosen := "", "the paper's"
	if f.Unit != "" && f.Unit != "1" {
		unit = unitMark + f.Unit + ". "
	}
	if f.Source == Ours {
		chosen = "ours"
	}
	return unit + allowedMark + f.Allowed() + ". Default: " + f.Default + ", " + chosen + "."
}

// Shared says what the points of a sweep over the key share and compute only once: "plans and flights",
// "plans", or nothing. Flights depend only on route and vehicle. Plans depend on the mission and the noise, and
// delta, adjacency and calibration change the noise along the same axis as epsilon.
func (f Field) Shared() string {
	switch f.Group() {
	case "adversary":
		return "plans and flights"
	case "guidance", "sim":
		return "plans"
	}
	switch f.Key {
	case "vehicle.speed_km_s", "vehicle.accel_limit_km_s2", "privacy.delta", "privacy.adjacency", "privacy.calibration",
		"privacy.handover_km":
		return "plans"
	}
	return ""
}

// Group returns the part of the key before the dot, empty for a key outside any group.
func (f Field) Group() string {
	return f.Key[:max(0, strings.Index(f.Key, "."))]
}

// Schema returns all keys in the order of Config, with the defaults of preset paper.
func Schema() []Field { return slices.Clone(described()) }

// described is the schema with the defaults and meanings of preset paper.
var described = sync.OnceValue(func() []Field {
	fields := slices.Clone(schema)
	for _, e := range defaultValues() {
		f := &fields[index[e.key]]
		f.Default = nodeText(e.node)
		if f.Meaning == "" {
			f.Meaning = meaningOf(e.comment)
		}
	}
	return fields
})

// meaningOf returns the sentences of a comment before its unit and allowed values.
func meaningOf(comment string) string {
	var lines []string
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(strings.TrimLeft(line, "# "))
		if strings.HasPrefix(line, unitMark) || strings.HasPrefix(line, allowedMark) {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}

// Lookup tables of the schema: the position of every key, its variable, and the groups of keys. They must not
// be changed.
var index, variables, groups = func() (places map[string]int, variables map[string]string, groups []string) {
	places, variables = make(map[string]int, len(schema)), make(map[string]string, len(schema))
	for i, f := range schema {
		places[f.Key], variables[environmentName(f.Key)] = i, f.Key
		if g := f.Group(); g != "" && !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return places, variables, groups
}()

// Lookup returns the description of a key, and false if there is no such key.
func Lookup(key string) (Field, bool) {
	i, known := index[key]
	if !known {
		return Field{}, false
	}
	return described()[i], true
}

// NearestOf returns the name with the spelling most similar to text, empty if none is similar.
func NearestOf(text string, names []string) string { return nearest(text, names) }

// Nearest returns the known key with the most similar spelling, empty if none is similar.
func Nearest(key string) string { return nearest(key, keys()) }

func keys() []string {
	names := make([]string, len(schema))
	for i, f := range schema {
		names[i] = f.Key
	}
	return names
}

// The widest settings: far outside any sensible study, and small enough that nothing overflows.
const (
	maxKm       = 1e5       // km
	largestSeed = 1<<53 - 1 // the largest that JSON readers keep exactly
)

var (
	probability   = number(interval{high: 1, open: true})
	openUnit      = number(interval{high: 1, above: true, open: true})
	position      = list("[east, north, up]", between(-maxKm, maxKm), 3, 3)
	cell          = list("[column, row]", whole(0, 999), 2, 2)
	epsilonNumber = between(1e-9, 1e9) // epsilons
	epsilonOrNone = numberOr("number", epsilonNumber.allowed+", or "+none, epsilonNumber,
		func(f float64) float64 { return f }, map[string]float64{none: math.Inf(1)})
	degrees = between(-360, 360)
	// rewardRange holds no list or one of two numbers that ascend.
	rewardRange = ascending(list("[] or [low, high]", between(-largestReward, largestReward), 0, 2))
	heading     = numberOr("heading", LineOfSight+" or "+anyHeading+" or "+degrees.allowed, degrees,
		func(f float64) Heading { return Heading{Degrees: f} },
		map[string]Heading{LineOfSight: {LineOfSight: true}, anyHeading: {Random: true}})
)

// observers describes what every observer measures and assumes.
func observers() string {
	var said []string
	for _, m := range adversary.Models() {
		said = append(said, m.Name+" "+m.Meaning)
	}
	return strings.Join(said, "; ")
}

// mechanisms returns the names of all mechanisms that hide the destination, and the meanings of those that draw
// the goal and of those that give no guarantee.
func mechanisms() (names []string, goals, ways string) {
	names = []string{OnReward}
	var said []string
	for _, m := range planner.FlightMechanisms() {
		p := planner.PromiseOf(m)
		names = append(names, m.Name())
		said = append(said, m.Name()+" "+m.Meaning()+": "+p.Guarantee+" for "+p.Protects)
	}
	for _, m := range privacy.GoalMechanisms() {
		names, said = append(names, m.Name()), append(said, m.Name()+" "+m.Meaning())
	}
	goals, said = strings.Join(said, "; "), nil
	for _, w := range deception.Ways() {
		names, said = append(names, w.Name), append(said, w.Name+" "+w.Meaning)
	}
	return names, goals, strings.Join(said, "; ")
}

var mechanismNames, goalMeanings, wayMeanings = mechanisms()

// schema is the single source of names, units and ranges; preset paper is the source of defaults and meanings.
// Meanings that list registered items are in the schema.
var schema = slices.Concat([]Field{
	{Key: "problem", Source: Ours, domain: choice(Waypoints, TwoState, Gridworld), Unhashed: true},
	{Key: "vehicle.speed_km_s", Unit: "km/s", Source: Ours, domain: positive(100)},
	{Key: "vehicle.accel_limit_km_s2", Unit: "km/s^2", Source: Ours, domain: positive(100)},
	{Key: "vehicle.start_km", Unit: "km", Source: Paper, domain: position},
	{Key: "vehicle.heading", Unit: "degrees", Source: Ours, domain: heading},
	{Key: "target_km", Unit: "km", Source: Ours, domain: position},

	{Key: "guidance.genex_n", Unit: "1", Source: Ours, domain: between(0, 10)},
	{Key: "guidance.terminal_steepening_deg", Unit: "degrees", Source: Ours, domain: between(-90, 90)},
	{Key: "guidance.genex_min_tgo_s", Unit: "s", Source: Ours, domain: positive(1000)},
	{Key: "guidance.waypoint_gain", Unit: "1", Source: Ours, domain: positive(100)},
	{Key: "guidance.waypoint_min_tgo_s", Unit: "s", Source: Ours, domain: positive(1000)},

	{Key: "planner.columns", Unit: "waypoints", Source: Paper, domain: whole(1, 1000)},
	{Key: "planner.rows", Unit: "waypoints", Source: Paper, domain: whole(1, 1000)},
	{Key: "planner.spacing_km", Unit: "km", Source: Ours, domain: between(1e-3, 1e4)},
	{Key: "planner.start_cell", Unit: "1", Source: Ours, domain: cell},
	{Key: "planner.moves", Source: Paper, domain: choice(string(planner.PaperMoves), string(planner.EightMoves))},
	{Key: "planner.keep_out", Unit: "1", Source: Ours, domain: areas},
	{Key: "planner.goals", Unit: "1", Source: Ours,
		domain: list("[] or cells as [[3, 4], [10, 2]]", cell, 0, 1000)},
	{Key: "planner.rewards", Unit: "reward", Source: Ours, domain: rewardMap},
	{Key: "planner.reward_weight", Unit: "1", Source: Ours, domain: between(0, 1e6)},
	{Key: "planner.discount", Unit: "1", Source: Ours, domain: openUnit},
	{Key: "planner.slip", Unit: "probability", Source: Ours, domain: probability},
	{Key: "planner.max_transitions", Unit: "waypoints", Source: Ours, domain: whole(1, 1e6)},
	{Key: "planner.tolerance", Unit: "reward", Source: Ours, domain: between(1e-12, 1)},

	{Key: "privacy.epsilon", Unit: "1", Source: Ours, domain: epsilonOrNone},
	{Key: "privacy.delta", Unit: "probability", Source: Ours,
		domain: number(interval{high: 0.5, above: true, open: true})},
	{Key: "privacy.adjacency", Unit: "reward", Source: Ours, domain: positive(1e6)},
	{Key: "privacy.calibration", Source: Paper, domain: choice(Classical, Analytic)},
	{Key: "privacy.handover_km", Unit: "km", Source: Paper, domain: positive(maxKm)},
	{Key: "privacy.handover_spread_km", Unit: "km", Source: Ours, domain: between(0, maxKm)},
	{Key: "privacy.mechanism", Source: Paper, domain: choiceOrCommand(mechanismNames...),
		Meaning: "What hides the destination: reward adds Gaussian noise to every entry of the reward, (epsilon, delta) " +
			"for one entry; " + goalMeanings +
			". A drawn goal is planned for and flown to until the hand-over at the true one. For comparison there are ways " +
			"that do not depend on epsilon, each of which " + deception.NoGuarantee + ": " + wayMeanings + ". " +
			"exec:COMMAND has a command of yours make the plans, see the guide, exec.md."},
	{Key: "privacy.reward_range", Unit: "reward", Source: Ours, domain: rewardRange},
	{Key: "privacy.row_adjacency", Unit: "probability", Source: Ours, domain: positive(2)},
	{Key: "privacy.row_uniform", Unit: "probability", Source: Ours, domain: openUnit},

	{Key: "deception.temperature", Unit: "reward", Source: Ours, domain: between(1e-3, 1e6)},
	{Key: "deception.bogus", Unit: "1", Source: Ours, domain: list("[] or cells as [[3, 4], [10, 2]]", cell, 0, 1000)},
	{Key: "deception.bogus_distance", Unit: "1", Source: Ours, domain: between(0.1, 100)},
	{Key: "deception.observer_temperature", Unit: "reward", Source: Ours, domain: between(1e-3, 1e6)},
	{Key: "deception.detour", Unit: "1", Source: Ours, domain: between(0, 100)},

	{Key: "adversary.observer", Source: Paper, domain: choiceOrCommand(adversary.Names()...),
		Meaning: "Model of the observer: " + observers() + ". exec:COMMAND has a command of yours watch, see the guide, " +
			"exec.md."},
	{Key: "adversary.lambda_per_s", Unit: "1/s", Source: Paper, domain: between(0, 1000)},
	{Key: "adversary.noise_km", Unit: "km", Source: Ours, domain: between(0, maxKm)},
	{Key: "adversary.radius_km", Unit: "km", Source: Paper, domain: positive(maxKm)},
	{Key: "adversary.consecutive_steps", Unit: "steps", Source: Paper, domain: whole(1, 1e6)},
	{Key: "adversary.rule", Source: Paper, domain: choice(InARow, MustStay)},
	{Key: "adversary.candidates", Source: Ours, domain: candidates},
	{Key: "adversary.prior", Source: Ours, domain: weights},
	{Key: "adversary.policies", Unit: "policies", Source: Ours, domain: whole(1, 1e6)},
	{Key: "adversary.training", Unit: "flights", Source: Ours, domain: whole(1, 1e6)},
	{Key: "adversary.epsilon", Unit: "1", Source: Ours, domain: belief(epsilonNumber)},
	{Key: "adversary.reward_weight", Unit: "1", Source: Ours, domain: belief(positive(1e6))},
	{Key: "adversary.discount", Unit: "1", Source: Ours, domain: belief(openUnit)},

	{Key: "sim.step_s", Unit: "s", Source: Ours, domain: between(1e-5, 100)},
	{Key: "sim.capture_km", Unit: "km", Source: Ours, domain: positive(maxKm)},
	{Key: "sim.max_time_s", Unit: "s", Source: Ours, domain: positive(1e6)},

	{Key: "exec.timeout_s", Unit: "s", Source: Ours, domain: positive(1e6), Unhashed: true},

	{Key: "study.epsilons", Unit: "1", Source: Paper,
		domain: distinct("different numbers as [0.2, 1, 4], 0.2,1,4 or start:stop:step, at most 10000, and with them "+
			"all from low to high as 0.2..4", epsilonOrNone, 1, maxValues)},
	{Key: "study.axis", Unit: "1", Source: Ours, domain: axes},
	{Key: "study.runs", Unit: "flights", Source: Paper, domain: whole(1, 1e9)},
	{Key: "study.seed", Unit: "1", Source: Ours, domain: whole(0, largestSeed)},
	{Key: "study.noise", Source: Ours, domain: choice(Common, Independent)},
	{Key: "study.workers", Unit: "workers", Source: Ours, domain: whole(0, 4096), Unhashed: true},
}, teams)
