package answer

import (
	"fmt"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/sim/study"
)

// Selection is the flights of the ensemble that every panel shows, chosen by one of its brushes.
type Selection struct {
	Kind    Selected
	Version uint64 // changes with what was brushed
	// From and to along the axes of its brush: the distance of recognition, km; or km to the east and to the north.
	Spans [2][2]float64

	key     selectionKey
	runs    []bool // by run
	n       int
	summary study.Summary // of these runs
}

// Selected says what a selection goes by.
type Selected int

const (
	AllFlights Selected = iota
	ByDistance
	ByArea
	ByCrossing // flights that crossed between the humps of two compared settings
)

// selectionKey is what the selected flights depend on.
type selectionKey struct{ version, flown, kept uint64 }

// Choose makes another selection.
func (a *Answers) Choose(c Selection) {
	c.Version = a.Selection.Version + 1
	a.Selection = c
}

// SelectedRuns returns which runs are selected, and how many; nil for all of them.
func (a *Answers) SelectedRuns() ([]bool, int) {
	c := &a.Selection
	members := a.Model.Ensemble.Members
	if c.Kind == AllFlights || c.Kind == ByCrossing && a.Model.Pair == nil {
		return nil, len(members)
	}
	key := selectionKey{c.Version, a.Model.Ensemble.Version, a.KeptVersion()}
	if c.key == key {
		return c.runs, c.n
	}
	c.key, c.runs, c.n = key, make([]bool, len(members)), 0
	var crossed []int
	if c.Kind == ByCrossing {
		d := a.Model.Pair.Difference(&a.Model.World, func(int) bool { return true })
		crossed = append(d.Nearer, d.Farther...)
	}
	for run, m := range members {
		switch {
		case m == nil:
		case c.Kind == ByDistance:
			c.runs[run] = m.Run.DetectionKm >= c.Spans[0][0] && m.Run.DetectionKm <= c.Spans[0][1]
		case c.Kind == ByArea:
			c.runs[run] = c.passes(m.Path)
		default:
			c.runs[run] = slices.Contains(crossed, run)
		}
		if c.runs[run] {
			c.n++
		}
	}
	e := &a.Model.Ensemble
	c.summary = e.Summarize(e.Runs(func(run int) bool { return c.runs[run] }))
	return c.runs, c.n
}

// passes reports whether a path goes through the area.
func (c *Selection) passes(path model.Path) bool {
	x, y := c.Spans[0], c.Spans[1]
	area := draw.Rect{X: x[0], Y: y[0], W: x[1] - x[0], H: y[1] - y[0]}
	for a, b := range path.Pieces {
		if area.Contains(a) || area.Contains(b) || area.Meets(a, b) {
			return true
		}
	}
	return false
}

// SelectsNone reports whether there are no flights of the kind that is selected.
func (a *Answers) SelectsNone() bool {
	runs, n := a.SelectedRuns()
	return runs != nil && n == 0
}

// IsSelected reports whether a run is shown.
func (a *Answers) IsSelected(run int) bool {
	runs, _ := a.SelectedRuns()
	return runs == nil || (run < len(runs) && runs[run])
}

// SelectionText says which flights are selected and what they come to; empty for all.
func (a *Answers) SelectionText() string {
	runs, n := a.SelectedRuns()
	if runs == nil {
		return ""
	}
	km := a.Selection.Spans[0]
	what := map[Selected]string{ByDistance: fmt.Sprintf("at %s to %s km", chart.Fixed(km[0], 1), chart.Fixed(km[1], 1)),
		ByArea: "through the area", ByCrossing: "that crossed between the humps"}[a.Selection.Kind]
	if n == 0 {
		return "no flight " + what
	}
	sum := a.Summary()
	never := ""
	if sum.NeverDetected > 0 {
		never = fmt.Sprintf(", %.0f never", sum.NeverDetected*float64(sum.Runs))
	}
	return fmt.Sprintf("%d of %d flights %s%s, mean %s km", n, len(runs), what, never, chart.Fixed(sum.MeanKm, 1))
}

// Summary condenses the selected flights of the ensemble, all of it where none are selected.
func (a *Answers) Summary() study.Summary {
	if runs, _ := a.SelectedRuns(); runs != nil {
		return a.Selection.summary
	}
	return a.Model.Ensemble.Summary()
}

// MemberText says where a flight was recognised.
func MemberText(m *model.Member) string {
	return fmt.Sprintf("Run %d: %s. Click to see it.", m.Run.Run, Recognised(&m.Run, 2))
}
