package audit

// NewSampler returns a sampler that reads what the entry decides off a release.
func (s Subject) NewSampler() (Sampler, error) { return s.newSampler([]int{s.Entry}) }

// Of returns releases of whole tables as they are read from a file.
func Of(releases []Release) *Recorded {
	rec := &Recorded{Releases: releases}
	rec.Table, rec.Neighbour = gathered(releases)
	return rec
}

// EpsilonOfGuesses is epsilonOfGuesses.
func (c Claim) EpsilonOfGuesses(right, tried int, level float64) float64 {
	return c.epsilonOfGuesses(share{right, tried}, level)
}
