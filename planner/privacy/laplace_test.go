package privacy

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The scale is the L1 sensitivity over epsilon: of the joint reward as found by moving every entry in turn.
func TestLaplaceScale(t *testing.T) {
	s := shape(t, 2, []int{3, 4})
	g := Guarantee{Epsilon: 0.5, Adjacency: 1.5}
	for m, want := range map[Laplace]float64{{}: 3, {Output: true}: 1.5 / 2 * 4 / 0.5} {
		if got, err := m.Scale(s, g); err != nil || relative(got, want) > 1e-15 {
			t.Errorf("%s: scale %g, %v; want %g", m.Name(), got, err, want)
		}
	}
	for _, bad := range []Guarantee{{Epsilon: 1}, {Adjacency: 1}, {Epsilon: math.Inf(1), Adjacency: 1}} {
		if _, err := (Laplace{}).Scale(s, bad); err == nil {
			t.Errorf("%+v gives a scale", bad)
		}
	}
}

// The likelihood of a release under two neighbours differs by a factor of exactly exp(epsilon) beyond both, and by no
// more anywhere: by gonum's density.
func TestLaplaceLikelihoods(t *testing.T) {
	s := shape(t, 1, []int{1})
	for _, epsilon := range []float64{0.1, 1, 4} {
		g := Guarantee{Epsilon: epsilon, Adjacency: 2}
		scale, err := Laplace{}.Scale(s, g)
		if err != nil {
			t.Fatal(err)
		}
		one, other := distuv.Laplace{Mu: 0, Scale: scale}, distuv.Laplace{Mu: 2, Scale: scale}
		largest := 0.0
		for x := -10.0; x < 10; x += 0.01 {
			largest = math.Max(largest, math.Abs(one.LogProb(x)-other.LogProb(x)))
		}
		if !(math.Abs(largest-epsilon) <= 1e-12*epsilon) {
			t.Errorf("epsilon %g: likelihoods differ by %g", epsilon, largest)
		}
	}
}

// uniformly fails unless numbers have the distribution of uniform ones: their largest distance from it, of n numbers,
// is beyond sqrt(log(2/p)/(2n)) with probability p at most (Massart 1990).
func uniformly(t *testing.T, name string, u []float64) {
	t.Helper()
	slices.Sort(u)
	far, n := 0.0, float64(len(u))
	for i, v := range u {
		far = max(far, v-float64(i)/n, float64(i+1)/n-v)
	}
	if p := 2 * math.Exp(-2*n*far*far); p < 1e-6 {
		t.Errorf("%s: %g of the distribution away, which has a probability of at most %g", name, far, p)
	}
}

// The law that an audit holds the mechanisms to is that of what they make of every reward: gonum's for Laplace noise.
func TestLawOfEntries(t *testing.T) {
	const draws = 20_000
	g := Guarantee{Epsilon: 0.7, Adjacency: 1, Range: Range{-2, 3}}
	r, err := NewRewards(shape(t, 1, []int{draws}), [][]float64{make([]float64, draws)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Joint {
		r.Joint[i] = []float64{-2, -0.5, 3}[i%3]
	}
	laplace := distuv.Laplace{Scale: 1 / 0.7}
	for _, m := range []Distributed{Laplace{}, Laplace{Output: true}, BoundedGaussian{}, BoundedGaussian{Output: true}} {
		var noise Noise
		noise.Seek(Address{Seed: 5})
		private, u := make([]float64, draws), make([]float64, draws)
		if err := m.Privatize(private, r, g, &noise); err != nil {
			t.Fatal(err)
		}
		law, err := m.Law(r.Shape, g)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range private {
			u[i] = law(r.Joint[i], x)
			if _, is := m.(Laplace); is && !(math.Abs(u[i]-laplace.CDF(x-r.Joint[i])) <= 1e-14) {
				t.Fatalf("the law of %g around %g is %g", x, r.Joint[i], u[i])
			}
			if _, is := m.(BoundedGaussian); is && !(x >= -2 && x <= 3) {
				t.Fatalf("%s draws %g", m.Name(), x)
			}
		}
		uniformly(t, m.Name(), u)
	}
}

// A team's own rewards are perturbed before they are joined: those that share a local action share its noise; an agent
// that has ended gets none, and an action that a state lacks stays lacking.
func TestEntriesOfTeams(t *testing.T) {
	s := shape(t, 2, []int{2, 2})
	lacks := math.Inf(-1)
	r, err := NewRewards(s, [][]float64{{1, 2, 0, 0}, {3, lacks, 4, 5}}, [][]bool{{false, true}, nil})
	if err != nil {
		t.Fatal(err)
	}
	g := Guarantee{Epsilon: 1, Adjacency: 1, Range: Range{-1, 6}}
	for _, m := range []Mechanism{Laplace{}, BoundedGaussian{}} {
		x := make([]float64, s.JointEntries())
		if err := m.Privatize(x, r, g, new(Noise)); err != nil {
			t.Fatal(err)
		}
		if x[1] != lacks || x[3] != lacks || x[0] == 2 || x[2] == 2.5 {
			t.Errorf("%s: %v", m.Name(), x)
		}
		if !(math.Abs(x[4]-x[6]) <= 1e-15) || !(math.Abs(x[5]-x[7]) <= 1e-15) || x[4] == x[5] {
			t.Errorf("%s: agent 0 has ended in state 1, and its noise is there: %v", m.Name(), x[4:])
		}
	}
	for _, m := range []Mechanism{Laplace{Output: true}, BoundedGaussian{Output: true}} {
		x := make([]float64, s.JointEntries())
		if err := m.Privatize(x, r, g, new(Noise)); err != nil {
			t.Fatal(err)
		}
		if x[1] != lacks || x[4] == x[6] {
			t.Errorf("%s: %v", m.Name(), x)
		}
	}
}

// Every mechanism says what it promises.
func TestPromises(t *testing.T) {
	for _, m := range Mechanisms() {
		p, is := m.(Promising)
		if !is || p.Promise().Guarantee == "" || p.Promise().Protects == "" || p.Promise().Source == "" ||
			p.Promise().Neighbours == "" || m.Meaning() == "" {
			t.Errorf("%s promises %+v", m.Name(), p)
		}
	}
}
