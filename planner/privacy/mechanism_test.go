package privacy

import (
	"math"
	"slices"
	"testing"
)

// Table 1a: epsilon 1, delta 0.01, b = 1, four actions per agent. The paper
// prints 129.3 and 66,174 where the formula gives 129.25 and 66,175.99.
func TestTable1a(t *testing.T) {
	want := map[float64][2]float64{1: {2.5244, 2.5244}, 2: {2.5244, 5.0488}, 5: {2.5244, 129.24998}, 10: {2.5244, 66175.99}}
	input, err := Classical.Sigma(1, 0.01, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readTable(t, published+"table1a_sigma_vs_N.csv") {
		s := shape(t, 1, slices.Repeat([]int{4}, int(row[0])))
		sensitivity, err := s.OutputSensitivity(1, L1Bound)
		if err != nil {
			t.Fatal(err)
		}
		output, err := Classical.Sigma(1, 0.01, sensitivity)
		if err != nil {
			t.Fatal(err)
		}
		w := want[row[0]]
		// Five or more digits were computed independently; four are printed.
		if relative(input, w[0]) > 2e-5 || relative(output, w[1]) > 2e-5 {
			t.Errorf("N=%g: %.7g and %.7g, want %g and %g", row[0], input, output, w[0], w[1])
		}
		if relative(input, row[1]) > 5e-4 || relative(output, row[2]) > 5e-4 {
			t.Errorf("N=%g: %.7g and %.7g, published %g and %g", row[0], input, output, row[1], row[2])
		}
	}
}

// Table 1b: two agents of four actions, delta 0.01, b = 1; 4e-4 relative is half a
// unit of the fourth printed digit (one unit at 0.6251, the formula's 0.62522).
func TestTable1b(t *testing.T) {
	s := shape(t, 1, []int{4, 4})
	sensitivity, err := s.OutputSensitivity(1, L1Bound)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readTable(t, published+"table1b_sigma_vs_eps.csv") {
		input, err1 := Classical.Sigma(row[0], 0.01, 1)
		output, err2 := Classical.Sigma(row[0], 0.01, sensitivity)
		if err1 != nil || err2 != nil || relative(input, row[1]) > 4e-4 || relative(output, row[2]) > 4e-4 {
			t.Errorf("epsilon %g: %.6g and %.6g (%v, %v), published %g and %g", row[0], input, output, err1, err2, row[1], row[2])
		}
	}
}

// The sensitivity of the joint reward, by moving every entry in turn.
func TestOutputSensitivityByEnumeration(t *testing.T) {
	const b = 1.7
	for _, actions := range [][]int{{1}, {4}, {2, 2}, {4, 4}, {5, 5}, {3, 2}, {4, 4, 4}, {2, 3, 4}, {1, 5}, {2, 2, 2, 2, 2, 2}} {
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
				if err := s.Joint(joint, tables); err != nil {
					t.Fatal(err)
				}
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
	if err := s.Joint(joint, tables); err != nil {
		t.Fatal(err)
	}
	for state := range 5 {
		for a := range s.JointActions() {
			digits := []int{a / 12, a / 4 % 3, a % 4}
			sum := 0.0
			for i, d := range digits {
				sum += tables[i][state*actions[i]+d]
			}
			if got := joint[state*24+a]; math.Abs(got-sum/3) > 1e-15 {
				t.Errorf("state %d action %v: %g, want %g", state, digits, got, sum/3)
			}
		}
	}
	if got := s.LargestAbsolute(tables); got != largestAbsolute(joint) {
		t.Errorf("largest absolute reward %.17g, of the table %.17g", got, largestAbsolute(joint))
	}
}

// Without noise both algorithms return the joint reward; with noise their
// entries have standard deviation sigma/sqrt(N) and sigma, and entries that
// share k of N local actions correlate by k/N under Algorithm 1 only.
func TestPerturbations(t *testing.T) {
	s := shape(t, 2, []int{2, 2})
	rewards := [][]float64{{1, 2, 3, 4}, {-1, 0, 5, 2}}
	private := [][]float64{make([]float64, 4), make([]float64, 4)}
	truth, joint := make([]float64, 8), make([]float64, 8)
	if err := s.Joint(truth, rewards); err != nil {
		t.Fatal(err)
	}
	var n Noise
	run := map[string]func(sigma float64) error{
		"input":  func(sigma float64) error { return s.InputPerturbation(joint, private, rewards, sigma, &n) },
		"output": func(sigma float64) error { return s.OutputPerturbation(joint, rewards, sigma, &n) },
	}
	const count, sigma = 100000, 3.0
	for name, perturb := range run {
		if err := perturb(0); err != nil || !slices.Equal(joint, truth) {
			t.Errorf("%s without noise: %v, %v; want %v", name, joint, err, truth)
		}
		var variance, shared, apart float64
		for range count {
			if err := perturb(sigma); err != nil {
				t.Fatal(err)
			}
			e := joint[0] - truth[0]
			variance += e * e
			shared += e * (joint[1] - truth[1])
			apart += e * (joint[5] - truth[5])
		}
		want := [3]float64{sigma * sigma, 0, 0}
		if name == "input" {
			want = [3]float64{sigma * sigma / 2, sigma * sigma / 4, 0}
		}
		// Products of normals have standard deviation at most sqrt2 sigma^2.
		limit := zLimit * math.Sqrt2 * sigma * sigma / math.Sqrt(count)
		for i, got := range []float64{variance / count, shared / count, apart / count} {
			if math.Abs(got-want[i]) > limit {
				t.Errorf("%s: moment %d is %.4f, want %.4f within %.4f", name, i, got, want[i], limit)
			}
		}
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
	if err := Perturb(values, values, 2, &n); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if v != float64(i)+2*z[i] {
			t.Fatalf("entry %d is %g, want %g", i, v, float64(i)+2*z[i])
		}
	}
}

func TestMechanismsDoNotAllocate(t *testing.T) {
	s := shape(t, 16, []int{5, 5})
	rewards := [][]float64{make([]float64, 80), make([]float64, 80)}
	private := [][]float64{make([]float64, 80), make([]float64, 80)}
	joint := make([]float64, s.JointEntries())
	var n Noise
	allocations := testing.AllocsPerRun(100, func() {
		if err := s.InputPerturbation(joint, private, rewards, 1, &n); err != nil {
			t.Fatal(err)
		}
		if err := s.OutputPerturbation(joint, rewards, 1, &n); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 {
		t.Errorf("both algorithms allocate %g times, want 0", allocations)
	}
}

func TestShapeRefusesBadInput(t *testing.T) {
	for _, c := range []struct {
		states  int
		actions []int
		want    string
	}{
		{0, []int{2}, "joint states"}, {-4, []int{2}, "joint states"}, {3, nil, "agents"}, {3, []int{2, 0}, "agent 1"},
		{256, slices.Repeat([]int{5}, 30), "1.91e+24 bytes"}, {math.MaxInt / 8, []int{2}, "bytes"}, {1, slices.Repeat([]int{1 << 40}, 5), "bytes"},
	} {
		_, err := NewShape(c.states, c.actions)
		checkOneLine(t, err, c.want)
	}
	s := shape(t, 2, []int{2, 3})
	_, err := s.OutputSensitivity(0, ExactL2)
	checkOneLine(t, err, "adjacency")
	_, err = s.OutputSensitivity(1, "l3")
	checkOneLine(t, err, "norm")
	_, err = ParseNorm("L1")
	checkOneLine(t, err, "norm")
}

func TestMechanismsRefuseBadInput(t *testing.T) {
	s := shape(t, 2, []int{2, 3})
	good := func() [][]float64 { return [][]float64{make([]float64, 4), make([]float64, 6)} }
	joint := make([]float64, 12)
	nan := good()
	nan[1][5] = math.NaN()
	var n Noise
	checkOneLine(t, s.Joint(joint, nan), "entry 5")
	checkOneLine(t, s.Joint(joint, good()[:1]), "agents")
	checkOneLine(t, s.Joint(joint[:11], good()), "destination")
	checkOneLine(t, s.Joint(joint, [][]float64{make([]float64, 4), make([]float64, 4)}), "agent 1")
	checkOneLine(t, s.InputPerturbation(joint, good()[:1], good(), 1, &n), "private")
	checkOneLine(t, s.InputPerturbation(joint, good(), good(), math.NaN(), &n), "sigma")
	checkOneLine(t, s.OutputPerturbation(joint, good(), -1, &n), "sigma")
	checkOneLine(t, Perturb(joint, joint[:3], 1, &n), "destination")
	checkOneLine(t, Perturb(nil, nil, 1, &n), "empty")
}
