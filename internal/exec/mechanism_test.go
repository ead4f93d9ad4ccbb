package exec

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

var guarantee = privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: privacy.Classical}

// mission returns a small mission.
func mission(t testing.TB) *planner.Mission {
	t.Helper()
	spec := planner.Spec{Columns: 9, Rows: 7, SpacingKm: 10, StartCell: planner.Cell{Column: 0, Row: 3}, RewardWeight: 2,
		Discount: 0.9, Tolerance: 1e-9}
	m, err := planner.NewMission(spec, r3.Vec{Z: 10}, r3.Vec{X: 70, Y: 10})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// plan asks a mechanism for a plan of a run.
func plan(t testing.TB, m planner.Mechanism, of *planner.Mission, run uint64) (planner.Plan, error) {
	t.Helper()
	p, err := planner.NewPlanner(of.Solved, nil)
	if err != nil {
		t.Fatal(err)
	}
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: 1, Run: run})
	return p.PlanBy(m, guarantee, &noise)
}

// run starts a fake mechanism that ends with the test.
func run(t testing.TB, kind string, limit time.Duration) Mechanism {
	t.Helper()
	c, err := Start(Fake(kind), MechanismRole, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return Mechanism{c}
}

func TestAnswersBecomePlans(t *testing.T) {
	of := mission(t)
	greedy := make([]int32, of.Grid.States())
	for state := range greedy {
		row := of.Rewards.Joint[5*state : 5*state+5]
		greedy[state] = int32(slices.Index(row, slices.Max(row)))
	}
	got, err := plan(t, run(t, "north", time.Minute), of, 1)
	if err != nil || !slices.Equal(got.Policy, greedy) {
		t.Errorf("a policy: %v, %v; want %v", got.Policy, err, greedy)
	}
	got, err = plan(t, run(t, "even", time.Minute), of, 1)
	if err != nil || len(got.Stochastic) != len(of.Rewards.Joint) || got.Stochastic[7] != 0.2 {
		t.Errorf("a stochastic policy: %v, %v; want 0.2 everywhere", got.Stochastic, err)
	}
	got, err = plan(t, run(t, "corner", time.Minute), of, 1)
	if err != nil {
		t.Fatal(err)
	}
	state := of.Grid.Start
	for range 30 { // south and west to the drawn goal
		state = of.Grid.Next(state, planner.Action(got.Policy[state]))
	}
	if state != 0 {
		t.Errorf("the plan for the corner ends in state %d", state)
	}
}

// The private rewards of the built-in mechanism and those of a command with the same normals give the same plan to the
// bit.
func TestRewardsArriveToTheBit(t *testing.T) {
	of := mission(t)
	m := run(t, "gauss", time.Minute)
	for k := range uint64(5) {
		want, err := plan(t, planner.Standard(), of, k)
		if err != nil {
			t.Fatal(err)
		}
		want.Reward = slices.Clone(want.Reward)
		got, err := plan(t, m, of, k)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Reward, want.Reward) || !slices.Equal(got.Value, want.Value) {
			t.Errorf("run %d: other rewards or values", k)
		}
	}
}

// Answers that are wrong are errors that name the run and quote the line.
func TestWrongAnswers(t *testing.T) {
	of := mission(t)
	for line, want := range map[string]string{
		`nonsense`:                    `the line was "nonsense"`,
		`{"policy":[1,2]}`:            "actions for 2 states",
		`{"policy":[0],"goal":[1,1]}`: `want one of "rewards", "policy"`,
		`{}`:                          `want one of "rewards", "policy"`,
		`{"rewards":[[1,2],[3]]}`:     "rewards has 2 rows; want 63 of 5 numbers",
		`{"rewards":[[1,2]` + strings.Repeat(",[1,2,3,4,5]", 62) + `]}`: "row 0 of rewards has 2 numbers; want 5",
		`{"rewards":[[[1]]]}`:      "cannot unmarshal array into Go value of type float64",
		`{"rewards":[1,2]}`:        "cannot unmarshal number into Go value of type []*float64",
		`{"rewards":[[1e999]]}`:    "cannot unmarshal number 1e999 into Go value of type float64",
		`{"goal":[9,0]}`:           "cell (9, 0) is not a goal",
		`{"goal":[1]}`:             "want [column, row]",
		`{"path":[1,43]}`:          "the path begins with [1]; want the start",
		`{"path":[27,-1]}`:         "the path ends in state -1; want a goal",
		`{"path":[27,43]}`:         "goes from state 27 to state 43; no action leads there",
		`{"policy":[0],"id":1000}`: "it is the answer to request 1000; want that to request 1",
		`{"path":[27,28]}`:         "the path ends in state 28; want a goal of the mission, state 43",
		`{"policy":[1.0]}`:         "policy: json: cannot unmarshal number 1.0 into Go value of type int32",
		`{"policy":[99` + strings.Repeat(",0", 62) + `]}`: "takes action 99 in state 0; want one of 0 to 4 that the state " +
			`has; the line was "{\"policy\":[99,0`,
		`{"error":"epsilon is too small"}`: `it says: "epsilon is too small"`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Setenv("VEILPATH_FAKE_LINE", line)
			_, err := plan(t, run(t, "says", time.Minute), of, 17)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "run 17") {
				t.Errorf("got %v; want run 17 and %s", err, want)
			}
		})
	}
}

