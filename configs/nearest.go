package configs

import (
	"math"
	"strings"
)

// nearest returns the candidate that is spelled most like a key. The last part of the key alone counts
// too, at the price of one letter, so that "epsilon" or "planner.epsilon" find privacy.epsilon, and so does
// the group alone, at the price of two.
func nearest(key string, candidates []string) string {
	best, fewest := "", math.MaxInt
	for _, candidate := range candidates {
		edits := min(
			distance(spelling(key), spelling(candidate)),
			distance(spelling(lastPart(key)), spelling(lastPart(candidate)))+1)
		if group, _, grouped := strings.Cut(candidate, "."); grouped {
			edits = min(edits, distance(spelling(key), spelling(group))+2)
		}
		if edits < fewest {
			best, fewest = candidate, edits
		}
	}
	return best
}

// spelling makes a key comparable with the name of a variable.
func spelling(key string) string {
	const longest = 100 // no key is longer; the distance takes time in proportion
	key = strings.ReplaceAll(strings.ToLower(key), ".", "_")
	return key[:min(len(key), longest)]
}

func lastPart(key string) string { return key[strings.LastIndex(key, ".")+1:] }

// distance returns the Levenshtein distance: the fewest insertions, deletions and replacements of one
// byte that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
