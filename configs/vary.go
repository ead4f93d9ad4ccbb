package configs

import (
	"fmt"
	"math"
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
	if n.Kind == yaml.ScalarNode {
		text, problem := wordText(n)
		if problem != "" || text == "[]" {
			return Varied(nil), problem
		}
	}
	var varied Varied
	for _, text := range separate(strings.Join(textsOf("", n), ",")) {
		v, err := vary.ParseVariation(text)
		if err != nil {
			return nil, strings.TrimPrefix(err.Error(), "vary: ")
		}
		varied = append(varied, v)
	}
	return varied, ""
}

// textsOf returns the SETTING=DISTRIBUTION of a text, a list or a mapping, in which groups of settings may be mappings
// too. YAML cuts a distribution that is not quoted at its commas, so the texts are to be joined by commas.
func textsOf(setting string, n *yaml.Node) (texts []string) {
	switch {
	case n.Kind == yaml.MappingNode:
		for pair := range slices.Chunk(n.Content, 2) {
			texts = append(texts, textsOf(join(setting, pair[0].Value), pair[1])...)
		}
		return texts
	case n.Kind == yaml.SequenceNode && setting == "":
		for _, item := range n.Content {
			texts = append(texts, textsOf("", item)...)
		}
		return texts
	case n.Kind == yaml.SequenceNode:
		return []string{setting + "=" + nodeText(n)}
	case setting == "" || n.Tag == "!!null":
		return []string{setting + n.Value}
	}
	return []string{setting + "=" + n.Value}
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
	if last := text[first:]; strings.TrimSpace(last) != "" {
		parts = append(parts, last)
	}
	return parts
}

// boundVaried gives the settings that vary their bounds, and finds those that cannot vary.
func (c *Config) boundVaried() (found findings) {
	bounded := slices.Clone(c.Vary) // those of the layers stay as they are
	const runs = 10_000             // checked before the first flight; the viewer flies no more
	for i := range bounded {
		bounded[i].Bounds = boundsOf(bounded[i].Key)
		problem := bounded[:i].problem(bounded[i])
		for run := 0; problem == "" && run < runs; run++ {
			if _, err := bounded[i].Draw(c.Study.Seed, run); err != nil {
				problem = strings.TrimPrefix(err.Error(), "vary: ") + ": use a distribution with ends, such as uniform"
			}
		}
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
			Suggest(NearestOf(more.Key, vary.Settings()), "the comment on vary in 'veilpath config show' has those"))
	case more.Key == vary.ConsecutiveSteps && (more.Name != "" || slices.ContainsFunc(more.Numbers, fraction)):
		return more.Key + " is a whole number, which a list of these draws, as [1, 3, 10]"
	}
	low, high := more.Ends()
	for _, end := range []float64{low, high} {
		if !more.Allow(end) {
			return fmt.Sprintf("%s draws %s, outside %s", more, plainNumber(end), more.Bounds)
		}
	}
	return ""
}

func fraction(x float64) bool { return x != math.Trunc(x) }

// boundsOf returns the bounds of a setting that can vary.
func boundsOf(key string) vary.Bounds {
	allowed := interval{low: -maxKm, high: maxKm} // of a coordinate
	if i := slices.Index(keys, key); i >= 0 {
		allowed = schema[i].domain.numbers
	}
	return vary.Bounds{Low: allowed.low, High: allowed.high, AboveLow: allowed.above, Within: allowed.open}
}
