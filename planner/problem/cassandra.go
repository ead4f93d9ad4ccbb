package problem

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// mostCassandra bounds the states x actions and the entries of a file in Cassandra's grammar, which is a language
// for small problems.
const mostCassandra = 1 << 23

// readCassandra reads Cassandra's grammar of MDPs and POMDPs. Of a POMDP the observations are left out: its states
// are planned for as if they were seen. Costs become negative rewards.
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
	words []word // of the line, from the next one on
	ended bool

	discount        float64
	sign            float64 // of rewards
	states, actions Names
	observations    Names
	observed        bool
	start           int
	remarks         []string

	chances  []map[int32]float64 // by action*states + state
	lines    []int32             // where each was set last
	base     []float64           // reward whatever the next state
	specific []map[int32]float64 // reward by the next state, before base
	entries  int
	halted   []int // states that a comment calls terminal
}

// terminalComment begins a comment that lists terminal states by number, which the grammar has no word for.
const terminalComment = "# veilpath: terminal"

// word is a token: a name, a number, a colon or an asterisk.
type word struct {
	text string
	line int
}

// peek returns a word ahead; "" at the end.
func (c *cassandra) peek(ahead int) (string, error) {
	for len(c.words) <= ahead && !c.ended {
		line, err := c.next()
		if err == io.EOF {
			c.ended = true
			break
		}
		if err != nil {
			return "", err
		}
		if list, ok := bytes.CutPrefix(line, []byte(terminalComment)); ok {
			for _, field := range bytes.Fields(list) {
				if s, ok := parseNumber(field); ok {
					c.halted = append(c.halted, s)
				}
			}
		}
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		if len(c.words)+len(line) > 2*longestLine {
			return "", c.fail("too long a list")
		}
		for _, field := range strings.Fields(strings.ReplaceAll(string(line), ":", " : ")) {
			c.words = append(c.words, word{field, c.line})
		}
	}
	if len(c.words) <= ahead {
		return "", nil
	}
	return c.words[ahead].text, nil
}

func (c *cassandra) take() (string, error) {
	text, err := c.peek(0)
	if err == nil && text != "" {
		c.line = max(c.words[0].line, 1)
		c.words = c.words[1:]
	}
	return text, err
}

// wrong is an error about the line of a word.
func (c *cassandra) wrong(line int, problem string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", c.path, line, fmt.Sprintf(problem, args...))
}

// at is the line of the next word.
func (c *cassandra) at() int {
	if len(c.words) > 0 {
		return c.words[0].line
	}
	return c.line
}

func (c *cassandra) colon(after string) error {
	line := c.at()
	text, err := c.take()
	if err == nil && text != ":" {
		err = c.wrong(line, "%q after %s; want a colon", text, after)
	}
	return err
}

// section reports whether a new one begins: a keyword and a colon.
func (c *cassandra) section() (bool, error) {
	first, err := c.peek(0)
	if err != nil || first == "" {
		return first == "", err
	}
	second, err := c.peek(1)
	if first == "start" && (second == "include" || second == "exclude") {
		return true, err
	}
	if second != ":" {
		return false, err
	}
	switch first {
	case "discount", "values", "states", "actions", "observations", "start", "T", "O", "R":
		return true, err
	}
	return false, err
}

// list reads words up to the next section.
func (c *cassandra) list() (list []string, err error) {
	for {
		ends, err := c.section()
		if err != nil || ends {
			return list, err
		}
		text, err := c.take()
		if err != nil {
			return nil, err
		}
		if list = append(list, text); len(list) > mostCassandra {
			return nil, c.fail("a list of more than %d words", mostCassandra)
		}
	}
}

func (c *cassandra) read() error {
	for {
		line := c.at()
		keyword, err := c.take()
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
			c.remarks = append(c.remarks, "the discount of 1 has no finite value in general and is left out")
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
		c.remarks = append(c.remarks, "observations are left out: states are planned for as if they were seen")
		return c.names(line, keyword, list, &c.observations)
	case "start":
		return c.starts(line, included, list)
	default:
		return c.wrong(line, "%q is no part of the grammar; want discount, values, states, actions, observations, start, T, O or R", keyword)
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
		return c.wrong(line, "%d states x %d actions are more than %d; write them into .tra or .parquet", c.states.count, c.actions.count, mostCassandra)
	}
	c.chances, c.specific = make([]map[int32]float64, rows), make([]map[int32]float64, rows)
	c.lines, c.base = make([]int32, rows), make([]float64, rows)
	return nil
}

// starts reads where the process starts. Costs are told in one state.
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
		return c.wrong(line, "start: nothing follows")
	}
	c.remarks = append(c.remarks, "the distribution of starts is left out: costs are told in state "+c.states.Of(c.start))
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

// span is those that a word stands for: one, or all for an asterisk.
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

// more reports whether a colon and another index follow, and takes the colon.
func (c *cassandra) more() (bool, error) {
	text, err := c.peek(0)
	if err != nil || text != ":" {
		return false, err
	}
	_, err = c.take()
	return true, err
}

