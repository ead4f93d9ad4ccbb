package configs

import (
	"bytes"
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
	"veilpath/sim/vary"
)

// Config is one checked set of settings. Its fields have the units in their keys. The tags are the schema, see
// [Schema]: yaml is the name of the key, unit its unit, allow the accepted values as domainOf reads them, from who
// chose the default (ours if it is absent), and unhashed marks what no result of a study depends on. YAML and JSON
// use the names of the keys.
type Config struct {
	Problem   string     `yaml:"problem" allow:"waypoints|example1|example2" unhashed:"true"`
	Vehicle   Vehicle    `yaml:"vehicle"`
	TargetKm  [3]float64 `yaml:"target_km" unit:"km" allow:"position"`
	Vary      Varied     `yaml:"vary" allow:"vary"`
	Guidance  Guidance   `yaml:"guidance"`
	Planner   Planner    `yaml:"planner"`
	Privacy   Privacy    `yaml:"privacy"`
	Deception Deception  `yaml:"deception"`
	Adversary Adversary  `yaml:"adversary"`
	Sim       Sim        `yaml:"sim"`
	Exec      Exec       `yaml:"exec" unhashed:"true"`
	Study     Study      `yaml:"study"`
	Example1  Example1   `yaml:"example1" unhashed:"true"`
	Example2  Example2   `yaml:"example2" unhashed:"true"`
}

// Vehicle is the point mass and its start.
type Vehicle struct {
	SpeedKmS       float64    `yaml:"speed_km_s" unit:"km/s" allow:"(0, 100]"`
	AccelLimitKmS2 float64    `yaml:"accel_limit_km_s2" unit:"km/s^2" allow:"(0, 100]"`
	StartKm        [3]float64 `yaml:"start_km" unit:"km" allow:"position" from:"paper"`
	Heading        Heading    `yaml:"heading" unit:"degrees" allow:"heading"`
}

// Guidance is the steering on a waypoint leg and, with GENEX, to the target.
type Guidance struct {
	GenexN                float64 `yaml:"genex_n" unit:"1" allow:"[0, 10]"`
	TerminalSteepeningDeg float64 `yaml:"terminal_steepening_deg" unit:"degrees" allow:"[-90, 90]"`
	GenexMinTgoS          float64 `yaml:"genex_min_tgo_s" unit:"s" allow:"(0, 1000]"`
	WaypointGain          float64 `yaml:"waypoint_gain" unit:"1" allow:"(0, 100]"`
	WaypointMinTgoS       float64 `yaml:"waypoint_min_tgo_s" unit:"s" allow:"(0, 1000]"`
}

// Planner is the waypoint grid and its Markov decision process. Cells are column, row.
type Planner struct {
	Columns        int      `yaml:"columns" unit:"waypoints" allow:"[1, 1000]" from:"paper"`
	Rows           int      `yaml:"rows" unit:"waypoints" allow:"[1, 1000]" from:"paper"`
	SpacingKm      float64  `yaml:"spacing_km" unit:"km" allow:"[1e-3, 1e4]"`
	StartCell      [2]int   `yaml:"start_cell" unit:"1" allow:"cell"`
	Moves          string   `yaml:"moves" allow:"paper|8" from:"paper"` // planner.PaperMoves or planner.EightMoves
	KeepOut        [][]int  `yaml:"keep_out" unit:"1" allow:"areas"`    // a cell, or two corners
	Goals          [][2]int `yaml:"goals" unit:"1" allow:"cells"`
	Rewards        Rewards  `yaml:"rewards" unit:"reward" allow:"rewards"`
	RewardWeight   float64  `yaml:"reward_weight" unit:"1" allow:"[0, 1e6]"`
	Discount       float64  `yaml:"discount" unit:"1" allow:"(0, 1)"`
	Slip           float64  `yaml:"slip" unit:"probability" allow:"[0, 1)"`
	MaxTransitions int      `yaml:"max_transitions" unit:"waypoints" allow:"[1, 1e6]"`
	Tolerance      float64  `yaml:"tolerance" unit:"reward" allow:"[1e-12, 1]"`
}

// Privacy is the guarantee, the calibration of the mechanism and the hand-over distance.
type Privacy struct {
	Epsilon     float64 `yaml:"epsilon" unit:"1" allow:"epsilon"` // +Inf for the plan without noise
	Delta       float64 `yaml:"delta" unit:"probability" allow:"(0, 0.5)"`
	Adjacency   float64 `yaml:"adjacency" unit:"reward" allow:"(0, 1e6]"`
	Calibration string  `yaml:"calibration" allow:"classical|analytic" from:"paper"`
	HandoverKm  float64 `yaml:"handover_km" unit:"km" allow:"(0, 1e5]" from:"paper"`
	// OnReward, or the name of another mechanism, or of a method without a guarantee, or a command, see CommandOf
	Mechanism string `yaml:"mechanism" allow:"mechanism" from:"paper"`
	// RewardRange is the ends of the interval that all rewards are known to lie in, or nothing: what the grid allows.
	RewardRange  []float64 `yaml:"reward_range" unit:"reward" allow:"range"`
	RowAdjacency float64   `yaml:"row_adjacency" unit:"probability" allow:"(0, 2]"`
	RowUniform   float64   `yaml:"row_uniform" unit:"probability" allow:"(0, 1)"`
}

