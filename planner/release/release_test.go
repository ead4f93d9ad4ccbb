package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"veilpath/planner/privacy"
	"veilpath/planner/privacy/loss"
	"veilpath/planner/reward"
)

var promise = privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: privacy.Analytic}

func readTable(t *testing.T, text string) *reward.Table {
	t.Helper()
	table, err := reward.Read(strings.NewReader(text), reward.KnownHeader)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Both agents' entries lie on the grid and scatter about the original with the sigma that is stated.
func TestReleaseIsWhatIsStated(t *testing.T) {
	const states = 3000
	var text strings.Builder
	text.WriteString("agent,state,action,reward\n")
	for s := range states {
		fmt.Fprintf(&text, "x,%d,go,5\ny,%d,go,-1\n", s, s)
	}
	release, err := New(Table(readTable(t, text.String())), promise, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := release.Write(&file); err != nil {
		t.Fatal(err)
	}
	s := release.Statement("rewards", "r.csv", sha256.Sum256(file.Bytes()), "test")
	const leastSigma = 1.8778 // Balle and Wang's, for (1, 0.01) and adjacency 1
	if !(s.Sigma >= leastSigma && s.Sigma < 1.01*leastSigma) || !(s.CertifiedDelta <= 0.01) || s.Entries != 2*states ||
		s.Agents != 2 || s.States != states || s.Adjacency != 1 {
		t.Errorf("statement %+v", s)
	}
	for i, values := range readTable(t, file.String()).Values {
		mean, squares := []float64{5, -1}[i], 0.0
		for _, v := range values {
			if steps := v / s.Grid; steps != math.Round(steps) {
				t.Fatalf("%v is not on the grid of %v", v, s.Grid)
			}
			squares += (v - mean) * (v - mean)
		}
		const sixErrors = 6 // of a variance from n normals, relative error sqrt(2/n)
		if ratio := squares / states / (s.Sigma * s.Sigma); !(math.Abs(ratio-1) <= sixErrors*math.Sqrt(2.0/states)) {
			t.Errorf("agent %d: the noise has %v times its stated variance", i, ratio)
		}
	}
	var out bytes.Buffer
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	var back Statement
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("the statement comes back as %+v, %v", back, err)
	}
}

// The loss of a joint release is that of its L2 distance, and the loss of noise of few steps that of the steps.
func TestLossOfReleases(t *testing.T) {
	shape, err := privacy.NewShape(2, []int{2, 3})
	if err != nil {
		t.Fatal(err)
	}
	rewards, err := privacy.NewRewards(shape, [][]float64{{1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	joint, err := New(Original{States: 2, Joint: &Joint{Rewards: rewards, Entries: []int{0, 4, 11}}}, promise, 0,
		new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	// A reward of one agent moves three joint rewards by half of the adjacency.
	s, distance := joint.Statement("rewards", "r.csv", [32]byte{}, "test"), math.Sqrt(3)/2
	const smoothed = 1e-5 // of a grid of 1024 steps a sigma
	if mu, ok := joint.Loss().(loss.Gaussian); !ok || !(math.Abs(mu.Mu*s.Sigma/distance-1) <= smoothed) || s.Mu != mu.Mu ||
		!(math.Abs(s.Sensitivity-distance) <= 1e-15) || s.Agents != 2 || s.Entries != 3 || !joint.IsJoint() ||
		!(math.Abs(s.Rho*2*s.Sigma*s.Sigma/0.75-1) <= smoothed) {
		t.Errorf("loss %+v of %+v", joint.Loss(), s)
	}
	coarse, err := New(Table(readTable(t, "state,go,stay\naway,0.5,-1\nhome,-1,5\n")), promise, 1, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	s = coarse.Statement("policy", "p.csv", [32]byte{}, "test")
	want := loss.DiscreteGaussian{Sigma: s.Sigma, Steps: 1}
	if coarse.Loss() != want || s.Mu != 0 || !(math.Abs(s.Rho*2*s.Sigma*s.Sigma-1) <= 1e-12) || s.Sensitivity != 1 ||
		!strings.HasPrefix(s.Statement, "This policy is (1, 0.01)-differentially private for the reward table, ") {
		t.Errorf("loss %+v of %+v, want %+v", coarse.Loss(), s, want)
	}
	if state, action := coarse.original.Names(0, 3); state != "home" || action != "stay" {
		t.Errorf("entry 3 is %s, %s, want home, stay", state, action)
	}
}

func ExampleNew() {
	table, err := reward.Read(strings.NewReader("state,go,stay\naway,0.5,-1\nhome,-1,5\n"), reward.KnownHeader)
	if err != nil {
		fmt.Println(err)
		return
	}
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: 1e-6, Adjacency: 1, Calibration: privacy.Analytic}
	release, err := New(Table(table), guarantee, 0, new(privacy.Entropy))
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer // that may be published
	if err := release.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	statement := release.Statement("rewards", "release.csv", sha256.Sum256(file.Bytes()), "example")
	fmt.Println(strings.Count(file.String(), "\n"), "rows")
	fmt.Printf("sigma %.3f on a grid of %g, certified delta at most %g\n", statement.Sigma, statement.Grid,
		guarantee.Delta)
	// Output:
	// 3 rows
	// sigma 4.225 on a grid of 0.00390625, certified delta at most 1e-06
}
