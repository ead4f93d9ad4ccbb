package configs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// Config is one checked set of settings. Its fields have the units in their keys; the table behind [Schema]
// explains each. Its YAML and JSON use the names of the keys.
type Config struct {
	Problem   string     `yaml:"problem"` // Waypoints, TwoState or Gridworld
	Vehicle   Vehicle    `yaml:"vehicle"`
	TargetKm  [3]float64 `yaml:"target_km"` // east, north, up
	Guidance  Guidance   `yaml:"guidance"`
	Planner   Planner    `yaml:"planner"`
	Privacy   Privacy    `yaml:"privacy"`
	Deception Deception  `yaml:"deception"`
	Adversary Adversary  `yaml:"adversary"`
	Sim       Sim        `yaml:"sim"`
	Exec      Exec       `yaml:"exec"`
	Study     Study      `yaml:"study"`
	Example1  Example1   `yaml:"example1"`
	Example2  Example2   `yaml:"example2"`
}

// Vehicle is the point mass and its start.
type Vehicle struct {
	SpeedKmS       float64    `yaml:"speed_km_s"`
	AccelLimitKmS2 float64    `yaml:"accel_limit_km_s2"`
	StartKm        [3]float64 `yaml:"start_km"` // east, north, up
	Heading        Heading    `yaml:"heading"`
}

// Guidance is the steering on a waypoint leg and, with GENEX, to the target.
type Guidance struct {
	GenexN                float64 `yaml:"genex_n"`
	TerminalSteepeningDeg float64 `yaml:"terminal_steepening_deg"`
	GenexMinTgoS          float64 `yaml:"genex_min_tgo_s"`
	WaypointGain          float64 `yaml:"waypoint_gain"`
	WaypointMinTgoS       float64 `yaml:"waypoint_min_tgo_s"`
}

// Planner is the waypoint grid and its Markov decision process.
type Planner struct {
	Columns        int      `yaml:"columns"`
	Rows           int      `yaml:"rows"`
	SpacingKm      float64  `yaml:"spacing_km"`
	StartCell      [2]int   `yaml:"start_cell"` // column, row
	Moves          string   `yaml:"moves"`      // planner.PaperMoves or planner.EightMoves
	KeepOut        [][]int  `yaml:"keep_out"`   // column, row of a cell, or of two corners
	Goals          [][2]int `yaml:"goals"`      // column, row
	Rewards        Rewards  `yaml:"rewards"`
	RewardWeight   float64  `yaml:"reward_weight"`
	Discount       float64  `yaml:"discount"`
	Slip           float64  `yaml:"slip"`
	MaxTransitions int      `yaml:"max_transitions"`
	Tolerance      float64  `yaml:"tolerance"`
}

// Privacy is the guarantee, the calibration of the mechanism and the hand-over distance.
type Privacy struct {
	Epsilon     float64 `yaml:"epsilon"` // +Inf for the plan without noise
	Delta       float64 `yaml:"delta"`
	Adjacency   float64 `yaml:"adjacency"`
	Calibration string  `yaml:"calibration"` // Classical or Analytic
	HandoverKm  float64 `yaml:"handover_km"`
	SpreadKm    float64 `yaml:"handover_spread_km"`
	// OnReward, or the name of another mechanism, or of a method without a guarantee, or a command, see CommandOf
	Mechanism string `yaml:"mechanism"`
	// RewardRange is the ends of the interval that all rewards are known to lie in, or nothing: what the grid allows.
	RewardRange  []float64 `yaml:"reward_range"`
	RowAdjacency float64   `yaml:"row_adjacency"`
	RowUniform   float64   `yaml:"row_uniform"`
}

// FarthestHandoverKm is the largest distance from the target at which a flight is handed over, km.
func (p Privacy) FarthestHandoverKm() float64 { return p.HandoverKm + p.SpreadKm }

// DrawsGoal reports whether a mechanism draws a goal in place of the true one.
func (p Privacy) DrawsGoal() bool {
	return slices.ContainsFunc(privacy.GoalMechanisms(),
		func(m privacy.GoalMechanism) bool { return m.Name() == p.Mechanism })
}

// Deceives reports whether a method without a guarantee hides the destination: one of deception.Names.
func (p Privacy) Deceives() bool {
	_, deceives := deception.Find(p.Mechanism)
	return deceives
}

