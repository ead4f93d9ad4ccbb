package campaign

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// WithArticle returns a verb's name with its article.
func WithArticle(verb string) string {
	if verb == "audit" {
		return "an " + verb
	}
	return "a " + verb
}

// orNone lists names.
func orNone(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }

// lowerFirst returns a sentence for after a colon.
func lowerFirst(sentence string) string { return strings.ToLower(sentence[:1]) + sentence[1:] }

// RecognisedAt describes a detection distance in km: 0 means that the target is never recognised, NaN that the
// flight is missing.
func RecognisedAt(km float64) string {
	switch {
	case math.IsNaN(km):
		return "not given"
	case km == 0:
		return "never recognised"
	}
	return fmt.Sprintf("recognised %.2f km from the target", km)
}

// MostListed is the maximum number of texts of a list in a sentence.
const MostListed = 4

// Listed joins the first texts.
func Listed(texts []string, most int) string {
	switch more := len(texts) - most; {
	case len(texts) == 0:
		return "none"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), more)
	}
	return strings.Join(texts, ", ")
}
