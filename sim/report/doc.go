// Package report draws figures: what a study found, computed curves over published ones, surfaces over
// two parameters, and scatters with their Pareto front.
//
// A Figure is a titled sheet of panels, written as PNG or SVG. A panel is a Chart (series over two axes), a
// Distribution (how values spread at every x) or a Surface (a heat map with contours); StudyFigure puts
// together the one that a study ends with. Every panel names its marks in the margin to its right,
// each label level with what it names, so that nothing is written over the data.
//
// Typeface and colours are embedded and text is drawn as outlines. A figure therefore looks the same everywhere, and the same
// input gives the same bytes.
//
// # Assumptions and limitations
//
// A figure is laid out for about 5 to 12 inches of width. Text is set in Liberation Sans from left to
// right. A value outside a range that the caller forces on an axis is cut off at the frame.
package report
