package configs

import (
	"slices"
	"strings"
	"sync"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Source says who chose the default of a key.
type Source string

// The sources of defaults: published in arXiv 2309.12476, Example 3, or chosen here to fill what the paper
// leaves open, so that its detection distances come out.
const (
	Paper Source = "paper"
	Ours  Source = "ours"
)

// Field describes a key.
type Field struct {
	Key         string // as in "vehicle.speed_km_s"
	Unit        string // "1" for a plain number, empty for a word
	Default     string // its value in preset paper, as YAML
	Source      Source
	Meaning     string // whole sentences
	Indifferent bool   // no result of a study depends on it, so it is not part of the hash

	domain domain
}

// Type names the kind of value: number, whole number, choice, heading or list.
func (f Field) Type() string { return f.domain.name() }

// Choices returns the words that a choice is of, nil for a key that is none.
func (f Field) Choices() []string {
	words, _ := f.domain.(choice)
	return slices.Clone(words)
}

// Allowed says which values are accepted.
func (f Field) Allowed() string { return f.domain.String() }

// Facts says unit, range, default and source on one line.
func (f Field) Facts() string {
	unit, chosen := "", "the paper's"
	if f.Unit != "" && f.Unit != "1" {
		unit = "Unit: " + f.Unit + ". "
	}
	if f.Source == Ours {
		chosen = "ours"
	}
	return unit + "Allowed: " + f.Allowed() + ". Default: " + f.Default + ", " + chosen + "."
}

// Shared says what the points of a sweep along the key have in common and make once: "plans and flights", "plans", or
// nothing. Flights depend on route and vehicle alone, plans on the mission and the noise, whose size delta, adjacency
// and calibration set along the same axis as epsilon.
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
	group, _, grouped := strings.Cut(f.Key, ".")
	if !grouped {
		return ""
	}
	return group
}

// Schema returns all keys in the order of Config, with the defaults of preset paper.
func Schema() []Field { return slices.Clone(described()) }

// described is the schema with the defaults.
var described = sync.OnceValue(func() []Field {
	fields := slices.Clone(schema)
	for _, g := range defaultValues() {
		fields[index[g.key]].Default = nodeText(g.node)
	}
	return fields
})

// index is the place of every key in the schema.
var index = func() map[string]int {
	places := make(map[string]int, len(schema))
	for i, f := range schema {
		places[f.Key] = i
	}
	return places
}()

// Lookup returns the description of a key, and false when there is no such key.
func Lookup(key string) (Field, bool) {
	i, known := index[key]
	if !known {
		return Field{}, false
	}
	return described()[i], true
}

// NearestOf returns the name that is spelled most like the text given, empty when none is like it.
func NearestOf(text string, names []string) string { return nearest(text, names) }

// Nearest returns the known key that is spelled most like the one given, empty when none is like it.
func Nearest(key string) string { return nearest(key, keys()) }

func keys() []string {
	names := make([]string, len(schema))
	for i, f := range schema {
		names[i] = f.Key
	}
	return names
}

