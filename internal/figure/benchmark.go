package figure

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/internal/benchmark"
)

// BenchmarkFigure shows in a panel per mission how many bits the strongest observer has left to learn after half of the
// planned path, against the cost of value. A curve is one way, its points the strengths. The front is the line of rows
// that no other beats in both.
func BenchmarkFigure(rows []benchmark.Row) *Figure {
	f := &Figure{
		Title: "What ways to hide leave the strongest observer to learn, and what they cost",
		Subtitle: "Bits left after half of the planned path; higher hides more, and further left costs less. Bars are 95 % " +
			"intervals",
		Note: "Rows that cost more than the value are left out. Ways without a guarantee promise nothing about other " +
			"observers.",
	}
	missions := benchmark.Missions(rows)
	var ways []string
	for i := range rows {
		if !slices.Contains(ways, rows[i].Way) {
			ways = append(ways, rows[i].Way)
		}
	}
	if left := len(missions) - mostPanels; left > 0 {
		missions = missions[:mostPanels]
		f.Note += fmt.Sprintf(" %d more missions are in the table.", left)
	}
	for _, m := range missions {
		f.Panels = append(f.Panels, benchmarkPanel(rows, m, ways))
	}
	f.HeightInches = 1.6 + 3.4*float64(len(missions))
	return f
}

// mostPanels is how many missions fit the largest figure.
const mostPanels = 25

// benchmarkPanel draws one mission.
func benchmarkPanel(rows []benchmark.Row, mission string, ways []string) *Chart {
	chart := &Chart{Title: mission, X: Axis{Label: "Value lost at the start (%)", FromZero: true},
		Y: Axis{Label: "Bits left", FromZero: true}}
	front := Series{Label: "front", Mark: Bound, Hue: hues - 1}
	best := slices.DeleteFunc(benchmark.Front(rows, mission), func(i int) bool {
		return float64(rows[i].Cost.Mean) > mostCost
	})
	for _, i := range best {
		front.Add(100*float64(rows[i].Cost.Mean), float64(rows[i].Bits[benchmark.Half].Left.Mean))
	}
	for hue, way := range ways {
		s := Series{Label: way, Mark: Points, Hue: hue % hues, Shape: hue / hues % shapes}
		for i := range rows {
			r := &rows[i]
			if r.Mission != mission || r.Way != way || float64(r.Cost.Mean) > mostCost {
				continue
			}
			left := r.Bits[benchmark.Half].Left
			s.AddInterval(100*float64(r.Cost.Mean), float64(left.Mean), float64(left.Low), float64(left.High))
			name := ""
			if slices.Contains(best, i) {
				name = strings.TrimSpace(way + " " + r.Value)
			}
			s.Names = append(s.Names, name)
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	if len(front.X) > 1 {
		chart.Series = append(chart.Series, front)
	}
	for i := range rows {
		if rows[i].Mission == mission {
			chart.References = append(chart.References, Reference{At: rows[i].PriorBits,
				Label: fmt.Sprintf("before anything\nis seen: %.2f", rows[i].PriorBits)})
			break
		}
	}
	return chart
}

// mostCost is the cost, a fraction of the value, above which a row is left out of the figure.
const mostCost = 1
