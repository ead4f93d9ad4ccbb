// Package views draws what the viewer shows: where flights are recognised, why, and what hiding them costs. The three
// views are charts of package plot that are made from the model; they share the flight and the distance that the
// pointer is at.
//
// A frame goes through Lay, which finds the places of all parts by the width of the window in points alone; Make, which
// makes the charts anew where something has changed; Operate, which has the pointer work them; DrawStill, which draws
// what stays until something changes; and DrawMoving, which draws the moment and what the pointer is at.
package views

import (
	"image/color"
	"math"
	"slices"
	"time"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/internal/plot"
)

// Controls draws the buttons of controls by their ids, and does what they ask for.
type Controls interface {
	Labelled(id string, r draw.Rect, label string)
}

// Views are the three views with the bars above and below.
type Views struct {
	*answer.Answers
	UI       *ui.Context
	Controls Controls
	Quantity Quantity // of the chart below the map
	Layout   Layout
	Scroll   float64 // how far down a page is scrolled that is higher than the window, points
	Walling  bool    // clicks on the map put up a wall, or take it away

	Where, Why, Choose, Cost plot.Chart
	look                     plot.Look
	green, red               color.NRGBA // of what is met, and what is not

	made    made
	madeAt  time.Time
	members []many
	tags    map[int]*model.Member // by run, of what is drawn
	linked  bool                  // the map and the chart below have one horizontal scale
	heaps   []heap
	hanging plot.Hanging
	hung    []*model.Member // the flights that hang, in the order of the places
	extent  [4]float64      // of the map, km
	farKm   float64         // of the chart below
	chooseY plot.Scale
	costTop float64
	hover   hover
	places  answer.Cached[uint64, []float64] // of the flight on show
}

// hover is what the pointer is at.
type hover struct {
	run    int     // that is lit in all views; -1 for none
	atX    float64 // place along the chart of the guess; NaN for none
	choose float64 // epsilon; 0 for none
}

// made is what the charts depend on.
type made struct {
	model, ensemble, axis, kept uint64
	demand                      float64
	sought                      int // flights that the demand was searched with
	quantity                    Quantity
	heat                        answer.Heat
	belief                      *model.Belief
	inferred                    uint64
	layout                      Layout
	dark, walling               bool
	ink                         color.NRGBA
	coarse                      bool // something is dragged: curves have fewer points, and crop and scales stay
}

// theme is the colours and the type.
func (v *Views) theme() *ui.Theme { return &v.UI.Theme }

// flownEvery is how late at most it is drawn what is flown meanwhile.
const flownEvery = 150 * time.Millisecond

// Make makes the charts anew if what they show has changed, and reports whether it has.
func (v *Views) Make(now time.Time) bool {
	m, t := v.Model, v.theme()
	to := made{m.Version, m.Ensemble.Version, m.Axis.Version, v.KeptVersion(), v.DemandKm, m.Sought().Runs, v.Quantity,
		v.Heat, v.Belief(), m.Inference.Version, v.Layout, t.Dark, v.Walling, t.Ink, v.UI.Captured()}
	settled := v.made
	settled.ensemble, settled.axis, settled.kept = to.ensemble, to.axis, to.kept
	if to == v.made || settled == to && now.Sub(v.madeAt) < flownEvery && !(m.Ensemble.Complete() && m.AxisComplete()) {
		return false
	}
	v.made, v.madeAt = to, now
	v.look = plot.Look{Panel: t.Panel, Ink: t.Ink, Muted: t.Muted, Grid: t.Grid, Strong: t.Strong, Small: t.Small,
		Corner: ui.Corner + 1}
	v.green, v.red = t.Legible(color.NRGBA{0x5F, 0xC9, 0x9A, 0xFF}), t.Legible(color.NRGBA{0xDD, 0x78, 0x6A, 0xFF})
	v.members = v.distinct()
	v.makeWhere()
	v.makeWhy()
	v.makeChoose()
	return true
}

// many is flights that are the same.
type many struct {
	*model.Member
	n     int
	alike float64 // share of all flights that are recognised about there
}

// distinct returns the flights of the ensemble that can be drawn, equal ones once, the commonest first.
func (v *Views) distinct() []many {
	const about = 0.03 // of the farthest distance of recognition
	at, seen, all := map[int]int{}, []many{}, []float64{}
	v.tags = map[int]*model.Member{}
	for _, m := range v.Model.Ensemble.Members {
		if m == nil || !v.Model.HasAxis() && v.Model.Ensemble.Outdated(m) {
			continue
		}
		all = append(all, m.Run.DetectionKm)
		if i, ok := at[m.Run.Flight]; ok {
			seen[i].n++
		} else if m.Path != nil {
			at[m.Run.Flight] = len(seen)
			seen, v.tags[m.Run.Run] = append(seen, many{Member: m, n: 1}), m
		}
	}
	slices.Sort(all)
	for i := range seen {
		km, width := seen[i].Run.DetectionKm, about*v.FarthestKm()
		from, _ := slices.BinarySearch(all, km-width)
		to, _ := slices.BinarySearch(all, km+width)
		seen[i].alike = float64(to-from) / float64(len(all))
	}
	slices.SortStableFunc(seen, func(a, b many) int { return int(math.Copysign(1, b.alike-a.alike)) })
	return seen
}

// ink is the colour of flights, from teal for those that are recognised late to ink for early. It is the fainter the
// more flights are recognised about there: one opacity for all would hide one kind of flight or the other.
func (v *Views) ink(f *many) color.NRGBA {
	const most, share, whole = 0.55, 0.12, 0.9
	opacity := math.Min(most, share/math.Max(1e-3, f.alike))
	return ui.Faded(v.shade(f.Run.DetectionKm), math.Min(whole, 1-math.Pow(1-opacity, math.Sqrt(float64(f.n)))))
}

// shade is the colour of a distance of recognition, km.
func (v *Views) shade(km float64) color.NRGBA {
	return assets.Mix(v.theme().WaypointInk(), v.theme().Ink, math.Max(0, math.Min(1, km/v.FarthestKm())))
}

// off is how far faint lines may lie from their pieces, points.
func (v *Views) off() float64 {
	if v.made.coarse {
		return 1.5
	}
	return 0.25
}

// quantile is a value that a share of the values are below.
func quantile(values []float64, share float64) float64 {
	slices.Sort(values)
	return values[min(len(values)-1, int(share*float64(len(values))))]
}

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}

// Look is the colours and the type of the charts.
func (v *Views) Look() *plot.Look { return &v.look }

// Places are where flights hang from the line of the radius, points, and Hung is the run of one.
func (v *Views) Places() []draw.Point { return v.hanging.Places }

// Hung is the run of a flight that hangs.
func (v *Views) Hung(i int) int { return v.hung[i].Run.Run }
