package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

// embedded returns the bundle in a released program, unpacked into the user's cache, and false for a program that
// .ci/release did not build.
func embedded() (bundle Bundle, ok bool, err error) {
	if len(embeddedProgram) == 0 {
		return Bundle{}, false, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return Bundle{}, false, fmt.Errorf("there is no cache folder for the page: %w", err)
	}
	bundle, err = unpack(filepath.Join(cache, "veilpath", "viewer"), embeddedProgram, embeddedLoader)
	return bundle, err == nil, err
}

// unpack writes the files of a bundle to a folder of the cache.
func unpack(cache string, program, loader []byte) (Bundle, error) {
	sum := sha256.New()
	sum.Write(program)
	sum.Write(loader)
	return store(cache, "release-"+hex.EncodeToString(sum.Sum(nil))[:16], func(work string) error {
		text, err := io.ReadAll(brotli.NewReader(bytes.NewReader(program)))
		if err == nil {
			err = errors.Join(
				os.WriteFile(filepath.Join(work, wasmName), text, 0o644),
				os.WriteFile(filepath.Join(work, wasmName+".br"), program, 0o644),
				os.WriteFile(filepath.Join(work, loaderName), loader, 0o644))
		}
		if err != nil {
			return fmt.Errorf("unpacking the page: %w", err)
		}
		return nil
	})
}
