package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// An entry is the value of a key in one source.
type entry struct {
	key     string
	node    *yaml.Node
	origin  string
	comment string // the comment above it in a file
}

// wrong starts the error of a value.
func (e entry) wrong() *Error {
	return &Error{Key: shortened(e.key), Value: shortened(nodeText(e.node)), Origin: e.origin}
}

const (
	flagMark          = "flag --" // start of the origin of a flag's value
	environmentPrefix = "VEILPATH_"
	knownKeys         = "the keys that 'veilpath config show' lists"
)

// LargestFile is the largest size of a file of settings, in bytes.
const LargestFile = 1 << 20

// readYAML lists the values of one YAML document; origin names a line of the document in messages.
func readYAML(text []byte, origin func(line int) string) ([]entry, []*Error) {
	root, problem := parseDocument(text, origin)
	if problem != nil {
		return nil, []*Error{problem}
	}
	r := yamlReader{origin: origin, lines: map[string]int{}}
	r.read("", root)
	return r.found, r.problems
}

var yamlLine = regexp.MustCompile(`^yaml: line ([0-9]+): `)

// parseDocument returns the top mapping of the text's only document.
func parseDocument(text []byte, origin func(line int) string) (*yaml.Node, *Error) {
	const fix = "write one 'key: value' per line, as 'veilpath config show' does"
	const wanted = "one YAML document of keys in UTF-8, at most 1 MiB"
	wrong := func(line int, problem string) (*yaml.Node, *Error) {
		return nil, &Error{Origin: origin(line), Problem: problem, Allowed: wanted, Fix: fix}
	}
	if len(text) > LargestFile {
		return wrong(1, "longer than 1 MiB")
	}
	number := 1
	for line := range bytes.Lines(text) {
		if !utf8.Valid(line) {
			return wrong(number, "not UTF-8 text")
		}
		number++
	}
	var document, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return wrong(1, "holds no keys")
	}
	if err == nil {
		if err = decoder.Decode(&next); err == nil {
			return wrong(next.Line, "a second YAML document begins")
		}
	}
	if !errors.Is(err, io.EOF) {
		line, message := 1, err.Error()
		if at := yamlLine.FindStringSubmatch(message); at != nil {
			line, _ = strconv.Atoi(at[1])
			message = message[len(at[0]):]
		}
		return wrong(line, "not YAML: "+strings.TrimPrefix(message, "yaml: "))
	}
	root := document.Content[0]
	switch {
	case root.Kind == yaml.ScalarNode && root.Tag == "!!null", root.Kind == yaml.MappingNode && len(root.Content) == 0:
		return wrong(root.Line, "holds no keys")
	case root.Kind != yaml.MappingNode:
		return wrong(root.Line, "a value without a key")
	}
	return root, nil
}

// yamlReader walks a document and lists its values.
type yamlReader struct {
	origin   func(line int) string
	lines    map[string]int // line of the first occurrence of a key or group
	found    []entry
	problems []*Error
}

func (r *yamlReader) read(prefix string, mapping *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		name, value := mapping.Content[i], mapping.Content[i+1]
		key := join(prefix, name.Value)
		e := entry{key: key, node: value, origin: r.origin(name.Line), comment: name.HeadComment}
		first, twice := r.lines[key]
		isGroup := slices.Contains(groups, key)
		wrong := func(problem, allowed, fix string) {
			r.problems = append(r.problems, e.wrong().because(problem, allowed, fix))
		}
		if !twice {
			r.lines[key] = name.Line
		}
		switch {
		case twice:
			wrong(fmt.Sprintf("given twice, first in line %d", first), "each key once", "remove one")
		case name.Kind != yaml.ScalarNode || name.Tag != "!!str":
			e.key = nodeText(name)
			wrong("not the name of a key", knownKeys, "write a key there")
		case isGroup && (value.Kind != yaml.MappingNode || len(value.Content) == 0):
			wrong("a group of keys without keys", "its keys, indented, below it", "write its keys there, or remove it")
		case isGroup:
			r.read(key, value)
		case value.Kind == yaml.MappingNode && !slices.Contains(keys, key):
			r.problems = append(r.problems, unknownKey(e.wrong(), NearestOf(key, groups)))
		default:
			r.found = append(r.found, e)
		}
	}
}

// readEnvironment lists the values of the variables VEILPATH_*, in the order of their names. An empty variable
// counts as unset.
func readEnvironment(environ []string) ([]entry, []*Error) {
	var found []entry
	var problems []*Error
	for _, variable := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, environmentPrefix) || value == "" {
			continue
		}
		key, known := variables[name]
		if !known {
			at := &Error{Key: name, Value: shortened(value), Origin: "environment"}
			near := Nearest(strings.TrimPrefix(name, environmentPrefix))
			if near != "" {
				near = environmentName(near)
			}
			problems = append(problems, unknownKey(at, near))
			continue
		}
		found = append(found, entry{key: key, node: textNode(value), origin: "environment " + name})
	}
	return found, problems
}

// environmentName returns the variable of a key: VEILPATH_PRIVACY_EPSILON for privacy.epsilon.
func environmentName(key string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// readFlags lists the values of --set key=value and of the flags that stand for a key.
func readFlags(sets []string, overrides []Override) ([]entry, []*Error) {
	var found []entry
	var problems []*Error
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok || strings.TrimSpace(key) == "" {
			problems = append(problems, &Error{Key: "set", option: true, Value: strconv.Quote(shortened(set)),
				Problem: "want a key and a value with = between them",
				Allowed: "key=value", Fix: "write for example {set} privacy.epsilon=1"})
			continue
		}
		found = append(found, entry{key: strings.TrimSpace(key), node: textNode(value), origin: flagMark + "set"})
	}
	for _, o := range overrides {
		found = append(found, entry{key: o.Key, node: o.node(), origin: flagMark + o.Flag})
	}
	return found, problems
}

// node converts a Go value to YAML; text is read as in --set.
func (o Override) node() *yaml.Node {
	if text, ok := o.Value.(string); ok {
		return textNode(text)
	}
	var n yaml.Node
	if err := n.Encode(o.Value); err != nil {
		panic(fmt.Sprintf("configs: the value of %s does not encode: %v", o.Flag, err)) // a programmer error
	}
	return &n
}

func unknownKey(at *Error, suggestion string) *Error {
	return at.because("unknown key", knownKeys, suggest(suggestion, "use one of these"))
}

// suggest asks whether the suggestion was meant, or says otherwise if there is none.
func suggest(suggestion, otherwise string) string {
	if suggestion == "" {
		return otherwise
	}
	return "did you mean " + suggestion + "?"
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}
