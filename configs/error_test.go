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

func TestBadSet(t *testing.T) {
	for set, want := range map[string]string{
		// Ranges.
		"privacy.epsilon=0": "privacy.epsilon = 0 (flag --set): out of range; allowed: a number from 1e-9 " +
			"to 1e9, or none" + such("1"),
		"privacy.delta=0.5": "privacy.delta = 0.5 (flag --set): out of range; allowed: a number above 0, " +
			"below 0.5" + such("0.01"),
		"privacy.delta=0": "privacy.delta = 0 (flag --set): out of range; allowed: a number above 0, " +
			"below 0.5" + such("0.01"),
		"planner.discount=1": "planner.discount = 1 (flag --set): out of range; allowed: a number above 0, " +
			"below 1" + such("0.95"),
		"planner.discount=0": "planner.discount = 0 (flag --set): out of range; allowed: a number above 0, " +
			"below 1" + such("0.95"),
		"planner.slip=1": "planner.slip = 1 (flag --set): out of range; allowed: a number from 0, below 1" + such("0"),
		"adversary.radius_km=0": "adversary.radius_km = 0 (flag --set): out of range; allowed: a number above " +
			"0, up to 100000" + such("0.7"),
		"adversary.radius_km=-0.7": "adversary.radius_km = -0.7 (flag --set): out of range; allowed: a number " +
			"above 0, up to 100000" + such("0.7"),
		"study.seed=-1": "study.seed = -1 (flag --set): out of range; allowed: a whole number from 0 " +
			"to 9007199254740991" + such("1"),
		"study.seed=9007199254740992": "study.seed = 9007199254740992 (flag --set): out of range; allowed: a whole " +
			"number from 0 to 9007199254740991" + such("1"),
		"study.runs=0": "study.runs = 0 (flag --set): out of range; allowed: a whole number from 1 to " +
			"1000000000" + such("200"),
		"study.runs=1e99": "study.runs = 1e99 (flag --set): out of range; allowed: a whole number from 1 " +
			"to 1000000000" + such("200"),
		"study.epsilons=0.5,0": "study.epsilons = 0.5,0 (flag --set): 0 (value 2) is out of range; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=1:20000:1": "study.epsilons = 1:20000:1 (flag --set): more than 10000 values; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=1,2,1.0": "study.epsilons = 1,2,1.0 (flag --set): holds 1.0 twice; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=[]": "study.epsilons = [] (flag --set): a list of length 0; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=0:1:0.5": "study.epsilons = 0:1:0.5 (flag --set): 0 (value 1) is out of range; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),
		"study.epsilons=1:2": "study.epsilons = 1:2 (flag --set): 2 numbers between colons, not 3; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),
		"vehicle.start_km=1,2": "vehicle.start_km = 1,2 (flag --set): a list of length 2; allowed: [east, " +
			"north, up], each a number from -100000 to 100000" + such("[-200, -50, 10]"),
		"planner.start_cell=[0, 7.5]": "planner.start_cell = [0, 7.5] (flag --set): 7.5 (value 2) is not a whole " +
			"number; allowed: [column, row], each a whole number from 0 to 999" + such("[0, 7]"),
		"vehicle.heading=400": "vehicle.heading = 400 (flag --set): out of range; allowed: line_of_sight or " +
			"random or a number from -360 to 360" + such("line_of_sight"),
		"vehicle.heading=north": "vehicle.heading = north (flag --set): not a decimal number; allowed: " +
			"line_of_sight or random or a number from -360 to 360" + such("line_of_sight"),
		"privacy.calibration=exact": "privacy.calibration = exact (flag --set): not one of the choices; allowed: " +
			"classical or analytic" + such("classical"),
		"adversary.observer=Ballistic": "adversary.observer = Ballistic (flag --set): not one of the choices; " +
			"allowed: ballistic or constant_velocity or constant_velocity_ground or impact_time or filtered or " +
			"handover_circle or geometry or cost_difference or moves or rational or mechanism or " +
			"progress or learned or heading or exec:COMMAND; did you mean ballistic?",
		"study.epsilons=1,," + many("2", 9): "study.epsilons = 1,,222222222 (flag --set): value 2 is missing; allowed: " +
			epsilonsAllowed + such("0.2:4:0.2"),

		// Types.
		"sim.step_s=NaN": "sim.step_s = NaN (flag --set): not a finite number; allowed: a number from " +
			"1e-5 to 100" + such("0.1"),
		"sim.step_s=-Inf": "sim.step_s = -Inf (flag --set): not a finite number; allowed: a number from " +
			"1e-5 to 100" + such("0.1"),
		"sim.step_s=1e999": "sim.step_s = 1e999 (flag --set): not a finite number; allowed: a number " +
			"from 1e-5 to 100" + such("0.1"),
		"planner.slip=1e-999": "planner.slip = 1e-999 (flag --set): too small to be distinguished from 0; allowed: a " +
			"number from 0, below 1" + such("0"),
		"sim.step_s=fast": "sim.step_s = fast (flag --set): not a decimal number; allowed: a number " +
			"from 1e-5 to 100" + such("0.1"),
		"sim.step_s=0x1p-3": "sim.step_s = 0x1p-3 (flag --set): not a decimal number; allowed: a number " +
			"from 1e-5 to 100" + such("0.1"),
		"sim.step_s=0,1": "sim.step_s = 0,1 (flag --set): not a decimal number; allowed: a number from " +
			"1e-5 to 100" + such("0.1"),
		"sim.step_s=[1]": "sim.step_s = [1] (flag --set): a list, not a single value; allowed: a " +
			"number from 1e-5 to 100" + such("0.1"),
		"sim.step_s=": "sim.step_s (flag --set): no value; allowed: a number from 1e-5 to 100" +
			such("0.1"),
		"study.runs=200.5": "study.runs = 200.5 (flag --set): not a whole number; allowed: a whole " +
			"number from 1 to 1000000000" + such("200"),
		"study.runs=200.0000000000000000001": "study.runs = 200.0000000000000000001 (flag --set): not a whole number; " +
			"allowed: a whole number from 1 to 1000000000" + such("200"),
		"study.runs=010": "study.runs = 010 (flag --set): not a decimal number; allowed: a whole number from " +
			"1 to 1000000000" + such("200"),
		"study.runs=" + many("1", 100): "study.runs = " + many("1", 60) +
			"... (flag --set): not a decimal number; allowed: a whole number from 1 to 1000000000" + such("200"),
		"study.noise=com\nmon": "study.noise = com mon (flag --set): not one of the choices; allowed: common or independent" +
			"; did you mean common?",
		"study.noise=\xff": "study.noise = \ufffd (flag --set): not one of the choices; allowed: common or independent" +
			such("common"),

		// Keys.
		"privacy.epsilon": "set = \"privacy.epsilon\": want a key and a value with = between them; allowed: key=value; " +
			"write for example set privacy.epsilon=1",
		"=1": "set = \"=1\": want a key and a value with = between them; allowed: key=value; write for example " +
			"set privacy.epsilon=1",
		"epsilon=1":         "epsilon = 1 (flag --set): unknown key" + known + "; did you mean privacy.epsilon?",
		"Privacy.Epsilon=1": "Privacy.Epsilon = 1 (flag --set): unknown key" + known + "; did you mean privacy.epsilon?",
		"privacy=1":         "privacy = 1 (flag --set): unknown key" + known + "; did you mean privacy.epsilon?",

		// Values that do not fit together.
		"planner.columns=10": "planner.columns = 10 (flag --set): the target, nearest to column 16, row 11, is " +
			"outside the grid; allowed: columns 0 to 9, rows 0 to 19" + grid,
		"planner.spacing_km=5": "planner.spacing_km = 5 (flag --set): the target, nearest to column 40, row 17, is " +
			"outside the grid; allowed: columns 0 to 19, rows 0 to 19" + grid,
		"target_km=0,-150,0": "target_km = [0, -150, 0] (flag --set): the target, nearest to column 16, row -1, is " +
			"outside the grid; allowed: columns 0 to 19, rows 0 to 19" + grid,
		"planner.rows=11": "planner.rows = 11 (flag --set): the target, nearest to column 16, row 11, is outside " +
			"the grid; allowed: columns 0 to 19, rows 0 to 10" + grid,
		"planner.columns=16": "planner.columns = 16 (flag --set): the target, nearest to column 16, row 11, is " +
			"outside the grid; allowed: columns 0 to 15, rows 0 to 19" + grid,
		"target_km=-210,-50,0": "target_km = [-210, -50, 0] (flag --set): the target, nearest to column -1, row 7, is " +
			"outside the grid; allowed: columns 0 to 19, rows 0 to 19" + grid,
		"planner.start_cell=0,20": "planner.start_cell = [0, 20] (flag --set): the start, column 0, row 20, is outside " +
			"the grid; allowed: columns 0 to 19, rows 0 to 19; move planner.start_cell or enlarge planner.columns and " +
			"planner.rows",
		"planner.rows=5": "planner.rows = 5 (flag --set): the start, column 0, row 7, is outside the grid; " +
			"allowed: columns 0 to 19, rows 0 to 4; move planner.start_cell or enlarge planner.columns and planner.rows",
		"vehicle.start_km=3,3,10": "vehicle.start_km = [3, 3, 10] (flag --set): the waypoint nearest to the target is the " +
			"start, column 0, row 7, so there is nothing to plan; allowed: a target at least half a spacing from the start, " +
			"to the east, north, west or south; move target_km or vehicle.start_km, or reduce planner.spacing_km",
		"planner.spacing_km=10000": "planner.spacing_km = 10000 (flag --set): the waypoint nearest to the target is the " +
			"start, column 0, row 7, so there is nothing to plan; allowed: a target at least half a spacing from the start, " +
			"to the east, north, west or south; move target_km or vehicle.start_km, or reduce planner.spacing_km",
	} {
		expect(t, Request{Sets: []string{set}}, want)
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
		"foo:\n  epsilon: 2\n":    "foo = {...} (my.yaml:1): unknown key" + known + "; use one of these",
		"epsilon: 2\n": "epsilon = 2 (my.yaml:1): unknown key" + known +
			"; did you mean privacy.epsilon?",
		"privacy: {epsilon: 1, epsilon: 1}\n": "privacy.epsilon = 1 (my.yaml:1): given twice, " +
			"first in line 1; allowed: each key once; remove one",
		"sim: {step_s: 1}\nprivacy: {delta: 0.1}\nsim: {capture_km: 1}\n": "sim = {...} (my.yaml:3): given twice, first in " +
			"line 1; allowed: each key once; remove one",
		"sim: {step_s: 0.1}\nsim.step_s: 0.1\n": "sim.step_s = 0.1 (my.yaml:2): given twice, first in line 1; " +
			"allowed: each key once; remove one",
		"privacy: 3\n": "privacy = 3 (my.yaml:1): a group of keys without keys; allowed: its " +
			"keys, indented, below it; write its keys there, or remove it",
		"privacy:\nsim: {step_s: 0.1}\n": "privacy (my.yaml:1): a group of keys without keys; allowed: its " +
			"keys, indented, below it; write its keys there, or remove it",
		"1: 2\n": "1 = 2 (my.yaml:1): not the name of a key" + known +
			"; write a key there",
		"? [a, b]\n: 2\n": "[a, b] = 2 (my.yaml:1): not the name of a key" + known +
			"; write a key there",
		"sim: {step_s: \"0.1\"}\n": "sim.step_s = \"0.1\" (my.yaml:1): quoted or tagged text, not a " +
			"number; allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: !!float 1}\n": "sim.step_s = 1 (my.yaml:1): quoted or tagged text, not a number; " +
			"allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: .inf}\n": "sim.step_s = .inf (my.yaml:1): not a finite number; allowed: a " +
			"number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: .nan}\n": "sim.step_s = .nan (my.yaml:1): not a finite number; allowed: a " +
			"number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: yes}\n": "sim.step_s = yes (my.yaml:1): not a decimal number; allowed: a " +
			"number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: ~}\n": "sim.step_s = ~ (my.yaml:1): no value; allowed: a number from 1e-5 " +
			"to 100" + such("0.1"),
		"sim: {step_s: {a: 1}}\n": "sim.step_s = {...} (my.yaml:1): a group of keys, not a value; " +
			"allowed: a number from 1e-5 to 100" + such("0.1"),
		"sim: {step_s: &a 1, capture_km: *a}\n": "sim.capture_km = *a (my.yaml:1): a YAML alias; allowed: a number " +
			"above 0, up to 100000" + such("5"),
		"sim: &s\n  step_s: 0.1\nstudy:\n  <<: *s\n": "<< = *s (my.yaml:4): not the name of a key" + known +
			"; write a key there",
		"study: {runs: 1_000}\n": "study.runs = 1_000 (my.yaml:1): not a decimal number; allowed: a whole " +
			"number from 1 to 1000000000" + such("200"),
		"target_km: [1, [2], 3]\n": "target_km = [1, [2], 3] (my.yaml:1): [2] (value 2) is a list, not a single " +
			"value; allowed: [east, north, up], each a number from -100000 to 100000" + such("[0, 0, 0]"),
		"study: {epsilons: [1, 0.2:4:0.2]}\n": "study.epsilons = [1, 0.2:4:0.2] (my.yaml:1): 0.2:4:0.2 (value 2) is " +
			"not a decimal number; allowed: " + epsilonsAllowed + such("0.2:4:0.2"),
		"planner: {columns: 5}\n": "planner.columns = 5 (my.yaml:1): the target, nearest to column 16, row 11, is " +
			"outside the grid; allowed: columns 0 to 4, rows 0 to 19" + grid,

		// The file as a whole.
		"":                              "my.yaml:1: holds no keys" + document,
		"# only a comment\n":            "my.yaml:1: holds no keys" + document,
		"{}\n":                          "my.yaml:1: holds no keys" + document,
		"~\n":                           "my.yaml:1: holds no keys" + document,
		"hello\n":                       "my.yaml:1: a value without a key" + document,
		"- sim\n":                       "my.yaml:1: a value without a key" + document,
		"sim: {step_s: 1}\n---\nsim: 2": "my.yaml:2: a second YAML document begins" + document,
		"sim:\n  step_s: 1\n bad: 2\n":  "my.yaml:2: not YAML: did not find expected key" + document,
		"sim: [1\n":                     "my.yaml:1: not YAML: did not find expected ',' or ']'" + document,
		"\tsim: 1\n":                    "my.yaml:1: not YAML: found character that cannot start any token" + document,
		"# a\nsim:\n  step_s: \xff\n":   "my.yaml:3: not UTF-8 text" + document,
		"s\x00i\x00m\x00":               "my.yaml:1: not YAML: control characters are not allowed" + document,
		"#" + many(" ", 1<<20):          "my.yaml:1: longer than 1 MiB" + document,
	} {
		expect(t, Request{Config: "my.yaml", ReadFile: reading(text)}, want)
	}
}

