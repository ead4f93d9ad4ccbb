// Package panel has parts of the window that know nothing of the rest of it. Each is a type with its own state, layout
// and drawing, worked by the widgets of package ui; the screen says what is in it and where it has room.
package panel
