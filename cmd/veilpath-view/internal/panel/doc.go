// Package panel has the parts of the window: the map, the headline above it, the charts beside it, what goes over time,
// and lists. Each is a type with its own state, layout and drawing, in a file of its name.
//
// Those that embed a Frame know what is on show and where they have room: they draw themselves and are worked by the
// pointer. The others, such as Map, Timeline and Flights, draw what they are given.
package panel
