package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

// TestBrowser plays, drags epsilon, passes over a recording that was changed, opens a recorded tune and a study, clicks
// a run, exports the configuration and feeds it back to veilpath run, which finds the detection distance that was on
// screen.
func TestBrowser(t *testing.T) {
	need(t, "node", "chromium")
	folder := t.TempDir()
	program := build(t, folder, "veilpath/cmd/veilpath")
	out := filepath.Join(folder, "out")
	run := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("veilpath %v: %v", args, err)
		}
		return text
	}
	run("study", "--epsilons", "0.3,1", "--runs", "120", "--seed", "5", "--out", filepath.Join(out, "study"), "--quiet")
	run("run", "--epsilon", "0.5", "--run", "9", "--out", filepath.Join(out, "flight"), "--quiet")
	run("tune", "--hidden-until", "56", "--resolution", "0.2", "--max-runs", "3000", "--runs", "20", "--epsilons",
		"0.3,1,3", "--radii", "0.35,0.7",
		"--out", filepath.Join(out, "tune"), "--quiet")
	// One that was changed since, and that comes first by its name, does not keep the others from being seen.
	changed := filepath.Join(out, "changed")
	run("study", "--epsilons", "1", "--runs", "5", "--out", changed, "--quiet")
	if err := os.WriteFile(filepath.Join(changed, "summary.csv"), []byte("epsilon,mean_km\n1,99\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	address := serve(t, program, out)

	cmd := exec.Command("node", "browser.cjs", address, out, folder, keep(t, "browser"))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
	var seen struct {
		Run         int
		DetectionKm float64 `json:"detection_km"`
		MeanKm      float64 `json:"mean_km"`
		Config      string
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &seen); err != nil {
		t.Fatal(err)
	}
	var flown struct {
		DetectionKm float64 `json:"detection_km"`
	}
	if err := json.Unmarshal(run("run", "--config", seen.Config, "--run", strconv.Itoa(seen.Run), "--format", "json"),
		&flown); err != nil {
		t.Fatal(err)
	}
	// The processor's own exponential and WebAssembly's may differ in the last bit.
	const rounding = 1e-9 // km
	if seen.DetectionKm == 0 || math.Abs(flown.DetectionKm-seen.DetectionKm) > rounding {
		t.Errorf("on screen run %d is recognised at %v km, veilpath run says %v", seen.Run, seen.DetectionKm,
			flown.DetectionKm)
	}
	var studied struct {
		Summary []struct {
			MeanKm float64 `json:"mean_km"`
		}
	}
	again := run("study", "--config", seen.Config, "--format", "json", "--quiet", "--out", filepath.Join(folder, "again"))
	if err := json.Unmarshal(again, &studied); err != nil {
		t.Fatal(err)
	}
	if mean := studied.Summary[0].MeanKm; math.Abs(mean-seen.MeanKm) > rounding {
		t.Errorf("on screen the mean is %v km, veilpath study says %v", seen.MeanKm, mean)
	}
}

// TestWalk works the page by touch in a phone's size, and at random in that of a window.
func TestWalk(t *testing.T) {
	need(t, "node", "chromium")
	program := build(t, t.TempDir(), "veilpath/cmd/veilpath")
	text, err := exec.Command("node", "walk.cjs", serve(t, program), "50").CombinedOutput()
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
}

// TestSite opens an exported site below an address of a server of plain files, and as a file.
func TestSite(t *testing.T) {
	need(t, "node", "chromium")
	folder := t.TempDir()
	program := build(t, folder, "veilpath/cmd/veilpath")
	site := filepath.Join(folder, "public", "below", "site")
	for _, args := range [][]string{
		{"study", "--epsilons", "1", "--runs", "30", "--out", filepath.Join(folder, "out", "study"), "--quiet"},
		{"view", filepath.Join(folder, "out"), "--export", site},
	} {
		if text, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("veilpath %v: %v\n%s", args, err, text)
		}
	}
	if size := travels(t, site); size > mostTravels {
		t.Errorf("%d bytes of the site travel to a browser, want at most %d", size, mostTravels)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(folder, "public"))))
	defer server.Close()
	text, err := exec.Command("node", "site.cjs", server.URL+"/below/site/",
		"file://"+filepath.Join(site, "index.html")).CombinedOutput()
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
}

// mostTravels bounds what a browser loads before it shows what is recorded, bytes.
const mostTravels = 3_500_000

// travels is how many bytes of a site a browser loads: the program as it is packed, the rest as brotli packs
// it.
func travels(t *testing.T, site string) (size int64) {
	t.Helper()
	for _, name := range []string{"viewer.wasm.br", "wasm_exec.js", "index.html", "viewer.js", "outline.js", "viewer.css",
		"icon.svg", "recordings.json"} {
		text, err := os.ReadFile(filepath.Join(site, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".br") {
			var packed bytes.Buffer
			w := brotli.NewWriter(&packed)
			w.Write(text)
			w.Close()
			text = packed.Bytes()
		}
		size += int64(len(text))
	}
	return size
}

// serve runs veilpath view and returns its address.
func serve(t *testing.T, program string, folders ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, append([]string{"view", "--no-browser"}, folders...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); cmd.Wait() })
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("veilpath view printed no address: %v", err)
	}
	return strings.TrimSpace(line)
}
