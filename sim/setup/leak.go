package setup

import (
	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// Leak returns the mission that the settings describe as one whose goal is secret. For a problem that nothing flies
// it is a *[configs.Error].
func Leak(c configs.Config) (leak.Setting, error) {
	if err := flies(c); err != nil {
		return leak.Setting{}, err
	}
	return leak.Setting{Scenario: scenario(c), Spec: spec(c), Mechanism: mechanism(c)}, nil
}

func mechanism(c configs.Config) study.Mechanism {
	return study.Mechanism{
		Calibration: privacy.Calibration(c.Privacy.Calibration),
		Delta:       c.Privacy.Delta,
		Adjacency:   c.Privacy.Adjacency,
	}
}
