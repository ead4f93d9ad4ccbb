package privacy

import (
	"context"
	"fmt"
	"math"
)

// A guarantee for one entry, applied to tables that differ in many entries. Gaussian noise of standard
// deviation sigma makes two given tables exactly as hard to distinguish as N(0, 1) and N(mu, 1), mu = |R -
// R'|_2/sigma (Dong, Roth and Su 2022). For neighbours mu is at most b/sigma, for tables that differ in k
// entries by b it is sqrt(k) b/sigma, and Group holds it for any two tables.

// Group says how well noise hides from which of two tables a release was made.
type Group struct {
	// Entries is the number of entries that differ, Distance the L2 distance in reward units.
	Entries  int
	Distance float64
	// Mu is the distance in standard deviations of the noise.
	Mu float64
	// Epsilon is the least epsilon at which the two tables are (Epsilon, delta)-indistinguishable for the given delta.
	Epsilon float64
	// Distinguished is the probability that the best test identifies the table, if both are equally likely:
	// Phi(mu/2), where one half is chance.
	Distinguished float64
}

// GroupPrivacy compares two different tables of one length under noise of
// standard deviation sigma, for a delta in (0, 1).
func GroupPrivacy(one, other []float64, delta, sigma float64) (Group, error) {
	if len(one) != len(other) {
		return Group{}, fmt.Errorf("privacy: tables of %d and %d entries; they must have equal lengths", len(one),
			len(other))
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
	g.Distinguished = normalTail(-g.Mu / 2)
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

// Identification is how often a release identifies from which of several tables it was made. The observer knows
// all tables and takes the most likely one, which is the nearest.
type Identification struct {
	// Probability is estimated from draws. If the estimate lies outside the exact bounds Low and High, its mean
	// is replaced by the nearer bound, which is at least as close to the probability.
	Probability SampleMean
	Low, High   float64
}

// Identify estimates how often a release of a table, with noise of standard deviation sigma, is nearer to that
// table than to every other one, from at least 2 draws. Low is 1 minus the sum of the probabilities of being
// nearer to each of the others, High is 1 minus the largest of these. It stops with the context's error when
// the context ends. It calls drawn, which may be nil, after each draw.
func Identify(ctx context.Context, table []float64, others [][]float64, sigma float64, draws int, noise *Noise,
	drawn func()) (Identification, error) {
	if err := checkPositive("sigma", sigma); err != nil {
		return Identification{}, err
	}
	if err := checkAtLeast("number of draws", draws, leastDraws); err != nil {
		return Identification{}, err
	}
	found := Identification{Low: 1, High: 1}
	var rivals [][]float64 // directions to the other tables that matter
	var halfway []float64
	for _, other := range others {
		if len(other) != len(table) {
			return Identification{}, fmt.Errorf("privacy: tables of %d and %d entries; they must have equal "+
				"lengths", len(table), len(other))
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

// neverNearer is a probability too small to show in a sample: with a million rivals and a million draws, one
// case is expected to be missed.
const neverNearer = 1e-12

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
