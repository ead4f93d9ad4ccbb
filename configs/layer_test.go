package configs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A page lays its layers without viper, and must come to the same settings.
func TestPageLayersAsEveryoneElse(t *testing.T) {
	layers, problems := Request{
		Config:  "quick",
		Environ: []string{"VEILPATH_PRIVACY_EPSILON=0.7", "VEILPATH_VEHICLE_START_KM=[1, 2, 3]"},
		Sets:    []string{"privacy.epsilon=0.9", "study.epsilons=[1, 2]", "vehicle.heading=12"},
	}.layers()
	if len(problems) > 0 {
		t.Fatal(joinErrors(problems))
	}
	if d := cmp.Diff(mergeLayers(layers), mergeMaps(layers)); d != "" {
		t.Errorf("viper's settings and the page's (-viper +page):\n%s", d)
	}
}
