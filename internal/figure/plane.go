package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"veilpath/internal/phrase"
	"veilpath/internal/plot"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// SurveyResult holds the data for the figures of a survey: the same flights for observers of every radius.
type SurveyResult struct {
	Cells    [][]study.SurfaceCell // at listed epsilons, by epsilon and by radius
	Segments [][]study.SurfaceCell // on successive ranges of epsilon, or the same as Cells
	Radius   int                   // index of the observer's radius
	Delta    float64               // of the guarantee
	Limit    float64               // demand: the quantity is at most this; NaN for none
	BeyondKm float64               // above 0: the quantity is the share of flights recognised beyond this distance
	Answers  []SurveyAnswer        // by radius
}

// SurveyAnswer is the answer to a demand for a radius.
type SurveyAnswer struct {
	RadiusKm, Epsilon float64     // chosen; NaN for none
	Undecided         study.Range // above the chosen epsilon
	Lost              float64     // share of the value at the chosen epsilon
}

// heatColumns is the number of columns of a heat map over a range, about one for two pixels.
const heatColumns = 240

// columns returns the surface at the epsilons of a heat map's columns: the listed epsilons, or epsilons of equal
// ratio over the whole range.
func (r *SurveyResult) columns() (epsilons []float64, columns [][]study.SurfaceCell) {
	last := len(r.Segments) - 1
	if r.Segments[last][0].EpsilonHigh == r.Segments[last][0].Epsilon {
		columns = slices.SortedFunc(slices.Values(r.Cells),
			func(a, b []study.SurfaceCell) int { return cmp.Compare(a[0].Epsilon, b[0].Epsilon) })
		for _, c := range columns {
			epsilons = append(epsilons, c[0].Epsilon)
		}
		return epsilons, columns
	}
	low, high := r.Segments[0][0].Epsilon, r.Segments[last][0].EpsilonHigh
	at := 0
	for i := range heatColumns {
		epsilon := low * math.Pow(high/low, (float64(i)+0.5)/heatColumns)
		for at < last && r.Segments[at+1][0].Epsilon <= epsilon {
			at++
		}
		epsilons, columns = append(epsilons, epsilon), append(columns, r.Segments[at])
	}
	return epsilons, columns
}

// SurveyPlane shows the quantity of a demand over epsilon and radius, or the mean detection distance, with the contour
// that is demanded and the epsilons chosen. It needs at least two of each.
func SurveyPlane(r SurveyResult) *Figure {
	s := &surface{ZLabel: "mean distance from\nthe target (km);", X: Axis{Label: "Privacy parameter ε"},
		Y: Axis{Label: "Observer's radius (km)"}, Strong: math.NaN()}
	scale, demand := 1.0, fmt.Sprintf("hidden until %.4g km on average", r.Limit)
	if r.BeyondKm > 0 {
		scale = 100
		s.ZLabel = fmt.Sprintf("flights recognised\nbeyond %g km (%%);", r.BeyondKm)
		demand = fmt.Sprintf("hidden until %g km in %.3g %% of the flights", r.BeyondKm, 100*(1-r.Limit))
	}
	s.ZLabel += "\ndark: recognised early"
	xs, columns := r.columns()
	own := columns[0][r.Radius]
	for _, c := range columns[0] {
		s.Ys = append(s.Ys, c.RadiusKm)
	}
	s.Xs = xs
	for _, row := range columns {
		column := make([]float64, len(row))
		for j := range row {
			column[j] = scale * row[j].Mean.Value
		}
		s.Z = append(s.Z, column)
	}
	s.X.Scale, s.Y.Scale = ScaleFor(s.Xs), ScaleFor(s.Ys)
	title := "How near the vehicle gets unrecognised, over epsilon and the observer's radius"
	if !math.IsNaN(r.Limit) {
		title = "Where the destination stays " + demand
		s.Strong = table.Digits(scale*r.Limit, 9, math.RoundToEven) // 100 (1 - 0.6) is 40
		s.Points = r.answered(own.RadiusKm)
		if s.Sides = len(s.Points[1].X) > 0; !s.Sides {
			title = "At no epsilon is the destination shown to stay " + demand
		}
	}
	subtitle := fmt.Sprintf("%s per epsilon, delta %g; every radius from the same flights", flightsOf(columns), r.Delta)
	if len(r.Segments) > len(r.Cells) {
		subtitle = fmt.Sprintf("%d runs, delta %g; every epsilon and radius from the same flights", own.Runs, r.Delta)
	}
	return &Figure{Title: title, Panels: []Panel{s}, Subtitle: subtitle}
}

