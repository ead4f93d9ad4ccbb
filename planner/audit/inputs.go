package audit

import (
	"context"
	"fmt"

	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner/privacy"
)

// Inputs are two inputs that a mechanism may not tell apart, such as two reward tables, rows or goals, and how releases
// of them are made and read.
type Inputs struct {
	Of         string // what is published
	Entry      string // in which two tables differ: column, row, action; may be empty
	Seed       uint64 // of the noise
	NewSampler func() (Sampler, error)
	Threshold  float64 // halfway between the numbers of the two inputs
	Shift      float64 // how much higher the second input is, if numbers are the input plus noise; otherwise 0
	// Read returns the number that is compared, from the one that a Sampler returns; nil for the same.
	Read func(v float64) float64
	// Laws are the distribution functions of what a Sampler returns, for each input; nil if the mechanism states none.
	Laws     [2]func(v float64) float64
	LawClaim string  // what they say, as a sentence without a full stop
	Tables   *Tables // releases of whole tables; nil if the mechanism makes none
}

// Plan says how an audit is made.
type Plan struct {
	Samples     int // releases of each input
	Tables      int // releases of whole tables; 0 for none
	Workers     int
	FalseAlarms float64
	Kept        *pieces.Work // holds the releases made before and stores the new ones; may be nil
	Progress    func(int)    // is told the number of releases made since the last call
}

// Audit makes the releases of a plan and judges the claim by them.
func (in Inputs) Audit(ctx context.Context, c Claim, p Plan) (*Report, error) {
	table, neighbour, err := in.watch(ctx, p)
	if err != nil {
		return nil, err
	}
	var f findings
	if in.Laws[0] != nil {
		f.tests = append(f.tests, uniform(append(read(table, in.Laws[0]), read(neighbour, in.Laws[1])...), in.LawClaim))
	}
	if in.Read != nil {
		table, neighbour = read(table, in.Read), read(neighbour, in.Read)
	}
	s := Samples{A: table, B: neighbour, Threshold: in.Threshold, Shift: in.Shift}
	f.add(c, s, "", "", "")
	if in.Tables != nil && p.Tables > 0 {
		releases, err := in.Tables.releases(ctx, p.Tables, 1, nil, func(int) {})
		if err != nil {
			return nil, err
		}
		f.addTables(c, releases)
	}
	if c.gaussian() && in.Shift != 0 {
		noise := s.noise(in.Shift)
		for k := range f.releases {
			noise = append(noise, f.releases[k].noise(c.Adjacency)...)
		}
		f.tests = append(f.tests, c.testNoise(noise, nil)...)
	}
	r, err := f.judge(c, p.FalseAlarms)
	if err != nil {
		return nil, err
	}
	r.Of, r.EntryName, r.Repeatable = in.Of, in.Entry, true
	return r, nil
}

// read returns what a function makes of every value.
func read(values []float64, of func(float64) float64) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = of(v)
	}
	return all
}

// Sampler makes a release of the first input, 0, or of the second, 1, with some noise, and returns one number read from
// it. It serves one goroutine.
type Sampler func(input int, noise *privacy.Noise) (float64, error)

// batch is the number of releases in one piece of work.
const batch = 256

// watch makes the releases of a plan, first of the first input and then of the second, and returns what samplers read.
// The numbers do not depend on the number of workers.
func (in *Inputs) watch(ctx context.Context, p Plan) (first, second []float64, err error) {
	if p.Samples < LeastSamples {
		return nil, nil, fmt.Errorf("audit: %d samples; want at least %d", p.Samples, LeastSamples)
	}
	newWork := func() pool.Work[int, []float64] {
		var sampler Sampler // nil before the first batch
		var noise privacy.Noise
		return func(ctx context.Context, k int, values []float64) ([]float64, error) {
			if sampler == nil {
				var err error
				if sampler, err = in.NewSampler(); err != nil {
					return nil, err
				}
			}
			values = values[:0]
			for i := k * batch; i < min((k+1)*batch, 2*p.Samples); i++ {
				if ctx.Err() != nil { // one plan takes long
					return nil, ctx.Err()
				}
				input, run := i/p.Samples, i%p.Samples
				noise.Seek(privacy.Address{Seed: in.Seed, Run: uint64(run), Purpose: uint64(purposeFirst + input)})
				v, err := sampler(input, &noise)
				if err != nil {
					return nil, err
				}
				values = append(values, v)
			}
			return values, nil
		}
	}
	all := make([]float64, 0, 2*p.Samples)
	batches := pool.Numbers(0, (2*p.Samples+batch-1)/batch)
	for r, err := range pieces.Ordered(ctx, p.Kept, p.Workers, batches, newWork) {
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r.Value...)
		p.Progress(len(r.Value))
	}
	return all[:p.Samples:p.Samples], all[p.Samples:], nil
}
