//go:build !js

package configs

import "github.com/spf13/viper"

// layered has viper lay the layers over each other.
func layered(layers []layer) (map[string]any, error) {
	v := viper.New()
	for i, l := range layers {
		switch {
		case i == 0:
			for key, value := range l.values {
				v.SetDefault(key, value)
			}
		case i == len(layers)-1:
			for key, value := range l.values {
				v.Set(key, value)
			}
		default:
			if err := v.MergeConfigMap(nested(l.values)); err != nil {
				return nil, err
			}
		}
	}
	return v.AllSettings(), nil
}
