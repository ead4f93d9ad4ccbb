package page

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var fakeBundle = Bundle{program: []byte("plain"), loader: []byte("loader"), packed: []byte("br")}

// newServer returns a server of a fake bundle and a folder with a study, a secret file beside it and a link to the
// secret.
func newServer(t testing.TB) *Server {
	t.Helper()
	top := t.TempDir()
	write := func(text string, parts ...string) {
		name := filepath.Join(append([]string{top}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"program":"veilpath","verb":"study","config":{}}`, "out", "study-001", "manifest.json")
	write(`{"secret":true}`, "out", ".hidden", "manifest.json")
	write(`{"secret":true}`, "out", "study-001", ".cache", "summary.csv")
	write("epsilon,mean_km\n", "out", "study-001", "summary.csv")
	write("rows", "out", "study-001", "runs.parquet")
	write(`{"secret":true}`, "secret", "manifest.json")
	if err := os.Symlink(filepath.Join(top, "secret"), filepath.Join(top, "out", "link")); err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(fakeBundle, filepath.Join(top, "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func ask(s *Server, method, target, host string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "http://localhost/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
	r.Host = host
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func TestServes(t *testing.T) {
	s := newServer(t)
	tests := []struct{ path, kind, holds string }{
		{"/", "text/html; charset=utf-8", "<!doctype html>"},
		{"/index.html", "text/html; charset=utf-8", "viewer.js"},
		{"/viewer.js", "text/javascript; charset=utf-8", "instantiateStreaming"},
		{"/viewer.css", "text/css; charset=utf-8", "#loading"},
		{"/icon.svg", "image/svg+xml", "<svg"},
		{"/wasm_exec.js", "text/javascript; charset=utf-8", "loader"},
		{"/viewer.wasm", "application/wasm", "plain"},
		{"/recordings.json", "application/json",
			`{"folder":"out","recordings":[{"path":"study-001","verb":"study","files":["manifest.json","summary.csv"]}]}`},
		{"/data/study-001/manifest.json", "application/json", "veilpath"},
		{"/data/study-001/summary.csv", "text/csv; charset=utf-8", "mean_km"},
	}
	for _, test := range tests {
		r := ask(s, "GET", test.path, "127.0.0.1:1234")
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != test.kind ||
			!strings.Contains(string(body), test.holds) {
			t.Errorf("%s: %d %s %.60q (%v)", test.path, r.StatusCode, r.Header.Get("Content-Type"), body, err)
		}
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe-inline") ||
			r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", test.path, r.Header)
		}
		if head := ask(s, "HEAD", test.path, "localhost:1234"); head.StatusCode != 200 {
			t.Errorf("HEAD %s: %d", test.path, head.StatusCode)
		}
	}
}

// The page requests the program before any other file, with a script that its policy allows.
func TestAsksForTheProgramFirst(t *testing.T) {
	s := newServer(t)
	r := ask(s, "GET", "/", "localhost")
	page, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), "<script>")
	script, _, _ := strings.Cut(rest, "</script>")
	sum := sha256.Sum256([]byte(script))
	if hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'"; !strings.Contains(r.Header.Get("Content-Security-Policy"), hash) {
		t.Errorf("the policy does not name the script's hash, %s", hash)
	}
	if !strings.Contains(script, "fetch(") || strings.Contains(head, "src=") || strings.Contains(head, "href=") {
		t.Errorf("the page requests something else before the program: %s", head)
	}
}

// The page requests the program at an address of its own for each build, which browsers need not ask for again.
func TestProgramOfABuildNeverChanges(t *testing.T) {
	s := newServer(t)
	page, err := io.ReadAll(ask(s, "GET", "/", "localhost").Body)
	if err != nil || !strings.Contains(string(page), `data-program="viewer.wasm?`+s.id+`"`) {
		t.Fatalf("the page names another program: %.200s (%v)", page, err)
	}
	for target, want := range map[string]string{"/viewer.wasm?" + s.id: "max-age=31536000, immutable",
		"/viewer.wasm?other": "no-cache", "/viewer.wasm": "no-cache", "/viewer.js?" + s.id: "no-cache"} {
		if got := ask(s, "GET", target, "localhost").Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control %q, want %q", target, got, want)
		}
	}
}

// Only the page and the folder's manifests and summaries are served.
func TestRefuses(t *testing.T) {
	s := newServer(t)
	for _, path := range []string{
		"/data/", "/data/study-001/", "/data/study-001", "/data/study-001/runs.parquet", "/data/../secret/manifest.json",
		"/data/.hidden/manifest.json", "/data/study-001/.cache/summary.csv", "/data/study-001/../../secret/manifest.json",
		"/data//etc/passwd", "/data/link/manifest.json", "/data/./study-001/manifest.json",
		"/viewer.wasm.br", "/viewer", "/../go.mod", "/nothing", "/data/study-001/manifest.json/",
		"/data/study-001\\manifest.json",
	} {
		if r := ask(s, "GET", path, "localhost"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, r.StatusCode)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"} {
		if r := ask(s, method, "/", "localhost"); r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d, want 405", method, r.StatusCode)
		}
	}
	for host, want := range map[string]int{
		"evil.example": 421, "evil.example:80": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421,
		"192.168.1.5": 421, "": 421, "10.0.0.1:99": 421,
		"127.0.0.1": 200, "127.0.0.9:80": 200, "[::1]:80": 200, "[::1]": 200, "LOCALHOST:5": 200,
	} {
		if r := ask(s, "GET", "/", host); r.StatusCode != want {
			t.Errorf("Host %q: %d, want %d", host, r.StatusCode, want)
		}
	}
}

// The error for a recording whose files differ from its manifest says so.
func TestRefusesDamagedRecordings(t *testing.T) {
	s := newServer(t)
	folder := s.data.Name()
	manifest := `{"program":"veilpath","verb":"study","config":{},"files":{"summary.csv":"00"}}`
	if err := os.WriteFile(filepath.Join(folder, "study-001", "manifest.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	r := ask(s, "GET", "/data/study-001/manifest.json", "localhost")
	if body, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusConflict ||
		!strings.Contains(string(body), "changed: summary.csv") {
		t.Errorf("%d %s (%v)", r.StatusCode, body, err)
	}
}

func FuzzPaths(f *testing.F) {
	f.Add("data/study-001/manifest.json")
	f.Add("data/../secret/manifest.json")
	f.Add("data/link/manifest.json")
	f.Add("data/.hidden/manifest.json")
	s := newServer(f)
	f.Fuzz(func(t *testing.T, path string) {
		r := ask(s, "GET", "/"+path, "localhost")
		body, err := io.ReadAll(r.Body)
		if err != nil || strings.Contains(string(body), "secret\":true") {
			t.Errorf("%q: %d %q (%v)", path, r.StatusCode, body, err)
		}
	})
}
