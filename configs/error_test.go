package configs

import (
	"io/fs"
	"strings"
	"testing"
)

const (
	epsilonsAllowed = "different numbers as [0.2, 1, 4], 0.2,1,4 or start:stop:step, at most 10000, and with them all " +
		"from low to high as 0.2..4, each a number from 1e-9 to 1e9, or none"
	known    = "; allowed: the keys that 'veilpath config show' lists"
	document = "; allowed: one YAML document of keys in UTF-8, at most 1 MiB; write one 'key: value' per line, as " +
		"'veilpath config show' does"
	grid = "; enlarge planner.columns, planner.rows or planner.spacing_km, or move planner.start_cell"
)

// An error about a value names the key, the value, the flag, the problem, the accepted values and a remedy.
func TestBadSet(t *testing.T) {
	for set, want := range map[string]string{
		// Ranges: each end of each kind of interval.
		"privacy.epsilon=0":           "out of range; allowed: a number from 1e-9 to 1e9, or none" + such("1"),
		"privacy.delta=0.5":           "out of range; allowed: a number above 0, below 0.5" + such("0.01"),
		"privacy.delta=0":             "out of range; allowed: a number above 0, below 0.5" + such("0.01"),
		"planner.slip=1":              "out of range; allowed: a number from 0, below 1" + such("0"),
		"planner.slip=-0.1":           "out of range; allowed: a number from 0, below 1" + such("0"),
		"adversary.radius_km=0":       "out of range; allowed: a number above 0, up to 100000" + such("0.7"),
		"adversary.radius_km=1.1e5":   "out of range; allowed: a number above 0, up to 100000" + such("0.7"),
		"study.seed=-1":               "out of range; allowed: a whole number from 0 to 9007199254740991" + such("1"),
		"study.seed=9007199254740992": "out of range; allowed: a whole number from 0 to 9007199254740991" + such("1"),
		"study.runs=1e99":             "out of range; allowed: a whole number from 1 to 1000000000" + such("200"),

		// Lists.
		"study.epsilons=0.5,0":   "0 (value 2) is out of range; allowed: " + epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=1,2,1.0": "holds 1 twice; allowed: " + epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=[]":      "a list of length 0; allowed: " + epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=1,,2":    "value 2 is missing; allowed: " + epsilonsAllowed + such("0.2:4:0.2"),
		"vehicle.start_km=1,2": "a list of length 2; allowed: [east, north, up], each a number from -100000 to 100000" +
			such("[-200, -50, 10]"),
		"planner.goals=[[3, 4]": "not a list; allowed: [] or cells as [[3, 4], [10, 2]], each [column, row], each a whole " +
			"number from 0 to 999; set it to an allowed value",
		"planner.start_cell=[0, 7.5]": "7.5 (value 2) is not a whole number; allowed: [column, row], each a whole number " +
			"from 0 to 999" + such("[0, 7]"),

		// Words.
		"vehicle.heading=north": "not a decimal number; allowed: line_of_sight or a number from -360 to 360; vary draws it" +
			such("line_of_sight"),
		"adversary.epsilon=0": "out of range; allowed: actual or a number from 1e-9 to 1e9" + such("actual"),
		"privacy.calibration=exact": "not one of the choices; allowed: classical or analytic" +
			such("classical"),
		"study.noise=commmon": "not one of the choices; allowed: common or independent; did you mean common?",

		// No value is an example where the default is none.
		"planner.rewards=[1]": "row 1 is not a list as long as the others; allowed: none, FILE.csv, or a list of the " +
			"rows of cells from north to south, each a list of numbers or of one number for every move; " +
			"set it to an allowed value",

		// Types.
		"sim.step_s=NaN": "not a finite number; allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim.step_s=0,1": "not a decimal number; allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim.step_s=[1]": "a list, not a single value; allowed: a number from 1e-5 to 100" + such("0.1"),
		"study.runs=200.0000000000000000001": "not a whole number; allowed: a whole number from 1 to 1000000000" +
			such("200"),
	} {
		key, value, _ := strings.Cut(set, "=")
		expect(t, Request{Sets: []string{set}}, key+" = "+value+" (flag --set): "+want)
	}
	for set, want := range map[string]string{
		"sim.step_s=": "sim.step_s (flag --set): no value; allowed: a number from 1e-5 to 100" + such("0.1"),
		"study.runs=" + many("1", 100): "study.runs = " + many("1", 60) +
			"... (flag --set): not a decimal number; allowed: a whole number from 1 to 1000000000" + such("200"),
		"study.noise=\xffx\ny": "study.noise = \ufffdx y (flag --set): not one of the choices; allowed: common or " +
			"independent" + such("common"),
		"privacy.epsilon": "set = \"privacy.epsilon\": want a key and a value with = between them; allowed: key=value; " +
			"write for example set privacy.epsilon=1",
		"=1": "set = \"=1\": want a key and a value with = between them; allowed: key=value; write for example set " +
			"privacy.epsilon=1",
		"vehicle.speed=2": "vehicle.speed = 2 (flag --set): unknown key" + known + "; did you mean vehicle.speed_km_s?",
		"privacy.foo=2":   "privacy.foo = 2 (flag --set): unknown key" + known + "; use one of these",
	} {
		expect(t, Request{Sets: []string{set}}, want)
	}
}

