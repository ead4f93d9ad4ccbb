package plot

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"
)

// Key says what the colours of cells mean: a bar of colours, from left to right, with texts below it.
type Key struct {
	Text  string // above it, in lines
	Inks  []color.NRGBA
	Ticks []KeyTick
}

// KeyTick is a text at a share of a key's bar.
type KeyTick struct {
	Share float64
	Text  string
}

const (
	besideGap   = 10.0 // between the data and what is beside, points
	sampleWidth = 20.0
	sampleGap   = 6.0
	entryGap    = 4.0 // least space between two names
	keyWidth    = 112.0
	keyHeight   = 7.0
	lineHeight  = 1.22 // of the size of the type
)

// entry is something beside the data.
type entry struct {
	wanted        float64 // height of its middle in the page
	width, height float64
	draw          func(r Rect)
}

// Fit sets the margins so that there is room for what is around the data, and returns the least height of the data.
func (c *Chart) Fit(l Canvas, look *Look) (least float64) {
	xs, ys := c.ticks()
	m := Margins{Left: 6, Bottom: 6}
	for _, v := range ys {
		m.Left = math.Max(m.Left, l.Width(look.Small, textOf(c.TextY, v))+6)
	}
	for _, v := range xs {
		if text := textOf(c.TextX, v); text != "" {
			m.Bottom = 18
			m.Right = math.Max(m.Right, l.Width(look.Small, text)/2)
		}
	}
	if c.NameX != "" {
		m.Bottom = 33
	}
	for _, r := range c.References {
		if r.Upright && r.Name != "" {
			m.Top = 16
		}
	}
	for _, e := range c.entries(l, look) {
		m.Right = math.Max(m.Right, besideGap+e.width)
		least += e.height
	}
	c.Margins = m
	return least
}

// entries returns what stands beside the data.
func (c *Chart) entries(l Canvas, look *Look) (all []entry) {
	if !c.Beside {
		return nil
	}
	add := func(at float64, name string, sample func(r Rect)) {
		lines, widest := strings.Split(name, "\n"), 0.0
		for _, line := range lines {
			widest = math.Max(widest, l.Width(look.Small, line))
		}
		step := lineHeight * look.Small.Size
		all = append(all, entry{at, sampleWidth + sampleGap + widest, step*float64(len(lines)) + entryGap, func(r Rect) {
			middle := r.Center().Y
			sample(Rect{r.X, middle - step/2, sampleWidth, step})
			for i, line := range lines {
				y := middle + (float64(i)-float64(len(lines))/2)*step
				l.TextIn(look.Small, Rect{X: r.X + sampleWidth + sampleGap, Y: y, W: widest, H: step}, Left, look.Ink, line)
			}
		}})
	}
	for i := range c.References {
		if r := &c.References[i]; r.Name != "" && !r.Upright {
			add(c.PY(r.At), r.Name, func(box Rect) {
				swatch := Chart{Panel: box, X: Scale{High: 1}, Y: Scale{High: 1}, Beside: true}
				line := *r
				line.At = 0.5
				swatch.drawReference(l, look, &line)
			})
		}
	}
	for i := range c.Series {
		if s := &c.Series[i]; s.Name != "" {
			add(c.PY(s.level()), s.Name, func(box Rect) { s.drawSample(l, look, box) })
		}
	}
	if k := c.Key; k != nil {
		lines := strings.Split(k.Text, "\n")
		step := lineHeight * look.Small.Size
		widest := keyWidth + 12
		for _, line := range lines {
			widest = math.Max(widest, l.Width(look.Small, line))
		}
		all = append(all, entry{math.Inf(1), widest, step*float64(len(lines)) + keyHeight + 22, func(r Rect) {
			for i, line := range lines {
				l.TextIn(look.Small, Rect{X: r.X, Y: r.Y + float64(i)*step, W: widest, H: step}, Left, look.Ink, line)
			}
			k.drawBar(l, look, Rect{r.X, r.Y + step*float64(len(lines)) + 2, keyWidth, keyHeight})
		}})
	}
	return all
}

// level returns the value of a series farthest to the right, or the middle of its band there.
func (s *Series) level() float64 {
	right, level := math.Inf(-1), math.NaN()
	for i := range s.N {
		x, y := s.At(i)
		if i < len(s.Low) && math.IsNaN(y) {
			y = (s.Low[i] + s.High[i]) / 2
		}
		if x >= right && !math.IsNaN(y) {
			right, level = x, y
		}
	}
	return level
}

