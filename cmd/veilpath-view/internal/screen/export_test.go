package screen

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/picture"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
	"veilpath/sim/study"
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

// What is saved is offered in a grid, a row for each thing and a cell for each format, and every file tells its
// epsilon, radius, seed and version: a picture in a line at its foot, settings in their text, a table in its name.
func TestSavedFilesTellTheirSettings(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {320, 568}} {
		d := newDesk(t, size[0], size[1])
		d.Pictures.Version = "1.2.3 (abc)"
		d.WriteRuns = func(w io.Writer, _ []study.Run) error { return nil }
		d.Model.SetEpsilon(0.3)
		d.Model.Work()
		d.do("export")
		d.step(ui.Input{Outside: true})
		columns := map[string]float64{}
		for _, it := range d.exports() {
			r, seen := d.UI.Regions()[it.ID]
			at, known := columns[it.Cell]
			if seen && (it.Row == "" || r.W > 80 || known && r.X != at && (it.Cell == "SVG" || it.Cell == "PNG")) {
				t.Errorf("%v: %s is at %v, in the row %q", size, it.ID, r, it.Row)
			}
			if seen {
				columns[it.Cell] = r.X
			}
		}
		d.press(ui.Escape)
		for _, it := range d.exports() {
			if it.Cell == "GIF" || it.Cell == "PNG" {
				continue // drawn by what draws the SVG
			}
			clear(d.shell.saved)
			it.Choose()
			name := d.savedAs("")
			told, said := name, []string{"epsilon-0.3", "radius-0.7", "seed-1", "1.2.3-(abc)"}
			switch it.Cell {
			case "YAML":
				told = string(d.shell.saved[name])
				said = []string{"epsilon: 0.3", "radius_km: 0.7", "seed: 1", "viewer 1.2.3 (abc)"}
			case "SVG":
				panels := d.Pictures.Named(strings.TrimSuffix(strings.TrimPrefix(it.ID, "export."), ".svg"))
				list := draw.NewList(d.Atlas())
				told, said = "", []string{"veilpath 1.2.3 (abc)  ε 0.3  ρ 0.7 km  seed 1", "mission paper", "mechanism reward"}
				list.OnText = func(_ draw.Rect, _ color.NRGBA, text string) { told += text + "\n" }
				d.Screen.Pictures.With(panels, 1, func() { d.Pictures.Draw(list, panels, 1) })
			}
			for _, part := range said {
				if !strings.Contains(told, part) {
					t.Errorf("%v: %s, saved as %s, does not tell %q", size, it.ID, name, part)
				}
			}
		}
	}
}

// Panels and the whole are saved as graphics that hold the hash of their settings, also on a phone.
func TestPanelsAreSaved(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.wholeAxis()
		d.Model.Clock.Seek(60)
		d.step(ui.Input{Outside: true})
		layout, camera := d.Layout, d.plan.Map.Camera
		hash := d.Model.Exported().SHA256()
		names := []string{"all", "map", "guess", "flights", "surface", "axis", "time", "results"}
		if layout.Compact {
			names = []string{"map", "axis"}
		}
		for _, name := range names {
			svg := d.export(name + ".svg")
			drawn := 0
			for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
				token, err := decoder.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s.svg: %v", name, err)
				}
				if start, ok := token.(xml.StartElement); ok && (start.Name.Local == "path" || start.Name.Local == "use") {
					drawn++
				}
			}
			if !bytes.Contains(svg, []byte(hash)) || drawn < 20 {
				t.Errorf("%s.svg draws %d things, and holds the hash: %v", name, drawn, bytes.Contains(svg, []byte(hash)))
			}
			data := d.export(name + ".png")
			picture, err := png.DecodeConfig(bytes.NewReader(data)) // its pixels are those of package png
			if err != nil {
				t.Fatalf("%s.png: %v", name, err)
			}
			if !bytes.Contains(data, []byte("tEXtDescription\x00veilpath")) || !bytes.Contains(data, []byte(hash)) {
				t.Errorf("%s.png does not hold the hash of its settings", name)
			}
			var area draw.Rect
			d.Screen.Pictures.With(d.Pictures.Named(name), 1, func() { area = d.Pictures.Named(name)[0].Of.Area() })
			if area.Empty() || name != "all" && math.Abs(float64(picture.Width)-2*area.W) > 2 {
				t.Errorf("%s.png is %d by %d, its panel %v points", name, picture.Width, picture.Height, area)
			}
		}
		if d.Layout != layout || d.plan.Map.Camera != camera {
			t.Error("saving has changed what is on screen")
		}
	}
}

