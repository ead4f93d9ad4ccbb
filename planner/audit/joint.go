package audit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Release is one release of a whole table in which a coin decided of every entry whether it was raised by the
// adjacency before the mechanism saw it.
type Release struct {
	Raised []bool
	Values []float64 // what was released, less the table without raises
	// Scale is the noise of this release in units of the others', 0 for 1: releases at several epsilons are audited together.
	Scale float64
}

// LeastReleases is how few releases of a table show whether noise is used more than once, at least.
const LeastReleases = 8

// Joint is how well the coins of all entries can be told, and how the noise of entries and of releases goes together.
type Joint struct {
	Releases, Entries int
	// Right is how many coins the first release tells, of Entries, and MuOnce the mu which that makes, with its
	// standard error: an audit by a single release.
	Right                       int
	MuOnce, MuOnceStandardError float64
	// MuAll is the same by all releases.
	MuAll, MuAllStandardError float64
	// Overdispersion is the variance of the right guesses of a release over that of independent ones.
	Overdispersion float64
	// Neighbours is the mean correlation between entries that follow each other.
	Neighbours float64
	// Together is the mean squared correlation of any two entries, over that of independent ones.
	Together float64
	// Again is the largest correlation between the noise of two releases, and First and Second which those are,
	// counted from 0.
	Again         float64
	First, Second int

	sure []Test
}

// JudgeJoint looks at releases of one table, LeastReleases of them or more.
func (c Claim) JudgeJoint(releases []Release) (*Joint, error) {
	if len(releases) < LeastReleases {
		return nil, fmt.Errorf("audit: %d releases of the table; want at least %d", len(releases), LeastReleases)
	}
	j := &Joint{Releases: len(releases), Entries: len(releases[0].Values)}
	for k, r := range releases {
		if len(r.Values) != j.Entries || len(r.Raised) != j.Entries || j.Entries == 0 {
			return nil, fmt.Errorf("audit: release %d has %d values and %d coins; the first has %d entries", k, len(r.Values), len(r.Raised), j.Entries)
		}
		if slices.ContainsFunc(r.Values, math.IsNaN) {
			return nil, errNaN
		}
	}
	j.guess(c, releases)
	w, used := c.residuals(releases)
	if used > 0 {
		kept := j.again(w, used)
		w, used = standardized(kept)
		if used > 1 && len(w) > 3 {
			j.together(w, used)
			j.neighbours(w)
		}
	}
	return j, nil
}

// guess guesses every coin by the threshold that is optimal for Gaussian noise.
func (j *Joint) guess(c Claim, releases []Release) {
	byRelease, byEntry := make([]int, j.Releases), make([]int, j.Entries)
	all := 0
	for k, r := range releases {
		for i, v := range r.Values {
			if (v > c.Adjacency/2) == r.Raised[i] {
				byRelease[k]++
				byEntry[i]++
				all++
			}
		}
	}
	j.Right = byRelease[0]
	j.MuOnce, j.MuOnceStandardError = muOf(share{j.Right, j.Entries})
	total := share{all, j.Releases * j.Entries}
	j.MuAll, j.MuAllStandardError = muOf(total)

	told := c.told()
	clearest := slices.Max(byEntry)
	j.test("guesses", fmt.Sprintf("at most %.4f of the coins can be told", told), float64(total.k)/float64(total.n), told, atLeast(total, told))
	j.test("entry_guesses", "no entry's coin can be told more often", float64(clearest)/float64(j.Releases), told,
		min(1, float64(j.Entries)*atLeast(share{clearest, j.Releases}, told)))

	// Releases of one scale have one probability of a right guess.
	scales := map[float64]share{}
	for k, r := range releases {
		s := scales[r.Scale]
		scales[r.Scale] = share{s.k + byRelease[k], s.n + j.Entries}
	}
	squares := 0.0
	for k, r := range releases {
		p, n := scales[r.Scale].middle(), float64(j.Entries)
		d := float64(byRelease[k]) - p*n
		squares += d * d / (n * p * (1 - p))
	}
	freedom := float64(j.Releases - len(scales))
	if freedom == 0 {
		return
	}
	j.Overdispersion = squares / freedom
	j.test("overdispersion", entriesAlone, j.Overdispersion, 1, mathext.GammaIncRegComp(freedom/2, squares/2))
}

