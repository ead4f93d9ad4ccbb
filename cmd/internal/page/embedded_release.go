//go:build release

package page

import _ "embed"

// The page of a released program, which .ci/release puts here.
var (
	//go:embed release/viewer.wasm.br
	embeddedProgram []byte
	//go:embed release/wasm_exec.js
	embeddedLoader []byte
)