func TestBadEnvironmentAndFlags(t *testing.T) {
	expect(t, Request{Environ: []string{"PATH=/bin", "VEILPATH_SIM_STEP_S=x"}},
		"sim.step_s = x (environment VEILPATH_SIM_STEP_S): not a decimal number; allowed: a number from 1e-5 to 100"+
			such("0.1"))
	expect(t, Request{Environ: []string{"VEILPATH_PRIVACY_EPSILN=2"}},
		"VEILPATH_PRIVACY_EPSILN = 2 (environment): unknown key"+known+"; did you mean VEILPATH_PRIVACY_EPSILON?")
	expect(t, Request{Environ: []string{"VEILPATH_EPSILON=2"}},
		"VEILPATH_EPSILON = 2 (environment): unknown key"+known+"; did you mean VEILPATH_PRIVACY_EPSILON?")
	expect(t, Request{Overrides: []Override{{"study.epsilons", "epsilons", "1:0:1"}}},
		"study.epsilons = 1:0:1 (flag --epsilons): the step leads away from stop; allowed: "+epsilonsAllowed+
			such("0.2:4:0.2"))
	expect(t, Request{Overrides: []Override{{"study.seed", "seed", -4}}},
		"study.seed = -4 (flag --seed): out of range; allowed: a whole number from 0 to 9007199254740991"+such("1"))
	expect(t, Request{Sets: []string{"study.seed=1"}, Overrides: []Override{{"study.seed", "seed", 2}}},
		"study.seed = 2 (flag --seed): given twice, first by flag --set; allowed: each key once; remove one")
	expect(t, Request{Sets: []string{"study.seed=1", "study.seed=1"}},
		"study.seed = 1 (flag --set): given twice, first by flag --set; allowed: each key once; remove one")
	// The setting that was changed last is the one named.
	expect(t, Request{Sets: []string{"planner.columns=10"}, Environ: []string{"VEILPATH_PLANNER_ROWS=15"}},
		"planner.columns = 10 (flag --set): the target, nearest to column 16, row 11, is outside the grid; allowed: "+
			"columns 0 to 9, rows 0 to 14"+grid)
}