// The claims that noise used twice breaks.
const (
	entriesAlone  = "every entry has noise of its own"
	releasesAlone = "every release has noise of its own"
)

// muOf returns the mu of a share of right guesses, with its standard error.
func muOf(s share) (mu, standardError float64) {
	p := s.middle()
	z := distuv.UnitNormal.Quantile(p)
	return 2 * z, 2 * math.Sqrt(p*(1-p)/float64(s.n)) / distuv.UnitNormal.Prob(z)
}

// atLeast is the probability of so many of n trials or more, each true with probability p.
func atLeast(s share, p float64) float64 {
	if s.k == 0 {
		return 1
	}
	return mathext.RegIncBeta(float64(s.k), float64(s.n-s.k+1), p)
}

func (j *Joint) test(name, claim string, statistic, limit, p float64) {
	j.sure = append(j.sure, Test{Name: name, Claim: claim, Statistic: statistic, Limit: limit, P: p})
}

// residuals returns the noise of every release, in units of its scale, with every entry standardized over the
// releases, and how many entries are left: those that vary.
func (c Claim) residuals(releases []Release) ([][]float64, int) {
	w := make([][]float64, len(releases))
	for k, r := range releases {
		scale := r.Scale
		if scale == 0 {
			scale = 1
		}
		w[k] = make([]float64, len(r.Values))
		for i, v := range r.Values {
			if r.Raised[i] {
				v -= c.Adjacency
			}
			w[k][i] = v / scale
		}
	}
	return standardized(w)
}

// standardized returns releases with every entry at mean 0 and variance 1 over them; entries that do not vary are 0.
func standardized(releases [][]float64) (w [][]float64, used int) {
	m := len(releases)
	w = make([][]float64, m)
	for k := range w {
		w[k] = make([]float64, len(releases[k]))
	}
	for i := range w[0] {
		mean, squares := 0.0, 0.0
		for k := range releases {
			mean += releases[k][i] / float64(m)
		}
		largest := 0.0
		for k := range releases {
			d := releases[k][i] - mean
			squares += d * d
			largest = max(largest, math.Abs(releases[k][i]))
		}
		const rounding = 1e-12 // relative to the values: what differs by less does not vary
		if math.Sqrt(squares/float64(m)) <= rounding*largest || squares == 0 {
			continue
		}
		used++
		unit := math.Sqrt(float64(m-1) / squares)
		for k := range w {
			w[k][i] = (releases[k][i] - mean) * unit
		}
	}
	return w, used
}

// again looks for two releases with the same noise, among used entries, and returns the releases without the
// second of each such pair: what is left tells about entries alone.
func (j *Joint) again(w [][]float64, used int) [][]float64 {
	m := len(w)
	norms := make([]float64, m)
	for k := range w {
		norms[k] = math.Sqrt(dot(w[k], w[k]))
	}
	// Centred entries make releases correlate by -1/m; of independent noise the rest is a correlation of so many
	// normals, whose transform is Student's.
	type pair struct {
		k, l int
		r    float64
	}
	var pairs []pair
	var sizes []float64
	for k := range w {
		for l := range k {
			if norms[k] == 0 || norms[l] == 0 {
				continue
			}
			r := (dot(w[k], w[l]) + float64(used)/float64(m)) / (norms[k] * norms[l])
			r = max(-1, min(1, r))
			pairs, sizes = append(pairs, pair{l, k, r}), append(sizes, math.Abs(r)*math.Sqrt(float64(used)))
		}
	}
	if len(pairs) == 0 || used < 3 {
		return w
	}
	slices.Sort(sizes)
	// Entries that share noise widen all correlations between releases; that is another fault.
	const medianOfNormal = 0.6744897501960817
	wider := max(1, sizes[len(sizes)/2]/medianOfNormal)
	freedom := float64(used - 1)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
	surest, twice := 1.0, map[int]bool{}
	for _, p := range pairs {
		t := math.Abs(p.r) / wider * math.Sqrt(freedom/max(1-p.r*p.r/(wider*wider), leastSurety))
		sure := min(1, float64(len(pairs))*2*student.Survival(t))
		if sure < plain {
			twice[p.l] = true
		}
		if math.Abs(p.r) > math.Abs(j.Again) {
			j.Again, j.First, j.Second, surest = p.r, p.k, p.l, sure
		}
	}
	j.test("releases", releasesAlone, j.Again, 0, surest)
	var kept [][]float64
	for k := range w {
		if !twice[k] {
			kept = append(kept, w[k])
		}
	}
	return kept
}

