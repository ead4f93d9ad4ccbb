package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// paperNoise is the paper's mechanism: Lemma 1 at delta 0.01 and adjacency 1.
func paperNoise(tb testing.TB, epsilon float64) float64 {
	tb.Helper()
	sigma, err := privacy.Guarantee{Epsilon: epsilon, Delta: 0.01, Adjacency: 1, Calibration: privacy.Classical}.Sigma()
	if err != nil {
		tb.Fatal(err)
	}
	return sigma
}

func mustAxis(tb testing.TB, s *Solved) *Axis {
	tb.Helper()
	x, err := NewAxis(s, privacy.InputPerturbation{})
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// steps follows a policy from the start until a state comes again.
func steps(s *Solved, policy []int32) (pairs []int) {
	seen := make([]bool, s.Law.States())
	for at := s.Start; !seen[at]; {
		seen[at] = true
		pair := at*s.Law.Actions() + int(policy[at])
		pairs = append(pairs, pair)
		at = s.Law.AppendOutcomes(nil, at, int(policy[at]))[0].State
	}
	return pairs
}

// checkAxis plans afresh at random sigmas, and just outside the blur of every corner, and compares routes and
// costs with the piece's, to the bit. It returns the share of the range that is blurred.
func checkAxis(t *testing.T, name string, x *Axis, direct *Planner, rng *rand.Rand, z []float64, low, high float64,
	samples int) (blurred float64) {
	t.Helper()
	pieces := x.Pieces(z, low, high)
	compare := func(p Piece, sigma float64) {
		plan := direct.Plan(direct.Privatize(sigma, z))
		if !slices.Equal(steps(direct.problem, plan.Policy), steps(direct.problem, p.Policy)) {
			t.Fatalf("%s, sigma %.17g in [%.17g, %.17g) blurred by %g and %g: another route than a direct plan's", name, sigma,
				p.Low, p.High, p.BlurLow, p.BlurHigh)
		}
		if got, want := p.Cost.Relative, direct.CostOfPrivacy(plan.Policy); got != want {
			t.Fatalf("%s, sigma %g: cost %.17g, a direct plan's is %.17g", name, sigma, got, want)
		}
		if got, want := p.Cost.Private+sigma*p.Noise,
			plan.Value[direct.problem.Start]; !(math.Abs(got-want) <= plan.Bound+1e-12*math.Abs(want)) {
			t.Fatalf("%s, sigma %g: worth %.17g, a direct plan %.17g", name, sigma, got, want)
		}
	}
	at := low
	for i, p := range pieces {
		if p.Low != at || !(p.High > p.Low) || p.Found < p.Low || p.Found > p.High {
			t.Fatalf("%s: piece %d of [%g, %g] is [%g, %g], found at %g, after %g", name, i, low, high, p.Low, p.High, p.Found,
				at)
		}
		at = p.High
		if i+1 < len(pieces) {
			q := pieces[i+1]
			if cross := (p.Cost.Private - q.Cost.Private) / (q.Noise - p.Noise); q.BlurLow < q.High-q.Low &&
				p.BlurHigh < p.High-p.Low && !(math.Abs(cross-p.High) <= 1e-10*p.High) {
				t.Fatalf("%s: the corner at %.17g is not where its two lines cross, %.17g", name, p.High, cross)
			}
		}
		blurred += min(p.BlurLow+p.BlurHigh, p.High-p.Low)
		if inside := p.Low + p.BlurLow*(1+1e-6); inside < p.High-p.BlurHigh {
			compare(p, inside)
		}
		if inside := p.High - p.BlurHigh*(1+1e-6); inside > p.Low+p.BlurLow {
			compare(p, inside)
		}
	}
	if at != high {
		t.Fatalf("%s: the pieces end at %g, want %g", name, at, high)
	}
	for range samples {
		sigma := low + (high-low)*rng.Float64()
		p := pieces[slices.IndexFunc(pieces, func(p Piece) bool { return sigma <= p.High })]
		if sigma-p.Low < p.BlurLow || p.High-sigma < p.BlurHigh {
			continue
		}
		compare(p, sigma)
	}
	return blurred / (high - low)
}

// The route at any sigma is that of a direct plan there, to the bit, over thousands of draws and random sigmas.
func TestAxisIsDirectPlanning(t *testing.T) {
	spec := paperSpec()
	spec.Tolerance = 1e-9
	narrow := Spec{Columns: 7, Rows: 4, SpacingKm: 5, RewardWeight: 1, Discount: 0.8, Tolerance: 1e-9}
	for _, c := range []struct {
		name      string
		mission   *Mission
		low, high float64 // epsilon
		runs      int
	}{
		{"paper", mustMission(t, spec, paperStart, r3.Vec{}), 0.2, 4, 1000},
		{"paper, wide", mustMission(t, spec, paperStart, r3.Vec{}), 0.02, 40, 100},
		{"narrow", mustMission(t, narrow, r3.Vec{}, r3.Vec{X: 30, Y: 15}), 0.1, 10, 4000},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := mustAxis(t, c.mission.Solved)
			direct := mustPlanner(t, c.mission)
			rng := rand.New(rand.NewPCG(8, 0))
			low, high := paperNoise(t, c.high), paperNoise(t, c.low)
			runs := c.runs
			if testing.Short() {
				runs /= 10
			}
			pieces, solves, blurred := 0, 0, 0.0
			for run := range runs {
				blurred += checkAxis(t, fmt.Sprintf("run %d", run), x, direct, rng, normals(rng, len(c.mission.Rewards.Joint)), low,
					high, 2)
				pieces, solves = pieces+len(x.pieces), solves+x.solves
			}
			t.Logf("%.2f pieces and %.2f solves a run; a share of %.2g is blurred", float64(pieces)/float64(runs),
				float64(solves)/float64(runs), blurred/float64(runs))
			if share := blurred / float64(runs); share > 1e-6 {
				t.Errorf("a share of %g of the axis is blurred, want next to nothing", share)
			}
		})
	}
}

