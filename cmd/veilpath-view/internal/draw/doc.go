// Package draw collects what a frame shows as anti-aliased triangles, without drawing them: lines, discs,
// rounded rectangles and text become vertices of one mesh that a single shader can fill.
//
// Every vertex carries a place in a local frame and a radius. A fragment is covered where its distance
// from the local origin is below the radius, with a ramp one pixel wide: discs use both local
// coordinates, lines the one across, plain areas neither. Text is the same mesh with a place in a glyph
// Atlas, which is rasterised here too, so that measuring and laying out need no display.
//
// Callers work in points; a List multiplies by its scale, so the same frame is sharp on any screen.
//
// # Assumptions and limitations
//
// Colours are opaque or translucent sRGB blended as they are. Text is one line, left to right, without
// kerning or shaping. A batch holds at most 65,535 vertices, because its indices have 16 bits.
package draw
