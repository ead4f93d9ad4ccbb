package panel

// Opening is how far the first view has come that tells what there is to see.
type Opening struct {
	Running bool
	AtS     float64
}

// When the parts of the opening begin, s.
const (
	openingDirect  = 0.4
	openingPlanned = 1.6
	OpeningFan     = 2.8
	OpeningDots    = 4.6
	OpeningEnd     = 6.0
	OpeningWaits   = 4.0 // at most, for flights that are not there yet
)

// openingPart is how much of a part of the opening is over, from 0 to 1.
func (f *Frame) openingPart(from, to float64) float64 {
	return max(0, min(1, (f.Opening.AtS-from)/(to-from)))
}
