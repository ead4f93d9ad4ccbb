package model

import "math"

// Clock is the time in the flight on show, s. It moves with real time, never with frames.
type Clock struct {
	TimeS, EndS float64
	Playing     bool
	Speed       float64 // seconds of flight a second
}

// Ended reports whether the flight on show has been played to its end.
func (c *Clock) Ended() bool { return !c.Playing && c.EndS > 0 && c.TimeS >= c.EndS }

// Advance moves a playing clock by elapsed real seconds and stops it at the end.
func (c *Clock) Advance(elapsedS float64) {
	if !c.Playing {
		return
	}
	c.TimeS += elapsedS * c.Speed
	if c.TimeS >= c.EndS {
		c.TimeS, c.Playing = c.EndS, false
	}
}

// Toggle plays or pauses; at the end it plays from the start.
func (c *Clock) Toggle() {
	if !c.Playing && c.TimeS >= c.EndS {
		c.TimeS = 0
	}
	c.Playing = !c.Playing
}

// StopAt goes to a time and pauses there, for who goes to a moment looks at it.
func (c *Clock) StopAt(timeS float64) {
	c.Playing = false
	c.Seek(timeS)
}

// Seek pauses nothing and goes to a time, within the flight.
func (c *Clock) Seek(timeS float64) { c.TimeS = math.Max(0, math.Min(c.EndS, timeS)) }
