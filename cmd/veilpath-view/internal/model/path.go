package model

import (
	"math"
	"slices"
	"unsafe"

	"veilpath/sim"
)

// Place is a point of a path in the plane, km east and north.
type Place struct{ X, Y float32 }

// Path is where a flight went, thinned. It is strokes, since what is flown over again, round after round, is kept once.
type Path [][]Place

// Pieces passes on the pieces that the strokes are made of, each with its ends.
func (p Path) Pieces(yield func(from, to Place) bool) {
	for _, stroke := range p {
		for i := 1; i < len(stroke); i++ {
			if !yield(stroke[i-1], stroke[i]) {
				return
			}
		}
	}
}

// equal reports whether two paths are the same places.
func (p Path) equal(q Path) bool { return slices.EqualFunc(p, q, slices.Equal[[]Place]) }

// keepPath is what is remembered of a flight to draw it.
func keepPath(h *sim.History) (path any, bytes int) {
	p := pathOf(h.Samples)
	for _, stroke := range p {
		bytes += cap(stroke)*int(unsafe.Sizeof(Place{})) + int(unsafe.Sizeof(stroke))
	}
	return p, bytes
}

// pathOf returns the path of a flight.
func pathOf(samples []sim.Sample) Path {
	kept := thin(samples)
	var path Path
	for _, s := range strokesOf(samples, kept) {
		stroke := make([]Place, 0, s.End-s.First)
		for _, i := range kept[s.First:s.End] {
			stroke = append(stroke, Place{float32(samples[i].R.X), float32(samples[i].R.Y)})
		}
		path = append(path, stroke)
	}
	return path
}

// A thinned path keeps a sample when the heading has turned by keepTurn or keepKm were flown: the chord
// then stays within keepKm/4 x keepTurn, 30 m, of the flight.
const (
	keepTurn = 1.4 * math.Pi / 180
	keepKm   = 5
)

// thin returns which samples a thinned path keeps.
func thin(samples []sim.Sample) []int32 {
	kept := make([]int32, 0, 256)
	cos2 := math.Pow(math.Cos(keepTurn), 2)
	for i := range samples {
		s := &samples[i]
		if n := len(kept); n > 0 && i < len(samples)-1 {
			last := &samples[kept[n-1]]
			along := s.V.X*last.V.X + s.V.Y*last.V.Y
			sizes2 := (s.V.X*s.V.X + s.V.Y*s.V.Y) * (last.V.X*last.V.X + last.V.Y*last.V.Y)
			dx, dy := s.R.X-last.R.X, s.R.Y-last.R.Y
			if along > 0 && along*along > cos2*sizes2 && dx*dx+dy*dy < keepKm*keepKm {
				continue
			}
		}
		kept = append(kept, int32(i))
	}
	return kept
}

// Stroke is a part of a list, without its end.
type Stroke struct{ First, End int }

// A flight with more places than mostUnlooked goes in rounds: then its path leaves out what lies within sameKm of where
// it went before in about the same direction.
const (
	mostUnlooked = 500
	sameKm       = 0.1
)

// strokesOf returns the parts of what a thinned path keeps that are to be drawn.
func strokesOf(samples []sim.Sample, kept []int32) []Stroke {
	if len(kept) <= mostUnlooked {
		return []Stroke{{0, len(kept)}}
	}
	g := newGround(len(kept))
	at := func(i int) Place { r := samples[kept[i]].R; return Place{float32(r.X), float32(r.Y)} }
	strokes := []Stroke{{0, 1}}
	drawn, on := true, -1
	from := at(0)
	for i := 1; i < len(kept); i++ {
		to := at(i)
		over := g.under(from, to, to, on)
		again := on >= 0 && over >= 0 && g.under(from, to, Place{(from.X + to.X) / 2, (from.Y + to.Y) / 2}, on) >= 0
		switch {
		case again:
		case drawn:
			strokes[len(strokes)-1].End = i + 1
		default:
			strokes = append(strokes, Stroke{i - 1, i + 1})
		}
		if !again {
			g.add(from, to)
		}
		drawn, on, from = !again, over, to
	}
	return strokes
}

// strokesFlown returns the parts of a flight's samples that are to be drawn.
func strokesFlown(samples []sim.Sample) []Stroke {
	kept := thin(samples)
	strokes := strokesOf(samples, kept)
	for i, s := range strokes {
		strokes[i] = Stroke{int(kept[s.First]), int(kept[s.End-1]) + 1}
	}
	return strokes
}

// ground is where a flight went, in pieces that can be found by place.
type ground struct {
	pieces []groundPiece
	cells  map[[2]int32][]int32
}

type groundPiece struct {
	x, y   float32 // where it begins
	dx, dy float32 // from there to its end
}

// groundCellKm is the size of the cells that pieces are found by.
const groundCellKm = 2.0

func newGround(places int) *ground {
	return &ground{pieces: make([]groundPiece, 0, min(places, 2*mostUnlooked)), cells: map[[2]int32][]int32{}}
}

func cellOf(x, y float32) [2]int32 {
	return [2]int32{int32(math.Floor(float64(x) / groundCellKm)), int32(math.Floor(float64(y) / groundCellKm))}
}

// add puts a piece where it is found again.
func (g *ground) add(from, to Place) {
	p := groundPiece{from.X, from.Y, to.X - from.X, to.Y - from.Y}
	steps := int(math.Hypot(float64(p.dx), float64(p.dy))/(groundCellKm/4)) + 1
	var last [2]int32
	for k := range steps + 1 {
		share := float32(k) / float32(steps)
		cell := cellOf(p.x+share*p.dx, p.y+share*p.dy)
		if k == 0 || cell != last {
			g.cells[cell] = append(g.cells[cell], int32(len(g.pieces)))
		}
		last = cell
	}
	g.pieces = append(g.pieces, p)
}

// under returns a piece that a place of a way lies on and that leads the same way, and -1 for none. It looks first at
// the one that the place before was on and those that follow it.
func (g *ground) under(from, to, at Place, before int) int {
	const following = 3
	dx, dy := to.X-from.X, to.Y-from.Y
	if before >= 0 {
		for k := before; k < min(before+following, len(g.pieces)); k++ {
			if g.pieces[k].holds(at, dx, dy) {
				return k
			}
		}
	}
	const reach = sameKm
	cell := cellOf(at.X-reach, at.Y-reach)
	for _, k := range g.cells[cell] {
		if g.pieces[k].holds(at, dx, dy) {
			return int(k)
		}
	}
	if other := cellOf(at.X+reach, at.Y+reach); other != cell {
		for _, k := range g.cells[other] {
			if g.pieces[k].holds(at, dx, dy) {
				return int(k)
			}
		}
	}
	return -1
}

// sameWay is the cosine of the largest angle between two ways that are the same.
const sameWay = 0.995

// holds reports whether a place lies on the piece and a way leads as the piece does.
func (p *groundPiece) holds(at Place, dx, dy float32) bool {
	x, y := at.X-p.x, at.Y-p.y
	along := dx*p.dx + dy*p.dy
	length2 := p.dx*p.dx + p.dy*p.dy
	if along <= 0 || along*along < sameWay*sameWay*length2*(dx*dx+dy*dy) {
		return false
	}
	const overlap = 0.01 // of its length
	share := (x*p.dx + y*p.dy) / length2
	off := x*p.dy - y*p.dx
	return share > -overlap && share < 1+overlap && off*off <= sameKm*sameKm*length2
}
