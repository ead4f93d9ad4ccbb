package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// verify compares the files of a folder with the hashes that its manifest lists, and names those that differ
// or are missing. Package record checks the same for the command line; it also holds Parquet, which the page
// leaves out for its size.
func verify(files fs.FS, folder string, manifest []byte) error {
	var m struct {
		Files map[string]string `json:"files"`
	}
	if err := Decode(ManifestName, manifest, &m); err != nil {
		return err
	}
	var changed, missing []string
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if path.Base(name) != name || Hidden(name) {
			return fmt.Errorf("%s lists %q, which is no file of its folder", ManifestName, name)
		}
		sum, err := hashOf(files, path.Join(folder, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil && !errors.Is(err, errIrregular):
			return fmt.Errorf("%s: %w", path.Join(folder, name), cause(err))
		case sum != m.Files[name]:
			changed = append(changed, name)
		}
	}
	var says []string
	if len(changed) > 0 {
		says = append(says, "changed since: "+strings.Join(changed, ", "))
	}
	if len(missing) > 0 {
		says = append(says, "missing: "+strings.Join(missing, ", "))
	}
	if len(says) == 0 {
		return nil
	}
	return fmt.Errorf("its files are not those that its %s lists; %s", ManifestName, strings.Join(says, "; "))
}

// hashOf returns the SHA-256 of a regular file, in hexadecimal.
func hashOf(files fs.FS, name string) (string, error) {
	if info, err := fs.Stat(files, name); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errIrregular
	}
	f, err := files.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
