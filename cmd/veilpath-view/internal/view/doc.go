// Package view shows a screen with ebiten: it turns ebiten's input into ui.Input and draws the screen's
// layers.
//
// What does not move with the clock or the pointer is one picture that is kept. A frame is a copy of it and what moves
// over it, and is drawn only where it differs from the one before. A page asks for a picture without samples, since
// smoothing is the shader's.
//
// Every file that imports ebiten has the build constraint `viewer || js`, so that a machine without a
// display or the headers of X11 still builds and tests everything else.
package view
