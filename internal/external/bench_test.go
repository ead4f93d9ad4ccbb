package external

import (
	"bytes"
	"os"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// BenchmarkExec asks a Python mechanism for answers on the 20 x 20 mission, and cat for lines, which is what the pipe
// alone takes. The guide, exec.md, has the figures.
func BenchmarkExec(b *testing.B) {
	for _, answer := range []string{"goal", "policy", "rewards", "base64"} {
		b.Run("Python/"+answer, func(b *testing.B) { benchmarkPlans(b, python(b, answer)) })
	}
	b.Run("Pipe", benchmarkPipe)
}

// python writes a mechanism that always gives the same answer and returns its line.
func python(b *testing.B, answer string) string {
	b.Helper()
	program := b.TempDir() + "/constant.py"
	text := `import array, base64, json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        out = {"hello": {"protocol": 1, "name": "constant", "base64": "` + answer + `" == "base64"}}
    elif "mission" in m:
        mission = m["mission"]
        continue
    else:
        out = {
            "goal": lambda: {"goal": [3, 4]},
            "policy": lambda: {"policy": [0] * mission["states"]},
            "rewards": lambda: {"rewards": mission["rewards"]},
            "base64": lambda: {"rewards": mission["rewards"]},
        }["` + answer + `"]()
    print(json.dumps(out), flush=True)
`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return "exec python3 '" + program + "'"
}

// benchmarkPlans asks a command for answers on a mission of 20 x 20 waypoints, without planning for them.
func benchmarkPlans(b *testing.B, line string) {
	c, err := Start(line, MechanismRole, time.Minute)
	if err != nil {
		b.Skip(err) // no Python
	}
	defer c.Close()
	spec := planner.Spec{Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: planner.Cell{Column: 0, Row: 7},
		RewardWeight: 2, Discount: 0.95, Tolerance: 1e-9}
	of, err := planner.NewMission(spec, r3.Vec{X: -200, Y: -50, Z: 10}, r3.Vec{})
	if err != nil {
		b.Fatal(err)
	}
	g := privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	p, err := c.take(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer c.give(p)
	m := Mechanism{c}
	run := uint64(1)
	for b.Loop() {
		if _, _, err := m.ask(p, told{of.Solved, g.Delta, g.Adjacency}, g, run, run); err != nil {
			b.Fatal(err)
		}
		run++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// benchmarkPipe has cat give back the line of a request.
func benchmarkPipe(b *testing.B) {
	p, err := start("exec cat")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = p.stop() }()
	line := append(bytes.Repeat([]byte("0"), 50), '\n')
	for b.Loop() {
		if _, err := p.ask(line, time.Minute); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
