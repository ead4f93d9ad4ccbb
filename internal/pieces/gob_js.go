package pieces

import (
	"errors"
	"io"
)

// unkept is the encoding of a program in a page, which has no folder and keeps nothing. It leaves out package gob,
// which would make the page larger.
type unkept struct{}

func newEncoder(io.Writer) encoder { return unkept{} }
func newDecoder(io.Reader) decoder { return unkept{} }

func (unkept) Encode(any) error { return errors.ErrUnsupported }
func (unkept) Decode(any) error { return errors.ErrUnsupported }
