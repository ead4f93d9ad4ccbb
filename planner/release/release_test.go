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
		if ratio := squares / states / (s.Sigma * s.Sigma); math.Abs(ratio-1) > sixErrors*math.Sqrt(2.0/states) {
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
