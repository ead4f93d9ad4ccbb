package configs

import (
	"math"
	"strings"
)

// NearestOf returns the name with the spelling most similar to text, empty if none is similar. A part of the name
// that begins with one of its words, such as vehicle.speed or speed of vehicle.speed_km_s, counts as one letter away,
// and so does the last part of the text alone, so that "planner.epsilon" finds privacy.epsilon. Other names are
// similar if at most a third of the letters differ.
func NearestOf(text string, names []string) string {
	const longest = 100 // no name is longer; it bounds the time of distance
	spelling := func(text string) string {
		text = strings.ReplaceAll(strings.ToLower(text), ".", "_")
		return text[:min(len(text), longest)]
	}
	letters := func(text, name string) int {
		const shortestPiece = 3
		text, name = spelling(text), spelling(name)
		if len(text) >= shortestPiece && text != name && strings.Contains("_"+name, "_"+text) {
			return 1
		}
		if edits := distance(text, name); edits <= (min(len(text), len(name))+2)/3 {
			return edits
		}
		return math.MaxInt - 1
	}
	best, fewest := "", math.MaxInt-1
	for _, name := range names {
		if away := min(letters(text, name), letters(lastPart(text), lastPart(name))+1); away < fewest {
			best, fewest = name, away
		}
	}
	return best
}

func lastPart(key string) string { return key[strings.LastIndex(key, ".")+1:] }

// distance returns the Levenshtein distance: the fewest insertions, deletions and replacements of one byte that turn
// a into b.
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