// FarthestHandoverKm is the largest distance from the target at which a flight is expected to be handed over, km.
func (c Config) FarthestHandoverKm() float64 {
	return vary.FarthestHandoverKm(c.Privacy.HandoverKm, c.Vary)
}

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
	Temperature         float64  `yaml:"temperature" unit:"reward" allow:"[1e-3, 1e6]"`
	Bogus               [][2]int `yaml:"bogus" unit:"1" allow:"cells"` // none for the default bogus goal
	BogusDistance       float64  `yaml:"bogus_distance" unit:"1" allow:"[0.1, 100]"`
	ObserverTemperature float64  `yaml:"observer_temperature" unit:"reward" allow:"[1e-3, 1e6]"`
	Detour              float64  `yaml:"detour" unit:"1" allow:"[0, 100]"`
}

// Adversary is the observer, the rule by which it recognises the destination, and what an observer of the goal knows.
type Adversary struct {
	Observer         string  `yaml:"observer" allow:"observer" from:"paper"` // a name, or a command, see CommandOf
	LambdaPerS       float64 `yaml:"lambda_per_s" unit:"1/s" allow:"[0, 1000]" from:"paper"`
	NoiseKm          float64 `yaml:"noise_km" unit:"km" allow:"[0, 1e5]"`
	RadiusKm         float64 `yaml:"radius_km" unit:"km" allow:"(0, 1e5]" from:"paper"`
	ConsecutiveSteps int     `yaml:"consecutive_steps" unit:"steps" allow:"[1, 1e6]" from:"paper"`
	Rule             string  `yaml:"rule" allow:"consecutive|must_stay" from:"paper"`
	Candidates       string  `yaml:"candidates" allow:"candidates"` // see ParseCandidates
	Prior            string  `yaml:"prior" allow:"weights"`         // see ParseWeights
	Policies         int     `yaml:"policies" unit:"policies" allow:"[1, 1e6]"`
	Training         int     `yaml:"training" unit:"flights" allow:"[1, 1e6]"`
	Epsilon          Belief  `yaml:"epsilon" unit:"1" allow:"[1e-9, 1e9]"`
	RewardWeight     Belief  `yaml:"reward_weight" unit:"1" allow:"(0, 1e6]"`
	Discount         Belief  `yaml:"discount" unit:"1" allow:"(0, 1)"`
}

// Sim is the integration and the end of a flight.
type Sim struct {
	StepS     float64 `yaml:"step_s" unit:"s" allow:"[1e-5, 100]"`
	CaptureKm float64 `yaml:"capture_km" unit:"km" allow:"(0, 1e5]"`
	MaxTimeS  float64 `yaml:"max_time_s" unit:"s" allow:"(0, 1e6]"`
}

// Exec is how commands of the user's are run.
type Exec struct {
	TimeoutS float64 `yaml:"timeout_s" unit:"s" allow:"(0, 1e6]"` // of a request
}

// Study is the Monte Carlo experiment.
type Study struct {
	Epsilons []float64 `yaml:"epsilons" unit:"1" allow:"epsilons" from:"paper"` // +Inf for the plan without noise
	Axis     Axis      `yaml:"axis" unit:"1" allow:"axis"`
	Runs     int       `yaml:"runs" unit:"flights" allow:"[1, 1e9]" from:"paper"`
	Seed     uint64    `yaml:"seed" unit:"1" allow:"[0, 9007199254740991]"` // JSON readers keep up to 2^53-1 exactly
	Noise    string    `yaml:"noise" allow:"common|independent"`
	// HiddenUntilKm is the distance of the share of flights that stay hidden until it; 0 chooses it.
	HiddenUntilKm float64 `yaml:"hidden_until_km" unit:"km" allow:"[0, 100000]"`
	Workers       int     `yaml:"workers" unit:"workers" allow:"[0, 4096]" unhashed:"true"`
}

// Example1 is the team of two-state agents of the paper's Example 1. No flight depends on it, or on Example2. The
// paper does not state all of their settings; the defaults come nearest to its figures.
type Example1 struct {
	Agents      []int   `yaml:"agents" unit:"agents" allow:"agents" from:"paper"`
	Obedience   float64 `yaml:"obedience" unit:"probability" allow:"[0, 1]"`
	Discount    float64 `yaml:"discount" unit:"1" allow:"(0, 1)"`
	GoalReward  float64 `yaml:"goal_reward" unit:"reward" allow:"[-1e6, 1e6]" from:"paper"`
	OtherReward float64 `yaml:"other_reward" unit:"reward" allow:"[-1e6, 1e6]" from:"paper"`
}