// What a command prints besides its answer is an error, and never the answer to the next request.
func TestMoreThanAnAnswer(t *testing.T) {
	of := mission(t)
	for kind, want := range map[string]string{"stutters": "print one line for every request",
		"late": "it is the answer to request"} {
		m := run(t, kind, time.Minute)
		err := error(nil)
		for k := uint64(1); err == nil && k < 50; k++ {
			var got planner.Plan
			if got, err = plan(t, m, of, k); err == nil && got.Policy[0] != int32(k%5) {
				t.Fatalf("%s: run %d got the answer of another", kind, k)
			}
		}
		const oneLine = "print one line for every request"
		if err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), oneLine) {
			t.Errorf("%s: two lines for a request: %v", kind, err)
		}
	}
}

// Private rewards that are no numbers are refused where a state has the action.
func TestRewardsMustBeFinite(t *testing.T) {
	rows := strings.Repeat("[0,0,0,0,0],", 2) + "[null,0,0,0,0]" + strings.Repeat(",[0,0,0,0,0]", 60)
	t.Setenv("VEILPATH_FAKE_LINE", `{"rewards":[`+rows+`]}`)
	_, err := plan(t, run(t, "says", time.Minute), mission(t), 1)
	if err == nil || !strings.Contains(err.Error(), "the private reward of state 2, action 0") {
		t.Error(err)
	}
}

// A command that does not answer is killed, one that dies is named with its last line, and the next request starts
// another process.
func TestTroubleEndsOneRequestAlone(t *testing.T) {
	of := mission(t)
	start := time.Now()
	_, err := plan(t, run(t, "silent", 300*time.Millisecond), of, 4)
	if err == nil || !strings.Contains(err.Error(), "run 4") || !strings.Contains(err.Error(), "within 300ms") {
		t.Errorf("silence: %v", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("silence took %v", took)
	}
	m := run(t, "dies", time.Minute)
	for k := range uint64(6) {
		_, err := plan(t, m, of, k)
		if k != 3 && err != nil {
			t.Errorf("run %d: %v", k, err)
		}
		if k == 3 && (err == nil || !strings.Contains(err.Error(), "run 3") ||
			!strings.Contains(err.Error(), "exit status 3: out of luck")) {
			t.Errorf("run 3: %v", err)
		}
	}
}

// A mechanism that does not draw from its seed is found out by its first request, unless it says so.
func TestSameSeedIsAskedTwice(t *testing.T) {
	of := mission(t)
	_, err := plan(t, run(t, "counts", time.Minute), of, 7)
	if err == nil || !strings.Contains(err.Error(), "twice, and differently") {
		t.Errorf("got %v", err)
	}
	honest := run(t, `counts ,"deterministic":false`, time.Minute)
	if _, err := plan(t, honest, of, 7); err != nil {
		t.Error(err)
	}
	if got := honest.Hello.String(); got != "fake 7, not deterministic" {
		t.Errorf("it is called %s", got)
	}
}

// Several goroutines have a process each, and none of the processes or goroutines is left after Close.
func TestNothingIsLeftBehind(t *testing.T) {
	of, other := mission(t), mission(t)
	before := runtime.NumGoroutine()
	c, err := Start(Fake("north"), MechanismRole, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	failures := make(chan error, 3)
	for worker := range 3 {
		working.Go(func() {
			for k := range uint64(20) {
				problem := of
				if (int(k)+worker)%2 == 0 {
					problem = other
				}
				if _, err := plan(t, Mechanism{c}, problem, k+1); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	working.Wait()
	select {
	case err := <-failures:
		t.Fatal(err)
	default:
	}
	all := slices.Clone(c.all)
	if len(all) > 3 {
		t.Errorf("%d processes for 3 goroutines", len(all))
	}
	c.Close()
	for _, p := range all {
		select {
		case <-p.ended:
		default:
			t.Error("a process was not waited for")
		}
	}
	if _, err := plan(t, Mechanism{c}, of, 1); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after Close: %v", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
}

// What the mission says is what the grid has. At its centre north leads to state 7, east and the target to 5, west to 3
// and south to a cell that is kept out; at the start south and west lead off the grid.
func TestMissionSaysTheGrid(t *testing.T) {
	closed := func(column, row int) planner.Area {
		return planner.Area{From: planner.Cell{Column: column, Row: row}, To: planner.Cell{Column: column, Row: row}}
	}
	spec := planner.Spec{Columns: 3, Rows: 3, SpacingKm: 10, StartCell: planner.Cell{}, RewardWeight: 2, Discount: 0.9,
		Tolerance: 1e-9, KeepOut: []planner.Area{closed(1, 0), closed(0, 2)}}
	for slip, wants := range map[float64][]string{
		0: {`"states":9,"actions":5,"start":0,"discount":0.9,"delta":0.01,"adjacency":1`,
			`"grid":{"columns":3,"rows":3,"spacing_km":10,"start":[0,0],"goals":[[2,1]],"kept_out":[[1,0],[0,2]]}`,
			`,[7,4,5,3,5],`},
		0.1: {`"outcomes":[[[[3,0.9],[0,0.0750`},
	} {
		spec.Slip = slip
		of, err := planner.NewMission(spec, r3.Vec{Z: 10}, r3.Vec{X: 20, Y: 10})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(newMission(of.Problem, guarantee))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("slip %g: %s\nlacks %s", slip, text, want)
			}
		}
	}
}
