// Package layout says where in the window everything is, in points: a wide layout shows all panels that are not folded
// away, and a compact one, for phones and tablets, one panel at a time.
package layout
