//go:build !js

package configs

import "github.com/spf13/viper"

// mergeLayers sets the values of all layers, weakest first: viper keeps the value set last.
func mergeLayers(layers []layer) map[string]any {
	v := viper.New()
	for _, l := range layers {
		for key, value := range l.values {
			v.Set(key, value)
		}
	}
	values := make(map[string]any, len(schema))
	for _, f := range schema {
		values[f.Key] = v.Get(f.Key)
	}
	return values
}
