package screen

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

type noShell struct{}

func (noShell) Save(string, []byte) (string, error) { return "", nil }
func (noShell) Share(string, func(bool)) bool       { return false }
func (noShell) Chooser() func(bool)                 { return nil }
func (noShell) Film() func() bool                   { return nil }

func TestPictures(t *testing.T) {
	link := os.Getenv("LINK")
	m, err := model.New(configs.Default(), model.Workers{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := New(m, noShell{}, true, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if link != "" {
		s.Follow(link)
		fmt.Println(m.Message.Text)
	} else {
		s.Begin()
	}
	m.Clock.Playing = false
	for i := 0; i < 400 && (!m.Ensemble.Complete() || m.HasAxis() && !m.AxisComplete() || i < 12 || m.Preparing()); i++ {
		m.Work()
		s.Advance(ui.Input{Outside: true}, 1280, 800, 1)
	}
	m.Clock.StopAt(70)
	m.Message = model.Message{}
	for _, size := range strings.Fields(os.Getenv("SIZES")) {
		var w, h int
		var scale float64
		fmt.Sscanf(size, "%dx%dx%f", &w, &h, &scale)
		for _, dark := range []bool{true, false} {
			s.setTheme(dark)
			var layers []*Layer
			for range 3 {
				layers = s.Advance(ui.Input{Outside: true}, float64(w), float64(h), scale)
			}
			picture := image.NewRGBA(image.Rect(0, 0, int(float64(w)*scale), int(float64(h)*scale)))
			for _, y := range layers {
				draw.Raster(y.List, picture)
			}
			f, _ := os.Create(fmt.Sprintf("/tmp/pics/%s%s-%v.png", os.Getenv("NAME"), size, dark))
			png.Encode(f, picture)
			f.Close()
		}
	}
}
