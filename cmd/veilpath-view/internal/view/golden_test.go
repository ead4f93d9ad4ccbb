//go:build viewer && !js

package view

import (
	"errors"
	"flag"
	"image"
	"image/color"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/screen"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// testGame runs the tests within ebiten's loop, where pictures can be read.
type testGame struct {
	m    *testing.M
	code int
}

var errDone = errors.New("done")

func (g *testGame) Update() error {
	g.code = g.m.Run()
	return errDone
}

func (g *testGame) Draw(*ebiten.Image) {}

func (g *testGame) Layout(int, int) (int, int) { return 320, 240 }

func TestMain(m *testing.M) {
	runtime.LockOSThread()
	flag.Parse()
	g := &testGame{m: m}
	if err := ebiten.RunGame(g); err != nil && !errors.Is(err, errDone) {
		panic(err)
	}
	os.Exit(g.code)
}

// shell is one in which nothing can be chosen.
type shell struct{ screen.Shell }

func (shell) Chooser() func(folder bool) { return nil }
func (shell) Film() func() bool          { return nil }

// scene is a screen with a finished ensemble.
func scene(t testing.TB, dark bool, runs int) *screen.Screen {
	t.Helper()
	c := configs.Default()
	c.Study.Runs, c.Privacy.Epsilon = runs, 0.4
	m, err := model.New(c, model.Workers{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	s, err := screen.New(m, shell{}, dark, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for !m.Ensemble.Complete() || !m.AxisComplete() {
		m.Advance(0)
		m.Work()
	}
	m.Clock.StopAt(60)
	return s
}

// A window shows what a file of the same lists does: the pictures that are kept, and those that are saved, are those of
// the window.
func TestWindowIsAsRastered(t *testing.T) {
	for _, test := range []struct {
		width, height, scale float64
		dark                 bool
	}{{1280, 800, 1, true}, {360, 740, 2, false}} {
		s := scene(t, test.dark, 20)
		var layers []*screen.Layer
		for range 3 {
			layers = s.Advance(ui.Input{Outside: true}, test.width, test.height, test.scale)
		}
		c, err := newCanvas()
		if err != nil {
			t.Fatal(err)
		}
		size := image.Rect(0, 0, int(test.width*test.scale), int(test.height*test.scale))
		target := ebiten.NewImage(size.Dx(), size.Dy())
		c.draw(target, layers, s.UI.Theme.Background)
		got, want := image.NewRGBA(size), image.NewRGBA(size)
		target.ReadPixels(got.Pix)
		for _, layer := range layers {
			draw.Raster(layer.List, want)
		}
		wrong := 0
		for y := range size.Dy() {
			for x := range size.Dx() {
				if apart(got.At(x, y), want.At(x, y)) {
					wrong++
				}
			}
		}
		if most := int(mayDiffer * float64(size.Dx()*size.Dy())); wrong > most {
			t.Errorf("%vx%v: %d pixels differ, at most %d may", test.width, test.height, wrong, most)
		}
	}
}

// Two rasterisers round the feathered edges differently: a channel may differ by 8 of 255, and a share of the pixels by
// more, where a ramp meets a half.
const mayDiffer = 0.002

func apart(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, pair := range [3][2]uint32{{ar, br}, {ag, bg}, {ab, bb}} {
		if d := int(pair[0]>>8) - int(pair[1]>>8); d > 8 || d < -8 {
			return true
		}
	}
	return false
}

// BenchmarkFramePlaying is playback with 200 flights on screen.
func BenchmarkFramePlaying(b *testing.B) {
	s := scene(b, true, 200)
	c, err := newCanvas()
	if err != nil {
		b.Fatal(err)
	}
	target, one := ebiten.NewImage(1280, 800), make([]byte, 4)
	s.Model.Clock.Playing = true
	for b.Loop() {
		layers := s.Advance(ui.Input{ElapsedS: 0.01, Outside: true}, 1280, 800, 1)
		c.draw(target, layers, s.UI.Theme.Background)
		target.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image).ReadPixels(one) // waits for the frame
	}
}