// numbers reads so many numbers.
func (c *cassandra) numbers(count int, probability bool) ([]float64, error) {
	if count > mostCassandra {
		return nil, c.wrong(c.at(), "a matrix of %d numbers; write so large a problem into .tra or .parquet", count)
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

// matrix reads what follows T:, O: or R:.
func (c *cassandra) matrix(keyword string) error {
	line := c.at()
	if c.chances == nil {
		return c.wrong(line, "%s before states and actions; name them first", keyword)
	}
	a0, a1, err := c.span(c.actions, "action")
	if err != nil {
		return err
	}
	indices := [3][2]int{}
	names := [3]Names{c.states, c.states, c.observations}
	whats := [3]string{"state", "next state", "observation"}
	if keyword == "O" {
		names[1], whats = c.observations, [3]string{"next state", "observation", ""}
	}
	depth := 0
	for ; depth < 3; depth++ {
		follows, err := c.more()
		if err != nil {
			return err
		}
		if !follows {
			break
		}
		if !c.observed && (depth == 2 || keyword == "O" && depth == 1) {
			if text, err := c.take(); err != nil || text != "*" {
				return c.wrong(line, "observation %q where none are declared", text)
			}
			continue
		}
		if depth == 2 && keyword != "R" {
			return c.wrong(line, "%s has an index too many", keyword)
		}
		if indices[depth][0], indices[depth][1], err = c.span(names[depth], whats[depth]); err != nil {
			return err
		}
	}
	switch keyword {
	case "T":
		return c.transition(line, a0, a1, indices, depth)
	case "R":
		return c.reward(line, a0, a1, indices, depth)
	}
	return c.observation(depth)
}

// observation skips the numbers of O.
func (c *cassandra) observation(depth int) error {
	if text, err := c.peek(0); err != nil || text == "uniform" {
		if err == nil {
			_, err = c.take()
		}
		return err
	}
	count := 1
	if depth < 2 {
		count *= max(c.observations.count, 1)
	}
	if depth < 1 {
		count *= c.states.count
	}
	_, err := c.numbers(count, true)
	return err
}

func (c *cassandra) transition(line, a0, a1 int, at [3][2]int, depth int) error {
	n := c.states.count
	text, err := c.peek(0)
	if err != nil {
		return err
	}
	s0, s1 := 0, n
	if depth > 0 {
		s0, s1 = at[0][0], at[0][1]
	}
	row := func(s int) []float64 { return nil }
	switch {
	case depth == 2:
		p, err := c.numbers(1, true)
		if err != nil {
			return err
		}
		return c.eachRow(line, a0, a1, s0, s1, func(row, _ int) {
			if c.chances[row] == nil {
				c.chances[row] = map[int32]float64{}
			}
			for y := at[1][0]; y < at[1][1]; y++ {
				c.entries++
				c.chances[row][int32(y)] = p[0]
			}
		}, at[1][1]-at[1][0])
	case text == "reset":
		return c.wrong(line, "reset is not known; write the transitions to the start")
	case text == "identity" && depth == 0:
		_, err = c.take()
		if err == nil {
			err = c.eachRow(line, a0, a1, s0, s1, func(row, s int) { c.chances[row] = map[int32]float64{int32(s): 1} }, 1)
		}
		return err
	case text == "uniform":
		if _, err := c.take(); err != nil {
			return err
		}
		uniform := slices.Repeat([]float64{1 / float64(n)}, n)
		row = func(int) []float64 { return uniform }
	case depth == 0:
		all, err := c.numbers(n*n, true)
		if err != nil {
			return err
		}
		row = func(s int) []float64 { return all[s*n : (s+1)*n] }
	default:
		one, err := c.numbers(n, true)
		if err != nil {
			return err
		}
		row = func(int) []float64 { return one }
	}
	return c.eachRow(line, a0, a1, s0, s1, func(at, s int) {
		c.chances[at] = map[int32]float64{}
		for y, p := range row(s) {
			if p != 0 {
				c.entries++
				c.chances[at][int32(y)] = p
			}
		}
	}, n)
}

// eachRow visits the rows of actions and states, each of which takes up to so many entries.
func (c *cassandra) eachRow(line, a0, a1, s0, s1 int, visit func(row, state int), entries int) error {
	if c.entries+(a1-a0)*(s1-s0)*entries > 4*mostCassandra {
		return c.wrong(line, "more than %d entries in all; write so large a problem into .tra or .parquet", 4*mostCassandra)
	}
	for a := a0; a < a1; a++ {
		for s := s0; s < s1; s++ {
			row := a*c.states.count + s
			c.lines[row] = int32(line)
			visit(row, s)
		}
	}
	return nil
}

func (c *cassandra) reward(line, a0, a1 int, at [3][2]int, depth int) error {
	n, per := c.states.count, 1
	if c.observed && depth < 3 {
		per = c.observations.count
	}
	s0, s1, y0, y1, count := 0, n, 0, n, per
	if depth > 0 {
		s0, s1 = at[0][0], at[0][1]
	} else {
		count *= n
	}
	if depth > 1 {
		y0, y1 = at[1][0], at[1][1]
	} else {
		count *= n
	}
	if depth == 0 && c.observed {
		return c.wrong(line, "R of an action alone; want R: action : state and a matrix over next states and observations")
	}
	if depth == 3 && c.observed && at[2][1]-at[2][0] < c.observations.count {
		return c.wrong(line, "a reward that depends on the observation, which plans for states that are seen do not have; write its mean, with *")
	}
	list, err := c.numbers(count, false)
	if err != nil {
		return err
	}
	for i, x := range list {
		if x != list[i-i%per] {
			return c.wrong(line, "rewards that depend on the observation, which plans for states that are seen do not have; write their mean")
		}
	}
	value := func(s, y int) float64 {
		switch {
		case depth > 1:
			return list[0]
		case depth == 1:
			return list[(y)*per]
		}
		return list[s*n+y]
	}
	lines := slices.Clone(c.lines)
	defer func() { c.lines = lines }() // those of transitions
	return c.eachRow(line, a0, a1, s0, s1, func(row, s int) {
		if depth > 1 && y1-y0 == n {
			c.base[row], c.specific[row] = list[0], nil
			return
		}
		if c.specific[row] == nil {
			c.specific[row] = map[int32]float64{}
		}
		for y := y0; y < y1; y++ {
			c.entries++
			c.specific[row][int32(y)] = value(s, y)
		}
	}, y1-y0)
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
				return nil, fmt.Errorf("%s: state %s, action %s: no transitions (T), which sum to 0; want 1 within %g", c.path, c.states.Of(s), c.actions.Of(a), rowTolerance)
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
	p.addTerminal(c.halted)
	for _, remark := range c.remarks {
		p.Remarks = append(p.Remarks, c.path+": "+remark)
	}
	return p, nil
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// cassandraNames returns names that the grammar holds, and whether they are those of the problem.
func cassandraNames(names Names) (Names, bool) {
	if names.plain() {
		return names, true
	}
	for _, name := range names.list {
		switch name {
		case "discount", "values", "states", "actions", "observations", "start", "T", "O", "R", "uniform", "identity", "reset", "include", "exclude", "reward", "cost":
			return Numbered(names.count), false
		}
		if !identifier.MatchString(name) {
			return Numbered(names.count), false
		}
	}
	if names.list == nil {
		return Numbered(names.count), false
	}
	return names, true
}

func writeCassandra(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("Cassandra's grammar")
	if err != nil {
		return nil, err
	}
	for s := range model.States() {
		for a := range model.Actions() {
			if !p.has(s, a) {
				return nil, fmt.Errorf("state %s lacks action %s, and in Cassandra's grammar every state has every action; write .csv, .drn or .npz", p.States.Of(s), p.Actions.Of(a))
			}
		}
	}
	states, kept := cassandraNames(p.States)
	if !kept {
		lost = append(lost, "the names of states, which become numbers from 0")
	}
	actions, kept := cassandraNames(p.Actions)
	if !kept {
		lost = append(lost, "the names of actions, which become numbers from 0")
	}
	if p.Discount == 0 {
		lost = append(lost, "that there is no discount: the file must have one, and says 0.95")
	}
	observed := !strings.EqualFold(path[len(path)-len(".mdp"):], ".mdp")
	return lost, create(path, buffered(func(w *bufio.Writer) {
		discount := p.Discount
		if discount == 0 {
			discount = 0.95
		}
		list := func(n Names) string {
			if n.plain() {
				return fmt.Sprint(n.count)
			}
			return strings.Join(n.list, " ")
		}
		fmt.Fprintf(w, "discount: %s\nvalues: reward\nstates: %s\nactions: %s\n", appendFloat(nil, discount), list(states), list(actions))
		for i, s := range p.Terminal {
			if i%1000 == 0 {
				fmt.Fprintf(w, "\n%s", terminalComment)
			}
			fmt.Fprintf(w, " %d", s)
		}
		w.WriteByte('\n')
		every := ""
		if observed {
			fmt.Fprintf(w, "observations: %d\n", model.States())
			every = " : *"
		}
		fmt.Fprintf(w, "start: %s\n", states.Of(p.Start))
		for a := range model.Actions() {
			for s := range model.States() {
				next, chance := model.Transition(s, a)
				for i, n := range next {
					fmt.Fprintf(w, "T: %s : %s : %s %s\n", actions.Of(a), states.Of(s), states.Of(int(n)), appendFloat(nil, chance[i]))
				}
				fmt.Fprintf(w, "R: %s : %s : *%s %s\n", actions.Of(a), states.Of(s), every, appendFloat(nil, p.Rewards[0][s*model.Actions()+a]))
			}
		}
		if observed {
			for s := range model.States() {
				fmt.Fprintf(w, "O: * : %s : %d 1\n", states.Of(s), s)
			}
		}
	}))
}
