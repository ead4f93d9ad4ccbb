package page

import (
	"bytes"
	"testing"

	"github.com/andybalholm/brotli"
)

// The program in a released one is unpacked, and is packed already for a site; a damaged one is refused.
func TestUnpack(t *testing.T) {
	var packed bytes.Buffer
	w := brotli.NewWriter(&packed)
	w.Write([]byte("a program"))
	w.Close()
	bundle, err := unpack(packed.Bytes(), []byte("a loader"))
	if err != nil || string(bundle.program) != "a program" || string(bundle.loader) != "a loader" {
		t.Errorf("%q, %q, %v", bundle.program, bundle.loader, err)
	}
	if err := bundle.pack(t.Logf); err != nil || !bytes.Equal(bundle.packed, packed.Bytes()) {
		t.Error("it is packed again, ", err)
	}
	if _, err := unpack(packed.Bytes()[:packed.Len()-1], nil); err == nil {
		t.Error("an incomplete program gives no error")
	}
}
