package setup

import (
	"veilpath/configs"
	"veilpath/sim/leak"
)

// Leak returns the mission that the settings describe as one whose goal is secret. For a problem that nothing flies
// it is a *[configs.Error].
func Leak(c configs.Config) (leak.Setting, error) {
	if err := flies(c); err != nil {
		return leak.Setting{}, err
	}
	return leak.Setting{Scenario: scenario(c), Spec: spec(c), Guarantee: Guarantee(c)}, nil
}
