package configs

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"veilpath/sim/vary"
)

// Varied are the settings that are drawn for every run.
type Varied []vary.Variation

// varyKey is the key of Config.Vary.
const varyKey = "vary"

// MarshalYAML writes a list of SETTING=DISTRIBUTION.
func (v Varied) MarshalYAML() (any, error) {
	texts := make([]string, len(v))
	for i := range v {
		texts[i] = v[i].String()
	}
	return texts, nil
}

// variations accepts a list of SETTING=DISTRIBUTION, or a mapping of settings to distributions.
var variations = domain{parse: parseVaried, allowed: "[], or settings with " + vary.Forms}

func parseVaried(n *yaml.Node) (any, string) {
	var texts []string
	switch {
	case n.Kind == yaml.MappingNode:
		texts = textsOf("", n)
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			texts = append(texts, item.Value)
		}
	case n.Value != "[]":
		texts = separate(n.Value)
	}
	var varied Varied
	for _, text := range texts {
		v, err := vary.ParseVariation(text)
		if err != nil {
			return nil, strings.TrimPrefix(err.Error(), "vary: ")
		}
		varied = append(varied, v)
	}
	return varied, ""
}

// separate cuts a text at the commas that are outside brackets.
func separate(text string) (parts []string) {
	first, depth := 0, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("([", r):
			depth++
		case strings.ContainsRune(")]", r):
			depth--
		case r == ',' && depth == 0:
			parts, first = append(parts, text[first:i]), i+1
		}
	}
	return append(parts, text[first:])
}

// textsOf returns the SETTING=DISTRIBUTION of a mapping, in which groups of settings may be mappings too.
func textsOf(prefix string, mapping *yaml.Node) (texts []string) {
	for pair := range slices.Chunk(mapping.Content, 2) {
		key := join(prefix, pair[0].Value)
		if pair[1].Kind == yaml.MappingNode {
			texts = append(texts, textsOf(key, pair[1])...)
		} else {
			texts = append(texts, key+"="+nodeText(pair[1]))
		}
	}
	return texts
}

// boundVaried gives the settings that vary their bounds, and finds those that cannot vary.
func (c *Config) boundVaried() (found findings) {
	bounded := slices.Clone(c.Vary) // those of the layers stay as they are
	for i := range bounded {
		bounded[i].Bounds = boundsOf(bounded[i].Key)
		problem := bounded[:i].problem(bounded[i])
		found.add(problem != "", varyKey, problem, variations.allowed, "correct it, or leave it out")
	}
	c.Vary = bounded
	return found
}

// problem returns why a setting cannot vary in addition to others, empty if it can.
func (v Varied) problem(more vary.Variation) string {
	switch {
	case slices.ContainsFunc(v, func(other vary.Variation) bool { return other.Key == more.Key }):
		return more.Key + " varies twice"
	case !slices.Contains(vary.Settings(), more.Key):
		return fmt.Sprintf("%s is no setting that can vary; %s", more.Key,
			Suggest(NearestOf(more.Key, vary.Settings()), "these can: "+strings.Join(vary.Settings(), ", ")))
	case more.Key == vary.ConsecutiveSteps && more.Name != "":
		return more.Key + " is a whole number, which a list as [1, 3, 10] draws"
	}
	low, high := more.Ends()
	for _, end := range []float64{low, high} {
		if !more.Allow(end) {
			return fmt.Sprintf("%s draws %s, outside %s", more, plainNumber(end), more.Bounds)
		}
	}
	return ""
}

// boundsOf returns the bounds of a setting that can vary.
func boundsOf(key string) vary.Bounds {
	allowed := interval{low: -maxKm, high: maxKm} // of a coordinate
	if i := slices.Index(keys, key); i >= 0 {
		allowed = schema[i].domain.numbers
	}
	return vary.Bounds{Low: allowed.low, High: allowed.high, AboveLow: allowed.above, Within: allowed.open}
}
