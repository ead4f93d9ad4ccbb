// Package figure draws figures and pages: results of studies, computed and published curves, surfaces over two
// parameters.
//
// A Figure is a titled sheet of panels, written as PNG or SVG. A panel, such as a Chart or a MissionMap, is data from
// which it makes a plot.Chart. The figure lays these charts out in rows and columns, with their data aligned and with
// shared axes, and draws them on a file, which is a plot.Canvas over the canvases of gonum. Every panel names its marks
// in the margin on its right, level with the marks, so that no text covers the data.
//
// Typeface and colours are embedded, and the same input gives the same bytes. In an SVG text remains text, which can be
// found, copied and edited, and another font takes the same widths. Gonum's vgsvg draws only the shapes, because it
// names one font alone.
//
// # Assumptions and limitations
//
// A figure is laid out for about 5 to 12 inches of width. Text is set in Liberation Sans from left to right.
// Values outside a range that the caller forces on an axis are cut off at the frame. The two modes in a study's
// figure are computed from all flights together; the share of each mode is counted per epsilon.
package figure