// answered returns the chosen epsilons, that of the observer with what it costs, and lines over the undecided ones.
func (r *SurveyResult) answered(ownKm float64) []Series {
	chosen := Series{Label: "chosen", Mark: Points, Hue: 3}
	undecided := Series{Label: "undecided", Mark: Computed, Hue: 3}
	for _, a := range r.Answers {
		if math.IsNaN(a.Epsilon) {
			continue
		}
		name, open := "", ""
		if a.RadiusKm == ownKm {
			name, open = fmt.Sprintf("chosen: ε = %.4g, %s of the value lost", a.Epsilon, phrase.Percent(a.Lost)), "undecided"
		}
		chosen.Add(a.Epsilon, a.RadiusKm)
		chosen.Names = append(chosen.Names, name)
		if a.Undecided.High > a.Undecided.Low {
			undecided.Add(a.Undecided.Low, a.RadiusKm)
			undecided.Add(a.Undecided.High, a.RadiusKm)
			undecided.Add(a.Undecided.High, math.NaN())
			undecided.Names = append(undecided.Names, "", open, "")
		}
	}
	return []Series{undecided, chosen}
}

// flightsOf returns the number of flights per epsilon, from the smallest to the largest.
func flightsOf(columns [][]study.SurfaceCell) string {
	fewest, most := columns[0][0].Runs, columns[0][0].Runs
	for _, c := range columns {
		fewest, most = min(fewest, c[0].Runs), max(most, c[0].Runs)
	}
	if fewest == most {
		return fmt.Sprintf("%d flights", most)
	}
	return fmt.Sprintf("%d to %d flights", fewest, most)
}

// surface is a panel that shows a quantity over two parameters as a heat map with contours.
type surface struct {
	X, Y   Axis
	Xs, Ys []float64   // coordinates of Z: ascending, at least two each
	Z      [][]float64 // Z[i][j] at Xs[i], Ys[j]; NaN is unknown and stays blank
	ZLabel string      // the quantity with its unit, in lines
	Strong float64     // level whose contour is drawn thick, beside those of round levels; NaN for none
	Points []Series    // drawn on top, such as a chosen point
	Sides  bool        // the sides of the strong level are named: met where Z is at most that, and not met
}

func (p *surface) chart() (*plot.Chart, error) {
	xe, ye := cellEdges(p.Xs, p.X.Scale), cellEdges(p.Ys, p.Y.Scale)
	across, up := p.X, p.Y
	across.Range, up.Range = [2]float64{xe[0], xe[len(xe)-1]}, [2]float64{ye[0], ye[len(ye)-1]} // cells fill the panel
	c, err := newChart("", across, up, span{}, span{})
	if err != nil {
		return nil, err
	}
	zs := spanOf(slices.Concat(p.Z...)...)
	z := plot.Scale{Low: zs.low, High: zs.high}
	if zs.sole() {
		z.High++ // one colour
	}
	for j := range p.Ys {
		for i, k := 0, 0; i < len(p.Xs); i = k {
			ink := shadeAt(z, p.Z[i][j])
			for k = i + 1; k < len(p.Xs) && shadeAt(z, p.Z[k][j]) == ink; k++ { // neighbours of a colour are one cell
			}
			c.Cells = append(c.Cells, plot.Cell{X0: xe[i], X1: xe[k], Y0: ye[j], Y1: ye[j+1], Ink: ink})
		}
	}
	levels := p.addContours(c, z)
	for i := range p.Points {
		addSeries(c, &p.Points[i])
		drawn := &c.Series[len(c.Series)-1]
		if drawn.Name = ""; drawn.Width > 0 {
			drawn.Mark.Radius = 0 // the ends of a line are no points
		}
	}
	slices.Reverse(c.Labels) // chosen points are named first, and contours last, where there is room
	c.Labels = append(c.Labels, levels...)
	c.Key = &plot.Key{Text: p.ZLabel, Inks: ramp(0)}
	for _, v := range plot.Ticks(z, 5) {
		c.Key.Ticks = append(c.Key.Ticks, plot.KeyTick{Share: z.Share(v), Text: fmt.Sprintf("%g", v)})
	}
	return c, nil
}

func shadeAt(z plot.Scale, value float64) color.NRGBA {
	if math.IsNaN(value) {
		return light.Background
	}
	return shade(light, z.Share(value))
}

// cellEdges returns the edges of cells around ascending centres: half-way between centres on the scale of the
// axis. The outer cells are symmetric.
func cellEdges(centres []float64, scale Scale) []float64 {
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if scale == Log {
		to, from = math.Log, math.Exp
	}
	n := len(centres)
	edges := make([]float64, n+1)
	for i := 1; i < n; i++ {
		edges[i] = from((to(centres[i-1]) + to(centres[i])) / 2)
	}
	edges[0] = from(to(centres[0])*1.5 - to(centres[1])/2)
	edges[n] = from(to(centres[n-1])*1.5 - to(centres[n-2])/2)
	return edges
}

