// Package view shows a screen with ebiten: it turns ebiten's input into ui.Input and draws the screen's
// layers, each into a picture of its own that is kept until its version changes.
//
// Every file that imports ebiten has the build constraint `viewer || js`, so that a machine without a
// display or the headers of X11 still builds and tests everything else.
package view
