package configs

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// Field describes a key.
type Field struct {
	Key     string // as in "vehicle.speed_km_s"
	Unit    string // "1" for a pure number, empty for a word
	Default string // value in preset paper, as YAML
	// FromPaper reports whether arXiv 2309.12476, Example 3, publishes the default. Other defaults are chosen here for
	// settings that the paper does not state, so as to reproduce its detection distances.
	FromPaper bool
	Meaning   string // whole sentences
	Unhashed  bool   // no result of a study depends on it, so it is left out of the hash

	index  []int // of the field in Config
	domain domain
}

// Choices returns the words of a choice, nil for other keys.
func (f Field) Choices() []string { return slices.Clone(f.domain.words) }

// Allowed describes the accepted values.
func (f Field) Allowed() string { return f.domain.allowed }

// The beginnings of the facts of a field.
const (
	unitMark    = "Unit: "
	allowedMark = "Allowed: "
)

// Facts states unit, range, default and source on one line.
func (f Field) Facts() string {
	unit, chosen := "", "ours"
	if f.Unit != "" && f.Unit != "1" {
		unit = unitMark + f.Unit + ". "
	}
	if f.FromPaper {
		chosen = "the paper's"
	}
	return unit + allowedMark + f.Allowed() + ". Default: " + f.Default + ", " + chosen + "."
}

// Group returns the part of the key before the dot, empty for a key outside any group.
func (f Field) Group() string {
	return f.Key[:max(0, strings.Index(f.Key, "."))]
}

// Schema returns all keys in the order of Config, with the defaults of preset paper.
func Schema() []Field { return slices.Clone(described()) }

// described is the schema with the defaults and meanings of preset paper.
var described = sync.OnceValue(func() []Field {
	fields := slices.Clone(schema)
	for _, e := range defaultValues() {
		f := &fields[slices.Index(keys, e.key)]
		f.Default = nodeText(e.node)
		if f.Meaning == "" {
			f.Meaning = meaningOf(e.comment)
		}
	}
	return fields
})

// meaningOf returns the sentences of a comment before its unit and allowed values.
func meaningOf(comment string) string {
	var lines []string
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(strings.TrimLeft(line, "# "))
		if strings.HasPrefix(line, unitMark) || strings.HasPrefix(line, allowedMark) {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}

// schema describes the fields of Config in their order, without the defaults and meanings of preset paper.
var schema = fieldsOf(reflect.TypeFor[Config](), "", nil, false)

// fieldsOf describes the settings of a group and of the groups in it: the fields whose tags say what they accept.
func fieldsOf(group reflect.Type, prefix string, index []int, unhashed bool) (fields []Field) {
	for i := range group.NumField() {
		member := group.Field(i)
		tag, key := member.Tag, join(prefix, member.Tag.Get("yaml"))
		at := append(slices.Clone(index), i)
		unhashed := unhashed || tag.Get("unhashed") != ""
		if tag.Get("allow") == "" {
			fields = append(fields, fieldsOf(member.Type, key, at, unhashed)...)
			continue
		}
		fields = append(fields, Field{Key: key, Unit: tag.Get("unit"), FromPaper: tag.Get("from") == "paper",
			Meaning: meanings[key], Unhashed: unhashed, index: at, domain: domainOf(member.Type, tag.Get("allow"))})
	}
	return fields
}

// The names of the keys, in the order of the schema, and of their groups. They must not be changed.
var keys, groups = names()

func names() (keys, groups []string) {
	for _, f := range schema {
		keys = append(keys, f.Key)
		if g := f.Group(); g != "" && !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return keys, groups
}

// Lookup returns the description of a key, and false if there is no such key.
func Lookup(key string) (Field, bool) {
	i := slices.Index(keys, key)
	if i < 0 {
		return Field{}, false
	}
	return described()[i], true
}

// Nearest returns the known key with the most similar spelling, empty if none is similar.
func Nearest(key string) string { return NearestOf(key, keys) }

// meanings are those of keys whose choices are registered elsewhere; preset paper has the others.
var meanings = map[string]string{
	"privacy.mechanism": mechanismMeaning,
	"adversary.observer": "Model of the observer: " + observerMeanings() + ". exec:COMMAND has a command of yours " +
		"watch, see the guide, own.md.",
}

func observerMeanings() string {
	var said []string
	for _, m := range adversary.Models() {
		said = append(said, m.Name+" "+m.Meaning)
	}
	return strings.Join(said, "; ")
}

// mechanisms returns the names of what can hide the destination, and what each guarantees.
func mechanisms() (names []string, meaning string) {
	names = []string{OnReward}
	var said, ways []string
	for _, m := range planner.FlightMechanisms() {
		p := planner.PromiseOf(m)
		names = append(names, m.Name())
		said = append(said, m.Name()+" "+m.Meaning()+": "+p.Guarantee+" for "+p.Protects)
	}
	for _, m := range privacy.GoalMechanisms() {
		names, said = append(names, m.Name()), append(said, m.Name()+" "+m.Meaning())
	}
	for _, w := range deception.Ways() {
		names, ways = append(names, w.Name), append(ways, w.Name+" "+w.Meaning)
	}
	return names, "What hides the destination: reward adds Gaussian noise to every entry of the reward, (epsilon, " +
		"delta) for one entry; " + strings.Join(said, "; ") + ". A drawn goal is planned for and flown to until the " +
		"hand-over at the true one. For comparison there are ways that do not depend on epsilon, each of which " +
		deception.NoGuarantee + ": " + strings.Join(ways, "; ") + ". exec:COMMAND has a command of yours make the " +
		"plans, see the guide, own.md."
}

var mechanismNames, mechanismMeaning = mechanisms()