// A combination that is impossible names the key that the user set.
func TestConflicts(t *testing.T) {
	const target = ", is outside the grid; allowed: columns 0 to 19, rows 0 to 19"
	level := "target_km=[0, 0, 9]"
	for _, test := range []struct {
		sets []string
		want string // of the first key; empty if nothing is wrong
	}{
		{[]string{"planner.columns=16"}, "planner.columns = 16 (flag --set): the target, nearest to column 16, row 11, is " +
			"outside the grid; allowed: columns 0 to 15, rows 0 to 19" + grid},
		{[]string{"planner.columns=17"}, ""},
		{[]string{"target_km=-210,-50,0"}, "target_km = [-210, -50, 0] (flag --set): the target, nearest to column -1, " +
			"row 7" + target + grid},
		{[]string{"planner.start_cell=0,20"}, "planner.start_cell = [0, 20] (flag --set): the start, column 0, row 20" +
			target + "; move it, or enlarge planner.columns and planner.rows"},
		{[]string{"planner.keep_out=[[3,4],[5,6,5,20]]"}, "planner.keep_out = [[3, 4], [5, 6, 5, 20]] (flag --set): the " +
			"keep-out area, column 5, row 20" + target + "; move it, or enlarge planner.columns and planner.rows"},
		{[]string{"planner.goals=[[20,3]]"}, "planner.goals = [[20, 3]] (flag --set): the goal, column 20, row 3" + target +
			"; move it, or enlarge planner.columns and planner.rows"},
		{[]string{"deception.bogus=[[3,20]]"}, "deception.bogus = [[3, 20]] (flag --set): the bogus goal, column 3, row 20" +
			target + "; move it, or enlarge planner.columns and planner.rows"},
		{[]string{"adversary.candidates=1:1,20:3"}, "adversary.candidates = 1:1,20:3 (flag --set): the candidate, column " +
			"20, row 3" + target + "; move it, or enlarge planner.columns and planner.rows"},
		{[]string{"planner.goals=[[3,4],[0,7]]"}, "planner.goals = [[3, 4], [0, 7]] (flag --set): the goal [0 7] is the " +
			"start, so there is nothing to plan; allowed: cells other than planner.start_cell; move the goal"},
		{[]string{"vehicle.start_km=3,3,10"}, "vehicle.start_km = [3, 3, 10] (flag --set): the waypoint nearest to the " +
			"target is the start, column 0, row 7, so there is nothing to plan; allowed: a target at least half a spacing " +
			"from the start, to the east, north, west or south; move target_km or vehicle.start_km, or reduce " +
			"planner.spacing_km"},
		{[]string{"privacy.mechanism=pi_d2", "planner.slip=0.1"}, "privacy.mechanism = pi_d2 (flag --set): the way pi_d2 " +
			"flies a path, and with planner.slip = 0.1 moves may lead elsewhere; allowed: planner.slip 0 for a way that " +
			"flies a path; set planner.slip to 0"},
		{[]string{"privacy.handover_spread_km=81"}, "privacy.handover_spread_km = 81 (flag --set): this setting is gone; " +
			"use vary, such as privacy.handover_km=uniform(40, 120)"},
		{[]string{"privacy.handover_spread_km=0"}, ""},

		// A flight has at least one step, and no more than a history holds.
		{[]string{"sim.max_time_s=0.05"}, "sim.max_time_s = 0.05 (flag --set): a flight may last 0.5 steps of 0.1 s; " +
			"allowed: sim.max_time_s from 1 to 20000000 times sim.step_s; change sim.step_s or sim.max_time_s"},
		{[]string{"sim.step_s=0.001"}, "sim.step_s = 0.001 (flag --set): a flight may last 3.6e+07 steps of 0.001 s; " +
			"allowed: sim.max_time_s from 1 to 20000000 times sim.step_s; change sim.step_s or sim.max_time_s"},
		{[]string{"sim.step_s=0.001", "sim.max_time_s=20000"}, ""},
		{[]string{"sim.step_s=0.5", "sim.max_time_s=0.5"}, ""},

		// Flights that can come as near to the target as ends them before their hand-over.
		{[]string{level, "sim.capture_km=20", "privacy.handover_km=30", "vary=privacy.handover_km=uniform(20,40)"},
			"sim.capture_km = 20 (flag --set): a flight ends at its closest approach within sim.capture_km = 20 of the " +
				"target, so it may end before its hand-over at 20 km; allowed: sim.capture_km below the smallest hand-over " +
				"distance; reduce sim.capture_km or raise privacy.handover_km"},
		{[]string{level, "sim.capture_km=20", "privacy.handover_km=30", "vary=privacy.handover_km=uniform(20.1,40)"}, ""},
		{[]string{"privacy.handover_km=4"}, ""}, // 10 km below the waypoints

		{[]string{"example2.start_cells=0,16"}, "example2.start_cells = [0, 16] (flag --set): cell 16 is outside the " +
			"gridworld; allowed: cells 0 to 15; move example2.start_cells or enlarge example2.columns and example2.rows"},
		{[]string{"example2.columns=32", "example2.rows=32"}, "example2.columns = 32 (flag --set): the joint reward of 2 " +
			"agents on 1024 cells has 2.62e+07 entries; allowed: at most 2000000 entries, (5 * cells)^agents; take fewer " +
			"agents or a smaller grid"},
		{[]string{"example2.start_cells=0,15,3", "example2.columns=5", "example2.rows=5"}, ""},
	} {
		expect(t, Request{Sets: test.sets}, test.want)
	}
}

