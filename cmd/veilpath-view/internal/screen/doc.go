// Package screen composes the viewer: from a model and the user's input it says, frame by frame, what the window shows,
// as draw lists. It needs no display. The window is laid out by package layout, its panels are those of package panel,
// and package answer has what they say.
//
// # Controls
//
// All that can be set and done is a row of one table of controls (see rows.go). Buttons, keys, the help, links and
// undoing, the list of everything and the document beside the picture follow from it.
//
// # Layers
//
// A frame consists of layers. The map, the charts and the timeline are redone only when what they show has changed, and
// the fan of flights on the map by itself; on top comes what moves with the clock or the pointer.
package screen