// groups returns the names of the groups of keys, which are not to be changed.
var groups = sync.OnceValue(func() []string {
	var names []string
	for _, f := range schema {
		if g := f.Group(); g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	return names
})

// The widest settings. They are far outside any sensible study, and small enough that nothing overflows.
const (
	farthest    = 1e5       // km
	largestSeed = 1<<53 - 1 // the largest that JSON readers keep exactly
)

var (
	share      = interval{low: 0, high: 1, open: true}
	inside     = interval{low: 0, high: 1, above: true, open: true}
	place      = list{form: "[east, north, up]", each: from(-farthest, farthest), low: 3, high: 3}
	strengths  = interval{low: 1e-9, high: 1e9}
	longestRun = positive(1e6) // s
)

// observers says what every observer measures and supposes.
func observers() string {
	var said []string
	for _, m := range adversary.Models() {
		said = append(said, m.Name+" "+m.Meaning)
	}
	return strings.Join(said, "; ")
}

// mechanismNames are the choices of what hides the destination.
func mechanismNames() []string {
	names := []string{OnReward}
	for _, m := range privacy.GoalMechanisms() {
		names = append(names, m.Name())
	}
	return names
}

// mechanisms says what those that draw the goal do.
func mechanisms() string {
	var said []string
	for _, m := range privacy.GoalMechanisms() {
		said = append(said, m.Name()+" "+m.Meaning())
	}
	return strings.Join(said, "; ")
}

// schema is the single source of names, units, ranges and meanings.
var schema = slices.Concat([]Field{
	{Key: "problem", Source: Ours, domain: choice{Waypoints, TwoState, Gridworld}, Indifferent: true,
		Meaning: "Which of the paper's problems is meant where a verb can take any of them, as design can: the waypoints " +
			"of Example 3, the two-state agents of Example 1, or the gridworld of Example 2. Flights are always of the " +
			"waypoints."},
	{Key: "vehicle.speed_km_s", Unit: "km/s", Source: Ours, domain: positive(100),
		Meaning: "Speed of the vehicle, the same during the whole flight. Steering turns the velocity and never changes " +
			"its magnitude."},
	{Key: "vehicle.accel_limit_km_s2", Unit: "km/s^2", Source: Ours, domain: positive(100),
		Meaning: "Largest lateral acceleration. A stronger command keeps its direction and is cut to this magnitude. At " +
			"1.7 km/s, 0.2 km/s^2 allow turns of 14.45 km radius (speed^2 / limit), a little more than the spacing of the " +
			"waypoints."},
	{Key: "vehicle.start_km", Unit: "km", Source: Paper, domain: place,
		Meaning: "Initial position x0. The waypoints lie in its horizontal plane, and it is the first of them. The " +
			"observer knows it."},
	{Key: "vehicle.heading", Unit: "degrees", Source: Ours, domain: direction{from(-360, 360)},
		Meaning: "Direction of the first velocity, which is level: line_of_sight points it at the target in the horizontal " +
			"plane, which tells the target's direction; random draws it for every flight; a number is degrees " +
			"counter-clockwise from east (0 east, 90 north)."},
	{Key: "target_km", Unit: "km", Source: Ours, domain: place,
		Meaning: "Destination of the flight: the secret that the observer wants to know. The waypoint nearest to it in the " +
			"horizontal plane is the goal of the planner."},

	{Key: "guidance.genex_n", Unit: "1", Source: Ours, domain: from(0, 10),
		Meaning: "Exponent n of GENEX, the guidance law that flies to the target and meets it in a given direction " +
			"(Ohlmeyer & Phillips 2006). It weighs the acceleration by time-to-go^-n: 0 spends effort evenly, a larger n " +
			"corrects earlier and arrives with less acceleration."},
	{Key: "guidance.terminal_steepening_deg", Unit: "degrees", Source: Ours, domain: from(-90, 90),
		Meaning: "How much steeper than the line of sight GENEX arrives at the target, the line of sight taken where GENEX " +
			"begins. This one number was fitted so that the direct flight is recognised at 101.5 km, as published."},
	{Key: "guidance.genex_min_tgo_s", Unit: "s", Source: Ours, domain: positive(1000),
		Meaning: "Floor of the time-to-go in GENEX, which keeps its command finite at the target. Keep it above sim.step_s."},
	{Key: "guidance.waypoint_gain", Unit: "1", Source: Ours, domain: positive(100),
		Meaning: "Gain of the steering to a waypoint: acceleration = gain * (waypoint - position - velocity * time-to-go) " +
			"/ time-to-go^2. The value 3 is optimal for a free arrival direction."},
	{Key: "guidance.waypoint_min_tgo_s", Unit: "s", Source: Ours, domain: positive(1000),
		Meaning: "Floor of the time-to-go on a waypoint leg. Keep it above sim.step_s."},

	{Key: "planner.columns", Unit: "waypoints", Source: Paper, domain: whole{1, 1000},
		Meaning: "Waypoints from west to east."},
	{Key: "planner.rows", Unit: "waypoints", Source: Paper, domain: whole{1, 1000},
		Meaning: "Waypoints from south to north."},
	{Key: "planner.spacing_km", Unit: "km", Source: Ours, domain: from(1e-3, 1e4),
		Meaning: "Distance between neighbouring waypoints. The grid must reach from the start to the target: with the " +
			"start in column 0, row 7, the target is in column 16, row 11."},
	{Key: "planner.start_cell", Unit: "1", Source: Ours,
		domain: list{form: "[column, row]", each: whole{0, 999}, low: 2, high: 2},
		Meaning: "Which waypoint the start is; both count from 0 in the south-west corner. It lays the grid: cell (c, r) " +
			"is at the start plus spacing * (c - column, r - row). That the start is a waypoint is the paper's, which one is " +
			"ours."},
	{Key: "planner.moves", Source: Paper, domain: choice{string(planner.PaperMoves), string(planner.EightMoves)},
		Meaning: "Moves from waypoint to waypoint. paper: north, south, east, west and to the target, the neighbour " +
			"nearest to the goal, so that a diagonal tells in which quadrant the goal lies. 8: the eight neighbours, whose " +
			"diagonals tell nothing of the kind. A move off the grid, into a cell that is kept out of, or between two such " +
			"cells stays where it is."},
	{Key: "planner.keep_out", Unit: "1", Source: Ours, domain: areas{},
		Meaning: "Cells that no waypoint is commanded in: [column, row] a cell, [column, row, column, row] a rectangle, " +
			"both corners inside. It is public, so nothing is earned there and no entry of these cells is private. Legs " +
			"between waypoints are flown, and a turning vehicle swings wide: keep a margin of its turning circle. The last " +
			"leg, from the hand-over on, heeds no cells."},
	{Key: "planner.goals", Unit: "1", Source: Ours,
		domain: list{form: "[] or cells as [[3, 4], [10, 2]]",
			each: list{form: "[column, row]", each: whole{0, 999}, low: 2, high: 2}, low: 0, high: 1000},
		Meaning: "Goals beside the one nearest to the target, as cells [column, row]. The reward is of the distance to the " +
			"nearest goal; a flight is handed over at privacy.handover_km from any of them and ends there, at the altitude of " +
			"target_km. Where a flight ends is its destination for the observer."},
	{Key: "planner.rewards", Unit: "reward", Source: Ours, domain: rewardMap{},
		Meaning: "What is earned beside the distance to the goal. FILE.csv: numbers alone, a line a row of cells, the " +
			"northernmost first, each earned by commanding that cell; or a header column,row,reward or " +
			"column,row,action,reward and a line for every cell or move that earns anything, with action one of north, south, " +
			"east, west and to_target, or of north-east and so on. FILE.png, or 'FILE.png LOW..HIGH': a pixel a cell, black " +
			"earns LOW and white HIGH, -1 and 0 if not given. The path is one from the folder of the file of settings, or " +
			"from where the program runs. What was read stands in every record of the settings, so the file is not needed " +
			"again. A cell's reward is in the entries of all moves that lead there, 8 with eight moves, 4 and those of " +
			"to_target with the paper's, and adjacency is of one entry: for one cell the guarantee is that of a group."},
	{Key: "planner.reward_weight", Unit: "1", Source: Ours, domain: from(0, 1e6),
		Meaning: "Weight w of the reward -w * d / spacing of a step, d the distance from the commanded waypoint to the " +
			"nearest goal. Privacy adds noise of a given size to the rewards, so a larger weight is a weaker disguise at the " +
			"same epsilon. 0 leaves planner.rewards alone."},
	{Key: "planner.discount", Unit: "1", Source: Ours, domain: inside,
		Meaning: "Discount gamma of future rewards. Near 1 the planner looks far ahead and takes longer to solve."},
	{Key: "planner.slip", Unit: "probability", Source: Ours, domain: share,
		Meaning: "Probability that another action's outcome happens in the planner's model; the other four actions share " +
			"it equally. The vehicle itself flies to the waypoint commanded."},
	{Key: "planner.max_transitions", Unit: "waypoints", Source: Ours, domain: whole{1, 1e6},
		Meaning: "Waypoint transitions after which a flight gives up its policy and flies straight to the target. A " +
			"privatized policy may circle for ever; such a flight is counted as fall-back, never dropped."},
	{Key: "planner.tolerance", Unit: "reward", Source: Ours, domain: from(1e-12, 1),
		Meaning: "Largest loss of value, in any state, that a computed policy may have."},

	{Key: "privacy.epsilon", Unit: "1", Source: Ours, domain: strength{strengths},
		Meaning: "Privacy parameter epsilon of a single flight; a study takes study.epsilons instead. Smaller is more " +
			"private: more noise on the rewards. none flies the plan without noise."},
	{Key: "privacy.delta", Unit: "probability", Source: Ours, domain: interval{low: 0, high: 0.5, above: true, open: true},
		Meaning: "Privacy parameter delta: the guarantee of epsilon may fail with about this probability."},
	{Key: "privacy.adjacency", Unit: "reward", Source: Ours, domain: positive(1e6),
		Meaning: "Adjacency b: two reward tables that differ in one entry, by at most b, are made hard to tell apart. The " +
			"noise grows in proportion to it."},
	{Key: "privacy.calibration", Source: Paper, domain: choice{Classical, Analytic},
		Meaning: "How much noise epsilon and delta ask for. classical is the paper's Lemma 1, sufficient and larger than " +
			"needed; analytic is the exact smallest amount (Balle & Wang 2018)."},
	{Key: "privacy.handover_km", Unit: "km", Source: Paper, domain: positive(farthest),
		Meaning: "Distance from the target below which privacy is disabled: the vehicle leaves the waypoints and flies to " +
			"the target. From here on nothing hides the destination."},
	{Key: "privacy.handover_spread_km", Unit: "km", Source: Ours, domain: from(0, farthest),
		Meaning: "The hand-over distance of every flight is drawn anew, uniformly within this of privacy.handover_km, and " +
			"observers know so. It may not be larger than that. 0 draws nothing."},
	{Key: "privacy.mechanism", Source: Paper, domain: choice(mechanismNames()),
		Meaning: "What hides the destination: reward adds Gaussian noise to every entry of the reward, (epsilon, delta) " +
			"for one entry; " + mechanisms() +
			". A drawn goal is planned for and flown to until the hand-over at the true one."},

	{Key: "adversary.observer", Source: Paper, domain: choice(adversary.Names()),
		Meaning: "Model of the observer: " + observers() + "."},
	{Key: "adversary.lambda_per_s", Unit: "1/s", Source: Paper, domain: from(0, 1000),
		Meaning: "Rate lambda at which the ballistic observer expects the acceleration to decay, exp(-lambda t); 0 holds " +
			"it constant. The paper prints 0.1 without a unit."},
	{Key: "adversary.noise_km", Unit: "km", Source: Ours, domain: from(0, farthest),
		Meaning: "Standard deviation of the error in every coordinate of a position that the observer filtered measures. " +
			"Its errors follow from study.seed and the waypoints flown."},
	{Key: "adversary.radius_km", Unit: "km", Source: Paper, domain: positive(farthest),
		Meaning: "Radius rho of the ball round the target in which a prediction counts as right."},
	{Key: "adversary.consecutive_steps", Unit: "steps", Source: Paper, domain: whole{1, 1e6},
		Meaning: "Number of right predictions in a row, one a step of sim.step_s, that make a detection. Its distance is " +
			"that of the vehicle from the target at the last of them."},
	{Key: "adversary.rule", Source: Paper, domain: choice{InARow, MustStay},
		Meaning: "When the destination counts as recognised: consecutive after adversary.consecutive_steps right " +
			"predictions in a row, coincidences in turns among them; must_stay from where on all predictions are right."},
	{Key: "adversary.candidates", Source: Ours, domain: candidates,
		Meaning: "The goals that observers of the goal deem possible: all cells, those at least the hand-over distance " +
			"from the start (far), or others. Flights of veilpath leak draw theirs from them."},
	{Key: "adversary.prior", Source: Ours, domain: weights,
		Meaning: "How likely those goals are: all alike, or in proportion to weights, in the order of the cells, row by " +
			"row from the south-west, or of the list."},
	{Key: "adversary.policies", Unit: "policies", Source: Ours, domain: whole{1, 1e6},
		Meaning: "Private policies of every goal from which the observer mechanism learns how they come out."},
	{Key: "adversary.epsilon", Unit: "1", Source: Ours, domain: belief{strengths},
		Meaning: "The epsilon that the observer mechanism takes flights to have. Another than the actual one makes it an " +
			"observer who is wrong."},
	{Key: "adversary.reward_weight", Unit: "1", Source: Ours, domain: belief{positive(1e6)},
		Meaning: "What observers of the goal take planner.reward_weight to be."},
	{Key: "adversary.discount", Unit: "1", Source: Ours, domain: belief{inside},
		Meaning: "What observers of the goal take planner.discount to be."},

	{Key: "sim.step_s", Unit: "s", Source: Ours, domain: from(1e-5, 100),
		Meaning: "Fixed step of the integrator (classical Runge-Kutta, order 4), of the observer's measurements and of the " +
			"history."},
	{Key: "sim.capture_km", Unit: "km", Source: Ours, domain: positive(farthest),
		Meaning: "A flight ends when it reaches the target to within one step, and also after its closest approach when " +
			"that was within this distance."},
	{Key: "sim.max_time_s", Unit: "s", Source: Ours, domain: longestRun,
		Meaning: "Guard: a flight still going after this time ends and is flagged. A flight that circles a target inside " +
			"its turn takes an hour at the most."},

	{Key: "study.epsilons", Unit: "1", Source: Paper,
		domain: list{form: "different numbers as [0.2, 1, 4], 0.2,1,4 or start:stop:step, at most 10000, and with them " +
			"all from low to high as 0.2..4", each: strength{strengths}, low: 1, high: maxValues, ranges: true},
		Meaning: "The epsilons of a study, one row of its summary each. The steps 0.2:4:0.2 include both ends. A range " +
			"such as 0.2..4 sets study.axis; without other numbers it lists the published epsilons on it and its ends. none " +
			"is the plan without noise, as in none,0.2..4."},
	{Key: "study.axis", Unit: "1", Source: Ours, domain: extent{strengths},
		Meaning: "The range of epsilon that a study finds whole: every epsilon at which a run takes another route, and the " +
			"flights between. It takes common noise; with planner.slip above 0 the ends of its pieces are found to 0.5 % of " +
			"epsilon. Setting study.epsilons without a range sets it to none."},
	{Key: "study.runs", Unit: "flights", Source: Paper, domain: whole{1, 1e9},
		Meaning: "Flights for every epsilon, each with a policy from its own noise."},
	{Key: "study.seed", Unit: "1", Source: Ours, domain: whole{0, largestSeed},
		Meaning: "Seed of the noise. The same seed and settings give the same results to the bit, whatever the number of " +
			"workers."},
	{Key: "study.noise", Source: Ours, domain: choice{Common, Independent},
		Meaning: "common gives run k the same noise for every epsilon, scaled by its sigma, so that the curve over epsilon " +
			"is smooth; independent draws it anew for every epsilon."},
	{Key: "study.workers", Unit: "workers", Source: Ours, domain: whole{0, 4096}, Indifferent: true,
		Meaning: "Flights computed at the same time; 0 takes all cores. No result depends on it."},
}, teams)