// drawSample draws a piece of a series as it is in the chart.
func (s *Series) drawSample(l Canvas, look *Look, box Rect) {
	sample := *s
	sample.N, sample.Low, sample.High, sample.At = 2, nil, nil, func(i int) (x, y float64) { return float64(i), 0.5 }
	if s.Mark.Radius > 0 {
		sample.N, sample.At = 3, func(i int) (x, y float64) { return float64(i) / 2, 0.5 }
		sample.Mark.Radius = 0
	}
	if len(s.Low) > 0 && !s.Bars {
		sample.Low, sample.High = []float64{0.1, 0.1, 0.1}[:sample.N], []float64{0.9, 0.9, 0.9}[:sample.N]
	}
	c := Chart{Panel: box, X: Scale{High: 1}, Y: Scale{High: 1}}
	c.DrawSeries(l, look, &sample)
	if s.Bars {
		l.Line([]Point{{box.Center().X, box.Y}, {box.Center().X, box.Bottom()}}, 1, s.Ink)
	}
	if s.Mark.Radius > 0 {
		drawMark(l, look, s, box.Center())
	}
}

// drawBar draws the colours of a key and the texts below them as far as there is room, the last ones first.
func (k *Key) drawBar(l Canvas, look *Look, r Rect) {
	for i, ink := range k.Inks {
		step := r.W / float64(len(k.Inks))
		l.Rect(Rect{r.X + float64(i)*step, r.Y, math.Min(step+seam, r.W-float64(i)*step), r.H}, ink)
	}
	free := r.Right() + 12
	for _, t := range slices.Backward(k.Ticks) {
		x, half := r.X+t.Share*r.W, l.Width(look.Small, t.Text)/2
		if x+half > free || x-half < r.X-4 {
			continue
		}
		l.TextIn(look.Small, Rect{X: x - half, Y: r.Bottom() + 3, W: 2 * half, H: 12}, Center, look.Muted, t.Text)
		free = x - half - 6
	}
}

// seam is how far neighbouring cells overlap, so that nothing shows between them, points.
const seam = 0.4

// drawBeside draws the entries, each as near to its height as the others allow, and above the data the names of upright
// references.
func (c *Chart) drawBeside(l Canvas, look *Look) {
	area, all := c.Area(), c.entries(l, look)
	var at, widths []float64
	var names []string
	for _, r := range c.References {
		if c.Beside && r.Upright && r.Name != "" {
			at, widths, names = append(at, c.PX(r.At)), append(widths, l.Width(look.Small, r.Name)+8), append(names, r.Name)
		}
	}
	for i, x := range spread(at, widths, area.X, area.Right()) {
		l.TextIn(look.Small, Rect{X: x, Y: area.Y - 16, H: 14}, Center, look.Ink, names[i])
	}
	wanted, heights := make([]float64, len(all)), make([]float64, len(all))
	for i, e := range all {
		wanted[i], heights[i] = math.Max(area.Y, math.Min(area.Bottom(), e.wanted)), e.height
	}
	for i, middle := range spread(wanted, heights, area.Y, area.Bottom()) {
		e := all[i]
		e.draw(Rect{area.Right() + besideGap, middle - e.height/2, e.width, e.height})
	}
}

// spread returns the middles of boxes with the given heights so that none overlap, their order is that of the wanted
// places, and the sum of squared distances from the wanted places is smallest. The boxes stay between low and high if
// they fit, and otherwise below low.
func spread(wanted, heights []float64, low, high float64) []float64 {
	order := make([]int, len(wanted))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wanted[a], wanted[b]) })

	// After subtracting the heights stacked before each box, the middles need only be in order. That is an isotonic
	// regression, solved by pooling adjacent violators.
	type run struct {
		mean float64
		size int
	}
	var pools []run
	stacked, total := make([]float64, len(order)), 0.0
	for k, i := range order {
		stacked[k] = total + heights[i]/2
		total += heights[i]
		p := run{wanted[i] - stacked[k], 1}
		for len(pools) > 0 && pools[len(pools)-1].mean > p.mean {
			q := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			p = run{(p.mean*float64(p.size) + q.mean*float64(q.size)) / float64(p.size+q.size), p.size + q.size}
		}
		pools = append(pools, p)
	}
	middles, k := make([]float64, len(order)), 0
	for _, p := range pools {
		for range p.size {
			middles[order[k]] = math.Max(low, math.Min(p.mean, high-total)) + stacked[k]
			k++
		}
	}
	return middles
}
