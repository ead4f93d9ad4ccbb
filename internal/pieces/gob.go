//go:build !js

package pieces

import (
	"encoding/gob"
	"io"
)

func newEncoder(w io.Writer) encoder { return gob.NewEncoder(w) }
func newDecoder(r io.Reader) decoder { return gob.NewDecoder(r) }
