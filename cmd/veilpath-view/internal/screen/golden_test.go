package screen

import (
	"flag"
	"fmt"
	"image"
	"path/filepath"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// picture is the window as it is on show, a quarter as large.
func (d *desk) picture() image.Image {
	p := image.NewRGBA(image.Rect(0, 0, int(d.width*d.scale), int(d.height*d.scale)))
	for _, layer := range d.layers {
		draw.Raster(layer.List, p)
	}
	return halved(p)
}

// The window looks as it is kept, at every size, in both themes, and with what can be on it.
func TestPicturesAreAsKept(t *testing.T) {
	shows := map[string]func(d *desk){
		"":         func(*desk) {},
		"-compare": func(d *desk) { d.key("c"); d.do("epsilon", "0.4"); d.do("demand", "56") },
		"-story":   func(d *desk) { d.key("s"); d.key(ui.PageDown) },
		"-find":    func(d *desk) { d.key("/", "r", "a", "d") },
		"-noise":   func(d *desk) { d.do("map", "noise"); d.do("quantity", "altitude") },
		"-goals":   func(d *desk) { d.Follow("mission=three-goals&run=1") },
	}
	for _, test := range []struct {
		width, height float64
		show          string
	}{{360, 740, ""}, {768, 1024, ""}, {1280, 800, ""}, {1390, 869, ""}, {1280, 800, "-compare"}, {360, 1260, "-compare"},
		{1280, 800, "-story"}, {360, 740, "-story"}, {1280, 800, "-find"}, {360, 740, "-find"}, {1280, 800, "-noise"},
		{1280, 800, "-goals"}} {
		d := newDesk(t, test.width, test.height)
		d.do("run", "3")
		shows[test.show](d)
		d.settle()
		d.Model.Clock.StopAt(60)
		for _, dark := range []bool{true, false} {
			d.setTheme(dark)
			d.Model.Message.Text = ""
			d.step(ui.Input{Outside: true})
			d.step(ui.Input{Outside: true})
			name := filepath.Join("testdata", fmt.Sprintf("%vx%v-%s%s.png", test.width, test.height,
				either(dark, "dark", "light"), test.show))
			if *update {
				if err := writePicture(name, d.picture()); err != nil {
					t.Fatal(err)
				}
			} else if err := comparePictures(name, d.picture(), mayDiffer); err != nil {
				t.Error(err)
			}
		}
	}
}

var screenshots = flag.String("screenshots", "", "folder for the pictures of the guide")

// The pictures of the guide are those of the window, with all flights of the preset.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("skipped: writes the pictures of the guide into the folder that -screenshots names")
	}
	for _, shot := range []struct {
		name          string
		width, height float64
		dark          bool
		do            func(d *desk)
	}{
		{"overview-dark", 1280, 800, true, func(d *desk) { d.do("run", "13") }},
		{"compare-light", 1280, 800, false, func(d *desk) { d.key("c"); d.do("epsilon", "0.4"); d.do("demand", "52") }},
		{"phone-dark", 360, 1210, true, func(d *desk) { d.do("run", "13") }},
	} {
		d := newDesk(t, shot.width, shot.height)
		d.do("runs", "200")
		d.setTheme(shot.dark)
		shot.do(d)
		d.settle()
		d.Model.Clock.StopAt(90)
		d.Model.Message.Text = ""
		d.scale = either(d.Layout.Narrow, 4., 2) // of which the picture has half
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
		if err := writePicture(filepath.Join(*screenshots, shot.name+".png"), d.picture()); err != nil {
			t.Fatal(err)
		}
	}
}