func TestBadFile(t *testing.T) {
	for text, want := range map[string]string{
		// Keys and values, with their line.
		"# mine\n\nprivacy:\n  delta: 0.5\n": "privacy.delta = 0.5 (my.yaml:4): out of range; allowed: a number above 0, " +
			"below 0.5" + such("0.01"),
		"privacy:\n  epsilom: 2\n": "privacy.epsilom = 2 (my.yaml:2): unknown key" + known +
			"; did you mean privacy.epsilon?",
		"privcy:\n  epsilon: 2\n": "privcy = {...} (my.yaml:1): unknown key" + known + "; did you mean privacy?",
		"privacy: {epsilon: 1, epsilon: 1}\n": "privacy.epsilon = 1 (my.yaml:1): given twice, " +
			"first by my.yaml:1; allowed: each key once; remove one",
		"sim: {step_s: 0.1}\nsim.step_s: 0.1\n": "sim.step_s = 0.1 (my.yaml:2): given twice, first by my.yaml:1; " +
			"allowed: each key once; remove one",
		"privacy:\nsim: {step_s: 0.1}\n": "privacy (my.yaml:1): a group of keys without keys; allowed: its " +
			"keys, indented, below it; write its keys there, or remove it",
		"true: 2\n": "true = 2 (my.yaml:1): not the name of a key" + known + "; write a key there",
		"? [a, b]\n: 2\n": "[a, b] = 2 (my.yaml:1): not the name of a key" + known +
			"; write a key there",
		"sim: {step_s: \"0.1\"}\n": "sim.step_s = \"0.1\" (my.yaml:1): quoted or tagged text, not a " +
			"number; allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: ~}\n": "sim.step_s = ~ (my.yaml:1): no value; allowed: a number from 1e-5 " +
			"to 100" + such("0.1"),
		"sim: {step_s: {a: 1}}\n": "sim.step_s = {...} (my.yaml:1): a group of keys, not a value; " +
			"allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: &a 1, capture_km: *a}\n": "sim.capture_km = *a (my.yaml:1): a YAML alias; allowed: a number " +
			"above 0, up to 100000" + such("5"),
		"target_km: [1, [2], 3]\n": "target_km = [1, [2], 3] (my.yaml:1): [2] (value 2) is a list, not a single " +
			"value; allowed: [east, north, up], each a number from -100000 to 100000" + such("[0, 0, 0]"),

		// The file as a whole.
		"":                              "my.yaml:1: holds no keys" + document,
		"{}\n":                          "my.yaml:1: holds no keys" + document,
		"~\n":                           "my.yaml:1: holds no keys" + document,
		"- sim\n":                       "my.yaml:1: a value without a key" + document,
		"sim: {step_s: 1}\n---\nsim: 2": "my.yaml:2: a second YAML document begins" + document,
		"sim:\n  step_s: 1\n bad: 2\n":  "my.yaml:2: not YAML: did not find expected key" + document,
		"# a\nsim:\n  step_s: \xff\n":   "my.yaml:1: not YAML: invalid leading UTF-8 octet" + document,
		"#" + many(" ", 1<<20):          "my.yaml:1: longer than 1 MiB" + document,
	} {
		expect(t, Request{Config: "my.yaml", ReadFile: reading(text)}, want)
	}
}

