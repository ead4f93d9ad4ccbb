package audit_test

import (
	"math"
	"strings"
	"testing"

	"veilpath/planner/audit"
	"veilpath/planner/privacy"
)

// gaussian is the claim of the classical calibration for b = 1.
func gaussian(t testing.TB, epsilon float64) audit.Claim {
	t.Helper()
	const delta = 0.01
	sigma, err := privacy.Classical.Sigma(epsilon, delta, 1)
	if err != nil {
		t.Fatal(err)
	}
	return audit.Claim{Epsilon: epsilon, Delta: delta, Adjacency: 1, Sigma: sigma}
}

// source draws noise for tests: each call of normals goes on.
type source struct{ noise privacy.Noise }

func newSource(seed uint64) *source {
	s := new(source)
	s.noise.Seek(privacy.Address{Seed: seed})
	return s
}

func (s *source) normals(n int) []float64 {
	z := make([]float64, n)
	s.noise.Normals(z)
	return z
}

// pair is n releases of an entry with reward 0 and of its neighbour with reward 1; release makes one of a reward
// and a standard normal.
func (s *source) pair(n int, release func(reward, z float64) float64) (table, neighbour []float64) {
	table, neighbour = s.normals(n), s.normals(n)
	for i := range n {
		table[i], neighbour[i] = release(0, table[i]), release(1, neighbour[i])
	}
	return table, neighbour
}

// tables is some releases of a table of zeros with a coin per entry; spoil may change the standard normals of all.
func (s *source) tables(releases, entries int, sigma float64, spoil func(z [][]float64)) []audit.Release {
	z := make([][]float64, releases)
	for k := range z {
		z[k] = s.normals(entries)
	}
	if spoil != nil {
		spoil(z)
	}
	made := make([]audit.Release, releases)
	for k := range made {
		made[k] = audit.Release{Raised: make([]bool, entries), Values: make([]float64, entries)}
		for i, coin := range s.normals(entries) {
			made[k].Values[i] = sigma * z[k][i]
			if coin > 0 {
				made[k].Raised[i] = true
				made[k].Values[i]++
			}
		}
	}
	return made
}

