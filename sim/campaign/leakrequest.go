package campaign

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

// LeakRequest is the request for a study of leakage. Lists are text, as on the command line. Counts asks for several
// flights to one goal.
type LeakRequest struct {
	Settings   *configs.Loaded `json:"-"`
	Observers  string          // names of observers of the goal
	Epsilons   string          // a list; none means no noise
	Against    []string        // other ways of hiding the goal: "key=value" or "key=value and key=value"
	Mechanisms string          // a list of NAME:EPSILON, which replaces Epsilons and Against unless it is empty
	Flights    int
	At, Radii  string // distances, km
	OwnGoal    bool   // all flights have the mission's goal
	Counts     string // a list of numbers of flights to one goal; Flights is then the number of drawn goals
}

// Countermeasures returns the built-in countermeasures for LeakRequest.Against: diagonal moves, which hide the
// quadrant of the goal, a random heading at the start, a random hand-over distance, and all three.
func Countermeasures() []string {
	const moves, heading, handover = "planner.moves=8", "vehicle.heading=uniform(-180,180)",
		"privacy.handover_km=uniform(40,120)"
	return []string{moves, "vary=" + heading, "vary=" + handover, moves + " and vary=" + heading + "," + handover}
}

// fitted returns the request with its missing distances. The usual ones are for missions of 100 km and more; on shorter
// ones they are half of the way, the radius of the observer, and the spacing of the waypoints once and twice.
func (r LeakRequest) fitted() LeakRequest {
	const usualWayKm = 100
	c := r.Settings.Config
	radii := []float64{0.7, 12.5, 25}
	if c.DirectKm() < usualWayKm {
		radii = []float64{c.Adversary.RadiusKm, c.Planner.SpacingKm, 2 * c.Planner.SpacingKm}
	}
	if r.Mechanisms != "" {
		radii = radii[2:]
	}
	slices.Sort(radii)
	r.At = cmp.Or(r.At, fmt.Sprintf("%.2gkm", min(usualWayKm, c.DirectKm())/2))
	if r.Radii == "" {
		r.Radii = strings.Trim(strings.ReplaceAll(fmt.Sprint(slices.Compact(radii)), " ", ","), "[]")
	}
	return r
}

// curveKm returns the requested distances flown and, for the curve, at least 40 at equal steps up to the distance from
// the start to the target, or to the largest requested one: every 5 km up to 205 km in the paper's mission. A step is
// 1, 2 or 5 times a power of ten.
func curveKm(atKm []float64, missionKm float64) []float64 {
	const steps = 40
	end := max(missionKm, slices.Max(atKm))
	exponent := int(math.Floor(math.Log10(end / steps)))
	power, step := math.Pow10(exponent), 1.0
	for _, s := range []float64{2, 5} {
		if s*power <= end/steps {
			step = s
		}
	}
	all := slices.Clone(atKm)
	for i := 0.0; ; i++ {
		km := i * step * power
		if exponent < 0 {
			km = i * step / math.Pow10(-exponent) // without the rounding of the power
		}
		if km > end {
			break
		}
		all = append(all, km)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// epsilonWays returns the settings at every epsilon, and every other way of hiding the goal at every epsilon.
func epsilonWays(ctx context.Context, b *setup.Builder, r LeakRequest) ([]leak.Way, error) {
	epsilons, err := ParseEpsilonsOrNone(r.Epsilons)
	if err != nil {
		return nil, RequestErrorf("{epsilons}: %w", err)
	}
	base, err := b.Way(ctx, r.Settings.Config)
	if err != nil {
		return nil, err
	}
	kinds := []leak.Way{base}
	for _, text := range r.Against {
		kinds[0].Name = "as set"
		var overrides []configs.Override
		var names []string // settings that the way changes, without their groups
		for assignment := range strings.SplitSeq(text, " and ") {
			key, value, assigned := strings.Cut(strings.TrimSpace(assignment), "=")
			if !assigned {
				return nil, RequestErrorf("{against} %s: want key=value, or several with \" and \" between them", text)
			}
			overrides = append(overrides, configs.Override{Key: key, Flag: "against", Value: value})
			if key != "vary" {
				names = append(names, key[strings.LastIndex(key, ".")+1:]+"="+value)
			}
		}
		loaded, err := r.Settings.With(overrides...)
		if err != nil {
			return nil, err
		}
		if strings.Contains(text, "vary=") {
			for _, v := range loaded.Vary {
				names = append(names, v.Key[strings.LastIndex(v.Key, ".")+1:]+" varies")
			}
		}
		way, err := b.Way(ctx, loaded.Config)
		if err != nil {
			return nil, err
		}
		way.Name = strings.Join(names, " ")
		kinds = append(kinds, way)
	}
	return leak.Ways(epsilons, kinds...), nil
}

// cutEpsilon splits NAME:EPSILON at its last colon; a command may contain others.
func cutEpsilon(item string) (name, epsilon string) {
	i := strings.LastIndex(item, ":")
	if i < 0 || item[:i+1] == configs.CommandMark {
		return item, ""
	}
	return item[:i], item[i+1:]
}

// mechanismWays parses a list of NAME:EPSILON, of which the last may be exec:COMMAND:EPSILON.
func mechanismWays(ctx context.Context, b *setup.Builder, settings *configs.Loaded, list string) ([]leak.Way, error) {
	field, _ := configs.Lookup("privacy.mechanism")
	known := map[string]leak.Way{}
	var ways []leak.Way
	for _, item := range SplitNames(list) {
		name, text := cutEpsilon(item)
		_, command := configs.CommandOf(name)
		if !command && !slices.Contains(field.Choices(), name) {
			return nil, RequestErrorf("{mechanisms}: no mechanism is called %q; %s", name, NearestOf(name,
				field.Choices()))
		}
		epsilons, err := ParseEpsilonsOrNone(text)
		if err != nil || len(epsilons) != 1 {
			return nil, RequestErrorf("{mechanisms} %q: want NAME:EPSILON with a number from 1e-9 to 1e9, as in "+
				"goal:0.5",
				item)
		}
		way, made := known[name]
		if !made {
			loaded, err := settings.With(configs.Override{Key: "privacy.mechanism", Flag: "mechanisms", Value: name})
			if err != nil {
				return nil, err
			}
			if way, err = b.Way(ctx, loaded.Config); err != nil {
				return nil, err
			}
			way.Name = name
			if command {
				way.Name = way.World.Mechanism.Name()
			}
			known[name] = way
		}
		way.Epsilon = epsilons[0]
		if slices.ContainsFunc(ways, func(other leak.Way) bool {
			return other.Name == way.Name && other.Epsilon == way.Epsilon
		}) {
			return nil, RequestErrorf("{mechanisms}: %s is listed twice; leave one out", item)
		}
		ways = append(ways, way)
	}
	return ways, nil
}
