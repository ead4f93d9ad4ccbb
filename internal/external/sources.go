package external

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// languages are the extensions of files that contain a program. Other files that a line names may contain what is
// private, and the hash of a small table can be guessed.
var languages = []string{".py", ".js", ".mjs", ".ts", ".jl", ".r", ".rb", ".pl", ".lua", ".php", ".sh", ".m", ".jar",
	".wasm"}

// largestSource is the size above which a file is not read, bytes.
const largestSource = 1 << 28

// sourcesOf returns the programs that a line names with a path, each with the start of its SHA-256. It tells a command
// whose program was changed from the one before.
func sourcesOf(line string) string {
	var all []string
	for _, word := range strings.Fields(line) {
		path := strings.Trim(word, `"'`)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > largestSource {
			continue
		}
		program := strings.Contains(path, "/") && info.Mode()&0o111 != 0
		if !program && !slices.Contains(languages, strings.ToLower(filepath.Ext(path))) {
			continue
		}
		if sum, err := sumOf(path); err == nil {
			all = append(all, fmt.Sprintf("%s %.6x", filepath.Base(path), sum))
		}
	}
	return strings.Join(all, ", ")
}

func sumOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
