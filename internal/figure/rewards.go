package figure

import (
	"math"

	"veilpath/sim/leak"
)

// RewardsFigure shows how far rebuilt rewards are from the true one, over epsilon, with a line for everything that the
// observer may see. It is nil if no epsilon is finite.
func RewardsFigure(rows []leak.RewardsRow, finding string) *Figure {
	chart := &Chart{X: Axis{Label: "Privacy parameter ε", Scale: Log}, Y: Axis{Label: "EPIC distance", FromZero: true},
		References: []Reference{{Label: "unrelated:\n0.707", At: math.Sqrt2 / 2, Strong: true}}}
	for hue, seen := range leak.Sightings() {
		s := Series{Label: seen.Name, Hue: hue}
		for _, row := range rows {
			if d := row.Distance; row.Seen == seen.Name && row.Epsilon < math.Inf(1) && !math.IsNaN(d.Mean) {
				s.AddInterval(row.Epsilon, d.Mean, d.Low, d.High)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	if chart.Series == nil {
		return nil
	}
	return &Figure{Title: finding, Panels: []Panel{chart}, HeightInches: 4.5,
		Subtitle: "Distance of the rebuilt reward from the true one: 0 for the same reward up to shaping and scale; bands " +
			"are 95 % intervals"}
}
