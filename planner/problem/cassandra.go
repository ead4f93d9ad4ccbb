package problem

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostCassandra limits the states x actions and the entries of a file in Cassandra's grammar, which is made for
// small problems.
const mostCassandra = 1 << 23

// readCassandra reads Cassandra's grammar of MDPs and POMDPs. It drops the observations of a POMDP: its states
// are planned for as if they were observed. Costs become negative rewards.
func readCassandra(open Open, path string) (*Problem, error) {
	t, err := openText(open, path)
	if err != nil {
		return nil, err
	}
	defer t.close()
	c := &cassandra{text: t, sign: 1, states: Numbered(0), actions: Numbered(0)}
	if err := c.read(); err != nil {
		return nil, err
	}
	return c.problem()
}

// cassandra reads one file.
type cassandra struct {
	*text
	words []word // remaining words of the line
	ended bool

	discount        float64
	sign            float64 // of rewards
	states, actions Names
	observations    Names
	observed        bool
	start           int
	remarks         []string

	chances  []map[int32]float64 // by action*states + state
	lines    []int32             // line of the last assignment to each
	base     []float64           // reward for any next state
	specific []map[int32]float64 // reward by next state; overrides base
	entries  int
	halted   []int // states that a comment declares terminal
}

// terminalComment begins a comment that lists terminal states by number; the grammar itself has no terminal
// states.
const terminalComment = "# veilpath: terminal"

