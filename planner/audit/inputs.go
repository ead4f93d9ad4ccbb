package audit

import (
	"context"
	"fmt"

	"veilpath/internal/pool"
)

// Inputs are two inputs that a mechanism may not tell apart, such as two reward tables, rows or goals, and how releases
// of them are made and read.
type Inputs struct {
	Of         string // what is published
	NewSampler func() (Sampler, error)
	Threshold  float64 // halfway between the numbers of the two inputs
	Shift      float64 // how much higher the second input is, if numbers are the input plus noise; otherwise 0
	// Read returns the number that is compared, from the one that a Sampler returns; nil for the same.
	Read func(v float64) float64
	// Laws are the distribution functions of what a Sampler returns, for each input; nil if the mechanism states none.
	Laws     [2]func(v float64) float64
	LawClaim string // what they say, as a sentence without a full stop
	// Events is how many binary digits a number has, if each says whether a release shows some event; otherwise 0.
	Events int
	// Tables makes releases of whole tables; nil if the mechanism releases none.
	Tables func(ctx context.Context, count int) ([]Release, error)
}

// Plan says how an audit is made.
type Plan struct {
	Samples     int // releases of each input
	Tables      int // releases of whole tables; 0 for none
	Workers     int
	FalseAlarms float64
	Keeper      pool.Keeper // holds the releases made before and stores the new ones; may be nil
	Progress    func(int)   // is told the number of releases made since the last call
}

// Audit makes the releases of a plan and judges the claim by them.
func (in Inputs) Audit(ctx context.Context, c Claim, p Plan) (*Report, error) {
	table, neighbour, err := Watch(ctx, p.Samples, p.Workers, in.NewSampler, p.Keeper, p.Progress)
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
	if in.Events > 1 {
		f.addEvents(c, s, in.Events)
		s.A, s.B = digit(table, 0), digit(neighbour, 0)
	}
	f.add(c, s, "", "", "")
	if in.Tables != nil && p.Tables > 0 {
		releases, err := in.Tables(ctx, p.Tables)
		if err != nil {
			return nil, err
		}
		f.addTables(c, releases)
	}
	if c.gaussian() && in.Shift != 0 {
		noise := append(table, read(neighbour, func(v float64) float64 { return v - in.Shift })...)
		for k := range f.releases {
			noise = append(noise, f.releases[k].noise(c.Adjacency)...)
		}
		f.tests = append(f.tests, c.testNoise(noise, nil)...)
	}
	r, err := f.judge(c, p.FalseAlarms)
	if err != nil {
		return nil, err
	}
	r.Of = in.Of
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

// Sampler makes release number i of a table, or of its neighbour, and returns one number read from it. It
// serves one goroutine.
type Sampler func(i int, neighbour bool) (float64, error)

// Watch makes the given number of releases of a table and of its neighbour on several goroutines, each with its
// own Sampler. It calls progress with the number of releases made since the last call. The numbers do not
// depend on the number of workers. The keeper, which may be nil, holds the releases made before and stores the
// new ones.
func Watch(ctx context.Context, samples, workers int, newSampler func() (Sampler, error), keeper pool.Keeper,
	progress func(int)) (table, neighbour []float64, err error) {
	if samples < LeastSamples {
		return nil, nil, fmt.Errorf("audit: %d samples; want at least %d", samples, LeastSamples)
	}
	all := make([]float64, 0, 2*samples)
	newWork := func() pool.Work[int, []float64] { return (&sampling{samples: samples, newSampler: newSampler}).do }
	for r, err := range pool.Resumed(ctx, workers, pool.Numbers(0, (2*samples+batch-1)/batch), newWork, keeper) {
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r.Value...)
		progress(len(r.Value))
	}
	return all[:samples:samples], all[samples:], nil
}

// batch is the number of releases in one piece of work.
const batch = 256

// sampling makes batches of releases, first of the table and then of its neighbour.
type sampling struct {
	samples    int // of each table
	newSampler func() (Sampler, error)
	sampler    Sampler // nil before the first batch
}

// do makes the releases of batch number k.
func (s *sampling) do(ctx context.Context, k int, values []float64) ([]float64, error) {
	if s.sampler == nil {
		var err error
		if s.sampler, err = s.newSampler(); err != nil {
			return nil, err
		}
	}
	values = values[:0]
	for i := k * batch; i < min((k+1)*batch, 2*s.samples); i++ {
		if i%16 == 0 && ctx.Err() != nil { // one plan takes long
			return nil, ctx.Err()
		}
		v, err := s.sampler(i%s.samples, i >= s.samples)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}
