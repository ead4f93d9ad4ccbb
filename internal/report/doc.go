// Package report draws figures: what a study found, computed curves over published ones, surfaces over
// two parameters, and scatters with their Pareto front.
//
// A Figure is a titled sheet of panels, written as PNG or SVG. A panel is a Chart (series over two axes), a
// Distribution (how values spread at every x) or a Surface (a heat map with contours). StudyFigure makes the figure of
// a study. Every panel labels its marks in the margin to its right, level with the marks, so that no text covers the
// data.
//
// Typeface and colours are embedded and text is drawn as outlines, so a figure looks the same everywhere,
// and the same input gives the same bytes.
//
// A figure is drawn in three steps: every panel lays out a frame (its axes and margin), Figure aligns the
// frames on the page, and each panel draws into its frame. What is drawn goes to a canvas, of which there
// are two: raster (PNG) and vector (SVG). Vector is not gonum's vgsvg, whose text takes a font that is installed where
// the file is opened, and which defines no glyph once for all its uses.
//
// # Assumptions and limitations
//
// A figure is laid out for about 5 to 12 inches of width. Text is set in Liberation Sans from left to right. Values
// outside a range that the caller forces on an axis are cut off at the frame. The two modes that a study's figure names
// are computed from all its flights; which mode a flight belongs to is counted for each epsilon.
package report
