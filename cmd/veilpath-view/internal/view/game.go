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
	Screen  *screen.Screen
	Frames  int           // since whoever counts them last set it to 0
	Longest time.Duration // step of these frames

	// Each is called once a frame after the screen's step, if set.
	Each func(*Game)

	canvas *canvas
	reader reader
	layers []*screen.Layer

	shown shown

	width, height, scale float64 // of the window in points, and pixels a point
	cursor               ui.Cursor
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
	g.Frames++
	g.Longest = max(g.Longest, time.Since(start))
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

// Draw implements ebiten.Game. A window that shows the frame already keeps it.
func (g *Game) Draw(window *ebiten.Image) {
	if g.canvas == nil {
		c, err := newCanvas()
		if err != nil {
			panic("view: " + err.Error()) // the shader is embedded and tested
		}
		g.canvas = c
	}
	now := shown{size: window.Bounds()}
	for _, layer := range g.layers {
		now.versions += layer.Version
	}
	if now != g.shown {
		g.shown = now
		g.canvas.draw(window, g.layers, g.Screen.UI.Theme.Background)
	}
}

// Redraw has the next frame drawn whole, for a window that has lost what it showed.
func (g *Game) Redraw() { g.shown = shown{} }

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
