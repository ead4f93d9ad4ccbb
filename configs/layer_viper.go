//go:build !js

package configs

import "github.com/spf13/viper"

// mergeLayers has viper choose the strongest value of every key. The weakest layer holds viper's defaults and the
// strongest one its overrides; files and the environment between them are merged into its configuration.
func mergeLayers(layers []layer) (map[string]any, error) {
	v := viper.New()
	last := len(layers) - 1
	for key, value := range layers[0].values {
		v.SetDefault(key, value)
	}
	for _, l := range layers[1:last] {
		if err := v.MergeConfigMap(l.values); err != nil {
			return nil, err
		}
	}
	for key, value := range layers[last].values {
		v.Set(key, value)
	}
	values := make(map[string]any, len(schema))
	for _, f := range schema {
		values[f.Key] = v.Get(f.Key)
	}
	return values, nil
}
