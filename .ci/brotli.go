//go:build ignore

// Compresses what it reads with brotli as small as it gets.
package main

import (
	"io"
	"log"
	"os"

	"github.com/andybalholm/brotli"
)

func main() {
	w := brotli.NewWriterLevel(os.Stdout, brotli.BestCompression)
	if _, err := io.Copy(w, os.Stdin); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
