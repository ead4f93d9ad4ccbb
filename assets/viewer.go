package assets

import "embed"

// Viewer holds the page that the viewer runs in, under viewer/, apart from the program itself.
//
//go:embed viewer
var Viewer embed.FS

// Story is what the viewer tells step by step, unless it is given another (JSON).
//
//go:embed story.json
var Story []byte
