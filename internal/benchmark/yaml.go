package benchmark

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decode reads YAML or JSON into a suite. Errors name the line and what belongs there.
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
	return errors.New(plain(strings.TrimSpace(strings.TrimPrefix(first, "yaml: "))))
}

var (
	unknownField = regexp.MustCompile(`^field (.*) not found in type benchmark\.(\w+)$`)
	wrongType    = regexp.MustCompile("^cannot unmarshal !!(\\w+)(?: `(.*)`)? into (.*)$")
)

// plain says an error of the decoder without the names of Go types.
func plain(text string) string {
	line, rest, _ := strings.Cut(text, ": ")
	if !strings.HasPrefix(line, "line ") {
		return text
	}
	if m := unknownField.FindStringSubmatch(rest); m != nil {
		return fmt.Sprintf("%s: no key of a %s is called %q; want one of %s", line, strings.ToLower(m[2]), m[1],
			strings.Join(keysOf[m[2]], ", "))
	}
	if m := wrongType.FindStringSubmatch(rest); m != nil {
		got := m[2]
		if got == "" {
			got = map[string]string{"seq": "a list", "map": "a mapping"}[m[1]]
		}
		want, known := kinds[m[3]]
		if !known {
			want = "keys with values"
		}
		return fmt.Sprintf("%s: %s is not what belongs here; want %s", line, got, want)
	}
	return text
}

// kinds are the types of fields in words.
var kinds = map[string]string{"int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number",
	"string": "a text", "[]string": "a list",
	"[]benchmark.Mission": "a list of missions", "[]benchmark.Way": "a list of ways",
	"map[string]string": "settings as key: value"}

// keysOf are the keys of the types of a suite.
var keysOf = map[string][]string{"Suite": keys(Suite{}), "Mission": keys(Mission{}), "Way": keys(Way{})}

func keys(of any) (all []string) {
	for i := range reflect.TypeOf(of).NumField() {
		all = append(all, reflect.TypeOf(of).Field(i).Tag.Get("yaml"))
	}
	return all
}
