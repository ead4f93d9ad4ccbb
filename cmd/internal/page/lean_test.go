package page

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The templates of this version of Go compile without the lookup of methods, and have no other change.
func TestTemplatesCallNoMethods(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot, folder := strings.TrimSpace(string(out)), t.TempDir()
	overlay, err := lean(goroot, folder)
	if err != nil || overlay == "" {
		t.Fatalf("overlay %q, %v: have lean.go look for what text/template has now", overlay, err)
	}
	text, err := os.ReadFile(overlay)
	if err != nil {
		t.Fatal(err)
	}
	var replaced struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &replaced); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(goroot, templates)
	before, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(replaced.Replace[source])
	if err != nil || bytes.Contains(after, looksUp) || !bytes.Equal(bytes.Replace(after, looksAway, looksUp, 1), before) {
		t.Errorf("%v; %d bytes of %d", err, len(after), len(before))
	}
}

// Among the page's packages only ebiten's shaders use templates, which call no methods.
func TestOnlyShadersUseTemplates(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f",
		`{{$p := .ImportPath}}{{range .Imports}}{{if eq . "text/template"}}{{$p}}{{end}}{{end}}`,
		"veilpath/cmd/veilpath-view")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(out)); len(got) != 1 ||
		!strings.HasSuffix(got[0], "ebiten/v2/internal/builtinshader") {
		t.Errorf("templates are used by %v", got)
	}
}

// A version of Go with other templates builds the page too.
func TestOtherTemplatesStayUnchanged(t *testing.T) {
	if overlay, err := lean(t.TempDir(), t.TempDir()); overlay != "" || err != nil {
		t.Errorf("overlay %q, %v", overlay, err)
	}
}
