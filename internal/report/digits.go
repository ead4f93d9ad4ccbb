package report

import (
	"fmt"
	"math"
)

// decimalsFor returns the number of decimals with which the largest of some values has at least so many digits, at
// least 0. Values that are not finite do not count.
func decimalsFor(digits int, values ...float64) int {
	largest := 0.0
	for _, v := range values {
		if v = math.Abs(v); !math.IsNaN(v) && !math.IsInf(v, 0) {
			largest = max(largest, v)
		}
	}
	if largest == 0 {
		return 0
	}
	return max(0, digits-1-int(math.Floor(math.Log10(largest))))
}

// labelDecimals returns the number of decimals of distances in labels: three digits for the largest, and at least a
// tenth.
func labelDecimals(km ...float64) int { return max(1, decimalsFor(3, km...)) }

// KmText writes a distance for a label, with three digits and at least a tenth of a km.
func KmText(km float64) string { return fmt.Sprintf("%.*f km", labelDecimals(km), km) }
