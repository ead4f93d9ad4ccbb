package exec_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/benchmark"
	"veilpath/internal/exec"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// fake is the line of a command that the test program is, see fake_test.go.
func fake(kind string) string { return exec.Fake(kind) }

// records flies a small study of settings.
func records(t *testing.T, workers int, sets ...string) []study.Run {
	t.Helper()
	loaded, err := configs.Load(configs.Request{Sets: append(sets, "study.epsilons=0.5,2", "study.runs=30")})
	if err != nil {
		t.Fatal(err)
	}
	commands := new(exec.Commands)
	defer commands.Close()
	builder := setup.Builder{Commands: commands}
	e, err := builder.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(loaded.Config, e)
	s.Workers = workers
	var all []study.Run
	if err := s.Do(context.Background(), func(r []study.Run) error { all = append(all, r...); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// A command that adds the normals of the built-in mechanism flies its runs to the bit, whatever the number of workers.
func TestExecMechanismHasTheBuiltInRows(t *testing.T) {
	want := records(t, 1)
	for _, workers := range []int{1, 3} {
		got := records(t, workers, "privacy.mechanism=exec:"+fake("gauss"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers (-built-in +exec):\n%s", workers, diff)
		}
	}
}

// An audit of the rewards that a command answers finds an honest one consistent, and one with half the noise not.
func TestAuditOfACommand(t *testing.T) {
	c := configs.Default()
	mission, err := planner.NewMission(c.Mission(), c.Scenario().Start, c.Scenario().Target)
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{"gauss": audit.Consistent, "weak": audit.NotAsDescribed} {
		command, err := exec.Start(fake(kind), exec.MechanismRole, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer command.Close()
		sigma, err := c.Guarantee().At(0.5).Sigma()
		if err != nil {
			t.Fatal(err)
		}
		claim := audit.Claim{Epsilon: 0.5, Delta: c.Privacy.Delta, Adjacency: c.Privacy.Adjacency, Sigma: sigma}
		tables := audit.Tables{Rewards: mission.Rewards.Joint, Adjacency: claim.Adjacency, Seed: 1,
			Release: func(_ context.Context, run int, rewards []float64) ([]float64, error) {
				var noise privacy.Noise
				noise.Seek(privacy.Address{Seed: 1, Run: uint64(run)})
				return exec.Mechanism{Command: command}.Release(mission.Problem, rewards, c.Guarantee().At(0.5), &noise)
			}}
		recorded, err := tables.Record(context.Background(), 20, 1, nil, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		report, err := claim.JudgeRecorded(recorded, 0.001)
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Verdict(); got != want {
			t.Errorf("%s is %s, want %s", kind, got, want)
		}
	}
}

// A command that computes the ballistic guess recognises flights where the built-in observer does.
func TestExecObserverHasTheBuiltInDistances(t *testing.T) {
	want := records(t, 1)
	got := records(t, 2, "adversary.observer=exec:"+fake("ballistic"))
	for i := range want {
		// 1e-9 km of foresight moves a recognition by no step unless an error lies that near to the radius.
		if math.Abs(got[i].DetectionKm-want[i].DetectionKm) > 1e-9 || got[i].Detected != want[i].Detected ||
			got[i].Flight != want[i].Flight {
			t.Errorf("run %d at epsilon %g is recognised at %v km, want %v", want[i].Run, want[i].Epsilon,
				got[i].DetectionKm, want[i].DetectionKm)
		}
	}
}

// suite is a small suite for rows of commands beside built-in ones.
const suite = `{flights: 30, policies: 2, seed: 1, observers: [geometry, moves], missions: [{name: yard, set: {
planner.columns: "10", planner.rows: "10", planner.start_cell: "[0, 4]", vehicle.start_km: "[-100, 0, 10]",
vehicle.heading: "90", privacy.handover_km: "30", adversary.candidates: "8:4,8:1,8:8,5:9,5:0,9:6"}}], ways: [
{name: gauss, set: {privacy.mechanism: reward}, parameter: privacy.epsilon, values: ["1"]},
{name: laplace, set: {privacy.mechanism: laplace}, parameter: privacy.epsilon, values: ["1"]}]}`

// Rows of the benchmark for commands that are two built-in mechanisms are theirs to the bit.
func TestExecRowsOfTheBenchmark(t *testing.T) {
	s, err := benchmark.ReadSuite([]byte(suite))
	if err != nil {
		t.Fatal(err)
	}
	commands := new(exec.Commands)
	defer commands.Close()
	b := &benchmark.Bench{Version: "test", Builder: &setup.Builder{Commands: commands}, Workers: 2}
	for _, name := range s.Observers {
		m, err := adversary.FindGoalModel(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Models = append(b.Models, m)
	}
	measure := func(c benchmark.Case) benchmark.Row {
		t.Helper()
		row, err := b.Case(t.Context(), s, &c, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	numbers := func(r benchmark.Row) string {
		return fmt.Sprint(r.Bits, r.Cost, r.Detour, r.Deceptive, r.RecognisedKm, r.TimedOut)
	}
	for _, c := range s.Cases() {
		want := measure(c)
		c.Way.Set = map[string]string{"privacy.mechanism": "exec:" + fake(c.Way.Name)}
		if got := measure(c); numbers(got) != numbers(want) || !(float64(want.Cost.Mean) > 0) {
			t.Errorf("%s: the command has %s, want %s", c.Way.Name, numbers(got), numbers(want))
		}
	}
}
