package page

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pageModules are the modules, besides this one, that the page is linked from. Each adds to the page, which may
// have less than 3.5 MB.
var pageModules = []string{
	"github.com/hajimehoshi/ebiten/v2", // the picture and its input
	"github.com/ebitengine/hideconsole",
	"golang.org/x/image",            // fonts
	"github.com/klauspost/compress", // pictures that are saved
	"golang.org/x/sync",
	"golang.org/x/text",
	"gonum.org/v1/gonum",           // vectors, distributions, the optimizer of the observer learned
	"golang.org/x/tools",           // sets of integers, which that optimizer imports
	"go.yaml.in/yaml/v3",           // settings
	"github.com/agext/levenshtein", // the nearest key of one that there is not
	"github.com/go-viper/mapstructure/v2",
}

// excluded are parts of the standard library that would make the page much larger.
var keptOut = []string{"net/http", "crypto/tls", "encoding/xml", "html/template", "database/sql", "encoding/gob",
	"testing"}

// The page is linked only from what it shows, and not from libraries of files or figures through other imports.
func TestWhatThePageHolds(t *testing.T) {
	t.Parallel()
	command := exec.Command("go", "list", "-deps", "-f",
		"{{.ImportPath}} {{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", viewerPackage)
	command.Dir = "../../.."
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, line := range lines {
		name, module, _ := strings.Cut(line, " ")
		if module == "" && slices.Contains(keptOut, name) || module != "" && !slices.Contains(pageModules, module) {
			t.Errorf("the page holds %s of %q: have what it imports do without, or if the page needs it, weigh it "+
				"(.ci/release) and name it here", name, module)
		}
	}
	if len(lines) < 100 {
		t.Errorf("the page is linked from %d packages", len(lines))
	}
}
