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

// Request is a study as asked for.
type Request struct {
	Settings configs.Request
	Sweep    []record.Swept // keys of which every value is flown, see [ParseSweep]; the last varies fastest
	UntilKm  float64        // half-width at which every mean is known well enough; 0 for a fixed number of runs
	Part     Part           // of the study; the zero value is all of it
	// Trajectories is how many runs of every listed epsilon are kept step by step, the first ones.
	Trajectories int
	Curves       bool // whether the detection curve of every different flight of a range is kept
}

// Part is one of several equal parts of a study.
type Part struct{ Index, Of int } // Index from 1

// ParsePart reads i/n, such as 1/8.
func ParsePart(text string) (Part, error) {
	index, of, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return Part{}, mistake("{shard} %s: not a part; want i/n with i from 1 to n, such as 1/8", text)
	}
	return Part{Index: i, Of: n}, nil
}

// shard finds the slots that a part stands for; nil for all of them.
func (p Part) shard(slots int) (*record.Shard, error) {
	switch {
	case p == Part{}:
		return nil, nil
	case p.Index < 1 || p.Index > p.Of:
		return nil, mistake("part %d of %d: not a part; want one from 1 to %d", p.Index, p.Of, p.Of)
	case p.Of > slots:
		return nil, mistake("{shard} %d/%d: the study has only %s to share out; take at most that many parts", p.Index, p.Of,
			count(slots, "run"))
	}
	return record.NewShard(p.Index, p.Of, slots), nil
}

// ParseHalfWidth reads a half-width such as 0.5km, in km.
func ParseHalfWidth(text string) (float64, error) {
	km, err := configs.ParseNumber(strings.TrimSuffix(text, "km"))
	if err != nil || !(km > 0) || km > 1e5 {
		return 0, mistake("{until} %s: not a half-width; want a number of km above 0, such as 0.5km", text)
	}
	return km, nil
}

// workersKey is the one key that does not change what a study comes to.
const workersKey = "study.workers"

// only returns the assignments name=value of one name.
func only(assignments []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(assignments), func(assignment string) bool {
		assigned, _, _ := strings.Cut(assignment, "=")
		return strings.TrimSpace(assigned) != name
	})
}

// mostPoints bounds a sweep, whose points are all built before it starts.
const mostPoints = 10_000

// checkSweep refuses a sweep that is too large or names a key twice.
func checkSweep(sweep []record.Swept) error {
	points := 1
	for i, s := range sweep {
		if slices.ContainsFunc(sweep[:i], func(other record.Swept) bool { return other.Key == s.Key }) {
			return mistake("{sweep} %s: the key is swept twice; give each once", s.Key)
		}
		if points *= len(s.Values); points > mostPoints {
			return mistake("{sweep}: more than %d points; sweep fewer values", mostPoints)
		}
	}
	return nil
}

// ParseSweep reads key=start:stop:step or key=a,b,c, where elements may be lists in brackets.
func ParseSweep(text string) (record.Swept, error) {
	key, values, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if !ok || strings.TrimSpace(values) == "" {
		return record.Swept{}, mistake("{sweep} %s: no values; want key=start:stop:step or key=a,b,c", text)
	}
	field, err := sweptField(key)
	if err != nil {
		return record.Swept{}, mistake("{sweep} %s: %w", key, err)
	}
	texts, err := sweptTexts(values)
	if err != nil {
		return record.Swept{}, mistake("{sweep} %s: %w", key, err)
	}
	s := record.Swept{Key: key, Unit: field.Unit}
	for i, v := range texts {
		if v == "" {
			return record.Swept{}, mistake("{sweep} %s: value %d is missing; want key=start:stop:step or key=a,b,c", key, i+1)
		}
		typed, err := field.Value(v, "sweep")
		if err != nil {
			return record.Swept{}, err
		}
		if slices.Contains(s.Values, typed) {
			return record.Swept{}, mistake("{sweep} %s: holds %s twice; give each value once", key, v)
		}
		s.Values = append(s.Values, typed)
	}
	uniform(s.Values)
	return s, nil
}

// SweepObservers is the sweep in which several observers watch the same flights.
func SweepObservers(names []string) record.Swept {
	s := record.Swept{Key: "adversary.observer"}
	for _, name := range names {
		s.Values = append(s.Values, name)
	}
	return s
}

// sweptField describes a key, and refuses one that cannot tell a point of a sweep from another.
func sweptField(key string) (configs.Field, error) {
	field, known := configs.Lookup(key)
	near := configs.Nearest(key)
	switch {
	case !known && near != "":
		return field, fmt.Errorf("unknown key; did you mean %s?", near)
	case !known:
		return field, fmt.Errorf("unknown key; veilpath config show lists the keys")
	case key == "privacy.epsilon" || key == "study.epsilons":
		return field, option.Errorf("every point flies all epsilons of the study; name them with {epsilons}")
	case field.Group() == "study":
		return field, option.Errorf("it is the same at every point; set it with {set} %s=VALUE", key)
	case key == "planner.rewards":
		return field, option.Errorf("a sweep is recorded by its values, which leaves out what a file holds; fly one study "+
			"for each with {set} %s=FILE", key)
	case field.Unhashed:
		return field, option.Errorf("no flight depends on it; veilpath design and veilpath reproduce do: set it there with "+
			"{set} %s=VALUE", key)
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
		values[i] = table.Text(v)
	}
}

// sweptTexts lists the values of a range or of a list.
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
