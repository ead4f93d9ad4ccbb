package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

// LeakRequest is the request for a study of leakage. Lists are text, as on the command line.
type LeakRequest struct {
	Settings   *configs.Loaded `json:"-"`
	Observers  string          // names of observers of the goal
	Epsilons   string          // a list; none means no noise
	Against    []string        // other ways of hiding the goal: "key=value" or "key=value and key=value"
	Mechanisms string          // a list of NAME:EPSILON, which replaces Epsilons and Against unless it is empty
	Flights    int
	At, Radii  string // distances, km
	OwnGoal    bool   // all flights have the mission's goal
}

// Countermeasures returns the built-in countermeasures for LeakRequest.Against: diagonal moves, which hide the
// quadrant of the goal, a random heading at the start, a random hand-over distance, and all three.
func Countermeasures() []string {
	each := []string{"planner.moves=8", "vehicle.heading=random", "privacy.handover_spread_km=40"}
	return append(each, strings.Join(each, " and "))
}

// curveKm returns the requested distances flown and, for the curve, every 5 km.
func curveKm(atKm []float64) []float64 {
	const step, end = 5, 200
	all := slices.Clone(atKm)
	for km := 0.0; km <= max(end, slices.Max(atKm)); km += step {
		all = append(all, km)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// epsilonWays returns the settings at every epsilon, and every other way of hiding the goal at every epsilon.
func epsilonWays(ctx context.Context, b *setup.Builder, r LeakRequest) ([]leak.Way, error) {
	epsilons, err := parseEpsilonsOrNone(r.Epsilons)
	if err != nil {
		return nil, requestErrorf("{epsilons}: %w", err)
	}
	base, err := b.Way(ctx, r.Settings.Config)
	if err != nil {
		return nil, err
	}
	kinds := []leak.Way{base}
	for _, text := range r.Against {
		kinds[0].Name = "as set"
		var overrides []configs.Override
		for assignment := range strings.SplitSeq(text, " and ") {
			key, value, assigned := strings.Cut(strings.TrimSpace(assignment), "=")
			if !assigned {
				return nil, requestErrorf("{against} %s: want key=value, or several with \" and \" between them", text)
			}
			overrides = append(overrides, configs.Override{Key: key, Flag: "against", Value: value})
		}
		loaded, err := r.Settings.With(overrides...)
		if err != nil {
			return nil, err
		}
		way, err := b.Way(ctx, loaded.Config)
		if err != nil {
			return nil, err
		}
		way.Name = wayName(overrides)
		kinds = append(kinds, way)
	}
	return leak.Ways(epsilons, kinds...), nil
}

// wayName names a way after the settings that it changes.
func wayName(overrides []configs.Override) string {
	var names []string
	for _, o := range overrides {
		key := o.Key[strings.LastIndex(o.Key, ".")+1:]
		names = append(names, fmt.Sprintf("%s=%v", key, o.Value))
	}
	return strings.Join(names, " ")
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
		line, command := configs.CommandOf(name)
		if !command && !slices.Contains(field.Choices(), name) {
			return nil, requestErrorf("{mechanisms}: no mechanism is called %q; %s", name, nearestOf(name, field.Choices()))
		}
		epsilons, err := parseEpsilonsOrNone(text)
		if err != nil || len(epsilons) != 1 {
			return nil, requestErrorf("{mechanisms} %q: want NAME:EPSILON with a number from 1e-9 to 1e9, as in goal:0.5",
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
				m, err := b.Commands.Mechanism(line, settings.Exec.Timeout())
				if err != nil {
					return nil, requestErrorf("{mechanisms}: %w", err)
				}
				way.Name = m.Name()
			}
			known[name] = way
		}
		way.Epsilon = epsilons[0]
		if slices.ContainsFunc(ways, func(other leak.Way) bool {
			return other.Name == way.Name && other.Epsilon == way.Epsilon
		}) {
			return nil, requestErrorf("{mechanisms}: %s is listed twice; leave one out", item)
		}
		ways = append(ways, way)
	}
	return ways, nil
}

// nearestOf suggests a similar name, or lists all names.
func nearestOf(name string, names []string) string {
	if near := configs.NearestOf(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(names, ", ")
}

// SplitNames splits a list of names at its commas. A command, which begins with exec:, extends to the end of the list.
func SplitNames(list string) (names []string) {
	for more := true; more; {
		var name string
		if _, command := configs.CommandOf(strings.TrimSpace(list)); command {
			return append(names, strings.TrimSpace(list))
		}
		name, list, more = strings.Cut(list, ",")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// ParseObservers parses a list of observers.
func ParseObservers(list string) ([]string, error) {
	var names []string
	for _, name := range SplitNames(list) {
		if !slices.Contains(adversary.Names(), name) && !isCommand(name) {
			return nil, fmt.Errorf("no observer is called %q; %s", name, nearestOf(name, adversary.Names()))
		}
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("%s is listed twice; leave one out", name)
		}
		names = append(names, name)
	}
	return names, nil
}

// goalObservers parses a list of observers of the goal: built-in ones, the program's own, and a command at the end.
func (p *Program) goalObservers(list string, limit time.Duration) ([]adversary.GoalModel, error) {
	names := SplitNames(list)
	line, is := configs.CommandOf(names[len(names)-1])
	if !is {
		return parseGoalObservers(names, p.GoalObservers)
	}
	o, err := p.runs().Observer(line, limit)
	if err != nil {
		return nil, err
	}
	own := o.GoalModel(o.Hello.Name)
	names[len(names)-1] = own.Name
	return parseGoalObservers(names, append(slices.Clone(p.GoalObservers), own))
}

// parseGoalObservers returns the observers of the goal with some names: built-in ones, or those in own.
func parseGoalObservers(names []string, own []adversary.GoalModel) ([]adversary.GoalModel, error) {
	var models []adversary.GoalModel
	for _, name := range names {
		m, err := adversary.FindGoalModel(name)
		if i := slices.IndexFunc(own, func(m adversary.GoalModel) bool { return m.Name == name }); i >= 0 {
			m, err = own[i], nil
		}
		if err != nil {
			if slices.Contains(adversary.Names(), name) {
				return nil, option.Errorf("%q is not an observer of the goal: it predicts where flights end; use it with "+
					"veilpath study {observer} %s; the observers of the goal are %s", name, name,
					strings.Join(adversary.GoalNames(), ", "))
			}
			return nil, fmt.Errorf("no observer of the goal is called %q; %s", name, nearestOf(name, adversary.GoalNames()))
		}
		if slices.ContainsFunc(models, func(other adversary.GoalModel) bool { return other.Name == name }) {
			return nil, fmt.Errorf("%s is listed twice; leave one out", name)
		}
		models = append(models, m)
	}
	return models, nil
}

// parseEpsilonsOrNone parses epsilons, start:stop:step or a list, in which none means no noise.
func parseEpsilonsOrNone(list string) ([]float64, error) {
	items := strings.Split(list, ",")
	numbers := slices.DeleteFunc(slices.Clone(items),
		func(item string) bool { return strings.TrimSpace(item) == "none" })
	var epsilons []float64
	if len(numbers) > 0 {
		var err error
		if epsilons, err = configs.ParseRange(strings.Join(numbers, ",")); err != nil {
			return nil, err
		}
	}
	for _, e := range epsilons {
		if !(e >= 1e-9 && e <= 1e9) {
			return nil, fmt.Errorf("%v is out of range; want numbers from 1e-9 to 1e9, or none for no noise", e)
		}
	}
	if len(numbers) < len(items) {
		epsilons = append(epsilons, leak.Unprivate)
	}
	return epsilons, nil
}

// parseBits parses an amount of information, with or without a unit.
func parseBits(text string) (float64, error) {
	number := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(text), "s"), "bit")
	bits, err := configs.ParseNumber(strings.TrimSpace(number))
	if err != nil || !(bits >= 0 && bits <= 64) {
		return 0, fmt.Errorf("want bits from 0 to 64, such as 2bits")
	}
	return bits, nil
}

// parseKilometres parses nonnegative distances, with or without a unit: a list, or start:stop:step.
func parseKilometres(list string) ([]float64, error) {
	values, err := configs.ParseRange(strings.ReplaceAll(list, "km", ""))
	if err != nil {
		return nil, err
	}
	const most = 1e6
	for _, v := range values {
		if !(v >= 0 && v <= most) {
			return nil, fmt.Errorf("%v km is out of range; want 0 to %g km", v, most)
		}
	}
	return values, nil
}
