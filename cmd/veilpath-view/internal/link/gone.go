package link

import (
	"net/url"
	"slices"
	"strings"
)

// gone are the keys of older links that nothing answers to any more. Of a key with words, these words alone are gone.
var gone = map[string][]string{"arrows": nil, "brush": nil, "moved": nil, "out": nil, Heat: {"private", "true"},
	Folded: {"surface"}}

// DropGone takes out of the values of a link what only older viewers had, and returns its names in order.
func DropGone(values url.Values) (names []string) {
	for key, words := range gone {
		text := values.Get(key)
		if text == "" {
			continue
		}
		rest := slices.DeleteFunc(strings.Split(text, ","), func(word string) bool {
			return words == nil || slices.Contains(words, word)
		})
		left := strings.Join(rest, ",")
		if left == text {
			continue
		}
		names = append(names, key+"="+text)
		if values.Set(key, left); left == "" {
			values.Del(key)
		}
	}
	slices.Sort(names)
	return names
}
