//go:build viewer && !js

package view

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	imagedraw "image/draw"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/golden"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/screen"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

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

// scene is a screen with a finished ensemble, at a moment of the flight.
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
	finish(s)
	return s
}

// operate does what a control does.
func operate(t testing.TB, s *screen.Screen, id string) {
	t.Helper()
	if err := s.Operate(id, ""); err != nil {
		t.Fatal(err)
	}
}

// finish flies all flights.
func finish(s *screen.Screen) {
	for m := s.Model; !m.Ensemble.Complete() || !m.AxisComplete() || m.Pair != nil && !m.Pair.Ensemble.Complete(); {
		m.Advance(1)
		m.Work()
	}
}

// render draws a screen into a picture.
func render(t testing.TB, s *screen.Screen, width, height int, scale float64) *image.RGBA {
	t.Helper()
	c, err := newCanvas()
	if err != nil {
		t.Fatal(err)
	}
	target := ebiten.NewImage(width, height)
	layers := s.Advance(ui.Input{Outside: true}, float64(width)/scale, float64(height)/scale, scale)
	c.still(target, layers, s.UI.Theme.Background, true, func(image.Rectangle) {})
	c.moving(target, layers, []image.Rectangle{target.Bounds()})
	picture := image.NewRGBA(target.Bounds())
	target.ReadPixels(picture.Pix)
	target.Deallocate()
	return picture
}

const goldenPath = "testdata"

func TestGolden(t *testing.T) {
	tests := []struct {
		name          string
		dark          bool
		width, height int
		scale         float64
		prepare       func(*screen.Screen)
	}{
		{"dark", true, 1280, 800, 1, func(s *screen.Screen) { s.Model.Clock.Seek(60) }},
		{"light-small", false, 1024, 640, 1, func(s *screen.Screen) {
			s.Heat = answer.HeatNoise
			s.Model.Clock.Seek(95)
		}},
		{"direct", true, 1024, 640, 1, func(s *screen.Screen) {
			s.Model.SetShown(model.ShowDirect)
			s.Model.Clock.Seek(70)
		}},
		{"help", false, 1280, 800, 1, func(s *screen.Screen) { s.Help.Open = true }},
		{"phone-folded", true, 360, 740, 1, func(s *screen.Screen) {
			s.Tab = layout.TabNone
			s.Model.Clock.Seek(60)
		}},
		{"belief", true, 1280, 800, 1, believe},
		{"phone-belief", false, 360, 740, 1, func(s *screen.Screen) {
			s.Tab = layout.TabGuess
			believe(s)
		}},
		{"lying", false, 740, 360, 1, func(s *screen.Screen) {
			s.Tab = layout.TabGuess
			s.Model.Clock.Seek(60)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := scene(t, test.dark, 100)
			test.prepare(s)
			got := render(t, s, test.width, test.height, test.scale)
			if again := render(t, s, test.width, test.height, test.scale); !bytes.Equal(got.Pix, again.Pix) {
				t.Error("drawn twice, the picture differs")
			}
			compare(t, filepath.Join(goldenPath, test.name+".png"), got)
		})
	}
}

// believe shows what an observer of the goal believes.
func believe(s *screen.Screen) {
	s.Heat = answer.HeatBelief
	s.Model.SetEpsilon(1)
	s.Model.Clock.Seek(70)
	s.Model.SetInference(true)
	for range 8 { // the world, the policies, then an observer a step
		s.Model.Work()
		s.Model.Advance(0)
	}
}

// The screenshots that the README shows are of the present look.
func TestScreenshots(t *testing.T) {
	const folder = "../../../../assets/screenshots"
	for _, test := range []struct {
		name          string
		dark          bool
		width, height int
		scale         float64
		prepare       func(*screen.Screen)
	}{
		{"overview-dark", true, 1280, 800, 1, func(s *screen.Screen) { s.Model.Clock.Seek(57) }},
		{"noise-light", false, 1280, 800, 1, func(s *screen.Screen) {
			s.Heat = answer.HeatNoise
			s.Model.Select(7)
			s.Model.Clock.Seek(95)
		}},
		{"phone-dark", true, 720, 1480, 2, func(s *screen.Screen) {
			s.Tab = layout.TabWhy
			s.Model.Clock.Seek(66)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := scene(t, test.dark, 200)
			test.prepare(s)
			s.Advance(ui.Input{Outside: true}, float64(test.width)/test.scale, float64(test.height)/test.scale, test.scale)
			compare(t, filepath.Join(folder, test.name+".png"), render(t, s, test.width, test.height, test.scale))
		})
	}
}

