package page

import (
	"bytes"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

// unpack returns the bundle of a released program.
func unpack(packed, loader []byte) (Bundle, error) {
	program, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return Bundle{}, fmt.Errorf("unpacking the page: %w", err)
	}
	return Bundle{program: program, loader: loader, packed: packed}, nil
}
