package benchmark

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decode reads YAML or JSON into a suite. Errors name the line.
func decode(text []byte, s *Suite) error {
	var top struct{ Flights, Policies, Seed yaml.Node }
	if err := yaml.Unmarshal(text, &top); err == nil {
		for _, n := range []yaml.Node{top.Flights, top.Policies, top.Seed} {
			if n.ShortTag() == "!!float" { // which the decoder would cut to a whole number
				return fmt.Errorf("line %d: %s is not a whole number", n.Line, n.Value)
			}
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	err := decoder.Decode(s)
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:\n"), "\n")
	first = goTypes.ReplaceAllString(strings.TrimSpace(strings.TrimPrefix(first, "yaml: ")), "")
	return fmt.Errorf("%s; veilpath help benchmark names the keys of a suite", first)
}

// goTypes matches what errors of the decoder say of types of Go.
var goTypes = regexp.MustCompile(` in type benchmark\.\w+$|!!| into \S+$`)
