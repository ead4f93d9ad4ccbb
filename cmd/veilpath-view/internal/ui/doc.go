// Package ui is the viewer's widgets in immediate mode: each frame calls a function per widget, which
// draws it into a draw list and says what the user did to it. Nothing of a widget is kept but which one
// the pointer holds.
//
// A Context takes the Input of a frame. A widget is named by a text that is unique on screen; the one
// that the pointer went down on captures it until it goes up, so that a slider can be dragged past its
// end and a drag that began on the map never moves a slider.
//
// # Assumptions and limitations
//
// One pointer. No text entry. Widgets that are drawn later do not cover earlier ones, except for an
// overlay that blocks everything below it.
package ui
