package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Sentence writes the first letter as a capital.
func Sentence(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// DirectLabel names the direct flight on two lines, for a name beside a chart. One whose first heading is not the line
// of sight turns: it is an arc.
func DirectLabel(turns bool) string {
	if turns {
		return "turning to the\ntarget"
	}
	return "straight to the\ntarget"
}

// KmText writes a distance for a label, with three digits and at least a tenth of a km.
func KmText(km float64) string { return fmt.Sprintf("%.*f km", decimals(km), km) }

// decimals returns the number of decimals of distances, km: three digits for the largest, and at least a tenth. Values
// that are not finite do not count.
func decimals(km ...float64) int {
	largest := 0.0
	for _, v := range km {
		if v = math.Abs(v); !math.IsNaN(v) && !math.IsInf(v, 0) {
			largest = max(largest, v)
		}
	}
	if largest == 0 {
		return 1
	}
	return max(1, 2-int(math.Floor(math.Log10(largest))))
}

// KeyName names a key of the settings with its unit, as radius km for adversary.radius_km.
func KeyName(key, unit string) string {
	name := key[strings.LastIndexByte(key, '.')+1:]
	if unit == "1" {
		unit = ""
	}
	name = strings.TrimSuffix(name, "_"+strings.ReplaceAll(unit, "/", "_"))
	return strings.TrimSpace(strings.ReplaceAll(name, "_", " ") + " " + unit)
}

// atEpsilon returns the text for an epsilon.
func atEpsilon(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return "no noise"
	}
	return "ε = " + strconv.FormatFloat(epsilon, 'g', -1, 64)
}