// Without a graphics card a frame comes out as with one.
func TestRasterIsTheCards(t *testing.T) {
	s := scene(t, true, 20)
	s.Model.Clock.Seek(60)
	want := render(t, s, 1280, 800, 1)
	got := image.NewRGBA(want.Rect)
	imagedraw.Draw(got, got.Rect, image.NewUniform(s.UI.Theme.Background), image.Point{}, imagedraw.Src)
	for _, layer := range s.Advance(ui.Input{Outside: true}, 1280, 800, 1) {
		draw.Raster(layer.List, got)
	}
	wrong := 0
	for i := range want.Pix {
		if golden.Apart(color.Gray{Y: got.Pix[i]}, color.Gray{Y: want.Pix[i]}) {
			wrong++
		}
	}
	if wrong > int(golden.MayDiffer*float64(len(want.Pix))) {
		t.Errorf("%d of %d values differ", wrong, len(want.Pix))
	}
}

func compare(t *testing.T, name string, got image.Image) {
	t.Helper()
	if *update {
		if err := golden.Write(name, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := golden.Compare(name, got, golden.MayDiffer); err != nil {
		t.Error(err)
	}
}

// A frame that draws only the parts that have changed, in a window that keeps its frames, is the frame drawn again,
// whatever has changed since the one before.
func TestKeptPictureIsTheWhole(t *testing.T) {
	s := scene(t, true, 20)
	g := &Game{Zoom: 1}
	g.Screen = s
	still := ebiten.NewImage(1280, 800)
	// beside none, as a window
	kept := ebiten.NewImageWithOptions(still.Bounds(), &ebiten.NewImageOptions{Unmanaged: true})
	var parts []image.Rectangle
	g.Parts = func(now []image.Rectangle) { parts = slices.Clone(now) }
	for _, change := range []struct {
		name string
		do   func()
	}{
		{"the first frame", func() { s.Model.Clock.Seek(60) }},
		{"the clock", func() { s.Model.Clock.Seek(62) }},
		{"the camera", func() { s.Camera().Pan(30, 10) }},
		{"the run", func() { s.Model.Select(3) }},
		{"a folded panel", func() { s.Folded = 1 }},
		{"the theme", func() { s.SetDark(false) }},
		{"a list", func() { operate(t, s, "panels") }},
		{"no list", func() { operate(t, s, "panels") }},
	} {
		change.do()
		advance(g, still)
		got := pixelsOf(kept, g, still, parts)
		if want := render(t, s, 1280, 800, 1); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("after %s, the window is not what is shown, after %v were drawn", change.name, parts)
		}
	}
	redrawn := g.Statistics().Redrawn
	advance(g, still)
	if again := g.Statistics().Redrawn; redrawn == 0 || again != 0 {
		t.Errorf("%d frames are drawn where nothing has changed", again)
	}
	if len(parts) > 0 {
		t.Errorf("nothing has changed but %v", parts)
	}
	s.Model.Clock.Seek(64)
	advance(g, still)
	moved := 0
	for _, part := range parts {
		moved += part.Dx() * part.Dy()
	}
	if moved == 0 || moved > 1280*800/3 {
		t.Errorf("the clock changes %d pixels of the window", moved)
	}
	g.Redraw()
	if advance(g, still); !slices.Equal(parts, []image.Rectangle{still.Bounds()}) {
		t.Errorf("a window that was lost is drawn in %v", parts)
	}
}

// pixelsOf is a window after some parts of it were drawn.
func pixelsOf(window *ebiten.Image, g *Game, still *ebiten.Image, parts []image.Rectangle) *image.RGBA {
	for _, part := range parts {
		g.DrawFinalScreen(window.SubImage(part).(*ebiten.Image), still, ebiten.GeoM{})
	}
	picture := image.NewRGBA(window.Bounds())
	window.ReadPixels(picture.Pix)
	return picture
}

// A layer of many shapes is drawn from a picture of it, which looks the same, and is drawn again where the layer has
// changed.
func TestCachedLayerIsTheLayer(t *testing.T) {
	s := scene(t, true, 160)
	s.Model.SetEpsilon(0.06)
	finish(s)
	layers := s.Advance(ui.Input{Outside: true}, 1280, 800, 1)
	fan := layers[slices.IndexFunc(layers, func(l *screen.Layer) bool { return l.Cached })]
	if n := fan.List.Vertices(); n <= manyVertices {
		t.Fatalf("the fan has %d vertices", n)
	}
	c, err := newCanvas()
	if err != nil {
		t.Fatal(err)
	}
	drawn := func() *image.RGBA {
		target := ebiten.NewImage(1280, 800)
		defer target.Deallocate()
		c.still(target, layers, s.UI.Theme.Background, true, func(image.Rectangle) {})
		picture := image.NewRGBA(target.Bounds())
		target.ReadPixels(picture.Pix)
		return picture
	}
	cached := drawn()
	fan.Cached = false
	most, apart := 0, 0
	for i, want := range drawn().Pix {
		if d := max(want, cached.Pix[i]) - min(want, cached.Pix[i]); d > 0 {
			apart++
			most = max(most, int(d))
		}
	}
	const rounding = 12 // of 255: colours are rounded to a byte for each of the flights that lie over each other
	if most > rounding {
		t.Errorf("%d channels differ, by %d at most", apart, most)
	}
	fan.Cached = true
	for _, b := range fan.List.Batches() {
		for i := range b.Vertices {
			b.Vertices[i].ColorR = 1
		}
	}
	if !bytes.Equal(drawn().Pix, cached.Pix) {
		t.Error("a layer that has not changed is drawn anew")
	}
	fan.Version++
	if bytes.Equal(drawn().Pix, cached.Pix) {
		t.Error("a layer that has changed is not drawn anew")
	}
}

// advance goes on to the next frame of the game, whose still picture is kept as ebiten keeps it.
func advance(g *Game, still *ebiten.Image) {
	size := still.Bounds().Size()
	g.layers = g.Screen.Advance(ui.Input{Outside: true}, float64(size.X), float64(size.Y), 1)
	g.Draw(still)
}

// A picture at twice the scale is the same scene: the layout does not depend on the scale.
func TestScaleKeepsTheLayout(t *testing.T) {
	s := scene(t, true, 20)
	render(t, s, 1280, 800, 1)
	one := s.Layout
	render(t, s, 2560, 1600, 2)
	if s.Layout != one {
		t.Error("the layout at twice the scale differs")
	}
}

// The finest grid that is drawn as a picture, and an empty fan, draw at all.
func TestPictureOfAFineGrid(t *testing.T) {
	c := configs.Default()
	c.Study.Runs = 2
	c.Planner.Columns, c.Planner.Rows, c.Planner.SpacingKm, c.Planner.StartCell = 100, 100, 2.5, [2]int{0, 40}
	c.Planner.Tolerance = 1e-8 // a reward of this size is certified to no less
	m, err := model.New(c, model.Workers{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := screen.New(m, shell{}, true, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.Heat = answer.HeatNoise
	picture := render(t, s, 1024, 640, 1)
	l := s.Layout.Map
	middle := picture.RGBAAt(int(l.Center().X), int(l.Center().Y)+60)
	if b := s.UI.Theme.Background; middle.R == b.R && middle.G == b.G && middle.B == b.B {
		t.Error("the reward map is not drawn")
	}
}

func TestNotches(t *testing.T) {
	for wheel, want := range map[float64]float64{1: 1, -1: -1, 100: 1, -240: -2.4, 0.25: 0.25, 5000: 5} {
		if got := notches(wheel); got != want {
			t.Errorf("notches(%v) = %v, want %v", wheel, got, want)
		}
	}
}

// frames benchmarks whole frames as a Game draws them, read back so that the rasteriser's work counts.
func frames(b *testing.B, change func(s *screen.Screen, i int)) {
	s := scene(b, true, 200)
	g := &Game{Zoom: 1}
	g.Screen = s
	picture, window := ebiten.NewImage(1280, 800), ebiten.NewImage(1280, 800)
	pixel := make([]byte, 4)
	one := window.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image)
	i := 0
	for b.Loop() {
		i++
		change(s, i)
		g.layers = s.Advance(ui.Input{Outside: true, ElapsedS: 1. / 60}, 1280, 800, 1)
		g.Draw(picture)
		g.DrawFinalScreen(window, picture, ebiten.GeoM{})
		one.ReadPixels(pixel)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
}

// BenchmarkFramePlaying is playback with 200 trajectories on screen.
func BenchmarkFramePlaying(b *testing.B) {
	frames(b, func(s *screen.Screen, i int) { s.Model.Clock.Seek(float64(i%1000) * 0.12) })
}

// BenchmarkFramePanning redraws map and 200 trajectories every frame.
func BenchmarkFramePanning(b *testing.B) {
	frames(b, func(s *screen.Screen, i int) { s.Camera().Pan(float64(i%2*2-1), 0) })
}

// BenchmarkFrameDragging re-plans and re-flies the flight on show every frame, the ensemble in slices.
func BenchmarkFrameDragging(b *testing.B) {
	frames(b, func(s *screen.Screen, i int) { s.Model.SetEpsilon(0.4 + 0.01*float64(i%50)) })
}
