package configs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/go-viper/mapstructure/v2"
)

// A layer is the checked values of one source.
type layer struct {
	values  map[string]any // by key
	origins map[string]string
}

// with returns the layer with more values, each checked by itself against the schema.
func (l layer) with(found []entry, read fileReader) (layer, []*Error) {
	more := layer{values: map[string]any{}, origins: map[string]string{}}
	maps.Copy(more.values, l.values)
	maps.Copy(more.origins, l.origins)
	return more, more.add(found, read)
}

// removed has what replaces settings that are gone. Their default was 0.
var removed = map[string]string{
	"privacy.handover_spread_km": "use vary, such as privacy.handover_km=uniform(40, 120)",
}

func (l layer) add(found []entry, read fileReader) (problems []*Error) {
	for _, e := range found {
		i := slices.Index(keys, e.key)
		first, twice := l.origins[e.key]
		switch {
		case i < 0 && removed[e.key] != "" && nodeText(e.node) == "0":
			continue // finished studies list all settings that there were
		case i < 0 && removed[e.key] != "":
			problems = append(problems, e.wrong().because("this setting is gone", "", removed[e.key]))
			continue
		case i < 0:
			problems = append(problems, unknownKey(e.wrong(), Nearest(e.key)))
			continue
		case twice:
			problems = append(problems, e.wrong().because("given twice, first by "+first, "each key once", "remove one"))
			continue
		}
		l.origins[e.key] = e.origin
		value, problem := schema[i].parse(e.node)
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
		if list, ok := value.(epsilonList); ok {
			// A list of epsilons without a range removes that of weaker layers, but not one that this layer sets.
			value = list.values
			named := l.origins[axisKey] != "" ||
				slices.ContainsFunc(found, func(e entry) bool { return e.key == axisKey })
			if list.axis.Whole() || !named {
				problems = append(problems, l.add([]entry{{key: axisKey, node: scalar(list.axis.String()), origin: e.origin}},
					nil)...)
			}
		}
		l.values[e.key] = value
	}
	return problems
}

// merge merges the layers, weakest first, into a Config.
func merge(layers []layer) (c Config, err error) {
	values, err := mergeLayers(layers)
	for _, f := range schema {
		field := reflect.ValueOf(&c).Elem().FieldByIndex(f.index)
		if err == nil {
			err = mapstructure.Decode(values[f.Key], field.Addr().Interface())
		}
		if err != nil {
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
