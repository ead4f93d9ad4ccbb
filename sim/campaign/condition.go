package campaign

import (
	"fmt"
	"math"
	"strings"

	"veilpath/configs"
	"veilpath/sim/study"
)

// Condition is a condition on differences: mean_km>+1, cost_of_privacy>+5% (of A), |median_km|>=2.
type Condition struct {
	Text     string
	Name     string // of the quantity
	Absolute bool   // compares the absolute difference
	Below    bool   // the difference must be below the limit, not above
	Equal    bool   // the limit itself meets the condition
	Limit    float64
	Relative bool // the limit is a share of |A|
}

// ParseCondition parses NAME>NUMBER, with one of > >= < <=. |NAME| is the absolute difference; a NUMBER with % is
// a share of A.
func ParseCondition(text string) (Condition, error) {
	c := Condition{Text: text}
	wrong := func() (Condition, error) {
		return c, RequestErrorf(
			"%q is not a condition; want one such as 'mean_km>+1', 'cost_of_privacy>+5%%' or '|median_km|>=2'",
			text)
	}
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return wrong()
	}
	c.Below = text[at] == '<'
	limit, equal := strings.CutPrefix(text[at+1:], "=")
	c.Equal = equal
	c.Name = strings.TrimSpace(text[:at])
	if inner, opened := strings.CutPrefix(c.Name, "|"); opened {
		name, closed := strings.CutSuffix(inner, "|")
		if !closed {
			return wrong()
		}
		c.Name, c.Absolute = strings.TrimSpace(name), true
	}
	limit, c.Relative = strings.CutSuffix(strings.TrimSpace(limit), "%")
	value, err := configs.ParseNumber(strings.TrimPrefix(strings.TrimSpace(limit), "+"))
	if err != nil || c.Name == "" {
		return wrong()
	}
	c.Limit = value
	if c.Relative {
		c.Limit /= 100
	}
	return c, nil
}

// ParseConditions parses several conditions.
func ParseConditions(texts []string) ([]Condition, error) {
	var all []Condition
	for _, text := range texts {
		c, err := ParseCondition(text)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Met reports whether the difference of a contrast meets the condition, or with sure whether its whole interval
// does. NaN meets no condition.
func (c Condition) Met(d *study.Contrast, sure bool) bool {
	low, high := d.Difference, d.Difference
	if sure {
		low, high = d.Low, d.High
	}
	if c.Absolute {
		if low <= 0 && high >= 0 {
			low, high = 0, max(-low, high)
		} else {
			low, high = min(math.Abs(low), math.Abs(high)), max(math.Abs(low), math.Abs(high))
		}
	}
	limit := c.Limit
	if c.Relative {
		limit *= math.Abs(d.A)
	}
	switch {
	case c.Below && c.Equal:
		return high <= limit
	case c.Below:
		return high < limit
	case c.Equal:
		return low >= limit
	}
	return low > limit
}

// Failed returns a sentence with the conditions that are met, and where first. It is empty if none is met. An
// unknown quantity is an error.
func (c *Comparison) Failed(conditions []Condition, sure bool) (string, error) {
	var said []string
	for _, condition := range conditions {
		met, unknown, first := 0, 0, ""
		if err := c.knows(condition); err != nil {
			return "", err
		}
		for i := range c.Places {
			for k := range c.Places[i].Contrasts {
				d := &c.Places[i].Contrasts[k]
				if d.Name == condition.Name && sure && math.IsNaN(d.Low) {
					unknown++
				}
				if d.Name != condition.Name || !condition.Met(d, sure) {
					continue
				}
				if met++; met == 1 {
					first = fmt.Sprintf("%s: %s went from %.6g to %.6g, %+.3g", c.Places[i].Name(), d.Name, d.A, d.B, d.Difference)
				}
			}
		}
		if unknown == len(c.Places) {
			return "", RequestErrorf("{fail-if} %s: %s has no interval at %s, so {sure} can never hold; leave "+
				"it out",
				condition.Text, condition.Name, c.count(unknown))
		}
		if met > 0 {
			said = append(said, fmt.Sprintf("%s holds at %s, first at %s", condition.Text, c.count(met), first))
		}
	}
	return strings.Join(said, "; "), nil
}

// knows returns an error unless the quantity of a condition is compared.
func (c *Comparison) knows(condition Condition) error {
	var names []string
	for _, d := range c.Places[0].Contrasts {
		if d.Name == condition.Name {
			return nil
		}
		names = append(names, d.Name)
	}
	hint := "there are " + strings.Join(names, ", ")
	if near := configs.NearestOf(condition.Name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return RequestErrorf("{fail-if} %s: no quantity is called %q; %s", condition.Text, condition.Name, hint)
}
