//go:build viewer || js

package view

import (
	"image"
	"image/color"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/screen"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Game runs a screen in ebiten.
type Game struct {
	Screen *screen.Screen
	Zoom   float64 // enlarges everything; 1 as a rule

	// Each is called once a frame after the screen's step, if set.
	Each func(*Game)
	// Parts, if set, is called after every frame with the parts of the window that differ from the frame before, pixels. A
	// window that keeps its frames needs to draw no other.
	Parts func([]image.Rectangle)

	canvas *canvas
	reader reader
	layers []*screen.Layer

	shown      shown
	background color.NRGBA // of the picture that is kept
	changes    draw.Changes

	width, height, scale float64 // of the window in points, and pixels a point
	cursor               ui.Cursor
	statistics           Statistics
}

// shown identifies a frame: versions only grow, so their sum reports whether any has.
type shown struct {
	size     image.Rectangle
	versions uint64
}

// Statistics are times of the frames since the last Reset.
type Statistics struct {
	Frames  int           `json:"frames"`
	Redrawn int           `json:"redrawn"` // that differed from the one before
	Longest time.Duration `json:"longest_step_ns"`
	Steps   time.Duration `json:"steps_ns"` // all together
	Draws   time.Duration `json:"draws_ns"`
}

// Statistics returns the frame times since they were last reset, and resets them.
func (g *Game) Statistics() Statistics {
	s := g.statistics
	g.statistics = Statistics{}
	return s
}

// Update implements ebiten.Game.
func (g *Game) Update() error {
	if g.scale == 0 {
		return nil
	}
	if files := ebiten.DroppedFiles(); files != nil {
		g.Screen.Open("dropped", files)
	}
	start := time.Now()
	in := g.reader.read(start, g.scale)
	g.layers = g.Screen.Advance(in, g.width, g.height, g.scale)
	g.setCursor(g.Screen.UI.Cursor())
	took := time.Since(start)
	g.statistics.Frames++
	g.statistics.Steps += took
	g.statistics.Longest = max(g.statistics.Longest, took)
	if g.Each != nil {
		g.Each(g)
	}
	return nil
}

func (g *Game) setCursor(c ui.Cursor) {
	if c == g.cursor {
		return
	}
	g.cursor = c
	ebiten.SetCursorShape(map[ui.Cursor]ebiten.CursorShapeType{
		ui.Arrow: ebiten.CursorShapeDefault, ui.Hand: ebiten.CursorShapePointer, ui.Grab: ebiten.CursorShapeMove,
		ui.Cross: ebiten.CursorShapeCrosshair, ui.ResizeX: ebiten.CursorShapeEWResize,
	}[c])
}

// Draw implements ebiten.Game: it brings the picture of what does not move up to date, which ebiten keeps.
func (g *Game) Draw(picture *ebiten.Image) {
	start := time.Now()
	if g.canvas == nil {
		c, err := newCanvas()
		if err != nil {
			panic("view: " + err.Error()) // the shader is embedded and tested
		}
		g.canvas = c
	}
	g.changes.Begin()
	if g.Parts != nil {
		defer func() { g.Parts(g.changes.Parts) }()
	}
	resized := picture.Bounds() != g.shown.size
	if !g.changed(picture) {
		return // the window keeps the frame before
	}
	background := g.Screen.UI.Theme.Background
	g.canvas.still(picture, g.layers, background, resized || background != g.background, g.changes.Add)
	g.background = background
	if g.Parts != nil {
		g.compare(picture.Bounds().Size())
	}
	// ebiten leaves out a frame whose picture was not drawn to. This pixel is in the margin.
	picture.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image).Fill(background)
	g.statistics.Draws += time.Since(start)
}

// DrawFinalScreen implements ebiten.FinalScreenDrawer: it shows the still picture, pixel by pixel, with what
// moves over it, so that the window's pixels are gone through once.
func (g *Game) DrawFinalScreen(window ebiten.FinalScreen, picture *ebiten.Image, _ ebiten.GeoM) {
	start := time.Now()
	parts := g.changes.Parts
	if g.Parts == nil {
		parts = []image.Rectangle{picture.Bounds()}
	}
	g.canvas.show(window, picture, parts)
	g.canvas.moving(window, g.layers, parts)
	g.statistics.Draws += time.Since(start)
}

// compare finds where what moves differs from the frame before.
func (g *Game) compare(size image.Point) {
	var lists []*draw.List
	for _, layer := range g.layers {
		if layer.Overlay {
			lists = append(lists, layer.List)
		}
	}
	g.changes.Compare(size.X, size.Y, lists...)
}

// Redraw has the next frame drawn whole, for a window that has lost what it showed.
func (g *Game) Redraw() { g.shown = shown{} }

// changed reports whether the frame differs from the last one that was drawn.
func (g *Game) changed(target *ebiten.Image) bool {
	now := shown{size: target.Bounds()}
	for _, layer := range g.layers {
		now.versions += layer.Version
	}
	if now == g.shown {
		return false
	}
	g.shown = now
	g.statistics.Redrawn++
	return true
}

// Layout implements ebiten.Game; ebiten calls LayoutF instead.
func (g *Game) Layout(int, int) (int, int) { panic("view: Layout is not used") }

// LayoutF gives a frame as many pixels as the window has. A window too small for the layout shows it
// smaller, a very large one larger.
func (g *Game) LayoutF(width, height float64) (float64, float64) {
	device := ebiten.Monitor().DeviceScaleFactor()
	zoom := g.Zoom * math.Max(1, math.Min(largestZoom, math.Min(width/roomyWidth, height/roomyHeight)))
	zoom = math.Min(zoom, math.Min(width/layout.MinCompactWidth, height/layout.MinCompact))
	g.width, g.height, g.scale = width/zoom, height/zoom, device*zoom
	return math.Ceil(width * device), math.Ceil(height * device)
}

// A window larger than roomy is shown enlarged; up to there a larger one shows more.
const (
	roomyWidth  = 3200
	roomyHeight = 1800
	largestZoom = 1.5
)

// PixelsPerPoint returns how many pixels of the window, not of the device, a point of the layout has.
func (g *Game) PixelsPerPoint() float64 { return g.scale / ebiten.Monitor().DeviceScaleFactor() }

// Describe returns the places of widgets in pixels of the window, by name, for tests that drive the
// program from outside.
func (g *Game) Describe() map[string][4]float64 {
	places := map[string][4]float64{}
	k := g.PixelsPerPoint()
	for name, r := range g.Screen.UI.Regions() {
		places[name] = [4]float64{r.X * k, r.Y * k, r.W * k, r.H * k}
	}
	return places
}
