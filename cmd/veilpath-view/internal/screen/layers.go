package screen

import (
	"slices"
	"strings"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// Layer is a part of the frame.
type Layer struct {
	Name    string
	Area    draw.Rect // points
	List    *draw.List
	Version uint64 // changes when the list does
	Cached  bool   // drawn from a picture of it, which is made when it changes
	Overlay bool   // drawn over the others each time, not kept
	Texts   []Text // of it that can be selected in a document

	seen [needs]any // of what it depends on, when it was drawn
	made time.Time
}

// The layers of a frame, in the order in which they are drawn. Those of the map lie over each other.
const (
	groundLayer = iota
	fanLayer
	routeLayer
	dockLayer
	sideLayer
	topLayer
)

// layerRow says what a layer draws and what that depends on. It is drawn again when a need has changed; what it waits
// for may be refineEvery late.
type layerRow struct {
	name  string
	area  func(*layout.Layout) draw.Rect
	draw  func(*Screen, *draw.List)
	needs []need
	waits []need
}

// layerRows are the layers in their order. The top one is drawn in every frame.
var layerRows = [...]layerRow{
	groundLayer: {"ground", mapArea, func(s *Screen, l *draw.List) { s.plan.DrawGround(l) },
		[]need{theFrame, theCamera, theSettings, theHeat, theBelief, theSwitches}, nil},
	fanLayer: {"fan", mapArea, func(s *Screen, l *draw.List) { s.plan.Shown().DrawFan(l, s.plan.Fan.Tracks) },
		[]need{theFrame, theCamera, theFan, theEpsilonDrag}, nil},
	routeLayer: {"routes", mapArea, func(s *Screen, l *draw.List) { s.plan.Shown().DrawRoutes(l) },
		[]need{theFrame, theCamera, theSettings, theHeat, theBelief, theSwitches, theWholeEnsemble},
		[]need{theEnsemble}},
	dockLayer: {"dock", func(l *layout.Layout) draw.Rect { return l.Dock },
		func(s *Screen, l *draw.List) { s.time.DrawStill(l) },
		[]need{theFrame, theSettings, theBelief, theInference}, nil},
	sideLayer: {"side", func(l *layout.Layout) draw.Rect { return l.Side }, (*Screen).stillSide,
		[]need{theFrame, theSettings, theHeat, theSwitches, theWholeEnsemble, theDrag},
		[]need{theEnsemble, theAxis}},
	topLayer: {name: "top"},
}

func mapArea(l *layout.Layout) draw.Rect { return l.Map }

// need is what a layer can depend on.
type need int

const (
	theFrame         need = iota // the layout, the scale and the theme
	theCamera                    // what the map shows
	theSettings                  // settings and the flight on show
	theHeat                      // what is painted on the map
	theBelief                    // of the observer of the goal that is painted, at this moment
	theInference                 // what observers of the goal know over time
	theSwitches                  // what else is drawn or not
	theFan                       // the flights that are drawn
	theEnsemble                  // its flights, as far as they are flown, and those that they are compared with
	theWholeEnsemble             // these, once all are flown
	theAxis                      // flights along epsilon
	theDrag                      // whether something is dragged, while the mean along epsilon is not refined
	theEpsilonDrag               // whether epsilon is dragged, while flights are drawn coarsely
	needs
)

// needValues tell needs apart: one has changed where its value has.
var needValues = [needs]func(*Screen) any{
	theFrame: func(s *Screen) any {
		return struct {
			layout layout.Layout
			scale  float64
			theme  uint64
		}{s.Layout, s.Scale, s.themes}
	},
	theCamera:    func(s *Screen) any { return s.plan.Map.Camera },
	theSettings:  func(s *Screen) any { return s.Model.Version },
	theHeat:      func(s *Screen) any { return s.Heat },
	theBelief:    func(s *Screen) any { return s.Belief() },
	theInference: func(s *Screen) any { return s.Model.Inference.Version },
	theSwitches: func(s *Screen) any {
		return struct {
			fan, cells    bool
			painted       int // cells
			also, problem string
		}{s.plan.ShowFan, s.plan.KeepingOut, s.plan.Painted(), strings.Join(s.Also, ","),
			s.Model.Inference.Problem}
	},
	theFan:      func(s *Screen) any { return s.plan.Fan.Version },
	theEnsemble: func(s *Screen) any { return [2]uint64{s.Model.Ensemble.Version, s.KeptVersion()} },
	theWholeEnsemble: func(s *Screen) any {
		return [2]uint64{either(s.Model.Ensemble.Complete(), s.Model.Ensemble.Version, 0), s.KeptVersion()}
	},
	theAxis:        func(s *Screen) any { return s.Model.Axis.Version },
	theEpsilonDrag: func(s *Screen) any { return s.DragsEpsilon() },
	theDrag:        func(s *Screen) any { return s.UI.Captured() && !s.Layout.Along.Empty() },
}

// refineEvery is how late at most it is drawn what is flown meanwhile.
const refineEvery = 150 * time.Millisecond

// layAll draws the layers again that depend on what has changed.
func (s *Screen) layAll() {
	s.plan.ChooseFan()
	for n, value := range needValues {
		s.seen[n] = value(s)
	}
	for i := range layerRows {
		row, layer := &layerRows[i], s.layers[i]
		changed := func(of []need) bool {
			return slices.ContainsFunc(of, func(n need) bool { return layer.seen[n] != s.seen[n] })
		}
		if row.draw == nil || !changed(row.needs) && (!changed(row.waits) || s.now().Sub(layer.made) < refineEvery) {
			continue
		}
		layer.seen, layer.made, layer.Area = s.seen, s.now(), row.area(&s.Layout)
		layer.Version++
		layer.List.Reset(layer.Area, s.Scale)
		layer.Texts = layer.Texts[:0]
		row.draw(s, layer.List)
	}
}
