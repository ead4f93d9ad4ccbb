package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/views"
)

// The window of the tests, in points and pixels alike.
const (
	width  = 1280
	height = 800
)

// desktop is a display with the viewer in it.
type desktop struct {
	t       *testing.T
	display string
	window  string
	folder  string // where the viewer saves
}

// TestDesktop drives the window by keys and the pointer, and judges by its title, its picture and the files
// that it saves.
func TestDesktop(t *testing.T) {
	need(t, "Xvfb", "xdotool", "import")
	folder := t.TempDir()
	viewer := buildWindow(t, folder)
	d := &desktop{t: t, display: display(t), folder: folder}
	d.start(viewer)

	d.title("epsilon 1, run ")
	d.key("space") // it plays by itself
	still := d.picture("")
	d.key("space")
	d.until("the picture to move", func() bool { return differ(d.picture(""), still) > 100 })
	d.key("space")

	d.find("flight on show 1")
	d.title("run 1,")
	d.find("direct flight")
	d.title("direct flight, recognised 101.5")
	d.find("planned flight")
	d.title("planned flight, recognised 60.7")
	d.find("planned flight")

	choose := views.NewLayout(width, height, 0, false).Choose
	from := draw.Point{X: choose.Center().X, Y: choose.Bottom() - 50}
	d.drag(from, draw.Point{X: from.X - 80, Y: from.Y})
	d.until("another epsilon", func() bool { return !strings.Contains(d.name(), "epsilon 1,") })

	d.find("save settings")
	config := filepath.Join(folder, "veilpath.yaml")
	d.until("the configuration to be saved", func() bool { _, err := os.Stat(config); return err == nil })
	program := build(t, folder, "veilpath/cmd/veilpath")
	out, err := exec.Command(program, "run", "--config", config, "--run", "1", "--format", "csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(out)), "\n")
	var km float64
	for i, column := range strings.Split(rows[0], ",") {
		if column == "detection_km" {
			if km, err = strconv.ParseFloat(strings.Split(rows[1], ",")[i], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := fmt.Sprintf("recognised %.2f km", km); !strings.Contains(d.name(), want) {
		t.Errorf("the title is %q, veilpath run with the saved configuration says %q", d.name(), want)
	}

	d.find("picture of the window")
	saved := filepath.Join(folder, "veilpath.png")
	d.until("the picture to be saved", func() bool {
		f, err := os.Open(saved)
		if err != nil {
			return false
		}
		defer f.Close()
		_, err = png.Decode(f)
		return err == nil
	})
	d.key("question")
	d.picture(keep(t, "desktop-help.png"))
}

// What keeps the window from being shown is one line and an exit code that is not 0.
func TestDesktopRefuses(t *testing.T) {
	need(t, "Xvfb")
	folder := t.TempDir()
	viewer := buildWindow(t, folder)
	broken := filepath.Join(folder, "manifest.json")
	if err := os.WriteFile(broken, []byte(`{"program":"veilpath","conf`), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, display, arg, want string }{
		{"no display", "", "", "there is no display: DISPLAY is not set"},
		{"a dead display", ":4242", "", "the display :4242 cannot be opened"},
		{"no such file", display(t), "/no/such/folder", "/no/such/folder cannot be opened"},
		{"a damaged file", display(t), broken, "manifest.json is incomplete"},
	}
	for _, test := range tests {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		cmd := exec.CommandContext(ctx, viewer)
		if test.arg != "" {
			cmd.Args = append(cmd.Args, test.arg)
		}
		cmd.Env = append(os.Environ(), "DISPLAY="+test.display)
		out, err := cmd.CombinedOutput()
		cancel()
		// The X library that ebiten brings remarks when there is no ~/.Xauthority, which a bare X server needs none of.
		out = regexp.MustCompile(`(?m)^XGB: .*\n`).ReplaceAll(out, nil)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), test.want) ||
			bytes.Count(out, []byte("\n")) != 1 {
			t.Errorf("%s: %v, %q; want exit code 1 and one line with %q", test.name, err, out, test.want)
		}
	}
}

// display starts an X server and returns its name.
func display(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// The server would reset itself, and lose a window that is just being opened, when the last tool leaves it.
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-noreset", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height))
	cmd.ExtraFiles = []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); read.Close() })
	number := make([]byte, 16)
	n, err := read.Read(number)
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	return ":" + strings.TrimSpace(string(number[:n]))
}

// start opens the viewer.
func (d *desktop) start(viewer string) {
	d.t.Helper()
	cmd := exec.Command(viewer)
	cmd.Dir = d.folder
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	d.until("the window", func() bool {
		d.window, _, _ = strings.Cut(d.try("xdotool", "search", "--class", "veilpath-view"), "\n")
		return d.window != ""
	})
	d.try("xdotool", "windowmove", d.window, "0", "0")
	d.try("xdotool", "windowfocus", d.window)
}

// try runs a tool on the display and returns what it printed.
func (d *desktop) try(tool string, args ...string) string {
	cmd := exec.Command(tool, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (d *desktop) name() string { return d.try("xdotool", "getwindowname", d.window) }

// until waits for something to become so; how long frames take depends on the machine.
func (d *desktop) until(what string, ok func() bool) {
	d.t.Helper()
	for range 300 {
		if ok() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	d.t.Fatalf("waited in vain for %s; the title is %q", what, d.name())
}

func (d *desktop) title(part string) {
	d.t.Helper()
	d.until(fmt.Sprintf("%q in the title", part), func() bool { return strings.Contains(d.name(), part) })
}

// held is how long keys and buttons are held, so that the slowest frame sees them.
const held = 250 * time.Millisecond

func (d *desktop) key(name string) {
	d.try("xdotool", "keydown", name)
	time.Sleep(held)
	d.try("xdotool", "keyup", name)
	time.Sleep(held)
}

// find does what is found first by some words.
func (d *desktop) find(words string) {
	d.key("slash")
	d.try("xdotool", "type", "--delay", "60", words)
	time.Sleep(held)
	d.key("Return")
}

func (d *desktop) drag(from, to draw.Point) {
	at := func(p draw.Point) []string {
		return []string{"mousemove", strconv.Itoa(int(p.X)), strconv.Itoa(int(p.Y))}
	}
	d.try("xdotool", at(from)...)
	time.Sleep(held)
	d.try("xdotool", "mousedown", "1")
	time.Sleep(held)
	d.try("xdotool", at(to)...)
	time.Sleep(held)
	d.try("xdotool", "mouseup", "1")
	time.Sleep(held)
}

// picture returns what the window shows, and keeps it under a name unless that is empty.
func (d *desktop) picture(name string) image.Image {
	d.t.Helper()
	if name == "" {
		name = filepath.Join(d.folder, "shot.png")
	}
	d.try("import", "-window", d.window, name)
	f, err := os.Open(name)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		d.t.Fatal(err)
	}
	return picture
}

// differ counts the pixels in which two pictures differ.
func differ(a, b image.Image) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			if ar != br || ag != bg || ab != bb {
				n++
			}
		}
	}
	return n
}
