package audit

// NewSampler returns a sampler that reads what the entry decides off a release.
func (s Subject) NewSampler() (Sampler, error) { return s.newSampler([]int{s.Entry}) }
