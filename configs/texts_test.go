package configs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Texts given as settings come back as they were, whatever has to be quoted in them.
func TestTextsAreSettings(t *testing.T) {
	for _, request := range []Request{
		{Config: "passage"}, {Config: "three-goals"}, {Config: "example2"},
		{Sets: []string{"adversary.candidates=beyond 180", "adversary.prior=1,2,3", "vehicle.heading=12.5",
			`planner.moves="8"`}},
	} {
		want, err := Load(request)
		if err != nil {
			t.Fatal(err)
		}
		var sets []string
		for key, text := range want.Config.Texts() {
			if key != "study.axis" { // which the epsilons say
				sets = append(sets, key+"="+text)
			}
		}
		got, err := Load(Request{Sets: sets})
		if err != nil {
			t.Errorf("%v: %v", request, err)
			continue
		}
		got.Config.Study.Axis = want.Config.Study.Axis
		if d := cmp.Diff(want.Config, got.Config); d != "" {
			t.Errorf("%v (-want +got):\n%s", request, d)
		}
	}
}
