// Package assets holds what veilpath ships besides code: the published series of the paper that results
// are compared with, the page of the report on them, and the colours of figures, pages and the viewer.
package assets

import _ "embed"

// ReportPage is the template (html/template) of the report on a reproduction.
//
//go:embed report/report.html
var ReportPage string

// Page is the template (html/template) of any other answer as a page.
//
//go:embed report/page.html
var Page string

// PageBlocks are templates that both use.
//
//go:embed report/blocks.html
var PageBlocks string

// ReportStyle is their style sheet, which takes its colours from variables that the page sets.
//
//go:embed report/report.css
var ReportStyle string