func judge(t testing.TB, c audit.Claim, table, neighbour []float64, releases []audit.Release) *audit.Report {
	t.Helper()
	var s *audit.Samples
	if table != nil {
		s = &audit.Samples{A: table, B: neighbour, Threshold: c.Adjacency / 2, Shift: c.Adjacency}
	}
	r, err := c.Judge(s, releases, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failed lists the tests that were failed.
func failed(r *audit.Report) string {
	var names []string
	for _, t := range r.Failed() {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

func clipped(v, at float64) float64 { return math.Max(-at, math.Min(at, v)) }

// Faults of one entry's noise are found, by the test that is meant to; what happens to a release afterwards is none.
func TestFaultsOfAnEntryAreFound(t *testing.T) {
	const few, many = 20_000, 100_000
	for _, c := range []struct {
		name    string
		epsilon float64
		samples int
		by      string // "" for no alarm
		release func(sigma float64) func(reward, z float64) float64
	}{
		{"sigma halved, 1", 1, few, "mu", scaled(0.5)},
		{"sigma halved, 4", 4, few, "mu", scaled(0.5)},
		{"sigma 10 % low, 1", 1, many, "mu", scaled(0.9)},
		{"sigma 10 % low, 4", 4, many, "mu", scaled(0.9)},
		{"no noise", 1, few, "epsilon_low", scaled(0)},
		{"noise clipped at 2 sigma, 1", 1, few, "epsilon_low", clippedNoise(2)},
		{"noise clipped at 3 sigma, 1", 1, many, "mu_low", clippedNoise(3)},
		{"noise clipped at 3 sigma, 4", 4, many, "epsilon_low", clippedNoise(3)},
		{"right, 0.2", 0.2, few, "", scaled(1)},
		{"right, 1", 1, few, "", scaled(1)},
		{"more noise than promised", 1, few, "", scaled(2)},
		{"rounded to halves", 4, few, "", after(func(v float64) float64 { return math.Round(2*v) / 2 })},
		{"rounded to tens", 1, few, "", after(func(v float64) float64 { return 10 * math.Round(v/10) })},
		{"release clipped at 1", 1, few, "", after(func(v float64) float64 { return clipped(v, 1) })},
	} {
		t.Run(c.name, func(t *testing.T) {
			claim := gaussian(t, c.epsilon)
			table, neighbour := newSource(11).pair(c.samples, c.release(claim.Sigma))
			r := judge(t, claim, table, neighbour, nil)
			if found := failed(r); (c.by == "") != (found == "") || !strings.Contains(found, c.by) {
				t.Errorf("found by %q, want %q: %s", found, c.by, r.Why())
			}
		})
	}
}

func scaled(by float64) func(sigma float64) func(reward, z float64) float64 {
	return func(sigma float64) func(reward, z float64) float64 {
		return func(reward, z float64) float64 { return reward + by*sigma*z }
	}
}

func clippedNoise(at float64) func(sigma float64) func(reward, z float64) float64 {
	return func(sigma float64) func(reward, z float64) float64 {
		return func(reward, z float64) float64 { return reward + sigma*clipped(z, at) }
	}
}

func after(process func(float64) float64) func(sigma float64) func(reward, z float64) float64 {
	return func(sigma float64) func(reward, z float64) float64 {
		return func(reward, z float64) float64 { return process(reward + sigma*z) }
	}
}

// onGrid is noise on a grid of 32 steps in b, drawn again where it lies farther out than some standard deviations.
func (s *source) onGrid(n int, sigma, farthest float64) []float64 {
	const steps = 32
	values := s.normals(n)
	for i, z := range values {
		for math.Abs(z) > farthest {
			z = s.normals(1)[0]
		}
		values[i] = math.Round(z*sigma*steps) / steps
	}
	return values
}

// A sampler of discrete noise that draws again what lies far out betrays itself there; one that does not does not.
func TestATruncatedDiscreteSamplerIsFound(t *testing.T) {
	const samples, audits = 100_000, 1
	claim := gaussian(t, 1)
	for _, farthest := range []float64{math.Inf(1), 3} {
		found := 0
		for i := range audits {
			s := newSource(uint64(i))
			table, neighbour := s.onGrid(samples, claim.Sigma, farthest), s.onGrid(samples, claim.Sigma, farthest)
			for i := range neighbour {
				neighbour[i]++
			}
			if r := judge(t, claim, table, neighbour, nil); failed(r) == "mu_low" {
				found++
			}
		}
		if want := map[bool]int{true: 0, false: audits}[math.IsInf(farthest, 1)]; found != want {
			t.Errorf("truncated at %g sigma: found by %d of %d audits, want %d", farthest, found, audits, want)
		}
	}
}

// Whatever is done to releases afterwards, entry by entry, leaves them independent.
func TestPostProcessingOfTablesDoesNotAlarm(t *testing.T) {
	for name, process := range map[string]func(float64) float64{
		"rounded to 5":     func(v float64) float64 { return 5 * math.Round(v/5) },
		"clipped at 1":     func(v float64) float64 { return clipped(v, 1) },
		"clipped far off":  func(v float64) float64 { return math.Max(v, 5) },
		"made a constant":  func(float64) float64 { return -40 },
		"turned to a sign": func(v float64) float64 { return math.Copysign(1, v) },
	} {
		claim := gaussian(t, 1)
		releases := newSource(4).tables(60, 300, claim.Sigma, nil)
		for _, r := range releases {
			for i, v := range r.Values {
				r.Values[i] = process(v)
			}
		}
		if r := judge(t, claim, nil, nil, releases); r.Verdict() != audit.Consistent {
			t.Errorf("%s: %s", name, r.Why())
		}
	}
}

// What so many samples can show at the most has a closed form, and an entry without noise shows it.
func TestTheCeilingIsThatOfClopperAndPearson(t *testing.T) {
	claim := gaussian(t, 1)
	for samples, want := range map[int]float64{100_000: 10.092, 1_000_000: 12.395} {
		table, neighbour := newSource(1).pair(samples, scaled(0)(1))
		e, err := claim.Compare(audit.Samples{A: table, B: neighbour, Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		kept := float64(samples) * 0.9
		exact := math.Log((math.Pow(0.025, 1/kept) - 0.01) / (1 - math.Pow(0.025, 1/kept)))
		const printed = 5e-4
		if math.Abs(e.EpsilonLow-want) > printed || e.EpsilonLow != e.EpsilonCeiling || math.Abs(exact-e.EpsilonLow) > 1e-9 {
			t.Errorf("%d samples: %v, ceiling %v, closed form %v, want %v", samples, e.EpsilonLow, e.EpsilonCeiling, exact, want)
		}
	}
}

// Mu and the lower bound on epsilon at 100,000 a side, with the spread they were measured with.
func TestBoundsAreAsTightAsMeasured(t *testing.T) {
	for _, c := range []struct{ epsilon, mu, attained, low, spread float64 }{
		{0.2, 0.0844, 0.0699, 0.035, 0.015}, {1, 0.3961, 0.6734, 0.594, 0.040}, {4, 1.3359, 3.4297, 3.12, 0.10},
	} {
		claim := gaussian(t, c.epsilon)
		attained, err := claim.Attained()
		const printed = 1e-4
		if err != nil || math.Abs(attained-c.attained) > printed || math.Abs(claim.Mu()-c.mu) > printed {
			t.Errorf("epsilon %g: attained %v, mu %v, %v", c.epsilon, attained, claim.Mu(), err)
		}
		const repeats = 2
		mu, low := 0.0, 0.0
		for i := range repeats {
			table, neighbour := newSource(uint64(50+i)).pair(100_000, scaled(1)(claim.Sigma))
			e, err := claim.Compare(audit.Samples{A: table, B: neighbour, Threshold: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			mu += e.Mu / repeats
			low += e.EpsilonLow / repeats
			p := 0.5 * math.Erfc(-c.mu/2/math.Sqrt2)
			formula := math.Sqrt(2*p*(1-p)/1e5) / (math.Exp(-c.mu*c.mu/8) / math.Sqrt(2*math.Pi))
			if math.Abs(e.MuStandardError/formula-1) > 0.02 {
				t.Errorf("standard error %v, want %v", e.MuStandardError, formula)
			}
		}
		const fourErrors = 4
		standardError := 0.0057 * (1 + c.mu/4) / math.Sqrt(repeats)
		if math.Abs(mu-c.mu) > fourErrors*standardError {
			t.Errorf("epsilon %g: mean mu %v, want %v", c.epsilon, mu, c.mu)
		}
		t.Logf("epsilon %g: mean epsilon_low %.4f", c.epsilon, low)
		if low < c.low-c.spread || low > attained {
			t.Errorf("epsilon %g: mean lower bound %v, want %v", c.epsilon, low, c.low)
		}
	}
}
