package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"veilpath/sim/leak"
)

// epsilonsDrawn is how many epsilons a figure of leakage has room for.
const epsilonsDrawn = 3

// LeakFigure shows what observers have left to learn about the goal against the distance flown, a panel for every
// epsilon, or for the first, the middle and the last of many. finding is its title.
func LeakFigure(r *leak.Result, finding string) *Figure {
	f := &Figure{Title: sentence(finding), SharedX: true,
		Subtitle: fmt.Sprintf("%d flights at every epsilon, %d possible goals; bands are two standard errors of the mean", r.Study.Flights, len(r.Study.World.Goals))}
	drawn := r.Study.Epsilons
	if n := len(drawn); n > epsilonsDrawn {
		drawn = []float64{drawn[0], drawn[n/2], drawn[n-1]}
	}
	rows := r.Rows()
	for i, epsilon := range drawn {
		name := "no noise"
		if !math.IsInf(epsilon, 1) {
			name = "ε = " + strconv.FormatFloat(epsilon, 'g', -1, 64)
		}
		panel := &Chart{Title: "Left to learn about the goal, " + name, Y: Axis{Label: "Bits", FromZero: true}}
		if i == len(drawn)-1 {
			panel.X = Axis{Label: "Distance flown (km)", FromZero: true}
		}
		for o, m := range r.Study.Observers {
			s := Series{Label: m.Name, Mark: Computed, Hue: o % hues}
			for _, row := range rows {
				if row.Epsilon == epsilon && row.Observer == m.Name {
					s.X, s.Y = append(s.X, row.FlownKm), append(s.Y, row.BitsLeft)
					s.Low, s.High = append(s.Low, max(0, row.BitsLeft-2*row.StandardError)), append(s.High, row.BitsLeft+2*row.StandardError)
				}
			}
			panel.Series = append(panel.Series, s)
		}
		panel.References = []Reference{{Label: fmt.Sprintf("before the flight:\n%.2f bits", r.PriorBits()), At: r.PriorBits(), Strong: true}}
		f.Panels = append(f.Panels, panel)
	}
	f.HeightInches = 2.2 + 2.6*float64(len(drawn))
	return f
}

// sentence makes words a sentence's first.
func sentence(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
