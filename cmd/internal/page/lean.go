package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// templates is the source of text/template that looks up methods by name, in a GOROOT.
var templates = filepath.Join("src", "text", "template", "exec.go")

// Where methods can be looked up by names that are known only as the program runs, the linker keeps every exported
// method of every type that is used, and all that those call: more than a quarter of the page's program, most of it
// linear algebra. Only templates do, and the only ones are those of ebiten's shaders, which call no methods.
var (
	looksUp   = []byte("ptr.MethodByName(fieldName)")
	looksAway = []byte("(reflect.Value{})")
)

// lean writes to a folder what has the go command build the page's program with templates that call no methods, and
// returns the file for its flag -overlay. A Go whose templates are written differently gives a larger program, and no
// file.
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