// plain is a probability by chance at which two releases are taken to have the same noise.
const plain = 1e-4

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// together sums the squared correlations of all pairs of entries (Schott 2005). Independent entries make the
// sum known in mean and variance whatever their distributions, as releases may be exchanged (Pitman 1937 for the
// variance of one); it is compared with the gamma distribution of these, which is exact for two normal entries.
func (j *Joint) together(w [][]float64, used int) {
	m := float64(len(w))
	frobenius := 0.0 // of the releases' products, equal to that of the entries'
	for k := range w {
		for l := range k + 1 {
			g := dot(w[k], w[l])
			if l < k {
				g *= math.Sqrt2
			}
			frobenius += g * g
		}
	}
	n := float64(used)
	sum := (frobenius/((m-1)*(m-1)) - n) / 2
	pairs := n * (n - 1) / 2

	kurtoses, squares := 0.0, 0.0
	for i := range w[0] {
		if k, varies := kurtosis(w, i); varies {
			kurtoses += k
			squares += k * k
		}
	}
	mean := pairs / (m - 1)
	fourth := 3 / (m*m - 1) * (pairs + (m-2)*(m-3)/(3*m*(m-1)*(m-1))*(kurtoses*kurtoses-squares)/2)
	variance := fourth - pairs/((m-1)*(m-1))
	j.Together = sum / mean
	shape := mean * mean / variance
	j.test("entries", entriesAlone, j.Together, 1, mathext.GammaIncRegComp(shape, sum*mean/variance))
}

// kurtosis is k4/k2^2 of an entry that is standardized over releases, from Fisher's k-statistics; 0 for one that does not vary.
func kurtosis(w [][]float64, entry int) (k float64, varies bool) {
	n := float64(len(w))
	fourth := 0.0
	for _, row := range w {
		v := row[entry]
		fourth += v * v * v * v
	}
	if fourth == 0 {
		return 0, false
	}
	s2 := n - 1 // the sum of squares, so that k2 is 1
	return (n*(n+1)*fourth - 3*(n-1)*s2*s2) / ((n - 1) * (n - 2) * (n - 3)), true
}

// neighbours averages the correlations of entries that follow each other. Under independence they have mean 0 and
// variance 1/(m-1) each and do not correlate, whatever the entries' distributions.
func (j *Joint) neighbours(w [][]float64) {
	m := float64(len(w))
	count, sum := 0, 0.0
	for i := range len(w[0]) - 1 {
		product, varies := 0.0, 0.0
		for _, row := range w {
			product += row[i] * row[i+1]
			varies += math.Abs(row[i] * row[i+1])
		}
		if varies > 0 {
			count++
			sum += product / (m - 1)
		}
	}
	if count == 0 {
		return
	}
	j.Neighbours = sum / float64(count)
	z := sum * math.Sqrt((m-1)/float64(count))
	j.test("neighbours", entriesAlone, j.Neighbours, 0, 2*distuv.UnitNormal.Survival(math.Abs(z)))
}
