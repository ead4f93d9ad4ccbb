package assets

import _ "embed"

// BenchmarkSuite is the suite of veilpath benchmark, in YAML.
//
//go:embed benchmark/suite.yaml
var BenchmarkSuite []byte
