package screen

import "veilpath/cmd/veilpath-view/internal/chart"

// number writes a value with as few digits as tell it.
func number(v float64) string { return chart.Number(v) }

// fixed writes a value with so many decimals.
func fixed(v float64, decimals int) string { return chart.Fixed(v, decimals) }