func TestBadEnvironmentAndFlags(t *testing.T) {
	expect(t, Request{Environ: []string{"PATH=/bin", "VEILPATH_SIM_STEP_S=x"}},
		"sim.step_s = x (environment VEILPATH_SIM_STEP_S): not a decimal number; allowed: a number from 1e-5 to 100"+
			such("0.1"))
	expect(t, Request{Environ: []string{"VEILPATH_EPSILON=2"}},
		"VEILPATH_EPSILON = 2 (environment): unknown key"+known+"; did you mean VEILPATH_PRIVACY_EPSILON?")
	expect(t, Request{Overrides: []Override{{"study.epsilons", "epsilons", "1:0:1"}}},
		"study.epsilons = 1:0:1 (flag --epsilons): the step leads away from stop; allowed: "+epsilonsAllowed+
			such("0.2:4:0.2"))
	expect(t, Request{Sets: []string{"study.seed=1"}, Overrides: []Override{{"study.seed", "seed", 2}}},
		"study.seed = 2 (flag --seed): given twice, first by flag --set; allowed: each key once; remove one")
	// The setting that was changed last is the one named.
	expect(t, Request{Sets: []string{"planner.columns=10"}, Environ: []string{"VEILPATH_PLANNER_ROWS=15"}},
		"planner.columns = 10 (flag --set): the target, nearest to column 16, row 11, is outside the grid; allowed: "+
			"columns 0 to 9, rows 0 to 14"+grid)
}

func TestBadConfigName(t *testing.T) {
	const allowed = "; allowed: dense, example1, example2, paper, passage, quick, three-goals, the path of a YAML " +
		"file, or a folder of results; "
	expect(t, Request{Config: "quik"}, "config = quik: neither a preset nor a file"+allowed+"did you mean quick?")
	expect(t, Request{Config: "quik.yaml", ReadFile: reading("")},
		"config = quik.yaml: neither a preset nor a file"+allowed+"check the path")
	deep := many("a folder/", 100) + "my.yaml" // the end of a path says which file it is
	expect(t, Request{Config: deep, ReadFile: func(path string) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}}, "config = "+deep+": not readable, permission denied"+allowed+"name a file that can be read")
}

// All that is wrong is told at once, one line each: the file line by line, the environment by name, the flags in turn.
func TestAllErrorsAtOnceInOrder(t *testing.T) {
	expect(t, Request{
		Config: "my.yaml", ReadFile: reading("sim:\n  step_s: 0\n  nonsense: 1\nstudy:\n  runs: 0\n"),
		Environ: []string{"VEILPATH_STUDY_SEED=x", "VEILPATH_PLANNER_SLIP=2"},
		Sets:    []string{"sede=1", "sim.step_s=0.1"},
	}, strings.Join([]string{
		"sim.step_s = 0 (my.yaml:2): out of range; allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim.nonsense = 1 (my.yaml:3): unknown key" + known + "; use one of these",
		"study.runs = 0 (my.yaml:5): out of range; allowed: a whole number from 1 to 1000000000" + such("200"),
		"planner.slip = 2 (environment VEILPATH_PLANNER_SLIP): out of range; allowed: a number from 0, below 1" + such("0"),
		"study.seed = x (environment VEILPATH_STUDY_SEED): not a decimal number; allowed: a whole number from 0 to " +
			"9007199254740991" + such("1"),
		"sede = 1 (flag --set): unknown key" + known + "; did you mean study.seed?",
	}, "\n"))
}

// expect checks the error of a request; an empty text expects none.
func expect(t *testing.T, r Request, want string) {
	t.Helper()
	_, err := Load(r)
	switch {
	case err == nil && want != "":
		t.Errorf("no error, want %s", want)
	case err != nil && err.Error() != want:
		t.Errorf("\ngot  %s\nwant %s", err, want)
	}
}

// such is the advice of an error about a single value.
func such(fallback string) string {
	return "; set it to an allowed value, such as " + fallback
}

func many(text string, times int) string { return strings.Repeat(text, times) }
