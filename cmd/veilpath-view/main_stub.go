//go:build !viewer && !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "veilpath-view: built without a window; build it with 'go build -tags viewer "+
		"./cmd/veilpath-view', or use 'veilpath view' for a page in the browser")
	os.Exit(1)
}
