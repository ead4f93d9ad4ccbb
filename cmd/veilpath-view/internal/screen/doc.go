// Package screen lays the viewer out and says, frame by frame, what it shows: the plan view, the
// timeline, the charts and the controls, as draw lists, from a model and the user's input. It needs no
// display.
//
// A frame consists of layers. The map, the charts and the timeline are redone only when what they show has
// changed, and the fan of flights on the map by itself; on top comes what moves with the clock or the pointer. Colours
// and type come from one ui.Theme.
//
// # Assumptions and limitations
//
// A window below 1024 x 640 points is laid out for phones: the map, the transport and one panel at a time. The
// smallest is 320 x 320; a smaller one is laid out as that and cut off.
package screen
