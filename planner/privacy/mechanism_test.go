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

// Without noise every mechanism returns the joint reward; with noise its entries have standard deviation
// sigma/sqrt(N) or sigma, and entries that share k of N local actions correlate by k/N under Algorithm 1 only.
func TestMechanisms(t *testing.T) {
	rewards, err := NewRewards(shape(t, 2, []int{2, 2}), [][]float64{{1, 2, 3, 4}, {-1, 0, 5, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	truth, joint := rewards.Joint, make([]float64, 8)
	var n Noise
	const count, sigma = 100000, 3.0
	for _, m := range linears() {
		z := make([]float64, m.Normals(rewards.Shape))
		n.Normals(z)
		if m.Perturb(joint, rewards, 0, z); !slices.Equal(joint, truth) {
			t.Errorf("%s without noise: %v; want %v", m.Name(), joint, truth)
		}
		var variance, shared, apart float64
		for range count {
			n.Normals(z)
			m.Perturb(joint, rewards, sigma, z)
			e := joint[0] - truth[0]
			variance += e * e
			shared += e * (joint[1] - truth[1])
			apart += e * (joint[5] - truth[5])
		}
		want := [3]float64{sigma * sigma, 0, 0}
		if m.Name() == "input" {
			want = [3]float64{sigma * sigma / 2, sigma * sigma / 4, 0}
		}
		// Products of normals have standard deviation at most sqrt2 sigma^2.
		limit := zLimit * math.Sqrt2 * sigma * sigma / math.Sqrt(count)
		for i, got := range []float64{variance / count, shared / count, apart / count} {
			if !(math.Abs(got-want[i]) <= limit) {
				t.Errorf("%s: moment %d is %.4f, want %.4f within %.4f", m.Name(), i, got, want[i], limit)
			}
		}
	}
}

// The private joint reward is a line in sigma, and uses every normal that the mechanism asks for.
func TestMechanismsAreLinear(t *testing.T) {
	for _, actions := range [][]int{{3}, {2, 3}, {3, 1, 2}} {
		s := shape(t, 4, actions)
		tables := make([][]float64, len(actions))
		var n Noise
		for i := range tables {
			tables[i] = make([]float64, s.AgentEntries(i))
			n.Normals(tables[i])
		}
		rewards, err := NewRewards(s, tables, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linears() {
			z := make([]float64, m.Normals(s))
			n.Normals(z)
			one, two := make([]float64, s.JointEntries()), make([]float64, s.JointEntries())
			m.Perturb(one, rewards, 1, z)
			m.Perturb(two, rewards, 2.5, z)
			for i, r := range rewards.Joint {
				if want := r + 2.5*(one[i]-r); !(math.Abs(two[i]-want) <= 1e-14*(1+math.Abs(want))) { // a few roundings
					t.Fatalf("%s %v: entry %d is %g, want %g", m.Name(), actions, i, two[i], want)
				}
			}
			for k := range z {
				z[k]++
				m.Perturb(two, rewards, 1, z)
				z[k]--
				if slices.Equal(one, two) {
					t.Errorf("%s %v: normal %d is not used", m.Name(), actions, k)
				}
			}
		}
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
