package page

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
)

// The page in a released program is unpacked once, to a bundle like one that was built.
func TestUnpack(t *testing.T) {
	var packed bytes.Buffer
	w := brotli.NewWriter(&packed)
	w.Write([]byte("a program"))
	w.Close()
	cache := filepath.Join(t.TempDir(), "not", "there")
	bundle, err := unpack(cache, packed.Bytes(), []byte("a loader"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(bundle.Folder, wasmName)); err != nil || string(text) != "a program" {
		t.Errorf("the program is %q, %v", text, err)
	}
	if err := pack(bundle, t.Logf); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(bundle, "", filepath.Join(t.TempDir(), "site")); err != nil {
		t.Error(err)
	}
	if _, err := unpack(cache, packed.Bytes()[:packed.Len()-1], []byte("a loader")); err == nil {
		t.Error("an incomplete program gives no error")
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 {
		t.Errorf("the cache holds %v, %v", entries, err)
	}
	second, err := unpack(cache, packed.Bytes(), []byte("a loader"))
	if err != nil || second.Folder != bundle.Folder || !second.Cached {
		t.Errorf("again: %+v, %v, first %+v", second, err, bundle)
	}
}

// A program that was not released has no embedded page.
func TestNothingIsEmbedded(t *testing.T) {
	if _, ok, err := embedded(); ok || err != nil {
		t.Errorf("embedded: %v, %v", ok, err)
	}
}
