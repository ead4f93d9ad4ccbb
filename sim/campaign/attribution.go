package campaign

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// Attribution returns a table of the effects of the hand-over, the waypoints and the noise on the detection
// distance, at every point and epsilon. Each effect is the change when it is added to the ones before.
func (r *Result) Attribution() *table.Sheet {
	distance := func(name, meaning, heading string) table.Column[table.Row] {
		zero := "" // of a change
		if !strings.HasSuffix(name, "_effect_km") && name != "noise_km" {
			zero = "never"
		}
		return table.Column[table.Row]{Name: name, Unit: "km", Meaning: meaning, Heading: heading,
			Format: fmt.Sprintf("%%.%df", r.decimals()), Zero: zero, Unknown: "-"}
	}
	sheet := &table.Sheet{
		Name: "attribution", Title: "What changes the detection distance",
		Text: "The detection distance of the direct flight, and its changes when first the hand-over, then the waypoints " +
			"and then the noise are added, up to the mean of the flights. Flights that a cell in planner.keep_out makes " +
			"impossible are left out.",
	}
	swept := r.Manifest.Sweep.Keys()
	for _, s := range swept {
		sheet.Columns = append(sheet.Columns, table.Column[table.Row]{Name: s.Key, Unit: s.Unit,
			Heading: s.Key[strings.Index(s.Key, ".")+1:], Lead: true})
	}
	sheet.Columns = append(sheet.Columns,
		table.Column[table.Row]{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Heading: "epsilon", Lead: true},
		distance("direct_km", "the direct flight", "direct km"),
		distance("handover_effect_km", "what the hand-over changes", "hand-over"),
		distance("waypoints_effect_km", "what the waypoints change", "waypoints"),
		distance("planned_km", "the planned flight", "planned km"),
		distance("noise_km", "what the noise changes, the mean over the runs", "noise"),
		table.Column[table.Row]{Name: "interval", Unit: "km", Meaning: "its 95 % interval", Heading: "95 % interval",
			Beside: true},
		distance("mean_km", "the mean of the flights", "mean km"))
	for point, summaries := range r.Summaries {
		for i := range summaries {
			s := &summaries[i]
			row := slices.Clone(record.PointValues(swept, point))
			// a single flight has no interval
			interval := strings.ReplaceAll(fmt.Sprintf("%.*f .. %.*f", r.decimals(), s.NoiseLowKm, r.decimals(),
				s.NoiseHighKm), "NaN", "?")
			noise := between(s.PlannedKm, s.MeanKm)
			if math.IsNaN(noise) {
				interval = "-"
			} else {
				noise = s.NoiseKm
			}
			sheet.Rows = append(sheet.Rows, append(row, configs.EpsilonText(s.Epsilon), s.DirectKm,
				between(s.DirectKm, s.HandoverOnlyKm), between(s.HandoverOnlyKm, s.PlannedKm), s.PlannedKm, noise, interval,
				s.MeanKm))
		}
	}
	return sheet
}

// between returns the change from one distance at which a destination is recognised to another, km. It is NaN if one of
// them is 0: a destination that is never recognised is recognised nowhere, so there is no difference.
func between(fromKm, toKm float64) float64 {
	if fromKm == 0 || toKm == 0 {
		return math.NaN()
	}
	return toKm - fromKm
}
