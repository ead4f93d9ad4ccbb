package audit_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner/audit"
)

// BenchmarkPower says how often planted faults are found by 100,000 releases of each of two tables, as found/op; that
// of the right mechanism is the rate of false alarms.
func BenchmarkPower(b *testing.B) {
	for _, c := range []struct {
		name    string
		epsilon float64
		release func(sigma float64) func(reward, z float64) float64
	}{
		{"right/0.2", 0.2, scaled(1)}, {"right/1", 1, scaled(1)}, {"right/4", 4, scaled(1)},
		{"halved/0.2", 0.2, scaled(0.5)}, {"halved/1", 1, scaled(0.5)}, {"halved/4", 4, scaled(0.5)},
		{"low10/0.2", 0.2, scaled(0.9)}, {"low10/1", 1, scaled(0.9)}, {"low10/4", 4, scaled(0.9)},
		{"none/1", 1, scaled(0)},
		{"clipped2/0.2", 0.2, clippedNoise(2)}, {"clipped2/1", 1, clippedNoise(2)}, {"clipped2/4", 4, clippedNoise(2)},
		{"clipped3/0.2", 0.2, clippedNoise(3)}, {"clipped3/1", 1, clippedNoise(3)}, {"clipped3/4", 4, clippedNoise(3)},
	} {
		b.Run(c.name, func(b *testing.B) {
			found := 0
			for i := range b.N {
				claim := gaussian(b, c.epsilon)
				table, neighbour := newSource(uint64(i)).pair(100_000, c.release(claim.Sigma))
				if judge(b, claim, table, neighbour, nil).Verdict() != audit.Consistent {
					found++
				}
			}
			b.ReportMetric(float64(found)/float64(b.N), "found/op")
		})
	}
}

// BenchmarkWatch releases the paper's table and its neighbour once each.
func BenchmarkWatch(b *testing.B) {
	for _, of := range audit.Publications() {
		b.Run(string(of), func(b *testing.B) {
			s, _ := subject(b, 1, of)
			samples := max(b.N, audit.LeastSamples)
			if _, _, err := audit.Watch(context.Background(), samples, 1, s.NewSampler, nil, func(int) {}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkPowerOfPublications says how often a sigma that is half as large as promised is found by so many policies
// or routes of each of two tables, as found/op; that of the right mechanism is the rate of false alarms. mu/op is what
// was measured, and needed is how many of each find that mu with a probability of 0.8: what the promise bounds is the
// mu of the reward, of which a route keeps half, so that at half the sigma it is hardly above.
func BenchmarkPowerOfPublications(b *testing.B) {
	for _, c := range []struct {
		of      audit.Publication
		fault   string
		scale   float64
		samples int
	}{
		{audit.Policy, "right", 1, 3000}, {audit.Policy, "halved", 0.5, 3000},
		{audit.Route, "right", 1, 20_000}, {audit.Route, "halved", 0.5, 20_000},
	} {
		b.Run(fmt.Sprintf("%s/%s/%d", c.of, c.fault, c.samples), func(b *testing.B) {
			found, mu, promised, perSample, tests := 0, 0.0, 0.0, 0.0, 1.0
			for i := range b.N {
				s, claim := subject(b, 1, c.of)
				s.Sigma, s.Seed = s.Sigma*c.scale, uint64(i+1)
				r := auditOf(b, s, claim, c.samples, 0)
				if r.Verdict() != audit.Consistent {
					found++
				}
				mu, promised = mu+r.Entry().Mu/float64(b.N), claim.Mu()
				tests, perSample = float64(len(r.Tests)), r.Entry().MuStandardError*math.Sqrt(float64(c.samples))
			}
			b.ReportMetric(float64(found)/float64(b.N), "found/op")
			b.ReportMetric(mu, "mu/op")
			if mu > promised {
				sure := distuv.UnitNormal.Quantile(0.8) + distuv.UnitNormal.Quantile(1-0.01/tests) // which share the rate of alarms
				b.ReportMetric(math.Pow(sure*perSample/(mu-promised), 2), "needed")
			}
		})
	}
}
