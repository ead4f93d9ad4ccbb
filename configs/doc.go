// Package configs holds the settings of a study: their schema, the embedded presets, and the layering of flags,
// environment, a file and a preset into one checked Config.
//
// The tags of [Config] are the only source of a key's name, unit and range, and of who chose its default;
// paper.yaml is the only source of the default and, in the comment above it, the meaning. Checks, help texts
// and the documentation use both. To add a key: a field with its tags, and in paper.yaml a comment and a line
// (go test ./configs -update then completes the comment).
//
// Flights read all groups except example1 and example2, the paper's other examples (teams.go): the presets
// example1 and example2 choose these as the problem, with the paper's guarantees.
//
// [Load] layers these sources, strongest first: flags, environment variables VEILPATH_*, the file or preset
// named by --config, and preset paper. It guesses nothing: an unknown or repeated key, a value of the wrong
// type or out of range is an [Error], one line with the fault, its place, the allowed values and the remedy.
// Viper decides which source wins; this package reads and checks the values and tracks their origins, because
// viper guesses types and forgets origins.
//
// # Assumptions and limitations
//
// A file is one YAML document in UTF-8 (JSON is YAML too), up to 1 MiB, without anchors, aliases and tags.
// Numbers are decimal; 200.0 and 2e2 are whole numbers, while 0x10, 1_000 and 010 are not numbers. A stronger
// layer replaces a list as a whole. Values that a stronger layer replaces are checked too. Ranges also prevent
// overflow; they are wider than any sensible setting.
package configs
