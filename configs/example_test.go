package configs_test

import (
	"fmt"
	"strings"

	"veilpath/configs"
)

func ExampleLoad() {
	loaded, err := configs.Load(configs.Request{
		Config:    "quick",
		Environ:   []string{"VEILPATH_ADVERSARY_RADIUS_KM=1.5"},
		Sets:      []string{"planner.slip=0.1"},
		Overrides: []configs.Override{{Key: "study.epsilons", Flag: "epsilons", Value: "0.5:2:0.5"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(loaded.Study.Epsilons, loaded.Study.Runs)
	for _, key := range []string{"study.epsilons", "planner.slip", "adversary.radius_km", "study.runs", "sim.step_s"} {
		fmt.Println(key, "from", loaded.Origin(key))
	}
	// Output:
	// [0.5 1 1.5 2] 50
	// study.epsilons from flag --epsilons
	// planner.slip from flag --set
	// adversary.radius_km from environment VEILPATH_ADVERSARY_RADIUS_KM
	// study.runs from preset quick
	// sim.step_s from preset paper
}

func ExampleLoad_errors() {
	_, err := configs.Load(configs.Request{Sets: []string{"privacy.delta=0.7", "privacy.epsilom=1"}})
	fmt.Println(strings.ReplaceAll(err.Error(), "; allowed", ";\n  allowed"))
	// Output:
	// privacy.delta = 0.7 (flag --set): out of range;
	//   allowed: a number above 0, below 0.5; set it to an allowed value, such as 0.01
	// privacy.epsilom = 1 (flag --set): unknown key;
	//   allowed: the keys that 'veilpath config show' lists; did you mean privacy.epsilon?
}

func ExampleParseRange() {
	values, err := configs.ParseRange("0.2:1:0.2")
	fmt.Println(values, err)
	// Output: [0.2 0.4 0.6 0.8 1] <nil>
}

func ExampleLookup() {
	field, _ := configs.Lookup("adversary.radius_km")
	fmt.Println(field.Default, field.Unit)
	fmt.Println(field.Facts())
	// Output:
	// 0.7 km
	// Unit: km. Allowed: a number above 0, up to 100000. Default: 0.7, the paper's.
}

func ExampleLoaded_Commented() {
	loaded, _ := configs.Load(configs.Request{Sets: []string{"adversary.radius_km=1.5"}})
	text := string(loaded.Commented())
	from := strings.Index(text, "  # Radius")
	to := strings.Index(text, "  # Number of right")
	fmt.Print(text[from:to])
	// Output:
	//   # Radius rho of the ball round the target in which a prediction counts as right.
	//   # Unit: km. Allowed: a number above 0, up to 100000. Default: 0.7, the paper's.
	//   radius_km: 1.5 # flag --set
}
