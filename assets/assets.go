// Package assets embeds what veilpath ships besides code: the published series of the paper that results
// are compared with.
package assets

import "embed"

// Published holds the paper's series and scalars as CSV, as printed (arXiv 2309.12476), under published/.
//
//go:embed published/*.csv
var Published embed.FS
