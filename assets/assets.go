// Package assets holds what veilpath ships besides code: the published series of the paper that results
// are compared with, the page of results, and the colours of figures, pages and the viewer.
package assets

import _ "embed"

// Page is the template (html/template) of an answer as a page.
//
//go:embed report/page.html
var Page string

// PageBlocks are templates that it uses.
//
//go:embed report/blocks.html
var PageBlocks string

// ReportStyle is its style sheet, which takes its colours from variables that the page sets.
//
//go:embed report/report.css
var ReportStyle string
