package privacy

import (
	"context"
	"fmt"
	"math"
)

// What a guarantee for one entry says about tables that differ in many. Gaussian
// noise of standard deviation sigma makes two given tables as hard to tell apart
// as N(0, 1) and N(mu, 1), mu = |R - R'|_2/sigma, exactly (Dong, Roth and Su
// 2022): for neighbours mu is at most b/sigma, for tables that differ in k
// entries by b it is sqrt(k) b/sigma, and for any two tables what Group says.

// Group is how well noise hides which of two tables a release was made from.
type Group struct {
	// Entries is how many entries differ, Distance by how much in L2, in reward
	// units.
	Entries  int
	Distance float64
	// Mu is the distance in standard deviations of the noise.
	Mu float64
	// Epsilon is the least at which the two are (Epsilon, delta)-indistinguishable
	// for the delta asked for.
	Epsilon float64
	// Told is the probability with which the best test says which of the two it
	// was, if both are equally likely: Phi(mu/2), one half being chance.
	Told float64
}

// GroupPrivacy compares two different tables of one length under noise of
// standard deviation sigma, for a delta in (0, 1).
func GroupPrivacy(one, other []float64, delta, sigma float64) (Group, error) {
	if len(one) != len(other) {
		return Group{}, fmt.Errorf("privacy: tables of %d and %d entries; want as many", len(one), len(other))
	}
	for _, table := range [][]float64{one, other} {
		if err := checkFinite("reward", table); err != nil {
			return Group{}, err
		}
	}
	g := Group{Distance: distance(one, other)}
	for i := range one {
		if one[i] != other[i] {
			g.Entries++
		}
	}
	var err error
	if g.Mu, err = signalToNoise(sigma, g.Distance); err != nil {
		return Group{}, err
	}
	g.Told = normalTail(-g.Mu / 2)
	g.Epsilon, err = Epsilon(delta, sigma, g.Distance)
	return g, err
}

// distance is the L2 distance of two tables.
func distance(one, other []float64) float64 {
	squares := 0.0
	for i, v := range one {
		squares += (v - other[i]) * (v - other[i])
	}
	return math.Sqrt(squares)
}

// Identification is how often a released table names which one of several it was
// made from, to an observer who knows them all and takes the likeliest, which is
// the nearest.
type Identification struct {
	// Probability is estimated from draws. Where their share is outside Low to High, which are exact, its mean is the
	// nearer of the two, which is no farther from the probability.
	Probability SampleMean
	Low, High   float64
}

// Identify estimates how often a release of a table with noise of standard
// deviation sigma is nearer to that table than to every other one, from at least
// 2 draws. Low is one less the sum of the probabilities of being nearer to each of
// the others, High is one less the largest of them. It ends early, with the
// context's error, when that is done. After each draw it calls drawn, unless that
// is nil.
func Identify(ctx context.Context, table []float64, others [][]float64, sigma float64, draws int, noise *Noise,
	drawn func()) (Identification, error) {
	if err := checkPositive("sigma", sigma); err != nil {
		return Identification{}, err
	}
	if err := checkAtLeast("number of draws", draws, leastDraws); err != nil {
		return Identification{}, err
	}
	found := Identification{Low: 1, High: 1}
	var rivals [][]float64 // directions to the others that matter
	var halfway []float64
	for _, other := range others {
		if len(other) != len(table) {
			return Identification{}, fmt.Errorf("privacy: tables of %d and %d entries; want as many", len(table), len(other))
		}
		d := distance(table, other)
		mistaken := normalTail(d / (2 * sigma))
		found.Low -= mistaken
		found.High = math.Min(found.High, 1-mistaken)
		if mistaken < neverNearer {
			continue
		}
		direction := make([]float64, len(table))
		for i := range table {
			direction[i] = other[i] - table[i]
		}
		rivals, halfway = append(rivals, direction), append(halfway, d*d/(2*sigma))
	}
	found.Low = math.Max(0, found.Low)
	var e Sample
	z := make([]float64, len(table))
	for range draws {
		if err := ctx.Err(); err != nil {
			return Identification{}, err
		}
		noise.Normals(z)
		named := 1.0
		for k, direction := range rivals {
			if dot(z, direction) >= halfway[k] {
				named = 0
				break
			}
		}
		e.Add(named)
		if drawn != nil {
			drawn()
		}
	}
	found.Probability = e.Mean()
	found.Probability.Mean = min(max(found.Probability.Mean, found.Low), found.High)
	return found, nil
}

// neverNearer is a probability that a sample does not show: of a million rivals
// and as many draws one is expected to be missed.
const neverNearer = 1e-12

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
