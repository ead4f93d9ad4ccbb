//go:build !js

package configs

import (
	"slices"

	"github.com/spf13/viper"
)

// layered has viper lay the layers over each other. It gets lists of its own, since it writes into those it is
// given and layers are shared by settings that are made at the same time.
func layered(layers []layer) (map[string]any, error) {
	v := viper.New()
	for i, l := range layers {
		switch {
		case i == 0:
			for key, value := range l.values {
				v.SetDefault(key, unshared(value))
			}
		case i == len(layers)-1:
			for key, value := range l.values {
				v.Set(key, unshared(value))
			}
		default:
			if err := v.MergeConfigMap(nested(l.unshared())); err != nil {
				return nil, err
			}
		}
	}
	return v.AllSettings(), nil
}

// unshared returns the values of a layer with lists of their own.
func (l layer) unshared() map[string]any {
	values := make(map[string]any, len(l.values))
	for key, value := range l.values {
		values[key] = unshared(value)
	}
	return values
}

// unshared returns a value that shares no list with the one given.
func unshared(value any) any {
	if list, ok := value.([]any); ok {
		list = slices.Clone(list)
		for i := range list {
			list[i] = unshared(list[i])
		}
		return list
	}
	return value
}
