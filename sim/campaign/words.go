package campaign

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"veilpath/configs"
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

// Decimals returns the number of decimals of distances in km in answers: two, and on ways from the start to the target
// of less than 10 km as many as show a thousandth of the way.
func Decimals(c configs.Config) int {
	way := c.DirectKm()
	if way >= 10 || way == 0 {
		return 2
	}
	return 3 - int(math.Floor(math.Log10(way)))
}

// decimals returns the number of decimals of distances in km in the answer.
func (r *Result) decimals() int { return Decimals(r.Settings.Config) }

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
