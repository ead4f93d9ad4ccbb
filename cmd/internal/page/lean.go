package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// templates is the path in GOROOT of the source of text/template that looks up methods by name.
var templates = filepath.Join("src", "text", "template", "exec.go")

// If a program looks up methods by names that are known only at run time, the linker keeps all exported methods of
// all used types and everything that they call: more than a quarter of the page's program, mostly linear algebra.
// Only templates look up methods, and the only templates are those of ebiten's shaders, which call none.
var (
	looksUp   = []byte("ptr.MethodByName(fieldName)")
	looksAway = []byte("(reflect.Value{})")
)

// lean writes an overlay in which templates cannot call methods, and returns the file for the go command's flag
// -overlay. If this version of Go has other code in its templates, it returns no file, and the program is larger.
func lean(goroot, folder string) (overlay string, err error) {
	source := filepath.Join(goroot, templates)
	text, err := os.ReadFile(source)
	if err != nil || bytes.Count(text, looksUp) != 1 {
		return "", nil
	}
	changed := filepath.Join(folder, "template.go")
	overlay = filepath.Join(folder, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err == nil {
		err = errors.Join(os.WriteFile(changed, bytes.Replace(text, looksUp, looksAway, 1), 0o644),
			os.WriteFile(overlay, replaced, 0o644))
	}
	if err != nil {
		return "", fmt.Errorf("preparing the page's program: %w", err)
	}
	return overlay, nil
}
