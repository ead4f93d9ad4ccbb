//go:build !js

package configs

import "github.com/spf13/viper"

// mergeLayers has viper choose the strongest layer of every key. The weakest layer holds viper's defaults and the
// strongest one its overrides; files and the environment between them are merged into its configuration. Viper is
// given the numbers of the layers, because it writes into the values that it is given.
func mergeLayers(layers []layer) (map[string]any, error) {
	v := viper.New()
	last := len(layers) - 1
	for i, l := range layers {
		numbers := make(map[string]any, len(l.values))
		for key := range l.values {
			switch numbers[key] = i; i {
			case 0:
				v.SetDefault(key, i)
			case last:
				v.Set(key, i)
			}
		}
		if 0 < i && i < last {
			if err := v.MergeConfigMap(numbers); err != nil {
				return nil, err
			}
		}
	}
	values := make(map[string]any, len(schema))
	for _, f := range schema {
		values[f.Key] = layers[v.GetInt(f.Key)].values[f.Key]
	}
	return values, nil
}
