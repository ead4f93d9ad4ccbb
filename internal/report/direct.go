package report

import "strings"

// DirectName names the direct flight in figures, legends and tables. A direct flight whose first heading is not the
// line of sight turns: it is an arc.
func DirectName(turns bool) string {
	if turns {
		return "turning to the target"
	}
	return "straight to the target"
}

// DirectLabel is DirectName on two lines, for a margin.
func DirectLabel(turns bool) string { return strings.Replace(DirectName(turns), " the ", " the\n", 1) }
