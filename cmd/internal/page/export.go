package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"veilpath/assets"
	"veilpath/cmd/internal/recording"
	"veilpath/internal/record"
)

// offlineName is the script with the program, its loader and the recordings, for a page opened from disk. Browsers
// do not let such a page read other files.
const offlineName = "offline.js"

// ErrTaken is the error for a folder of a site that is not empty.
var ErrTaken = errors.New("exists and is not empty; name a new folder or an empty one")

// CheckTarget creates a folder for a site. It returns an error if it cannot be created, or is not empty (ErrTaken).
func CheckTarget(to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("the site cannot be written to %s: %w; name a folder that can be created", to, err)
	}
	entries, err := os.ReadDir(to)
	if len(entries) > 0 {
		err = ErrTaken
	}
	if err != nil {
		return fmt.Errorf("%s %w", to, err)
	}
	return nil
}

// Export writes the page with the program of a bundle of ReadySite, and the recordings in folder unless that is "", to
// a new or empty folder: a site of plain files with relative addresses. Its index is written last, when all else is
// complete. Recordings that cannot be shown are left out; leftOut names them and the reasons.
func Export(bundle Bundle, folder, to string) (leftOut []string, err error) {
	if err := CheckTarget(to); err != nil {
		return nil, err
	}
	files, leftOut, err := site(bundle, folder)
	if err != nil {
		return nil, err
	}
	const index = "index.html"
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return name == index })
	for _, name := range append(others, index) {
		at := filepath.Join(to, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if err == nil {
			err = writeFile(at, files[name])
		}
		if err != nil {
			return nil, fmt.Errorf("writing the site: %w", err)
		}
	}
	return leftOut, nil
}

// writeFile writes a file that appears whole or not at all.
func writeFile(path string, content []byte) error {
	return record.WriteFile(path, 0o644, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// site returns the files of a site by name.
func site(bundle Bundle, folder string) (files map[string][]byte, leftOut []string, err error) {
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	if _, err = zip.Write(bundle.program); err == nil {
		err = zip.Close()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("compressing the page: %w", err)
	}
	files = map[string][]byte{wasmName: bundle.program, wasmName + ".br": bundle.packed, wasmName + ".gz": zipped.Bytes(),
		loaderName: bundle.loader}
	err = fs.WalkDir(assets.Viewer, "viewer", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path.Base(at)], err = assets.Viewer.ReadFile(at)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	// A server of plain files does not send the size of the uncompressed program, and rarely compresses it.
	index := string(files["index.html"])
	attributes := fmt.Sprintf(`data-program="%s.gz" data-size="%d"`, html.EscapeString(wasmName), len(files[wasmName]))
	if files["index.html"] = []byte(strings.Replace(index, `data-program="`+wasmName+`"`, attributes,
		1)); string(files["index.html"]) == index {
		panic("page: index.html no longer names the program")
	}
	recorded, leftOut, err := recordings(folder)
	if err != nil {
		return nil, nil, err
	}
	offline := map[string]string{}
	for _, name := range []string{wasmName + ".gz", loaderName} {
		offline[name] = base64.StdEncoding.EncodeToString(files[name])
	}
	for name, text := range recorded {
		files[name], offline[name] = text, base64.StdEncoding.EncodeToString(text)
	}
	var script bytes.Buffer
	script.WriteString("window.veilpathFiles = ")
	if err := json.NewEncoder(&script).Encode(offline); err != nil {
		return nil, nil, err
	}
	files[offlineName] = script.Bytes()
	return files, leftOut, nil
}

// recordings returns the files of the recordings in a folder that the page requests, by name.
func recordings(folder string) (files map[string][]byte, leftOut []string, err error) {
	files = map[string][]byte{}
	listing := Listing{Recordings: []recording.Entry{}}
	if folder != "" {
		root, name, err := openRoot(folder)
		if err != nil {
			return nil, nil, err
		}
		defer root.Close()
		listing.Folder = name
		for _, e := range recording.List(root.FS()) {
			if e.Problem != "" {
				leftOut = append(leftOut, e.Path+": "+e.Problem)
				continue
			}
			texts, err := recording.Read(root.FS(), e.Path)
			if err != nil {
				leftOut = append(leftOut, e.Path+": "+err.Error())
				continue
			}
			for _, name := range e.Files {
				files[path.Join("data", e.Path, name)] = texts[name]
			}
			listing.Recordings = append(listing.Recordings, e)
		}
		if len(listing.Recordings) == 0 {
			return nil, leftOut, fmt.Errorf("%s has no recording that can be shown: %s", folder, strings.Join(leftOut, "; "))
		}
	}
	files["recordings.json"], err = json.Marshal(listing)
	return files, leftOut, err
}
