package configs

import (
	"math"
	"strings"
)

// nearest returns the candidate with the most similar spelling, empty if none is similar. A part of the
// candidate that begins with one of its words, such as vehicle.speed or speed of vehicle.speed_km_s, counts as
// one letter away. The last part of the key alone counts too, at the cost of one letter, so that "epsilon" or
// "planner.epsilon" finds privacy.epsilon, and so does the group alone, at the cost of two.
func nearest(key string, candidates []string) string {
	best, fewest := "", math.MaxInt
	for _, candidate := range candidates {
		away := min(
			letters(spelling(key), spelling(candidate)),
			letters(spelling(lastPart(key)), spelling(lastPart(candidate)))+1)
		if group, _, grouped := strings.Cut(candidate, "."); grouped && !strings.Contains(key, ".") {
			away = min(away, letters(spelling(key), spelling(group))+2)
		}
		if away < fewest {
			best, fewest = candidate, away
		}
	}
	if fewest >= notSimilar {
		return ""
	}
	return best
}

// notSimilar is the distance of texts that are not similar.
const notSimilar = 1000

// letters returns the distance of a text from a name in letters: the letters to change, if these are at most a
// third of the shorter one, and 1 for a part of the name.
func letters(text, name string) int {
	const shortestPiece = 3
	if len(text) >= shortestPiece && text != name && strings.Contains("_"+name, "_"+text) {
		return 1
	}
	edits := distance(text, name)
	if third := (min(len(text), len(name)) + 2) / 3; edits > third {
		return notSimilar
	}
	return edits
}

// spelling makes a key comparable with the name of a variable.
func spelling(key string) string {
	const longest = 100 // no key is longer; it bounds the time of distance
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
