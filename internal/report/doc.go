// Package report draws figures and pages: results of studies, computed and published curves, surfaces over two
// parameters.
//
// A Figure is a titled sheet of panels, written as PNG or SVG. A panel is a Chart (series over two axes), a
// Distribution (how values spread at every x) or a Surface (a heat map with contours). StudyFigure returns the
// figure of a study. Every panel labels its marks in the margin on its right, level with the marks, so that no
// text covers the data.
//
// Typeface and colours are embedded and text is drawn as outlines. A figure therefore looks the same everywhere,
// and the same input gives the same bytes.
//
// A figure is drawn in three steps: every panel lays out a frame (its axes and margin), Figure aligns the frames
// on the page, and each panel draws into its frame. There are two canvases: raster (PNG) and vector (SVG). Gonum's
// vgsvg is not used, because its text needs an installed font and because it does not share the definitions of
// glyphs.
//
// # Assumptions and limitations
//
// A figure is laid out for about 5 to 12 inches of width. Text is set in Liberation Sans from left to right.
// Values outside a range that the caller forces on an axis are cut off at the frame. The two modes in a study's
// figure are computed from all flights together; the share of each mode is counted per epsilon.
package report
