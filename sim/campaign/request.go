package campaign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// Request is the request for a study.
type Request struct {
	Settings configs.Request
	Sweep    []record.Swept // swept keys, see [ParseSweep]; the last varies fastest
	UntilKm  float64        // requested half-width of every mean; 0 for a fixed number of runs
	Part     Part           // part of the study; the zero value is the whole
	// Trajectories is the number of runs of every listed epsilon, from run 0, that are stored step by step.
	Trajectories int
}

// Part is one of several equal parts of a study.
type Part struct{ Index, Of int } // Index from 1

// ParsePart parses i/n, such as 1/8.
func ParsePart(text string) (Part, error) {
	index, of, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return Part{}, RequestErrorf("{shard} %s is not a part; want i/n with i from 1 to n, such as 1/8", text)
	}
	return Part{Index: i, Of: n}, nil
}

// Check returns an error for a part that is none of a study with some runs over all points.
func (p Part) Check(runs int) error {
	switch {
	case p == Part{}:
	case p.Index < 1 || p.Index > p.Of:
		return RequestErrorf("part %d of %d is not a part; want one from 1 to %d", p.Index, p.Of, p.Of)
	case p.Of > runs:
		return RequestErrorf("{shard} %d/%d: the study has only %s; use at most that many parts", p.Index, p.Of,
			table.Count(runs, "run"))
	}
	return nil
}

// workersKey is the only key that does not change results.
const workersKey = "study.workers"

// only returns the assignments name=value with one name.
func only(assignments []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(assignments), func(assignment string) bool {
		assigned, _, _ := strings.Cut(assignment, "=")
		return strings.TrimSpace(assigned) != name
	})
}

// mostPoints is the maximum number of points of a sweep, which are all built before it starts.
const mostPoints = 10_000

// checkSweep returns an error for a sweep that is too large or has a key twice.
func checkSweep(sweep []record.Swept, varied configs.Varied) error {
	points := 1
	for i, s := range sweep {
		if slices.ContainsFunc(sweep[:i], func(other record.Swept) bool { return other.Key == s.Key }) {
			return RequestErrorf("{sweep} %s: the key is swept twice; give each once", s.Key)
		}
		for _, v := range varied {
			if v.Key == s.Key || strings.HasPrefix(v.Key, s.Key+".") {
				return RequestErrorf("{sweep} %s: the setting varies from run to run; leave one of both out", s.Key)
			}
		}
		if points *= len(s.Values); points > mostPoints {
			return RequestErrorf("{sweep}: more than %d points; sweep fewer values", mostPoints)
		}
	}
	return nil
}

// ParseSweep parses key=start:stop:step or key=a,b,c, whose elements may be lists in brackets.
func ParseSweep(text string) (record.Swept, error) {
	key, values, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if !ok || strings.TrimSpace(values) == "" {
		return record.Swept{}, RequestErrorf("{sweep} %s: no values; want key=start:stop:step or key=a,b,c", text)
	}
	field, err := sweptField(key)
	if err != nil {
		return record.Swept{}, RequestErrorf("{sweep} %s: %w", key, err)
	}
	texts, err := sweptTexts(values)
	if err != nil {
		return record.Swept{}, RequestErrorf("{sweep} %s: %w", key, err)
	}
	s := record.Swept{Key: key, Unit: field.Unit}
	for i, v := range texts {
		if v == "" {
			return record.Swept{}, RequestErrorf("{sweep} %s: value %d is missing; want key=start:stop:step or key=a,b,c",
				key, i+1)
		}
		typed, err := field.Value(v, "sweep")
		if err != nil {
			return record.Swept{}, err
		}
		if slices.Contains(s.Values, typed) {
			return record.Swept{}, RequestErrorf("{sweep} %s: value %s is given twice; give each value once", key, v)
		}
		s.Values = append(s.Values, typed)
	}
	uniform(s.Values)
	return s, nil
}

// SweepObservers returns the sweep of several observers that watch the same flights.
func SweepObservers(names []string) record.Swept {
	s := record.Swept{Key: "adversary.observer"}
	for _, name := range names {
		s.Values = append(s.Values, name)
	}
	return s
}

// sweptField returns the field of a key, or an error for a key that cannot be swept.
func sweptField(key string) (configs.Field, error) {
	field, known := configs.Lookup(key)
	switch {
	case !known:
		return field, fmt.Errorf("unknown key; %s", configs.Suggest(configs.Nearest(key),
			"veilpath config show lists the keys"))
	case key == "privacy.epsilon" || key == "study.epsilons":
		return field, option.Errorf("every point flies all epsilons of the study; name them with {epsilons}")
	case field.Group() == "study":
		return field, option.Errorf("it is the same at every point; set it with {set} %s=VALUE", key)
	case key == "planner.rewards":
		return field, option.Errorf("a manifest records the values of a sweep, but not the contents of files; fly one "+
			"study for each with {set} %s=FILE", key)
	case field.Unhashed:
		return field, option.Errorf("flights do not depend on it, only veilpath design and veilpath reproduce do: set "+
			"it there with {set} %s=VALUE", key)
	}
	return field, nil
}

// uniform gives all values one type, as in a column: text unless all are numbers.
func uniform(values []any) {
	isText := func(v any) bool { _, ok := v.(string); return ok }
	if !slices.ContainsFunc(values, isText) {
		return
	}
	for i, v := range values {
		values[i] = table.Text(v)
	}
}

// sweptTexts returns the values of a range or list.
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