func TestBadConfigName(t *testing.T) {
	const allowed = "; allowed: dense, example1, example2, paper, passage, quick, three-goals, the path of a YAML " +
		"file, or a folder of results; "
	expect(t, Request{Environ: []string{"VEILPATH_FOO=2"}},
		"VEILPATH_FOO = 2 (environment): unknown key"+known+"; use one of these")
	expect(t, Request{Sets: []string{"vehicle.speed=2"}},
		"vehicle.speed = 2 (flag --set): unknown key"+known+"; did you mean vehicle.speed_km_s?")
	expect(t, Request{Config: "quik"}, "config = quik: neither a preset nor a file"+allowed+"did you mean quick?")
	expect(t, Request{Config: "mine"}, "config = mine: neither a preset nor a file"+allowed+"use one of these")
	expect(t, Request{Config: "quik.yaml", ReadFile: reading("")},
		"config = quik.yaml: neither a preset nor a file"+allowed+"check the path")
	refused := func(path string) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	expect(t, Request{Config: "my.yaml", ReadFile: refused},
		"config = my.yaml: not readable, permission denied"+allowed+"name a file that can be read")
	deep := many("a folder/", 100) + "my.yaml" // the end of a path says which file it is
	expect(t, Request{Config: deep, ReadFile: refused},
		"config = "+deep+": not readable, permission denied"+allowed+"name a file that can be read")
	expect(t, Request{Config: many("x", 5000)}, "config = "+many("x", 4096)+"...: neither a preset nor a file"+allowed+
		"use one of these")
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

func expect(t *testing.T, r Request, want string) {
	t.Helper()
	_, err := Load(r)
	if err == nil {
		t.Errorf("no error, want %s", want)
	} else if err.Error() != want {
		t.Errorf("\ngot  %s\nwant %s", err, want)
	}
}

// such is the advice of an error about a single value.
func such(fallback string) string {
	return "; set it to an allowed value, such as " + fallback
}

func many(text string, times int) string { return strings.Repeat(text, times) }
