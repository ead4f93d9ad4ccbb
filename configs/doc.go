// Package configs holds the settings of a study: their schema, the embedded presets, and how a flag, the
// environment, a file and a preset are layered into one checked Config.
//
// The table in schema.go is the only place that knows a key's name, unit and range, and who chose its default;
// paper.yaml is the only place that knows the default and, in the comment above it, the meaning. Checks, help texts and
// the documentation come from the two. To add a key: a row in the table, a field in Config with the same name as yaml
// and json tag, and in paper.yaml a comment and a line (go test ./configs -update then completes the comment).
//
// Flights read all groups but example1 and example2, which are the paper's other examples (teams.go): presets
// example1 and example2 choose them as the problem, with the guarantee that the paper gives them.
//
// [Load] layers, strongest first: flags, environment variables VEILPATH_*, the file or preset named by
// --config, preset paper. Nothing is guessed: an unknown or repeated key, a value of the wrong type or
// out of its range is an [Error], one line that says what, where, what is allowed and what to do. Which source
// wins is viper's work; reading, checking and origins are this package's, since viper guesses types and forgets
// where a value came from.
//
// # Assumptions and limitations
//
// A file is one YAML document in UTF-8 (JSON is YAML too), up to 1 MiB, without anchors, aliases and tags.
// Numbers are decimal; 200.0 and 2e2 are whole numbers, 0x10, 1_000 and 010 are not numbers. Lists are
// replaced as a whole by a stronger layer, never joined. A value that a stronger layer replaces is checked
// all the same. Ranges also keep a study from overflowing; they are wider than any sensible setting.
package configs
