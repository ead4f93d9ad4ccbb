package configs

import (
	"fmt"
	"maps"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"go.yaml.in/yaml/v3"
)

// A layer is the checked values of one source.
type layer struct {
	values  map[string]any // by key
	origins map[string]string
}

// newLayer checks each value on its own against the schema.
func newLayer(found []given) (layer, []*Error) { return layer{}.with(found) }

// with returns the layer with more values, each checked on its own against the schema.
func (l layer) with(found []given) (layer, []*Error) {
	more := layer{values: map[string]any{}, origins: map[string]string{}}
	maps.Copy(more.values, l.values)
	maps.Copy(more.origins, l.origins)
	problems := more.add(found)
	return more, problems
}

func (l layer) add(found []given) (problems []*Error) {
	var listed given    // the epsilons
	var axis *yaml.Node // the range among them
	for _, g := range found {
		i, known := index[g.key]
		if !known {
			problems = append(problems, unknown(g.wrong(), Nearest(g.key)))
			continue
		}
		if first, twice := l.origins[g.key]; twice {
			at := g.wrong()
			at.Problem, at.Allowed, at.Fix = "given twice, first by "+first, "each key once", "remove one of them"
			problems = append(problems, at)
			continue
		}
		l.origins[g.key] = g.origin
		asked, problem := g, ""
		if g.key == epsilonsKey {
			if g.node, axis, problem = splitEpsilons(g.node); problem == "" {
				listed = g
			}
		}
		var value any
		if problem == "" {
			value, problem = schema[i].domain.parse(g.node)
		}
		if problem != "" {
			at := asked.wrong()
			at.Problem, at.Allowed = problem, schema[i].Allowed()
			at.Fix = "set it to an allowed value, such as the default " + described()[i].Default
			problems = append(problems, at)
			continue
		}
		if g.file != nil {
			r := value.(Rewards)
			r.file = g.file
			value = r
		}
		l.values[g.key] = value
	}
	if listed.key != "" {
		problems = append(problems, l.addAxis(listed, axis)...)
	}
	return problems
}

// addAxis adds the range of epsilon that was among the epsilons listed: none where there was none and the layer
// gives no other.
func (l layer) addAxis(listed given, axis *yaml.Node) (problems []*Error) {
	if _, given := l.origins[axisKey]; given && axis == nil {
		return nil
	}
	if axis == nil {
		axis = textNode(none)
	}
	return l.add([]given{{key: axisKey, node: axis, origin: listed.origin}})
}

// merge lays the layers over each other, the first as defaults, the last as overrides.
func merge(layers []layer) (Config, error) {
	var c Config
	settings, err := layered(layers)
	if err != nil {
		return Config{}, fmt.Errorf("configs: layering: %w", err)
	}
	decoder, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{TagName: "yaml", ErrorUnused: true,
		ErrorUnset: true, Result: &c})
	if err == nil {
		err = decoder.Decode(settings)
	}
	if err != nil {
		return Config{}, fmt.Errorf("configs: layering: %w", err)
	}
	return c, nil
}

// overlaid lays flat layers over each other.
func overlaid(layers []layer) map[string]any {
	values := map[string]any{}
	for _, l := range layers {
		maps.Copy(values, l.values)
	}
	return nested(values)
}

// nested turns "group.name" keys into maps of maps.
func nested(values map[string]any) map[string]any {
	tree := map[string]any{}
	for key, value := range values {
		group, name, grouped := strings.Cut(key, ".")
		if !grouped {
			tree[key] = value
			continue
		}
		if tree[group] == nil {
			tree[group] = map[string]any{}
		}
		maps.Copy(tree[group].(map[string]any), map[string]any{name: value})
	}
	return tree
}