// A problem whose corners are known: going to state k at once earns the k-th line, and every line is a tangent
// of a parabola.
func TestAxisClosedForm(t *testing.T) {
	const lines = 9
	law, err := mdp.NewSlipModel(lines+1, lines, 0, func(state, action int) int {
		if state == 0 {
			return action + 1
		}
		return state
	})
	if err != nil {
		t.Fatal(err)
	}
	// At sigma = k the tangent of sigma^2/2 has slope k and value k^2/2: corners lie at k + 1/2.
	rewards, z := make([]float64, (lines+1)*lines), make([]float64, (lines+1)*lines)
	for k := range lines {
		rewards[k], z[k] = -float64(k*k)/2, float64(k)
	}
	for i := lines; i < len(rewards); i++ {
		rewards[i] = -float64(i % lines) // to stay by action 0
	}
	problem, err := NewProblem(law, [][]float64{rewards}, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := mustAxis(t, mustSolve(t, problem, 1e-9, 0))
	pieces := x.Pieces(z, 0, lines)
	if len(pieces) != lines || x.solves > 2*lines {
		t.Fatalf("%d pieces by %d solves, want %d by at most %d", len(pieces), x.solves, lines, 2*lines)
	}
	for k, p := range pieces {
		low, high := float64(k)-0.5, float64(k)+0.5
		if k == 0 {
			low = 0
		}
		if k == lines-1 {
			high = lines
		}
		if int(p.Policy[0]) != k || !(math.Abs(p.Low-low) <= 1e-12) || !(math.Abs(p.High-high) <= 1e-12) ||
			p.Noise != float64(k) {
			t.Errorf("piece %d: action %d on [%v, %v], noise worth %v; want action %d on [%v, %v]", k, p.Policy[0], p.Low,
				p.High, p.Noise, k, low, high)
		}
		if max(p.BlurLow, p.BlurHigh) > 1e-8 {
			t.Errorf("piece %d is blurred by %g", k, max(p.BlurLow, p.BlurHigh))
		}
	}
	// A range that ends next to corners tells as well where its first and last route are planned.
	const gap = 1e-7
	for _, p := range x.Pieces(z, 0.5+gap, 4.5-gap) {
		if max(p.BlurLow, p.BlurHigh) > 1e-8 {
			t.Errorf("piece [%g, %g] is blurred by %g", p.Low, p.High, max(p.BlurLow, p.BlurHigh))
		}
	}
	if p := x.Pieces(z, 2.5+1e-10, 3); len(p) != 1 || !(p[0].BlurLow > 1e-10 && p[0].BlurLow < 1e-8) {
		t.Errorf("from within the tolerance of a corner: %+v", p)
	}
	// A piece no wider than 2e-7: by so much the second line stands above the crossing of its neighbours.
	rewards[1], rewards[2], z[2] = -1+1e-7, -2, 2
	if p := x.Pieces(z, 0, 1.5); len(p) != 3 || !(math.Abs(p[1].Low-(1-1e-7)) <= 1e-12) ||
		!(math.Abs(p[1].High-(1+1e-7)) <= 1e-12) || !(max(p[1].BlurLow, p[1].BlurHigh) < 3e-9) {
		t.Errorf("a narrow piece: %+v", p)
	}
	rewards[1], rewards[2] = -0.5, -2
	// Within a piece, and at a single sigma.
	if p := x.Pieces(z, 2.75, 3.25); len(p) != 1 || p[0].Policy[0] != 3 || p[0].BlurLow != 0 || p[0].BlurHigh != 0 ||
		x.solves != 2 {
		t.Errorf("within a piece: %+v by %d solves", p, x.solves)
	}
	if p := x.Pieces(z, 3.25, 3.25); len(p) != 1 || p[0].Policy[0] != 3 || p[0].Low != 3.25 || p[0].High != 3.25 {
		t.Errorf("at one sigma: %+v", p)
	}
}

// Two routes of the same value at every sigma leave it open which is planned, and the axis says so.
func TestAxisOfTies(t *testing.T) {
	law, err := mdp.NewSlipModel(4, 3, 0, func(state, action int) int {
		if state == 0 {
			return action + 1
		}
		return state
	})
	if err != nil {
		t.Fatal(err)
	}
	problem, err := NewProblem(law, [][]float64{make([]float64, 12)}, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := mustAxis(t, mustSolve(t, problem, 1e-9, 0))
	z := make([]float64, 12)
	z[0], z[1], z[2] = 1, 1, -1
	pieces := x.Pieces(z, 1, 5)
	if len(pieces) != 1 || pieces[0].Policy[0] > 1 {
		t.Fatalf("pieces %+v", pieces)
	}
	// The same with a route that takes over: the corner is where the tie ends.
	z[2] = 2
	problem.Rewards.Tables[0][2] = -2
	if pieces = x.Pieces(z, 1, 5); len(pieces) != 2 || !(math.Abs(pieces[0].High-2) <= 1e-9) || pieces[1].Policy[0] != 2 {
		t.Fatalf("pieces %+v", pieces)
	}
	if p := pieces[0]; p.BlurLow != p.High-p.Low {
		t.Errorf("a piece on which two routes tie is blurred by %g, want all of it", p.BlurLow)
	}
}

func TestAxisDoesNotDependOnHistory(t *testing.T) {
	m := mustMission(t, paperSpec(), paperStart, r3.Vec{})
	used, fresh := mustAxis(t, m.Solved), mustAxis(t, m.Solved)
	rng := rand.New(rand.NewPCG(9, 0))
	z := normals(rng, len(m.Rewards.Joint))
	for range 5 {
		used.Pieces(normals(rng, len(z)), 0.5, 20)
	}
	got, want := used.Pieces(z, 0.7, 12), fresh.Pieces(z, 0.7, 12)
	if len(got) != len(want) {
		t.Fatalf("%d pieces, on a fresh axis %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Low != want[i].Low || got[i].High != want[i].High || got[i].Cost != want[i].Cost ||
			!slices.Equal(got[i].Policy, want[i].Policy) {
			t.Errorf("piece %d is %+v, on a fresh axis %+v", i, got[i], want[i])
		}
	}
}

func TestAxisNeedsCertainMoves(t *testing.T) {
	spec := paperSpec()
	spec.Slip = 0.1
	if _, err := NewAxis(mustMission(t, spec, paperStart, r3.Vec{}).Solved, privacy.InputPerturbation{}); err == nil {
		t.Error("an axis of a problem with slip was made")
	}
}

// BenchmarkAxis finds the whole axis from epsilon 0.2 to 4, and BenchmarkReplanTwenty plans at the paper's 20
// epsilons on it, each from one draw of noise.
func BenchmarkAxis(b *testing.B) {
	m, noise := benchmarkNoise(b)
	x := mustAxis(b, m.Solved)
	low, high := paperNoise(b, 4), paperNoise(b, 0.2)
	solves, pieces := 0, 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		pieces += len(x.Pieces(noise[i%len(noise)], low, high))
		solves += x.solves
	}
	b.ReportMetric(float64(solves)/float64(b.N), "solves")
	b.ReportMetric(float64(pieces)/float64(b.N), "pieces")
}

func benchmarkNoise(b testing.TB) (*Mission, [][]float64) {
	spec := paperSpec()
	spec.Tolerance = 1e-9
	m := mustMission(b, spec, paperStart, r3.Vec{})
	rng := rand.New(rand.NewPCG(5, 0))
	noise := make([][]float64, 256)
	for i := range noise {
		noise[i] = normals(rng, len(m.Rewards.Joint))
	}
	return m, noise
}

// The piece of a sigma is certain between its blurs, within rounding of its corners it is not, and at the ends of the
// range there is no corner.
func TestCertainPieces(t *testing.T) {
	pieces := []Piece{{Low: 1, High: 2, BlurHigh: 0.25}, {Low: 2, High: 3, BlurLow: 0.125, BlurHigh: 0.125}, {Low: 3,
		High: 4}}
	const beside = 1e-11 // of a corner, more than rounding
	for _, c := range []struct {
		sigma float64
		want  int // -1 for none
	}{
		{1 - 1e-9, -1}, {1, 0}, {1.5, 0}, {1.75 - beside, 0}, {1.75, -1}, {1.75 + beside, -1}, {2, -1}, {2.125, -1},
		{2.125 + beside, 1},
		{2.5, 1}, {2.875 - beside, 1}, {2.875, -1}, {3 - beside, -1}, {3, -1}, {3 + 1e-13, -1}, {3 + beside, 2}, {4, 2},
		{4 + 1e-9, -1},
	} {
		var want *Piece
		if c.want >= 0 {
			want = &pieces[c.want]
		}
		if got := PieceAt(pieces, c.sigma); got != want {
			t.Errorf("sigma %.17g: %+v, want %+v", c.sigma, got, want)
		}
	}
	if PieceAt(nil, 1) != nil {
		t.Error("a piece of none")
	}
}

// At a single sigma a route that others may tie with is not certain, and one that leads is.
func TestAxisOfATieAtOneSigma(t *testing.T) {
	law, err := mdp.NewSlipModel(3, 2, 0, func(state, action int) int {
		if state == 0 {
			return action + 1
		}
		return state
	})
	if err != nil {
		t.Fatal(err)
	}
	problem, err := NewProblem(law, [][]float64{{0, 0, 0, -1, 0, -1}}, 0.9, 0) // to stay by action 0
	if err != nil {
		t.Fatal(err)
	}
	const sigma, tolerance = 2, 1e-6
	x := mustAxis(t, mustSolve(t, problem, tolerance, 0))
	for lead, certain := range map[float64]bool{0: false, 1e-3 * tolerance: false, 1: true, -1: true} {
		z := []float64{lead / sigma, 0, 0, 0, 0, 0}
		pieces := x.Pieces(z, sigma, sigma)
		if len(pieces) != 1 {
			t.Fatalf("pieces %+v", pieces)
		}
		if piece := PieceAt(pieces, sigma); (piece != nil) != certain || certain &&
			piece.Policy[0] != map[bool]int32{true: 0, false: 1}[lead > 0] {
			t.Errorf("a lead of %g: %+v", lead, pieces[0])
		}
	}
}
