package privacy

import (
	"math"
	"slices"
	"testing"
)

// The sensitivity of the joint reward, by moving every entry in turn.
func TestOutputSensitivityByEnumeration(t *testing.T) {
	const b = 1.7
	for _, actions := range [][]int{{1}, {4}, {2, 2}, {4, 4}, {5, 5}, {3, 2}, {4, 4, 4}, {2, 3, 4}, {1, 5},
		{2, 2, 2, 2, 2, 2}} {
		s := shape(t, 2, actions)
		tables := make([][]float64, len(actions))
		for i := range tables {
			tables[i] = make([]float64, s.AgentEntries(i))
		}
		joint := make([]float64, s.JointEntries())
		l1, l2 := 0.0, 0.0
		for i := range tables {
			for j := range tables[i] {
				tables[i][j] = b
				(&Rewards{Shape: s, Tables: tables}).join(joint, 0, nil)
				tables[i][j] = 0
				sum, squares := 0.0, 0.0
				for _, r := range joint {
					sum += math.Abs(r)
					squares += r * r
				}
				l1, l2 = math.Max(l1, sum), math.Max(l2, math.Sqrt(squares))
			}
		}
		for norm, want := range map[Norm]float64{L1Bound: l1, ExactL2: l2} {
			if got, err := s.OutputSensitivity(b, norm); err != nil || relative(got, want) > 1e-14 {
				t.Errorf("%v %s: %.17g, %v; enumerated %.17g", actions, norm, got, err, want)
			}
		}
	}
}

// The joint reward by its definition, with the digits of the joint action.
func TestJoint(t *testing.T) {
	actions := []int{2, 3, 4}
	s := shape(t, 5, actions)
	tables := make([][]float64, 3)
	var n Noise
	for i := range tables {
		tables[i] = make([]float64, s.AgentEntries(i))
		n.Normals(tables[i])
	}
	joint := make([]float64, s.JointEntries())
	(&Rewards{Shape: s, Tables: tables}).join(joint, 0, nil)
	for state := range 5 {
		for a := range s.JointActions() {
			digits := []int{a / 12, a / 4 % 3, a % 4}
			sum := 0.0
			for i, d := range digits {
				sum += tables[i][state*actions[i]+d]
			}
			if got := joint[state*24+a]; !(math.Abs(got-sum/3) <= 1e-15) {
				t.Errorf("state %d action %v: %g, want %g", state, digits, got, sum/3)
			}
		}
	}
	if got := s.largestAbsolute(tables); got != largestAbsolute(joint) {
		t.Errorf("largest absolute reward %.17g, of the table %.17g", got, largestAbsolute(joint))
	}
}

// linears returns the mechanisms that are linear in normals.
func linears() (all []Linear) {
	for _, m := range Mechanisms() {
		if l, ok := m.(Linear); ok {
			all = append(all, l)
		}
	}
	return all
}

// Each linear mechanism asks for the noise of the sensitivity of what it perturbs.
func TestSigmaOf(t *testing.T) {
	s := shape(t, 16, []int{5, 5})
	g := Guarantee{Epsilon: 1.3, Delta: 0.1, Adjacency: 1, Calibration: Classical}
	own, err := g.Sigma()
	if err != nil {
		t.Fatal(err)
	}
	for name, times := range map[string]float64{"input": 1, "output": math.Sqrt(5) / 2, "output-l1": 2.5} {
		m := linears()[slices.IndexFunc(linears(), func(m Linear) bool { return m.Name() == name })]
		if got, err := g.SigmaOf(m, s); err != nil || relative(got, times*own) > 1e-15 {
			t.Errorf("%s: sigma %g, %v; want %g", name, got, err, times*own)
		}
	}
	for _, calibration := range []Calibration{Classical, Analytic} {
		g.Calibration = calibration
		for _, m := range linears() {
			sigma, err := g.SigmaOf(m, s)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := g.EpsilonOf(m, s, sigma); err != nil || relative(got, g.Epsilon) > 1e-12 {
				t.Errorf("%s, %s: sigma %g gives epsilon %g, %v; want %g", m.Name(), calibration, sigma, got, err, g.Epsilon)
			}
		}
	}
	g.Adjacency = -1
	for _, m := range linears() {
		_, err := g.EpsilonOf(m, s, 1)
		checkOneLine(t, err, "adjacency")
	}
	for _, m := range linears() {
		_, err := g.SigmaOf(m, s)
		checkOneLine(t, err, "adjacency")
	}
}

func TestPerturbInPlaceAndBlocks(t *testing.T) {
	values := make([]float64, 301)
	for i := range values {
		values[i] = float64(i)
	}
	var n Noise
	z := make([]float64, len(values))
	n.Seek(Address{Seed: 2})
	n.Normals(z)
	n.Seek(Address{Seed: 2})
	perturb(values, values, 2, &n)
	for i, v := range values {
		if v != float64(i)+2*z[i] {
			t.Fatalf("entry %d is %g, want %g", i, v, float64(i)+2*z[i])
		}
	}
}
