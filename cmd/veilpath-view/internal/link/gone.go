package link

import (
	"net/url"
	"slices"
)

// gone are the keys of older links that nothing answers to any more, and gonePaintings what could be on the map.
var (
	gone = []string{"also", "arrows", "brush", "center", "fan", "folded", "follow", "loop", "moved", "out", "panel",
		"speed",
		"zoom"}
	gonePaintings = []string{"private", "true"}
)

// DropGone takes out of the values of a link what only older viewers had, and returns its names in order.
func DropGone(values url.Values) (names []string) {
	for key := range values {
		if slices.Contains(gone, key) || key == Heat && slices.Contains(gonePaintings, values.Get(key)) {
			names = append(names, key+"="+values.Get(key))
			values.Del(key)
		}
	}
	slices.Sort(names)
	return names
}