func (c *cassandra) read() error {
	for {
		keyword, err := c.take()
		line := c.line
		if err != nil || keyword == "" {
			return err
		}
		included := ""
		if next, err := c.peek(0); err == nil && keyword == "start" && (next == "include" || next == "exclude") {
			included, _ = c.take()
		}
		if err := c.colon(keyword); err != nil {
			return err
		}
		switch keyword {
		case "T", "R", "O":
			err = c.matrix(keyword)
		default:
			var list []string
			if list, err = c.list(); err == nil {
				err = c.parameter(line, keyword, included, list)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (c *cassandra) parameter(line int, keyword, included string, list []string) error {
	one := strings.Join(list, " ")
	switch keyword {
	case "discount":
		x, ok := parseFloat([]byte(one))
		if !ok || !(x > 0 && x <= 1) {
			return c.wrong(line, "discount %q; want a number above 0 and below 1", one)
		}
		if x == 1 {
			c.remarks = append(c.remarks, "a discount of 1 is ignored: values would be infinite in general")
			x = 0
		}
		c.discount = x
	case "values":
		switch one {
		case "reward":
		case "cost":
			c.sign = -1
			c.remarks = append(c.remarks, "costs become negative rewards")
		default:
			return c.wrong(line, "values %q; want reward or cost", one)
		}
	case "states":
		return c.names(line, keyword, list, &c.states)
	case "actions":
		return c.names(line, keyword, list, &c.actions)
	case "observations":
		c.observed = true
		c.remarks = append(c.remarks, "observations are ignored: states are planned for as if they were observed")
		return c.names(line, keyword, list, &c.observations)
	case "start":
		return c.starts(line, included, list)
	default:
		return c.wrong(line, "%q is not part of the grammar; want discount, values, states, actions, "+
			"observations, start, T, O or R", keyword)
	}
	return nil
}

func (c *cassandra) names(line int, keyword string, list []string, to *Names) error {
	if len(list) == 0 {
		return c.wrong(line, "no %s; want their number or their names", keyword)
	}
	if to.count > 0 {
		return c.wrong(line, "%s twice", keyword)
	}
	if n, ok := parseNumber([]byte(list[0])); ok && len(list) == 1 {
		if n < 1 || n > mostCassandra {
			return c.wrong(line, "%d %s; want from 1 to %d", n, keyword, mostCassandra)
		}
		*to = Numbered(n)
	} else {
		seen := map[string]bool{}
		for _, name := range list {
			if seen[name] || name == "*" || name == ":" {
				return c.wrong(line, "%s: name %q; want every name once, without * and colons", keyword, name)
			}
			seen[name] = true
		}
		*to = Named(list)
	}
	if c.states.count == 0 || c.actions.count == 0 {
		return nil
	}
	rows := c.states.count * c.actions.count
	if c.states.count > mostCassandra/c.actions.count {
		return c.wrong(line, "%d states x %d actions are more than %d; write them as .tra or .parquet", c.states.count,
			c.actions.count, mostCassandra)
	}
	c.chances, c.specific = make([]map[int32]float64, rows), make([]map[int32]float64, rows)
	c.lines, c.base = make([]int32, rows), make([]float64, rows)
	return nil
}

// starts reads the start state. Costs are reported for a single state.
func (c *cassandra) starts(line int, included string, list []string) error {
	if c.states.count == 0 {
		return c.wrong(line, "start before states; name the states first")
	}
	if included == "" && len(list) == 1 && list[0] != "uniform" {
		n, err := c.find(c.states, list[0])
		if err != nil {
			return c.wrong(line, "start: %v", err)
		}
		c.start = n
		return nil
	}
	if included == "" && len(list) == c.states.count {
		likely := 0
		for s := len(list) - 1; s >= 0; s-- {
			p, ok := parseFloat([]byte(list[s]))
			if !ok {
				return c.wrong(line, "start: %q; want a probability", list[s])
			}
			if p > 0 {
				c.start = s
				likely++
			}
		}
		if likely == 1 {
			return nil
		}
	} else if len(list) == 0 {
		return c.wrong(line, "start: want a state")
	}
	c.remarks = append(c.remarks,
		"the distribution of starts is ignored: costs are reported for state "+c.states.Of(c.start))
	return nil
}

// find returns a state or an action by its name, or its number.
func (c *cassandra) find(names Names, name string) (int, error) {
	for i := range names.list {
		if names.list[i] == name {
			return i, nil
		}
	}
	if n, ok := parseNumber([]byte(name)); ok && n < names.count {
		return n, nil
	}
	return 0, fmt.Errorf("there is no %q; want a name or a number from 0 to %d", name, names.count-1)
}

// span returns the range that a word means: one index, or all for an asterisk.
func (c *cassandra) span(names Names, what string) (from, to int, err error) {
	line := c.at()
	text, err := c.take()
	if err != nil {
		return 0, 0, err
	}
	if text == "*" {
		return 0, names.count, nil
	}
	n, err := c.find(names, text)
	if err != nil {
		return 0, 0, c.wrong(line, "%s: %v", what, err)
	}
	return n, n + 1, nil
}

// more reports whether a colon and another index follow, and consumes the colon.
func (c *cassandra) more() (bool, error) {
	text, err := c.peek(0)
	if err != nil || text != ":" {
		return false, err
	}
	_, err = c.take()
	return true, err
}

// numbers reads count numbers.
func (c *cassandra) numbers(count int, probability bool) ([]float64, error) {
	if count > mostCassandra {
		return nil, c.wrong(c.at(), "a matrix of %d numbers; write such a large problem as .tra or .parquet", count)
	}
	list := make([]float64, 0, min(count, 1<<12))
	for range count {
		line := c.at()
		text, err := c.take()
		if err != nil {
			return nil, err
		}
		x, ok := parseFloat([]byte(strings.TrimPrefix(text, "+")))
		if !ok || probability && x < 0 {
			return nil, c.wrong(line, "%q is number %d of %d; want a number", text, len(list)+1, count)
		}
		list = append(list, x)
	}
	return list, nil
}

func (c *cassandra) problem() (*Problem, error) {
	if c.chances == nil {
		return nil, fmt.Errorf("%s: no states and actions; want states: and actions: at the beginning", c.path)
	}
	r := newRows(c.path)
	for s := range c.states.count {
		for a := range c.actions.count {
			row := a*c.states.count + s
			if len(c.chances[row]) == 0 {
				return nil, fmt.Errorf("%s: state %s, action %s: no transitions (T), which sum to 0; want 1 within %g", c.path,
					c.states.Of(s), c.actions.Of(a), rowTolerance)
			}
			for _, y := range slices.Sorted(maps.Keys(c.chances[row])) {
				reward, known := c.specific[row][y]
				if !known {
					reward = c.base[row]
				}
				r.add(s, a, int(y), c.chances[row][y], c.sign*reward+0, int(c.lines[row]))
			}
		}
	}
	p, err := r.problem(c.states, c.actions)
	if err != nil {
		return nil, err
	}
	p.Discount, p.Start = c.discount, c.start
	for _, s := range c.halted {
		if s >= c.states.count {
			return nil, fmt.Errorf("%s: terminal state %d is outside 0..%d", c.path, s, c.states.count-1)
		}
	}
	if err := p.addTerminal(c.path, c.halted); err != nil {
		return nil, err
	}
	for _, remark := range c.remarks {
		p.Remarks = append(p.Remarks, c.path+": "+remark)
	}
	return p, nil
}
