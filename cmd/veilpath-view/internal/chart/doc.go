// Package chart draws charts: an area with an axis each way, its grid, and curves. It knows nothing of what they show.
package chart
