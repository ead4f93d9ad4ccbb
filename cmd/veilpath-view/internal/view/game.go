//go:build viewer || js

package view

import (
	"image"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/screen"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Game runs a screen in ebiten.
type Game struct {
	Screen *screen.Screen

	// Each is called once a frame after the screen's step, if set.
	Each func(*Game)

	canvas *canvas
	reader reader
	layers []*screen.Layer

	shown shown
	still uint64 // versions of what the picture has that is kept

	width, height, scale float64 // of the window in points, and pixels a point
	cursor               ui.Cursor
	statistics           Statistics
}

// SetUp has ebiten draw frames as the program needs them.
func SetUp() {
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
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
		ui.Arrow: ebiten.CursorShapeDefault, ui.Hand: ebiten.CursorShapePointer,
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
	resized := picture.Bounds() != g.shown.size
	if !g.changed(picture) {
		return // the window keeps the frame before
	}
	still := uint64(0)
	for _, layer := range g.layers {
		g.canvas.takeGlyphs(layer.List.Atlas)
		if !layer.Overlay {
			still += layer.Version
		}
	}
	background := g.Screen.UI.Theme.Background
	if resized || still != g.still {
		g.still = still
		g.canvas.still(picture, g.layers, background)
	}
	// ebiten leaves out a frame whose picture was not drawn to. This pixel is in the margin.
	picture.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image).Fill(background)
	g.statistics.Draws += time.Since(start)
}

// DrawFinalScreen implements ebiten.FinalScreenDrawer: it shows the still picture, pixel by pixel, with what
// moves over it, so that the window's pixels are gone through once.
func (g *Game) DrawFinalScreen(window ebiten.FinalScreen, picture *ebiten.Image, _ ebiten.GeoM) {
	start := time.Now()
	g.canvas.show(window, picture)
	g.canvas.moving(window, g.layers)
	g.statistics.Draws += time.Since(start)
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

// LayoutF gives a frame as many pixels as the window has. A large window shows everything larger, with its type: 13
// points are as many pixels at 1280 and 18 at 1920. Nothing is smaller than in a window of the least size.
func (g *Game) LayoutF(width, height float64) (float64, float64) {
	device := ebiten.Monitor().DeviceScaleFactor()
	zoom := math.Max(1, math.Min(width/largeWidth, height/largeHeight))
	zoom = math.Min(zoom, width/leastWidth)
	g.width, g.height, g.scale = width/zoom, height/zoom, device*zoom
	return math.Ceil(width * device), math.Ceil(height * device)
}

// A window larger than large is shown enlarged, and one narrower than least smaller, points.
const (
	largeWidth  = 1387
	largeHeight = 760
	leastWidth  = 320
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
