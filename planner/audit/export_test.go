package audit

import "context"

// Watch makes releases of two inputs, and returns what samplers read.
func Watch(ctx context.Context, samples, workers int, seed uint64, newSampler func() (Sampler, error),
	progress func(int)) (first, second []float64, err error) {
	in := Inputs{Seed: seed, NewSampler: newSampler}
	return in.watch(ctx, Plan{Samples: samples, Workers: workers, Progress: progress})
}

// NewSampler returns a sampler that reads what the entry decides off a release.
func (s Subject) NewSampler() (Sampler, error) { return s.newSampler() }

// Of returns releases of whole tables as they are read from a file.
func Of(releases []Release) *Recorded { return recorded(releases) }

// Judge judges samples and releases of whole tables, either of which may be missing.
func (c Claim) Judge(s *Samples, releases []Release, falseAlarms float64) (*Report, error) {
	var f findings
	if s != nil {
		f.add(c, *s, "", "", "")
	}
	if releases != nil {
		f.addTables(c, releases)
	}
	return f.judge(c, falseAlarms)
}

// TestReuse is testReuse.
var TestReuse = testReuse
