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

var yamlLine = regexp.MustCompile(`^yaml: line ([0-9]+): `)

// parseDocument returns the top mapping of the text's only document.
func parseDocument(text []byte, origin func(line int) string) (*yaml.Node, *Error) {
	wrong := func(line int, problem string) (*yaml.Node, *Error) {
		return nil, &Error{Origin: origin(line), Problem: problem,
			Allowed: "one YAML document of keys in UTF-8, at most 1 MiB",
			Fix:     "write one 'key: value' per line, as 'veilpath config show' does"}
	}
	if len(text) > LargestFile {
		return wrong(1, "longer than 1 MiB")
	}
	var document, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&document)
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
	root := &yaml.Node{Kind: yaml.MappingNode, Line: 1}
	if len(document.Content) > 0 {
		root = document.Content[0]
	}
	switch {
	case root.Tag == "!!null", root.Kind == yaml.MappingNode && len(root.Content) == 0:
		return wrong(root.Line, "holds no keys")
	case root.Kind != yaml.MappingNode:
		return wrong(root.Line, "a value without a key")
	}
	return root, nil
}

// readYAML lists the values of one YAML document; origin names a line of the document in messages.
func readYAML(text []byte, origin func(line int) string) (found []entry, problems []*Error) {
	root, problem := parseDocument(text, origin)
	if problem != nil {
		return nil, []*Error{problem}
	}
	var read func(prefix string, mapping *yaml.Node)
	read = func(prefix string, mapping *yaml.Node) {
		for pair := range slices.Chunk(mapping.Content, 2) {
			name, value := pair[0], pair[1]
			e := entry{key: join(prefix, name.Value), node: value, origin: origin(name.Line), comment: name.HeadComment}
			isGroup := slices.Contains(groups, e.key)
			switch {
			case name.Kind != yaml.ScalarNode || name.Tag != "!!str":
				e.key = nodeText(name)
				problems = append(problems, e.wrong().because("not the name of a key", knownKeys, "write a key there"))
			case isGroup && value.Kind == yaml.MappingNode && len(value.Content) > 0:
				read(e.key, value)
			case isGroup:
				problems = append(problems, e.wrong().because("a group of keys without keys",
					"its keys, indented, below it", "write its keys there, or remove it"))
			case value.Kind == yaml.MappingNode && !slices.Contains(keys, e.key):
				problems = append(problems, unknownKey(e.wrong(), NearestOf(e.key, groups)))
			default:
				found = append(found, e)
			}
		}
	}
	read("", root)
	return found, problems
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
		i := slices.IndexFunc(keys, func(key string) bool { return environmentName(key) == name })
		if i < 0 {
			at := &Error{Key: name, Value: shortened(value), Origin: "environment"}
			near := Nearest(strings.TrimPrefix(name, environmentPrefix))
			if near != "" {
				near = environmentName(near)
			}
			problems = append(problems, unknownKey(at, near))
			continue
		}
		found = append(found, entry{key: keys[i], node: textNode(value), origin: "environment " + name})
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
	return at.because("unknown key", knownKeys, Suggest(suggestion, "use one of these"))
}

// Suggest asks whether the suggestion was meant, or says otherwise if there is none.
func Suggest(suggestion, otherwise string) string {
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
