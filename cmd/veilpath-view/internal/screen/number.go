package screen

import "veilpath/cmd/veilpath-view/internal/chart"

// Numbers are written as charts write them.
var number, fixed, thousands = chart.Number, chart.Fixed, chart.Thousands
