package configs

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/go-viper/mapstructure/v2"
	"go.yaml.in/yaml/v3"
)

// A layer is the checked values of one source.
type layer struct {
	values  map[string]any // by key
	origins map[string]string
}

// newLayer checks each value by itself against the schema.
func newLayer(found []entry, read fileReader) (layer, []*Error) { return layer{}.with(found, read) }

// with returns the layer with more values, each checked by itself against the schema.
func (l layer) with(found []entry, read fileReader) (layer, []*Error) {
	more := layer{values: map[string]any{}, origins: map[string]string{}}
	maps.Copy(more.values, l.values)
	maps.Copy(more.origins, l.origins)
	problems := more.add(found, read)
	return more, problems
}

func (l layer) add(found []entry, read fileReader) (problems []*Error) {
	var listed entry    // the epsilons
	var axis *yaml.Node // the range in their list
	for _, e := range found {
		i, known := index[e.key]
		first, twice := l.origins[e.key]
		switch {
		case !known:
			problems = append(problems, unknownKey(e.wrong(), Nearest(e.key)))
			continue
		case twice:
			problems = append(problems, e.wrong().because("given twice, first by "+first, "each key once", "remove one"))
			continue
		}
		l.origins[e.key] = e.origin
		node, problem := e.node, ""
		if e.key == epsilonsKey {
			if node, axis, problem = splitEpsilons(node); problem == "" {
				listed = e
			}
		}
		var value any
		if problem == "" {
			value, problem = schema[i].parse(node)
		}
		if problem != "" {
			problems = append(problems, schema[i].unfit(e.wrong(), problem))
			continue
		}
		if r, ok := value.(Rewards); ok && r.name != "" {
			var wrong *Error
			if value, wrong = r.withFile(read, e.wrong()); wrong != nil {
				problems = append(problems, wrong)
				continue
			}
		}
		l.values[e.key] = value
	}
	// A list of epsilons without a range removes the range, unless the layer sets one.
	if _, given := l.origins[axisKey]; listed.key == "" || given && axis == nil {
		return problems
	}
	if axis == nil {
		axis = scalar(none)
	}
	return append(problems, l.add([]entry{{key: axisKey, node: axis, origin: listed.origin}}, nil)...)
}

// merge merges the layers, weakest first, into a Config.
func merge(layers []layer) (c Config, err error) {
	values := mergeLayers(layers)
	for _, f := range schema {
		field := reflect.ValueOf(&c).Elem().FieldByIndex(f.index)
		if err := mapstructure.Decode(values[f.Key], field.Addr().Interface()); err != nil {
			return Config{}, fmt.Errorf("configs: layering %s: %w", f.Key, err)
		}
	}
	return c, nil
}

// mergeMaps merges layers by key; a stronger layer replaces the values of a weaker one.
func mergeMaps(layers []layer) map[string]any {
	values := map[string]any{}
	for _, l := range layers {
		maps.Copy(values, l.values)
	}
	return values
}
