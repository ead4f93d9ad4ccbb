package configs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// Texts are what package yaml makes of the whole.
func TestTextsAreThoseOfYAML(t *testing.T) {
	for _, sets := range [][]string{
		nil,
		{"privacy.epsilon=1e-9", "privacy.delta=1e-300", "vehicle.heading=12.5", "study.seed=9007199254740991"},
		{"vehicle.heading=random", "study.epsilons=[1, 2]", "adversary.candidates=beyond 180", "adversary.prior=1,2,3",
			"target_km=[1e-7, -0.1, 90000]"},
		{"planner.keep_out=[[3, 4], [5, 6, 7, 8]]", "planner.goals=[[1, 2]]", "adversary.epsilon=2",
			"study.epsilons=0.2..4,1"},
		{"adversary.candidates=16:11,3:4", "example1.agents=[2]", "example2.goal_rewards=[0.1, 1e-30]"},
	} {
		c, err := Load(Request{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		var root yaml.Node
		if err := root.Encode(c.Config); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		var walk func(prefix string, n *yaml.Node)
		walk = func(prefix string, n *yaml.Node) {
			if n.Kind != yaml.MappingNode {
				want[prefix] = nodeText(n)
				return
			}
			for i := 0; i+1 < len(n.Content); i += 2 {
				walk(join(prefix, n.Content[i].Value), n.Content[i+1])
			}
		}
		walk("", &root)
		if d := cmp.Diff(want, c.Texts()); d != "" {
			t.Errorf("%q: yaml's and ours (-yaml +ours):\n%s", sets, d)
		}
	}
}

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
