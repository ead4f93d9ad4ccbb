package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/report"
	"veilpath/planner/paper"
)

// worldUnits returns the number of samples of Example 2.
func worldUnits(s *Settings) (units int) {
	for i := range worldReadings(s) {
		units += 2 * worldSamples(s, i)
	}
	return units
}

// worldReadings returns the settings of Example 2 that are tried: the configured one with the paper's adjacency,
// the configured one, and others that are close to some of the curves.
func worldReadings(s *Settings) []worldReading {
	e := s.Example2
	world := e.World(e.GoalRewards[0])
	configured := worldReading{slip: world.Slip, discount: e.Discount, adjacency: e.Guarantee.Adjacency}
	copy(configured.start[:], e.StartCells)
	stated := configured
	stated.adjacency = statedAdjacency
	readings := []worldReading{stated}
	for _, r := range []worldReading{
		configured,
		{paper.SlipOtherNeighboursOrStay, 0.85, 1, [2]int{0, 14}},
		{paper.SlipOtherActions, 0.85, 1, [2]int{5, 11}},
		{paper.SlipOtherNeighbours, 0.9, 1, [2]int{15, 15}},
		{paper.SlipOtherActions, 0.95, 1, [2]int{15, 15}},
	} {
		if last := world.Columns*world.Rows - 1; !slices.Contains(readings, r) && r.start[0] <= last && r.start[1] <= last {
			readings = append(readings, r)
		}
	}
	return readings
}

const (
	// fewerSamples divides the number of samples of all settings except the configured one, because they differ much
	// from the paper.
	fewerSamples = 25
	leastSamples = 10 // for a usable standard error
)

func worldSamples(s *Settings, reading int) int {
	r := worldReadings(s)[reading]
	if r.adjacency == s.Example2.Guarantee.Adjacency && r.discount == s.Example2.Discount && reading <= 1 {
		return s.Example2.Samples
	}
	return max(s.Example2.Samples/fewerSamples, min(s.Example2.Samples, leastSamples))
}

// publishedWorldSamples is the sample size of a published point.
const publishedWorldSamples = 1000

// worldColumn returns the published column of a curve and its label.
func worldColumn(goal float64, output bool) (column, label string) {
	mechanism := "input"
	if output {
		mechanism = "output"
	}
	return fmt.Sprintf("%s_rmax%g_cost_percent", mechanism, goal), fmt.Sprintf("%s, R_max = %g", mechanism, goal)
}

func computeExample2(ctx context.Context, b *bench) (*Result, error) {
	if len(b.Example2.StartCells) != 2 {
		return nil, settingError("the paper has 2 agents and example2.start_cells has %d cells; give two",
			len(b.Example2.StartCells))
	}
	p, err := open("fig_ex2_cost_vs_eps")
	if err != nil {
		return nil, err
	}
	q := Quantity{Name: "cost (%)"}
	curves := map[int][]Number{} // by index among the curves of a setting
	place := 0
	for _, goal := range b.Example2.GoalRewards {
		for _, output := range []bool{false, true} {
			column, label := worldColumn(goal, output)
			if curves[place], err = p.numbersAt("eps", column, label+", ε = ", b.Example2.Epsilons); err != nil {
				return nil, err
			}
			q.Numbers = append(q.Numbers, curves[place]...)
			place++
		}
	}
	var all [][]worldCurve
	for i, r := range worldReadings(b.Settings) {
		found, err := b.worldCurves(ctx, r, worldSamples(b.Settings, i))
		if err != nil {
			return nil, err
		}
		all = append(all, found)
		reading := Reading{Name: r.String(), Change: changedAdjacency(r.adjacency)}
		for place, c := range found {
			for _, n := range curves[place] {
				e := c.costs[slices.Index(b.Example2.Epsilons, n.X)]
				reading.Values = append(reading.Values, sampled(e, publishedWorldSamples))
			}
		}
		q.Readings = append(q.Readings, reading)
	}
	judged := q.Judge()
	return &Result{
		Judgements: []*Judgement{judged},
		Figures:    []Figure{worldFigure(b, curves, all[judged.Picked], judged)},
		Findings:   []Finding{worldSettings(q, curves, judged)},
		Summary:    b.worldSummary(judged, all[judged.Picked], curves),
	}, nil
}

