package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"veilpath/assets"
	"veilpath/cmd/internal/recording"
)

// Server answers the requests of the page.
type Server struct {
	built map[string][]byte // the program and its loader
	id    string            // of the program
	page  fs.FS
	data  *os.Root // nil without a folder
	name  string   // name of the folder
}

// NewServer returns a server of a bundle and of a folder of recorded runs, unless folder is "". Close it after
// use.
func NewServer(bundle Bundle, folder string) (*Server, error) {
	static, err := fs.Sub(assets.Viewer, "viewer")
	if err != nil {
		return nil, err
	}
	s := &Server{built: map[string][]byte{loaderName: bundle.loader, wasmName: bundle.program}, id: bundle.id(),
		page: static}
	if folder != "" {
		s.data, s.name, err = openRoot(folder)
	}
	return s, err
}

// openRoot opens a folder of recordings, and returns its name.
func openRoot(folder string) (root *os.Root, name string, err error) {
	if root, err = os.OpenRoot(folder); err != nil {
		return nil, "", fmt.Errorf("the folder %s cannot be opened: %w", folder, errors.Unwrap(err))
	}
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	return root, filepath.Base(folder), nil
}

// Close closes the folder.
func (s *Server) Close() error {
	if s.data == nil {
		return nil
	}
	return s.data.Close()
}

// policy lets the page load only its own files from this server. The script in index.html that requests the
// program is allowed by its hash.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' " +
	"'sha256-tfLWx4LZv6FVWw/TBrLjU6emwXotnpSzg2brHR+u8sg='; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	switch {
	case !loopbackHost(r.Host):
		http.Error(w, "this page is available only at a loopback address", http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this page is read-only", http.StatusMethodNotAllowed)
	default:
		s.route(w, r)
	}
}

// loopbackHost reports whether a request's Host is localhost or a loopback address. A request through a site whose
// name resolves to this machine still contains that site's name.
func loopbackHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	switch below, isData := strings.CutPrefix(name, "data/"); {
	case s.built[name] != nil:
		s.program(w, r, name)
	case name == "recordings.json":
		s.recordings(w, r)
	case isData:
		s.recorded(w, r, below)
	default:
		s.static(w, r, name)
	}
}

// static serves a file of the page.
func (s *Server) static(w http.ResponseWriter, r *http.Request, name string) {
	text, err := fs.ReadFile(s.page, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if name == "index.html" {
		text = bytes.Replace(text, []byte(`"`+wasmName+`"`), []byte(`"`+wasmName+"?"+s.id+`"`), 1)
	}
	w.Header().Set("Content-Type", contentType(name))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// contentTypes are the types of files by the ends of their names, the same on every system.
var contentTypes = map[string]string{".wasm": "application/wasm", ".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml",
	".json": "application/json", ".csv": "text/csv; charset=utf-8", ".yaml": "application/yaml"}

// contentType returns the type of a file by its name.
func contentType(name string) string {
	return cmp.Or(contentTypes[path.Ext(name)], "application/octet-stream")
}

// program serves the program or its loader. At an address with the program's name by its content it never changes.
// Browsers then keep what they compiled of it; what they have to ask for again they compile again.
func (s *Server) program(w http.ResponseWriter, r *http.Request, name string) {
	h := w.Header()
	h.Set("Content-Type", contentType(name))
	h.Set("ETag", strconv.Quote(s.id+name))
	if r.URL.RawQuery == s.id {
		h.Set("Cache-Control", "max-age=31536000, immutable")
	}
	r.Header.Del("Range") // it is served whole
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.built[name]))
}

// Listing describes the folder to the page.
type Listing struct {
	Folder     string            `json:"folder"` // its name; empty if no folder is served
	Recordings []recording.Entry `json:"recordings"`
}

// recordings serves the list of recordings in the folder.
func (s *Server) recordings(w http.ResponseWriter, r *http.Request) {
	listing := Listing{Recordings: []recording.Entry{}}
	if s.data != nil {
		listing = Listing{s.name, recording.List(s.data.FS())}
	}
	text, err := json.Marshal(listing)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType("recordings.json"))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// recorded serves a file of a recording that the page shows. Other files are not found.
func (s *Server) recorded(w http.ResponseWriter, r *http.Request, name string) {
	if s.data == nil || !fs.ValidPath(name) || !slices.Contains(recording.Names(), path.Base(name)) ||
		slices.ContainsFunc(strings.Split(name, "/"), recording.Hidden) {
		http.NotFound(w, r)
		return
	}
	// The page requests the manifest first, and shows no other file without it. That of the flights is read by code that
	// trusts what it reads.
	manifest := path.Join(path.Dir(name), recording.ManifestName)
	if _, err := recording.ReadFile(s.data.FS(), manifest); err != nil {
		http.NotFound(w, r)
		return
	}
	if base := path.Base(name); base == recording.ManifestName || base == recording.FlightsName {
		if err := recording.Check(s.data.FS(), path.Dir(name)); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
	}
	text, err := recording.ReadFile(s.data.FS(), name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", contentType(name))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}
