package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/sim/leak"
)

// ParseEpsilonsOrNone parses epsilons, start:stop:step or a list, in which none means no noise.
func ParseEpsilonsOrNone(list string) ([]float64, error) {
	items := strings.Split(list, ",")
	numbers := slices.DeleteFunc(slices.Clone(items),
		func(item string) bool { return strings.TrimSpace(item) == "none" })
	var epsilons []float64
	if len(numbers) > 0 {
		var err error
		if epsilons, err = configs.ParseRange(strings.Join(numbers, ",")); err != nil {
			return nil, err
		}
	}
	for _, e := range epsilons {
		if !(e >= 1e-9 && e <= 1e9) {
			return nil, fmt.Errorf("%v is out of range; want numbers from 1e-9 to 1e9, or none for no noise", e)
		}
	}
	if len(numbers) < len(items) {
		epsilons = append(epsilons, leak.Unprivate)
	}
	return epsilons, nil
}

// ParseKilometres parses nonnegative distances, with or without a unit: a list, or start:stop:step.
func ParseKilometres(list string) ([]float64, error) {
	values, err := configs.ParseRange(strings.ReplaceAll(list, "km", ""))
	if wrong := (*configs.Error)(nil); errors.As(err, &wrong) {
		wrong.Allowed, wrong.Fix = "distances in km, a list or start:stop:step", "write for example 50km or 25,50"
	}
	if err != nil {
		return nil, err
	}
	const most = 1e6
	for _, v := range values {
		if !(v >= 0 && v <= most) {
			return nil, fmt.Errorf("%v km is out of range; want 0 to %g km", v, most)
		}
	}
	return values, nil
}

// RemarkBeyond remarks that a requested distance is farther than that from the start to the target, and what follows.
func (p *Program) RemarkBeyond(km float64, so string, c configs.Config) {
	if direct := c.DirectKm(); km > direct {
		p.Remarkf("warning: %g km is farther than the %.4g km from the start to the target, %s", km, direct, so)
	}
}

// ParseShare parses a share above 0, such as 5% or 0.05.
func ParseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := configs.ParseNumber(number)
	if percent {
		share /= 100
	}
	if err != nil || !(share > 0) {
		return 0, errors.New("want a share above 0, such as 5% or 0.05")
	}
	if share > 1 && !percent {
		return 0, fmt.Errorf("this is more than the whole value; did you mean %g%%? Otherwise write %g%%", share,
			100*share)
	}
	return share, nil
}

// ParseHalfWidth parses a half-width in km, such as 0.5km.
func ParseHalfWidth(text string) (float64, error) {
	km, err := configs.ParseNumber(strings.TrimSuffix(text, "km"))
	if err != nil || !(km > 0) || km > 1e5 {
		return 0, RequestErrorf("{until} %s is not a half-width; want a number of km above 0, such as 0.5km", text)
	}
	return km, nil
}