// Saved pictures name the mission and the mechanism, and the observer where it is not the paper's.
func TestSignNamesWhatIsShown(t *testing.T) {
	d := newDesk(t, 1280, 800)
	list := draw.NewList(d.Atlas())
	list.Reset(d.Layout.Map, 1)
	d.do("mission.three-goals")
	d.Model.Config.Privacy.Mechanism, d.Model.Config.Adversary.Observer = "laplace", "impact_time"
	want := "  mission three-goals  mechanism " + d.Model.MechanismTitle() + "  seen by " + d.Model.ObserverTitle()
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

// A stretch is saved as a moving picture that ends where it ends.
func TestMovingPicture(t *testing.T) {
	d := newDesk(t, 1280, 800)
	list := draw.NewList(d.Atlas())
	list.Reset(d.Layout.Map, 1)
	d.Pictures.Version = "v1.2.3"
	const said = "veilpath v1.2.3  ε 1  ρ 0.7 km  seed 1  run 0  60 flights  δ 0.01  mission paper  mechanism reward"
	if lines := d.Pictures.SignLines(list, 800); len(lines) != 1 || lines[0] != said {
		t.Errorf("saved pictures say %q", lines)
	}
	lines := d.Pictures.SignLines(list, 150)
	if strings.Join(lines, "  ") != said || len(lines) < 2 {
		t.Errorf("narrow ones say %q", lines)
	}
	for _, line := range lines {
		if w := list.Width(d.Theme().Small, line); w > 150 {
			t.Errorf("%q is %v points wide", line, w)
		}
	}
	c := &d.Model.Clock
	c.LoopFromS, c.LoopToS, c.Speed = 40, 50, 16
	c.Seek(45)
	d.beginGIF()
	for i := 0; d.filming != nil; i++ {
		if i > picture.FilmFrames+10_000 {
			t.Fatal("the moving picture does not end")
		}
		if d.filming.encoding {
			time.Sleep(time.Millisecond)
		}
		d.step(ui.Input{Outside: true})
	}
	data := d.shell.saved["veilpath.gif"]
	if folder := os.Getenv("VIEWER_EXPORTS"); folder != "" {
		os.WriteFile(filepath.Join(folder, "veilpath.gif"), data, 0o644)
	}
	film, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if want := int(math.Ceil(10./16*picture.FilmRate)) + 1; len(film.Image) != want || c.TimeS != 45 {
		t.Errorf("%d frames, want %d; the clock is at %v s", len(film.Image), want, c.TimeS)
	}
	for i, frame := range film.Image {
		// Where nothing has changed, the frame before shows through.
		share := float64(bytes.Count(frame.Pix, []byte{0})) / float64(len(frame.Pix))
		if i == 0 && share > 0 || i > 0 && (share < 0.8 || share == 1) {
			t.Errorf("frame %d keeps %.3f of the one before", i, share)
		}
	}
	if !bytes.Contains(data, []byte(d.Model.Exported().SHA256())) {
		t.Error("it does not hold the hash of its settings")
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

// Where flights are selected those alone are saved, under a name that says so.
func TestFilesOfSelectedFlights(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.wholeAxis()
	all := string(d.export("summary"))
	saved := func(id, begins string) [][]string {
		t.Helper()
		for _, it := range d.exports() {
			if it.ID == "export."+id {
				it.Choose()
			}
		}
		name := d.savedAs(begins)
		rows, err := csv.NewReader(bytes.NewReader(d.shell.saved[name])).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		clear(d.shell.saved)
		return rows[1:]
	}
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{50, 70}}})
	_, n := d.SelectedRuns()
	rows := saved("runs", "runs-selected-")
	for _, row := range rows {
		if km, err := strconv.ParseFloat(row[2], 64); err != nil || km < 50 || km > 70 {
			t.Errorf("a flight recognised at %s km is saved", row[2])
		}
	}
	if sum := saved("summary", "summary-selected-"); n == 0 || n == d.Model.Runs() || len(rows) != n ||
		sum[0][2] != strconv.Itoa(n) {
		t.Errorf("%d of %d flights are selected, %d are saved, and the summary is of %s", n, d.Model.Runs(), len(rows),
			sum[0][2])
	}
	d.Choose(answer.Selection{})
	if again := string(d.export("summary")); again != all {
		t.Errorf("the summary of the epsilon in force is\n%s, was\n%s", again, all)
	}
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{300, 301}}})
	for _, it := range d.ensembleFiles() {
		if it.Problem == "" {
			t.Errorf("%s can be saved", it.Text)
		}
	}
}

// Files of a flight that was changed by hand say so, and promise no command that repeats it.
func TestFilesOfAFlightChangedByHand(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.Select(3)
	state, at := d.waypoint(2)
	d.drag(at, draw.Point{X: at.X + 9, Y: at.Y + 30})
	d.Model.KeepOut(399)
	const repeats = "--run 3   the flight on show"
	text := string(d.export("config"))
	for _, want := range []string{"changed by hand", "waypoint " + strconv.Itoa(state) + " moved to ",
		"cell 399 kept out of"} {
		if head, _, _ := strings.Cut(text, "\n\n"); !strings.Contains(head, want) || strings.Contains(head, repeats) {
			t.Errorf("%s begins\n%s\nwant %q", configName, head, want)
		}
	}
	if d.do("export.config"); strings.Contains(d.Model.Message.Text, "--run") {
		t.Errorf("it is said that %q", d.Model.Message.Text)
	}
	clear(d.shell.saved)
	const changed = "trajectory-changed-by-hand"
	for _, it := range d.exports() {
		if it.ID == "export.trajectory" {
			it.Choose()
		}
	}
	if rows := strings.Count(string(d.shell.saved[d.savedAs(changed)]), "\n"); rows != 1+len(d.Model.Private.Samples) {
		t.Errorf("%s has %d lines; saved are %d files", changed, rows, len(d.shell.saved))
	}
	d.do("direct")
	clear(d.shell.saved)
	if text := string(d.export("config")); strings.Contains(text, "by hand") ||
		!strings.Contains(text, "--nominal   the flight on show") || d.trajectoryName() == changed+".csv" {
		t.Errorf("of the direct flight, %s says\n%.300s", configName, text)
	}
}
