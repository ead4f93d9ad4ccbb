//go:build !js

package configs

import "github.com/spf13/viper"

// layered has viper lay the layers over each other: what is set later wins.
func layered(layers []layer) map[string]any {
	v := viper.New()
	for _, l := range layers {
		for key, value := range l.values {
			v.Set(key, value)
		}
	}
	return v.AllSettings()
}
