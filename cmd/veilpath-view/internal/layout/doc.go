// Package layout says where in the window everything is, in points: a wide layout shows all panels that are not folded
// away, and a compact one, for phones and tablets, one panel at a time.
//
// # Assumptions and limitations
//
// A window below 1024 x 640 points is laid out for phones: the map, the transport and one panel at a time. The smallest
// is 320 x 320; a smaller one is laid out as that and cut off.
package layout