// Deception is the settings of the methods without a guarantee.
type Deception struct {
	Temperature float64  `yaml:"temperature"`
	Bogus       [][2]int `yaml:"bogus"` // column, row; none for the default bogus goal

	BogusDistance float64 `yaml:"bogus_distance"`

	ObserverTemperature float64 `yaml:"observer_temperature"`
	Detour              float64 `yaml:"detour"`
}

// Adversary is the observer and the rule by which it recognises the destination.
type Adversary struct {
	Observer         string  `yaml:"observer"` // one of adversary.Names, or a command, see CommandOf
	LambdaPerS       float64 `yaml:"lambda_per_s"`
	NoiseKm          float64 `yaml:"noise_km"`
	RadiusKm         float64 `yaml:"radius_km"`
	ConsecutiveSteps int     `yaml:"consecutive_steps"`
	Rule             string  `yaml:"rule"` // InARow or MustStay

	// The knowledge of an observer of the goal.
	Candidates   string `yaml:"candidates"` // see ParseCandidates
	Prior        string `yaml:"prior"`      // Uniform, or weights, see ParseWeights
	Policies     int    `yaml:"policies"`
	Training     int    `yaml:"training"`
	Epsilon      Belief `yaml:"epsilon"`
	RewardWeight Belief `yaml:"reward_weight"`
	Discount     Belief `yaml:"discount"`
}

// Sim is the integration and the end of a flight.
type Sim struct {
	StepS     float64 `yaml:"step_s"`
	CaptureKm float64 `yaml:"capture_km"`
	MaxTimeS  float64 `yaml:"max_time_s"`
}

// Exec is how commands of the user's are run.
type Exec struct {
	TimeoutS float64 `yaml:"timeout_s"` // of a request
}

// Study is the Monte Carlo experiment.
type Study struct {
	Epsilons []float64 `yaml:"epsilons"` // +Inf for the plan without noise
	Axis     Axis      `yaml:"axis"`
	Runs     int       `yaml:"runs"`
	Seed     uint64    `yaml:"seed"`
	Noise    string    `yaml:"noise"` // Common or Independent
	Workers  int       `yaml:"workers"`
}

// Example1 is the team of two-state agents of the paper's Example 1.
type Example1 struct {
	Agents      []int   `yaml:"agents"`
	Obedience   float64 `yaml:"obedience"`
	Discount    float64 `yaml:"discount"`
	GoalReward  float64 `yaml:"goal_reward"`
	OtherReward float64 `yaml:"other_reward"`
}

// Example2 is the team on a gridworld of the paper's Example 2.
type Example2 struct {
	Columns     int       `yaml:"columns"`
	Rows        int       `yaml:"rows"`
	SlipModel   string    `yaml:"slip_model"`
	Slip        float64   `yaml:"slip"`
	Discount    float64   `yaml:"discount"`
	GoalRewards []float64 `yaml:"goal_rewards"`
	OtherReward float64   `yaml:"other_reward"`
	StartCells  []int     `yaml:"start_cells"` // one per agent
}

// Values of the keys that are choices.
const (
	Waypoints   = "waypoints"
	TwoState    = "example1"
	Gridworld   = "example2"
	Classical   = "classical"
	Analytic    = "analytic"
	Common      = "common"
	Independent = "independent"
	LineOfSight = "line_of_sight"
	anyHeading  = "random"
	OnReward    = "reward"
	InARow      = "consecutive"
	MustStay    = "must_stay"
	Uniform     = "uniform"
	Actual      = "actual"
)

// Heading is the direction of the first velocity, which is horizontal: along the line of sight to the target,
// drawn for every flight, or Degrees counter-clockwise from east.
type Heading struct {
	LineOfSight bool
	Random      bool
	Degrees     float64 // 0 when LineOfSight or Random
}

// MarshalYAML writes line_of_sight, random or the number of degrees.
func (h Heading) MarshalYAML() (any, error) {
	switch {
	case h.LineOfSight:
		return LineOfSight, nil
	case h.Random:
		return anyHeading, nil
	}
	return h.Degrees, nil
}

// Belief is the value that an observer assumes for a setting; 0, which no setting can have, means the actual
// value.
type Belief float64

// Or returns the assumed value, or actual if there is none.
func (b Belief) Or(actual float64) float64 {
	if b == 0 {
		return actual
	}
	return float64(b)
}

// MarshalYAML writes actual or the number.
func (b Belief) MarshalYAML() (any, error) {
	if b == 0 {
		return Actual, nil
	}
	return float64(b), nil
}

