package mdp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/mdp"
)

// mixedTeam has agents of different sizes, so that no two digits can be swapped unnoticed.
func mixedTeam(t *testing.T) *mdp.Joint {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 22))
	var agents []*mdp.Model
	for _, size := range [][2]int{{3, 2}, {2, 4}, {4, 1}, {1, 3}} {
		agent, err := mdp.NewModel(size[0], size[1], func(int, int) []mdp.Outcome {
			p := rng.Float64()
			return []mdp.Outcome{{State: rng.IntN(size[0]), Probability: p}, {State: rng.IntN(size[0]), Probability: 1 - p}}
		})
		if err != nil {
			t.Fatal(err)
		}
		agents = append(agents, agent)
	}
	joint, err := mdp.NewJoint(agents, 0)
	if err != nil {
		t.Fatal(err)
	}
	return joint
}

func TestJointNumbering(t *testing.T) {
	joint := mixedTeam(t)
	if joint.States() != 24 || joint.Actions() != 24 {
		t.Fatalf("%d states x %d actions, want 24 x 24", joint.States(), joint.Actions())
	}
	if got := joint.State([]int{2, 1, 3, 0}); got != (2*2+1)*4+3 {
		t.Errorf("State(2, 1, 3, 0) = %d", got)
	}
	if got := joint.Action([]int{1, 2, 0, 1}); got != (1*4+2)*3+1 {
		t.Errorf("Action(1, 2, 0, 1) = %d", got)
	}
	local := make([]int, 4)
	for i := range 24 {
		if got := joint.State(joint.LocalStates(i, local)); got != i {
			t.Errorf("joint state %d becomes %d by its digits", i, got)
		}
		if got := joint.Action(joint.LocalActions(i, local)); got != i {
			t.Errorf("joint action %d becomes %d by its digits", i, got)
		}
	}
}

// The joint law by its definition, entry by entry.
func TestJointByDefinition(t *testing.T) {
	joint := mixedTeam(t)
	from, to, do := make([]int, 4), make([]int, 4), make([]int, 4)
	for s := range joint.States() {
		joint.LocalStates(s, from)
		for a := range joint.Actions() {
			joint.LocalActions(a, do)
			got := make([]float64, joint.States())
			for _, o := range joint.AppendOutcomes(nil, s, a) {
				got[o.State] += o.Probability
			}
			for y := range got {
				joint.LocalStates(y, to)
				want := 1.0
				for i := range to {
					want *= probability(joint.Agent(i), from[i], do[i], to[i])
				}
				if d := math.Abs(got[y] - want); d > 1e-14 {
					t.Fatalf("T(%d, %d, %d) is off by %g", s, a, y, d)
				}
			}
		}
	}
}

func probability(m *mdp.Model, s, a, y int) (sum float64) {
	for _, o := range m.AppendOutcomes(nil, s, a) {
		if o.State == y {
			sum += o.Probability
		}
	}
	return sum
}

// The solvers work on the agents' factors; the reference multiplies them out.
func TestJointSolversAgainstTheExpandedLaw(t *testing.T) {
	joint := mixedTeam(t)
	rng := rand.New(rand.NewPCG(25, 26))
	problem := decisionProblem{Name: "mixed team", Law: joint, Discount: 0.95,
		Rewards: make([]float64, joint.States()*joint.Actions())}
	for trial := range trials(t, 20) {
		for i := range problem.Rewards {
			problem.Rewards[i] = rng.NormFloat64()
		}
		for name, build := range solvers {
			solver, err := build(joint, problem.Discount)
			if err != nil {
				t.Fatal(err)
			}
			if err := problem.checkSolver(solver, []float64{1e-10, 1e-2}[trial%2]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