func worldFigure(b *bench, curves map[int][]Number, found []worldCurve, judged *Judgement) Figure {
	chart := &report.Chart{X: report.Axis{Label: "Privacy parameter ε", Scale: report.Log},
		Y: report.Axis{Label: "Cost of privacy (%)", Scale: report.Log}}
	for place, c := range found {
		_, label := worldColumn(c.goal, c.output)
		computed := report.Series{Label: label, Mark: report.Computed, Hue: place}
		for i, e := range c.costs {
			computed.Add(b.Example2.Epsilons[i], e.Mean)
		}
		printed := publishedCurve("", place, curves[place])
		chart.Series = append(chart.Series, printed, positive(computed))
	}
	title := "No setting that was tried reproduces the published curves"
	if judged.agrees() {
		title = "The published curves are reproduced"
	}
	return newFigure("example2", title,
		fmt.Sprintf("Cost of privacy at the start in percent; δ = 0.1, %s; rings: published, lines: computed",
			judged.Reading().Name), chart)
}

// worldSettings returns the root-mean-square difference of every setting.
func worldSettings(q Quantity, curves map[int][]Number, judged *Judgement) Finding {
	f := newFinding("example2.settings", "setting", "all four")
	for place := range len(curves) {
		label, _, _ := cutLabel(curves[place][0].Label)
		f.Header = append(f.Header, label)
	}
	for i, r := range q.Readings {
		name := r.Name
		if i == judged.Picked {
			name += " (picked)"
		}
		row := []string{name, fmt.Sprintf("%.1f", q.RMS(i))}
		at := 0
		for place := range len(curves) {
			n := len(curves[place])
			part := Quantity{Numbers: q.Numbers[at : at+n], Readings: []Reading{{Values: r.Values[at : at+n]}}}
			row = append(row, fmt.Sprintf("%.1f", part.RMS(0)))
			at += n
		}
		f.Rows = append(f.Rows, row)
	}
	return f
}

func (b *bench) worldSummary(judged *Judgement, found []worldCurve, curves map[int][]Number) []string {
	counts := judged.count()
	told := map[string]any{"Setting": judged.Reading().Name, "RMS": judged.RMS(judged.Picked), "StatedRMS": judged.RMS(0),
		"Agreeing": len(judged.Rows) - counts[NotReproduced] - counts[Contradicted], "Numbers": len(judged.Rows)}
	in, out := curves[0][0], curves[1][0]
	if in.X == out.X && len(curves[0]) >= 3 {
		told["Signs"] = map[string]any{"Epsilon": in.X, "Goal": b.Example2.GoalRewards[0], "Input": found[0].costs[0],
			"Output":       found[1].costs[0],
			"PrintedInput": in.Published, "PrintedOutput": out.Published, "Jagged": jagged(curves[0])}
	}
	return prose("example2", told)
}

// jagged quotes the three neighbouring points of a curve, of three points at least, whose middle one sticks out most.
func jagged(numbers []Number) string {
	worst, at := 0.0, 1
	for i := 1; i+1 < len(numbers); i++ {
		if d := math.Abs(math.Log(numbers[i].Published*numbers[i].Published) - math.Log(numbers[i-1].Published*numbers[i+
			1].Published)); d > worst {
			worst, at = d, i
		}
	}
	text := "at ε = "
	for i := at - 1; i <= at+1; i++ {
		text += fmt.Sprintf("%g, ", numbers[i].X)
	}
	text = text[:len(text)-2] + ": "
	for i := at - 1; i <= at+1; i++ {
		text += fmt.Sprintf("%.2f, ", numbers[i].Published)
	}
	return text[:len(text)-2]
}
