package screen

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// choose saves an entry of the list of what can be saved, and returns the file.
func (d *desk) export(id string) []byte {
	d.t.Helper()
	for _, it := range d.exports() {
		if it.ID != "export."+id {
			continue
		}
		it.Choose()
		for name, data := range d.shell.saved {
			delete(d.shell.saved, name)
			if folder := os.Getenv("VIEWER_EXPORTS"); folder != "" {
				os.WriteFile(filepath.Join(folder, name), data, 0o644)
			}
			return data
		}
		d.t.Fatalf("%s saves nothing: %s", id, d.Model.Message.Text)
	}
	d.t.Fatalf("there is no %s to be saved", id)
	return nil
}

// savedAs is the name of the saved file that begins so.
func (d *desk) savedAs(begins string) string {
	for name := range d.shell.saved {
		if strings.HasPrefix(name, begins) {
			return name
		}
	}
	return ""
}

// Saved pictures name the mission and the mechanism, and the observer where it is not the paper's.
func TestSignNamesWhatIsShown(t *testing.T) {
	d := newDesk(t, 1280, 800)
	list := draw.NewList(d.Atlas())
	list.Reset(d.Layout.Map, 1)
	d.do("mission.three-goals")
	d.Model.Config.Privacy.Mechanism, d.Model.Config.Adversary.Observer = "laplace", "impact_time"
	want := "  mission three-goals  mechanism " + d.Model.Config.Privacy.Mechanism + "  seen by " +

		d.Model.Config.Adversary.Observer
	if lines := d.Pictures.SignLines(list, 2000); !strings.HasSuffix(lines[0], want) {
		t.Errorf("saved pictures say %q, want at the end %q", lines, want)
	}
	d.Model.Config.Privacy.Calibration, d.Model.Config.Adversary.LambdaPerS = configs.Analytic, 0.2
	d.Model.Version++
	want += "  calibration analytic, lambda per s 0.2"
	if lines := d.Pictures.SignLines(list, 2000); !strings.HasSuffix(lines[0], want) {
		t.Errorf("saved pictures say %q, want at the end %q", lines, want)
	}
	if said := strings.Join(d.bar.Subject(), ", "); !strings.Contains(said, "calibration analytic, lambda per s 0.2") {
		t.Errorf("the bar says %q", said)
	}
}

// The files of the study are those that studies write.
func TestFilesAreSaved(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if text := string(d.export("summary")); !strings.HasPrefix(text, "epsilon,sigma,runs,mean_km") ||
		strings.Count(text, "\n") != 2 {
		t.Errorf("summary.csv is %q", text)
	}
	s := d.Model.Ensemble.Summary()
	runs := strings.Split(strings.TrimSpace(string(d.export("runs"))), "\n")
	sum := 0.0
	for _, line := range runs[1:] {
		km, err := strconv.ParseFloat(strings.Split(line, ",")[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += km
	}
	if !strings.HasPrefix(runs[0], "epsilon,run,detection_km,detected,") ||
		math.Abs(sum/float64(len(runs)-1)-s.MeanKm) > 1e-9 || len(runs)-1 != s.Runs {
		t.Errorf("runs.csv has %d flights of the mean %v km, the summary says %d and %v", len(runs)-1,
			sum/float64(len(runs)-1), s.Runs, s.MeanKm)
	}
	f := d.Model.Flight()
	if text := string(d.export("trajectory")); !strings.HasPrefix(text, "t_s,x_km,") ||
		strings.Count(text, "\n") != 1+len(f.Samples) {
		t.Errorf("trajectory.csv has %d lines, the flight %d steps", strings.Count(text, "\n"), len(f.Samples))
	}
	if text := string(d.export("config")); !strings.Contains(text, "epsilon: ") {
		t.Errorf("the configuration is %q", text)
	}
	d.do("export")
	d.step(ui.Input{Outside: true})
	if !d.shows(saveSection)() {
		t.Error("the list is not shown")
	}
	d.press(ui.Escape)
	if d.shows(saveSection)() {
		t.Error("Escape does not close the list")
	}
}

// A saved picture is the window at twice the resolution, without messages and with the hash of its settings, also on a
// phone; saving it changes nothing on screen.
func TestPicture(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.wholeAxis()
		d.Model.Clock.Seek(60)
		d.step(ui.Input{Outside: true})
		layout, camera := d.Layout, d.plan.Map.Camera
		without := d.export("png")
		picture, err := png.DecodeConfig(bytes.NewReader(without))
		if err != nil {
			t.Fatal(err)
		}
		if picture.Width < 2400 || picture.Height < 1400 || !bytes.Contains(without, []byte(d.Model.Exported().SHA256())) {
			t.Errorf("%v: the picture is %d by %d", size, picture.Width, picture.Height)
		}
		d.Model.Say(false, "Saved")
		d.step(ui.Input{Outside: true})
		if with := d.export("png"); !bytes.Equal(with, without) {
			t.Errorf("%v: a message is in the picture", size)
		}
		if d.Layout != layout || d.plan.Map.Camera != camera {
			t.Errorf("%v: saving has changed what is on screen", size)
		}
	}
}

// The name of a table, and the text of saved settings, tell what they are of.
func TestSavedFilesTellTheirSettings(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Pictures.Version = "1.2.3 (abc)"
	d.Model.SetEpsilon(0.3)
	d.Model.Work()
	d.do("export.runs")
	if name := d.savedAs("runs"); name != "runs-epsilon-0.3-radius-0.7-seed-1-veilpath-1.2.3-(abc).csv" {
		t.Errorf("the flights are saved as %q", name)
	}
	clear(d.shell.saved)
	text := string(d.export("config"))
	for _, part := range []string{"epsilon: 0.3", "radius_km: 0.7", "seed: 1", "viewer 1.2.3 (abc)"} {
		if !strings.Contains(text, part) {
			t.Errorf("the settings do not tell %q", part)
		}
	}
}