// Example2 is the team on a gridworld of the paper's Example 2.
type Example2 struct {
	Columns     int       `yaml:"columns" unit:"cells" allow:"[1, 32]" from:"paper"`
	Rows        int       `yaml:"rows" unit:"cells" allow:"[1, 32]" from:"paper"`
	SlipModel   string    `yaml:"slip_model" allow:"slip"`
	Slip        float64   `yaml:"slip" unit:"probability" allow:"[0, 1)" from:"paper"`
	Discount    float64   `yaml:"discount" unit:"1" allow:"(0, 1)"`
	GoalRewards []float64 `yaml:"goal_rewards" unit:"reward" allow:"goal rewards" from:"paper"`
	OtherReward float64   `yaml:"other_reward" unit:"reward" allow:"[-1e6, 1e6]" from:"paper"`
	StartCells  []int     `yaml:"start_cells" unit:"1" allow:"start cells"` // one per agent
}

// Values of the keys that are choices.
const (
	Waypoints   = "waypoints"
	TwoState    = "example1"
	Gridworld   = "example2"
	Analytic    = "analytic"
	Independent = "independent"
	LineOfSight = "line_of_sight"
	OnReward    = "reward"
	MustStay    = "must_stay"
	Uniform     = "uniform"
	Actual      = "actual"
)

// Heading is the direction of the first velocity, which is horizontal: along the line of sight to the target, or
// Degrees counter-clockwise from east.
type Heading struct {
	LineOfSight bool
	Degrees     float64 // 0 when LineOfSight
}

// MarshalYAML writes line_of_sight or the number of degrees.
func (h Heading) MarshalYAML() (any, error) {
	if h.LineOfSight {
		return LineOfSight, nil
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

// Texts returns every value as YAML, by key.
func (c Config) Texts() map[string]string {
	texts := make(map[string]string, len(schema))
	for key, value := range c.values() {
		texts[key] = valueText(value)
	}
	return texts
}

// MarshalJSON writes the settings in the order of the schema, an epsilon without noise as "none".
func (c Config) MarshalJSON() ([]byte, error) {
	values := c.values()
	var text []byte
	group := ""
	for _, f := range schema {
		if g := f.Group(); g != group {
			if group != "" {
				text = append(text, '}')
			}
			if group = g; g != "" {
				text = fmt.Appendf(text, ",%q:{", g)
			}
		}
		value, err := json.Marshal(values[f.Key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Key, err)
		}
		if n := len(text); n > 0 && text[n-1] != '{' {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", lastPart(f.Key), value)
	}
	return fmt.Appendf(nil, "{%s}}", text), nil // the last key is in a group
}

// values returns the value of every key as for YAML and JSON: a text, a number, or a list of these.
func (c Config) values() map[string]any {
	values := make(map[string]any, len(schema))
	for _, f := range schema {
		values[f.Key] = plainValue(reflect.ValueOf(c).FieldByIndex(f.index).Interface())
	}
	return values
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

// valueText writes a value as YAML on one line, with numbers in full precision.
func valueText(value any) string {
	switch v := value.(type) {
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
			if text, is := item.(string); is && strings.ContainsAny(text, ",[]") {
				items[i] = strconv.Quote(text)
			}
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		panic("configs: a setting does not encode: " + err.Error())
	}
	return nodeText(&node)
}

// render writes settings as YAML in the order of the fields; with origin, it adds comments that explain them.
func render(texts map[string]string, fields []Field, origin func(key string) string) []byte {
	var out bytes.Buffer
	group := ""
	for _, f := range fields {
		if g := f.Group(); g != group {
			if group = g; g != "" {
				fmt.Fprintf(&out, "%s:\n", g)
			}
		}
		indent := ""
		if group != "" {
			indent = "  "
		}
		if origin != nil {
			out.WriteString(comment(f, indent))
		}
		fmt.Fprintf(&out, "%s%s: %s", indent, lastPart(f.Key), texts[f.Key])
		if origin != nil {
			fmt.Fprintf(&out, " # %s", strings.Map(printable, origin(f.Key)))
		}
		out.WriteString("\n")
	}
	return out.Bytes()
}

// comment returns the comment lines above a key: its meaning, then unit, range and source.
func comment(f Field, indent string) string {
	const width = 100 // characters per line
	var out strings.Builder
	for _, sentence := range []string{f.Meaning, f.Facts()} {
		line := indent + "#"
		for word := range strings.FieldsSeq(sentence) {
			if len(line)+1+len(word) > width {
				out.WriteString(line + "\n")
				line = indent + "#"
			}
			line += " " + word
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