// addContours adds lines of round levels and of the strong one, and the names of its sides. It returns the levels as
// labels of the lines.
func (p *surface) addContours(c *plot.Chart, z plot.Scale) (levels []plot.Label) {
	xs, ys := make([]float64, len(p.Xs)), make([]float64, len(p.Ys)) // as shares of the panel
	for i, x := range p.Xs {
		xs[i] = c.X.Share(x)
	}
	for j, y := range p.Ys {
		ys[j] = c.Y.Share(y)
	}
	// The quantity grows to the right and upwards.
	if last, top := p.Z[len(xs)-1], len(ys)-1; p.Sides && p.Z[0][0] <= p.Strong && last[top] > p.Strong {
		c.Labels = append(c.Labels, label(c, plot.Point{X: 0.12, Y: 0.12}, "met"),
			label(c, plot.Point{X: 0.88, Y: 0.88}, "not met"))
	}
	for i, level := range append([]float64{p.Strong}, plot.Ticks(z, 9)...) {
		strong := level == p.Strong
		if i > 0 && strong || math.IsNaN(level) {
			continue
		}
		var longest []plot.Point
		for _, line := range contour(xs, ys, p.Z, level) {
			s := plot.Series{N: len(line), Width: 1, Deaf: true, Ink: readable(shadeAt(z, level)),
				At: func(i int) (x, y float64) { return c.X.Value(line[i].X), c.Y.Value(line[i].Y) }}
			if strong {
				s.Width, s.Ink = 2.6*curveWidth, light.Background // a rim
				c.Series = append(c.Series, s)
				s.Width, s.Ink, s.Deaf = 1.6*curveWidth, light.Series[1], false
			}
			c.Series = append(c.Series, s)
			if len(line) > len(longest) {
				longest = line
			}
		}
		if shortest := min(8, len(ys)); len(longest) < shortest { // points
			continue
		}
		named := label(c, longest[len(longest)/2], fmt.Sprintf("%.4g", level))
		for _, eighth := range []int{3, 5, 2, 6, 1, 7} {
			at := longest[len(longest)*eighth/8]
			named.Along = append(named.Along, plot.Point{X: c.X.Value(at.X), Y: c.Y.Value(at.Y)})
		}
		levels = append(levels, named)
	}
	return levels
}

// label returns a text at a place in shares of a panel.
func label(c *plot.Chart, at plot.Point, text string) plot.Label {
	return plot.Label{X: c.X.Value(at.X), Y: c.Y.Value(at.Y), Text: text, Ink: light.Ink}
}

// readable returns ink or background, whichever has more contrast with a ground.
func readable(ground color.NRGBA) color.NRGBA {
	bright := func(c color.NRGBA) float64 { return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B) }
	if math.Abs(bright(light.Ink)-bright(ground)) >= math.Abs(bright(light.Background)-bright(ground)) {
		return light.Ink
	}
	return light.Background
}

// contour returns the lines on which z equals level, by marching squares. z is known at the grid points (xs, ys)
// and linear on the edges between them. Squares with an unknown corner are left out. The order of the lines is
// fixed, and a closed line ends at its first point.
func contour(xs, ys []float64, z [][]float64, level float64) (lines [][]plot.Point) {
	for i := range len(xs) - 1 {
		for j := range len(ys) - 1 {
			ends := crossings(xs, ys, z, level, i, j)
			for k := 0; k+1 < len(ends); k += 2 {
				lines = join(lines, ends[k], ends[k+1])
			}
		}
	}
	return lines
}

// crossings returns where the level crosses the sides of a square whose lower left corner is the grid point (i, j), as
// pairs of ends of lines.
func crossings(xs, ys []float64, z [][]float64, level float64, i, j int) (ends []plot.Point) {
	corners := [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} // counter-clockwise
	mean := 0.0
	for k, a := range corners {
		b := corners[(k+1)%4]
		if b[0] < a[0] || b[1] < a[1] {
			a, b = b, a // both squares beside a side compute the same point
		}
		za, zb := z[a[0]][a[1]], z[b[0]][b[1]]
		mean += z[corners[k][0]][corners[k][1]] / 4
		if (za >= level) != (zb >= level) {
			t := (level - za) / (zb - za)
			ends = append(ends, plot.Point{X: xs[a[0]] + t*(xs[b[0]]-xs[a[0]]), Y: ys[a[1]] + t*(ys[b[1]]-ys[a[1]])})
		}
	}
	if math.IsNaN(mean) {
		return nil
	}
	if len(ends) == 4 && (mean >= level) != (z[i][j] >= level) {
		// At a saddle whose middle is on the other side than the first corner, the lines cut off the first and third.
		ends = append(ends[3:], ends[:3]...)
	}
	return ends
}

// join adds a piece to the lines that it continues.
func join(lines [][]plot.Point, a, b plot.Point) [][]plot.Point {
	at := func(p plot.Point) int { // the line that ends at p, which it is turned to
		for k, line := range slices.Backward(lines) {
			if line[0] == p {
				slices.Reverse(line)
			}
			if line[len(line)-1] == p {
				return k
			}
		}
		return -1
	}
	first := at(a)
	if first < 0 {
		lines, first = append(lines, []plot.Point{a}), len(lines)
	}
	second := at(b)
	switch second {
	case -1:
		lines[first] = append(lines[first], b)
		return lines
	case first: // it closes, and ends at b since it was turned
		lines[first] = append(lines[first], a)
		return lines
	}
	tail := lines[second]
	slices.Reverse(tail)
	lines[first] = append(lines[first], tail...)
	return slices.Delete(lines, second, second+1)
}
