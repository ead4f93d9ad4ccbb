// Package view shows a screen with ebiten: it turns ebiten's input into ui.Input and draws the screen's
// layers.
//
// What does not move with the clock or the pointer is one picture that is kept; a layer is drawn into it again
// when its version changes. A frame is a copy of that picture to the window, and what moves over it. Where
// there is no graphics card, the time of a frame follows the pixels that are gone through, so that the window
// is gone through once by this program and once by ebiten, which clears it. A page keeps its window: of both only
// the parts are drawn that changed since the frame before, and the browser goes through all of it once. A page asks
// for a picture without samples, since smoothing is the shader's.
//
// Every file that imports ebiten has the build constraint `viewer || js`, so that a machine without a
// display or the headers of X11 still builds and tests everything else.
package view