// YAML returns all settings in the order of the schema, with every float64 exact. Loading the text gives the
// same Config.
func (c Config) YAML() []byte {
	return render(c.Texts(), schema, nil)
}

// Canonical returns the YAML of the settings that can influence the result of a study: all except those that
// the schema marks Unhashed (study.workers, and the paper's other examples).
func (c Config) Canonical() []byte {
	return render(c.Texts(), slices.DeleteFunc(slices.Clone(schema), func(f Field) bool { return f.Unhashed }), nil)
}

// SHA256 returns the hash of [Config.Canonical] in hexadecimal: equal for settings with equal results.
func (c Config) SHA256() string {
	sum := sha256.Sum256(c.Canonical())
	return hex.EncodeToString(sum[:])
}

// Validate checks every value and their combination, as [Load] does, for a Config made by a program. It joins
// one *[Error] per fault.
func (c Config) Validate() error {
	given, problems := readYAML(c.YAML(), func(int) string { return "" })
	_, wrong := newLayer(given, nil)
	problems = append(problems, wrong...)
	if len(problems) == 0 {
		problems = locate(c, nil, append(c.fitRewards(), c.conflicts()...))
	}
	return joinErrors(problems)
}

// Texts returns every value as YAML, by key.
func (c Config) Texts() map[string]string {
	texts := make(map[string]string, len(schema))
	for key, value := range c.values() {
		texts[key] = valueText(value)
	}
	return texts
}

// MarshalJSON writes the settings in the order of the schema, an epsilon without noise as "none".
func (c Config) MarshalJSON() ([]byte, error) { return groupJSON("", reflect.ValueOf(c)) }

// groupJSON writes the fields of a struct and of its groups.
func groupJSON(prefix string, group reflect.Value) (text []byte, err error) {
	for i := range group.NumField() {
		name, field := group.Type().Field(i).Tag.Get("yaml"), group.Field(i)
		var value []byte
		if _, setting := index[join(prefix, name)]; setting {
			value, err = json.Marshal(plainValue(field.Interface()))
		} else {
			value, err = groupJSON(join(prefix, name), field)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		text = fmt.Appendf(text, ",%q:%s", name, value)
	}
	text[0] = '{'
	return append(text, '}'), nil
}

// values returns the value of every key as for YAML and JSON: a text, a number, or a list of these.
func (c Config) values() map[string]any {
	values := make(map[string]any, len(schema))
	addValues(values, "", reflect.ValueOf(c))
	return values
}

// addValues adds the fields of a struct and of its groups.
func addValues(values map[string]any, prefix string, group reflect.Value) {
	for i := range group.NumField() {
		key, value := join(prefix, group.Type().Field(i).Tag.Get("yaml")), group.Field(i)
		if _, setting := index[key]; setting {
			values[key] = plainValue(value.Interface())
		} else {
			addValues(values, key, value)
		}
	}
}

// plainValue returns a value of a Config as for YAML and JSON: a text, a number, or a list of these.
func plainValue(value any) any {
	switch v := value.(type) {
	case yaml.Marshaler:
		inner, err := v.MarshalYAML()
		if err != nil {
			panic("configs: a setting does not encode: " + err.Error()) // all types of settings encode
		}
		value = inner
	case fmt.Stringer:
		return v.String()
	}
	if f, ok := value.(float64); ok && math.IsInf(f, 1) {
		return none
	}
	list := reflect.ValueOf(value)
	if kind := list.Kind(); kind != reflect.Slice && kind != reflect.Array {
		return value
	}
	items := make([]any, list.Len())
	for i := range items {
		items[i] = plainValue(list.Index(i).Interface())
	}
	return items
}

// otherWords are words with a meaning in YAML.
var otherWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// plainWord reports whether YAML needs no quotes for a text: a lower-case word without a meaning in YAML.
func plainWord(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == "" && text[0] != '_' &&
		!slices.Contains(otherWords, text)
}

// valueText writes a value like package yaml, which it calls for values that are neither numbers nor plain
// words.
func valueText(value any) string {
	switch v := value.(type) {
	case string:
		if plainWord(v) {
			return v
		}
	case float64:
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			return exactNumber(v)
		}
	case int:
		return strconv.Itoa(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = valueText(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		panic("configs: a setting does not encode: " + err.Error())
	}
	return nodeText(&node)
}
