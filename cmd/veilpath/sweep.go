package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
	"veilpath/sim/record"
)

// mostPoints bounds a sweep, whose points are all built before it starts.
const mostPoints = 10_000

// sweepPoints reads every --sweep key=values and loads the settings of every point, the last key
// varying fastest. Without a sweep the base is the one point.
func sweepPoints(base *configs.Loaded, request configs.Request, sweeps []string) ([]record.Swept, []*configs.Loaded, error) {
	var sweep []record.Swept
	points := 1
	for _, text := range sweeps {
		s, err := parseSweep(text)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(sweep, func(other record.Swept) bool { return other.Key == s.Key }) {
			return nil, nil, usageError{fmt.Errorf("--sweep %s: the key is swept twice; give each once", s.Key)}
		}
		sweep = append(sweep, s)
		if points *= len(s.Values); points > mostPoints {
			return nil, nil, usageError{fmt.Errorf("--sweep: more than %d points; sweep fewer values", mostPoints)}
		}
	}
	loaded, err := loadPoints(base, request, sweep)
	return sweep, loaded, err
}

// loadPoints loads the settings of every point of a sweep.
func loadPoints(base *configs.Loaded, request configs.Request, sweep []record.Swept) ([]*configs.Loaded, error) {
	if len(sweep) == 0 {
		return []*configs.Loaded{base}, nil
	}
	n := 1
	for _, s := range sweep {
		n *= len(s.Values)
	}
	points := make([]*configs.Loaded, n)
	for i := range points {
		r := request
		r.Overrides = slices.Clone(request.Overrides)
		for k, v := range record.PointValues(sweep, i) {
			r.Overrides = slices.DeleteFunc(r.Overrides, func(o configs.Override) bool { return o.Key == sweep[k].Key })
			r.Overrides = append(r.Overrides, configs.Override{Key: sweep[k].Key, Flag: "--sweep", Value: record.SweptText(v)})
		}
		var err error
		if points[i], err = configs.Load(r); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// parseSweep reads key=start:stop:step or key=a,b,c.
func parseSweep(text string) (record.Swept, error) {
	key, values, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if !ok || strings.TrimSpace(values) == "" {
		return record.Swept{}, usageError{fmt.Errorf("--sweep %s: no values; want key=start:stop:step or key=a,b,c", text)}
	}
	field, err := sweptField(key)
	if err != nil {
		return record.Swept{}, usageError{fmt.Errorf("--sweep %s: %w", key, err)}
	}
	texts, err := sweptTexts(values)
	if err != nil {
		return record.Swept{}, usageError{fmt.Errorf("--sweep %s: %w", key, err)}
	}
	s := record.Swept{Key: key, Unit: field.Unit}
	for i, v := range texts {
		if v == "" {
			return record.Swept{}, usageError{fmt.Errorf("--sweep %s: value %d is missing; want key=start:stop:step or key=a,b,c", key, i+1)}
		}
		typed, err := field.Value(v, "--sweep")
		if err != nil {
			return record.Swept{}, err
		}
		if slices.Contains(s.Values, typed) {
			return record.Swept{}, usageError{fmt.Errorf("--sweep %s: holds %s twice; give each value once", key, v)}
		}
		s.Values = append(s.Values, typed)
	}
	uniform(s.Values)
	return s, nil
}

// sweptField describes a key, and refuses one that cannot tell a point of a sweep from another.
func sweptField(key string) (configs.Field, error) {
	field, known := configs.Lookup(key)
	switch {
	case !known:
		return field, fmt.Errorf("unknown key; %s", meant(configs.Nearest(key), "veilpath config show lists the keys"))
	case key == "privacy.epsilon" || key == "study.epsilons":
		return field, errors.New("every point flies all epsilons of the study; name them with --epsilons")
	case field.Group() == "study":
		return field, fmt.Errorf("it is the same at every point; set it with --set %s=VALUE", key)
	case field.Indifferent:
		return field, fmt.Errorf("no flight depends on it; veilpath design and veilpath reproduce do: set it there with --set %s=VALUE", key)
	}
	return field, nil
}

// uniform makes values of one type, as a column has: text where not all are numbers.
func uniform(values []any) {
	isText := func(v any) bool { _, ok := v.(string); return ok }
	if !slices.ContainsFunc(values, isText) {
		return
	}
	for i, v := range values {
		values[i] = record.SweptText(v)
	}
}

// sweptTexts lists the values of a range or of a list, whose elements may be lists in brackets.
func sweptTexts(text string) ([]string, error) {
	if strings.Contains(text, ":") {
		values, err := configs.ParseRange(text)
		if err != nil {
			return nil, err
		}
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		return texts, nil
	}
	var texts []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth == 0:
			texts = append(texts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(texts, strings.TrimSpace(text[start:])), nil
}

// differentKey returns the first key, in alphabetical order, that two recorded configurations disagree on.
func differentKey(was, is json.RawMessage) (key, before, now string) {
	a, b := flatten(was), flatten(is)
	keys := make([]string, 0, len(a))
	for k := range a {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if a[k] != b[k] {
			return k, a[k], b[k]
		}
	}
	return "", "", ""
}

// flatten returns the values of a configuration in JSON by key.
func flatten(text json.RawMessage) map[string]string {
	var tree map[string]json.RawMessage
	flat := map[string]string{}
	if json.Unmarshal(text, &tree) != nil {
		return flat
	}
	for name, raw := range tree {
		var group map[string]any
		if json.Unmarshal(raw, &group) != nil {
			var v any
			if json.Unmarshal(raw, &v) == nil {
				flat[name] = fmt.Sprint(v)
			}
			continue
		}
		for k, v := range group {
			flat[name+"."+k] = fmt.Sprint(v)
		}
	}
	return flat
}
