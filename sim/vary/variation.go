package vary

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"veilpath/planner/privacy"
)

// Variation is a setting that is drawn for every run.
type Variation struct {
	Key string // the setting, such as "vehicle.speed_km_s"; of a position, one coordinate: "target_km.east"
	Distribution
	Bounds // of the values that the setting allows
}

// Bounds are the ends of the allowed values of a setting. The zero value allows all.
type Bounds struct {
	Low, High        float64
	AboveLow, Within bool // Low, or High, is not allowed itself
}

// Allow reports whether a value lies between the bounds.
func (b Bounds) Allow(x float64) bool {
	return b == Bounds{} || x >= b.Low && x <= b.High && !(b.AboveLow && x == b.Low) && !(b.Within && x == b.High)
}

// String writes the bounds as an interval, such as (0, 100], with a round bracket at an end that is not allowed.
func (b Bounds) String() string {
	brackets := []byte("[]")
	if b.AboveLow {
		brackets[0] = '('
	}
	if b.Within {
		brackets[1] = ')'
	}
	return fmt.Sprintf("%c%g, %g%c", brackets[0], b.Low, b.High, brackets[1])
}

// ParseVariation reads a setting and its distribution, with = between them.
func ParseVariation(text string) (Variation, error) {
	key, distribution, found := strings.Cut(text, "=")
	v := Variation{Key: strings.TrimSpace(key)}
	if !found || v.Key == "" {
		return v, fmt.Errorf("vary: %q lacks its setting; want for example vehicle.speed_km_s=normal(1.7, 0.05)", text)
	}
	var err error
	v.Distribution, err = Parse(distribution)
	return v, err
}

// String returns the text that ParseVariation reads; it has no bounds.
func (v Variation) String() string { return v.Key + "=" + v.Distribution.String() }

// purpose separates these numbers from all other streams of a run.
const purpose = 0x76617279 // "vary"

// Has reports whether a setting is among those that vary.
func Has(varied []Variation, setting string) bool {
	return slices.ContainsFunc(varied, func(v Variation) bool { return v.Key == setting })
}

// Draw returns the value of a run, or an error if it is out of bounds.
func (v Variation) Draw(seed uint64, run int) (float64, error) {
	key := fnv.New64a()
	key.Write([]byte(v.Key))
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: seed, Run: uint64(run), Purpose: purpose, Cell: key.Sum64()})
	const least = 0x1p-54 // the quantile of 0 may be infinite
	x := v.Quantile(max(noise.Uniform(), least))
	if !v.Allow(x) {
		return x, fmt.Errorf("vary: run %d draws %s = %.6g from %s, outside %s", run, v.Key, x, v.Distribution, v.Bounds)
	}
	return x, nil
}
