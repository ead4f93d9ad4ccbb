package study

// Resample takes the runs of the search from a function in place of flying them.
func (s *Search) Resample(pieces func(run int, on Range) []Run) { s.resample = pieces }
