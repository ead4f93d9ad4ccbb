// Package guidance holds the steering laws of the vehicle as pure functions of position and velocity: the law
// for a leg to a waypoint and GENEX, the generalized vector explicit law, which reaches a target with a given
// terminal velocity (Ohlmeyer & Phillips 2006).
//
// Units are km, s, km/s, km/s^2 and radians.
//
// # Assumptions and limitations
//
// The vehicle is a point mass of constant speed, so only the part of a command perpendicular to the velocity
// can act. The laws therefore have two forms: Command is the published law, and Lateral its perpendicular part,
// computed without the terms along the velocity, which the projection would remove. Both agree to rounding.
// Time-to-go is the straight-line range over speed, with a lower limit that keeps commands finite at the aim
// point.
package guidance
