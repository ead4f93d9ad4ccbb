package problem

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/planner/mdp"
)

// transitionsEnding is the ending of the main file.
const transitionsEnding = ".tra"

// readTransitions reads PRISM's or Storm's explicit files: the transitions and, if they exist beside them,
// rewards of transitions (.trew) and of states (.srew) and labels (.lab).
func readTransitions(open Open, path string) (*Problem, error) {
	x := &explicit{path: path}
	if err := x.read(open, path, x.transitions); err != nil {
		return nil, err
	}
	states, actions := Numbered(x.states), Numbered(x.actions)
	p, err := x.rows.problem(states, actions)
	if err != nil {
		return nil, err
	}
	x.problem, x.rows = p, nil
	if x.labelled {
		p.Remarks = append(p.Remarks, "action names in "+path+
			" are ignored: actions are the numbers of a state's choices")
	}
	for _, beside := range []struct {
		ending string
		read   func(*text) error
	}{{".trew", x.transitionRewards}, {".srew", x.stateRewards}, {".lab", x.labels}} {
		err := x.read(open, withEnding(path, transitionsEnding, beside.ending), beside.read)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return p, nil
}

// explicit is the state shared by the files of one model.
type explicit struct {
	path            string
	chain           bool // no choices
	states, actions int
	labelled        bool
	rows            *rows
	problem         *Problem
}

func (x *explicit) read(open Open, path string, read func(*text) error) error {
	t, err := openText(open, path)
	if err != nil {
		return err
	}
	defer t.close()
	return read(t)
}

// words returns the next line that is neither empty nor a comment, and the number of its words.
func words(t *text) (line []byte, count int, err error) {
	for {
		if line, err = t.next(); err != nil {
			return nil, 0, err
		}
		c := cursor{line}
		for count = 0; c.word() != nil; count++ {
		}
		if count > 0 && !isComment(line) {
			return line, count, nil
		}
	}
}

func isComment(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && line[0] == '#' || bytes.HasPrefix(line, []byte("//"))
}

// transitions reads "state choice next probability [action]", below a header of PRISM ("states choices
// transitions") or Storm ("mdp"); for a Markov chain the lines have no choice.
func (x *explicit) transitions(t *text) error {
	line, count, err := words(t)
	if err == io.EOF {
		return t.fail("empty; want transitions")
	}
	if err != nil {
		return err
	}
	x.rows = newRows(t.path)
	x.rows.times = t.times
	x.states = -1
	c := cursor{line}
	switch first := string(c.word()); {
	case strings.EqualFold(first, "mdp"), strings.EqualFold(first, "dtmc"):
		x.chain = strings.EqualFold(first, "dtmc")
		line = nil
	case count == 2 || count == 3:
		if err := x.header(t, line, count); err != nil {
			return err
		}
		line = nil
	}
	most := -1
	if line != nil {
		if most, err = x.transition(t, line); err != nil {
			return err
		}
	}
	err = t.each(func(line []byte) error {
		if q, ok := quadOf(line); ok && !x.chain && q.value >= 0 && q.choice < mostActions &&
			max(q.state, q.next) < x.bound() {
			x.actions = max(x.actions, q.choice+1)
			x.rows.add(q.state, q.choice, q.next, q.value, 0, t.line)
			most = max(most, q.state, q.next)
			return nil
		}
		last, err := x.transition(t, line)
		most = max(most, last)
		return err
	})
	if err != nil {
		return err
	}
	if x.states < 0 {
		x.states = most + 1
	}
	return nil
}

// bound is an exclusive bound on the states.
func (x *explicit) bound() int {
	if x.states >= 0 {
		return x.states
	}
	return mostStates
}

func (x *explicit) header(t *text, line []byte, count int) error {
	c := cursor{line}
	n, ok := c.number()
	if !ok || n < 1 || n > mostStates {
		return t.fail("%q is not a header; want the numbers of states, choices and transitions, or mdp", line)
	}
	x.states, x.chain = n, count == 2
	choices, transitions := n, 0
	if !x.chain {
		if choices, ok = c.number(); !ok {
			return t.fail("%q is not a header; want the numbers of states, choices and transitions, or mdp", line)
		}
	}
	if transitions, ok = c.number(); !ok {
		return t.fail("%q is not a header; want the numbers of states, choices and transitions, or mdp", line)
	}
	if choices > 0 && transitions > 0 {
		x.rows.times = nil // the header states the size
		x.rows.reserve(choices, transitions)
	}
	return nil
}

// transition reads a line and returns the largest state in it.
func (x *explicit) transition(t *text, line []byte) (largest int, err error) {
	c := cursor{line}
	word := c.word()
	if word == nil || word[0] == '#' {
		return -1, nil
	}
	state, ok := parseNumber(word)
	choice, chosen := 0, true
	if !x.chain {
		choice, chosen = c.number()
	}
	next, led := c.number()
	word = c.word()
	chance, likely := parseRatio(word)
	switch {
	case !ok || !chosen || !led || word == nil:
		return 0, t.fail("%q; want %s", line, x.layout("probability"))
	case !likely || chance < 0:
		return 0, t.fail("state %d, action %d: probability is %q; want a number from 0 to 1", state, choice, word)
	case x.states >= 0 && (state >= x.states || next >= x.states):
		return 0, t.fail("state %d, action %d: next state %d; the header allows states 0..%d", state, choice, next,
			x.states-1)
	case choice >= mostActions || max(state, next) >= mostStates:
		return 0, t.fail("state %d, action %d, next state %d: too large", state, choice, next)
	}
	x.labelled = x.labelled || c.word() != nil
	x.actions = max(x.actions, choice+1)
	x.rows.add(state, choice, next, chance, 0, t.line)
	return max(state, next), nil
}

func (x *explicit) layout(last string) string {
	if x.chain {
		return "state next " + last
	}
	return "state choice next " + last
}

// transitionRewards reads "state choice next reward". The reward of an action is the expectation over the next
// state.
func (x *explicit) transitionRewards(t *text) error {
	e := &earned{explicit: x, model: x.problem.Law.(*mdp.Model), rewards: x.problem.Rewards[0]}
	e.seen, e.sums, e.mixed = make([]int32, len(e.rewards)), make([]float64, len(e.rewards)), make([]bool, len(e.rewards))
	fields := 4
	if x.chain {
		fields = 3
	}
	first := true
	err := t.each(func(line []byte) error {
		if q, ok := quadOf(line); ok && !x.chain {
			first = false
			return e.add(t, q.state, q.choice, q.next, q.value)
		}
		c := cursor{line}
		word := c.word()
		if word == nil || isComment(line) || first && headed(line, fields) {
			first = false
			return nil
		}
		first = false
		state, ok := parseNumber(word)
		choice, chosen := 0, true
		if !x.chain {
			choice, chosen = c.number()
		}
		next, led := c.number()
		reward, number := parseRatio(c.word())
		if !ok || !chosen || !led || !number {
			return t.fail("%q; want %s", line, x.layout("reward"))
		}
		return e.add(t, state, choice, next, reward)
	})
	if err != nil {
		return err
	}
	e.finish()
	return x.checkTerminal(t.path)
}

// earned collects rewards of transitions.
type earned struct {
	*explicit
	model   *mdp.Model
	rewards []float64
	seen    []int32   // number of rewards per row
	sums    []float64 // expected rewards
	mixed   []bool
}

func (e *earned) add(t *text, state, choice, next int, reward float64) error {
	if state >= e.states || choice >= e.actions || math.IsInf(e.rewards[state*e.actions+choice], -1) {
		return t.fail("state %d, action %d: there is no such choice in %s", state, choice, e.path)
	}
	nexts, chances := e.model.Transition(state, choice)
	at, found := slices.BinarySearch(nexts, int32(next))
	if !found {
		return t.fail("state %d, action %d: next state %d is not one of its outcomes in %s", state, choice, next,
			e.path)
	}
	row := state*e.actions + choice
	switch {
	case e.seen[row] == 0:
		e.rewards[row] = reward
	case e.rewards[row] != reward:
		e.mixed[row] = true
	}
	e.seen[row]++
	e.sums[row] += float64(chances[at] * reward)
	if int(e.seen[row]) > len(nexts) && e.mixed[row] {
		return t.fail("state %d, action %d: more rewards than outcomes, and different ones", state, choice)
	}
	return nil
}

// finish sets the reward to its expectation if the outcomes have different rewards or some have none.
func (e *earned) finish() {
	for row, n := range e.seen {
		if n > 0 {
			if next, _ := e.model.Transition(row/e.actions, row%e.actions); e.mixed[row] || int(n) < len(next) {
				e.rewards[row] = e.sums[row]
			}
		}
	}
}

// headed reports whether the first line of rewards is a header, which has fewer words than the other lines.
func headed(line []byte, fields int) bool {
	c := cursor{line}
	n := 0
	for c.word() != nil {
		n++
	}
	return n < fields
}

// stateRewards reads "state reward", which every action of the state earns.
func (x *explicit) stateRewards(t *text) error {
	for first := true; ; first = false {
		line, _, err := words(t)
		if err == io.EOF {
			return x.checkTerminal(t.path)
		}
		if err != nil {
			return err
		}
		c := cursor{line}
		state, ok := c.number()
		if ok && first && state == x.states {
			continue // PRISM's header: the numbers of states and of rewards
		}
		reward, earned := parseRatio(c.word())
		switch {
		case !ok || !earned || c.word() != nil:
			return t.fail("%q; want state reward", line)
		case state >= x.states:
			return t.fail("state %d is outside 0..%d", state, x.states-1)
		}
		row := x.problem.Rewards[0][state*x.actions : (state+1)*x.actions]
		for a := range row {
			row[a] += reward
		}
	}
}

// checkTerminal refuses rewards of states without choices.
func (x *explicit) checkTerminal(path string) error {
	for _, s := range x.problem.Terminal {
		for a := range x.actions {
			if r := x.problem.Rewards[0][int(s)*x.actions+a]; r != 0 {
				return fmt.Errorf("%s: state %d has the reward %v and no choice in %s; a terminal state has no "+
					"reward, so give it a choice that leads back to it", path, s, r, x.path)
			}
		}
	}
	return nil
}

// labels reads PRISM's (0="init" 1="deadlock", then state: 0 1) or Storm's (#DECLARATION names #END, then state
// names) labels. States labelled deadlock that stay and earn nothing are terminal.
func (x *explicit) labels(t *text) error {
	names := map[string]string{}
	declared, storm := false, false
	var found marks
	for {
		line, err := t.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		trimmed := strings.TrimSpace(string(line))
		switch {
		case trimmed == "":
			continue
		case strings.HasPrefix(trimmed, "#DECLARATION"):
			storm = true
			continue
		case strings.HasPrefix(trimmed, "#END"):
			declared = true
			continue
		case strings.HasPrefix(trimmed, "#") || storm && !declared:
			continue
		case !storm && !declared && strings.Contains(trimmed, "="):
			for _, pair := range strings.Fields(trimmed) {
				number, name, _ := strings.Cut(pair, "=")
				names[number] = strings.Trim(name, `"`)
			}
			declared = true
			continue
		}
		c := cursor{[]byte(trimmed)}
		state, ok := parseNumber(bytes.TrimSuffix(c.word(), []byte{':'}))
		if !ok || state >= x.states {
			return t.fail("%q; want a state from 0 to %d and its labels", trimmed, x.states-1)
		}
		for word := c.word(); word != nil; word = c.word() {
			name := string(word)
			if !storm {
				if name, ok = names[name]; !ok {
					return t.fail("state %d: label %s is not declared", state, word)
				}
			}
			found.add(name, state)
		}
	}
	return x.problem.mark(t.path, &found)
}

// marks are the states with the labels of Storm and PRISM that mean something here.
type marks struct {
	starts, halted []int
	other          bool // there are labels that are ignored
}

func (m *marks) add(label string, state int) {
	switch label {
	case "init":
		m.starts = append(m.starts, state)
	case "deadlock":
		m.halted = append(m.halted, state)
	default:
		m.other = true
	}
}

// mark sets the start and marks what is labelled deadlock as terminal, see addTerminal.
func (p *Problem) mark(path string, m *marks) error {
	if len(m.starts) > 0 {
		p.Start = m.starts[0]
	}
	if len(m.starts) > 1 {
		p.Remarks = append(p.Remarks, fmt.Sprintf("%s has %d initial states; costs are reported for the first, %d", path,
			len(m.starts), m.starts[0]))
	}
	if m.other {
		p.Remarks = append(p.Remarks, "labels in "+path+" other than init and deadlock are ignored")
	}
	return p.addTerminal(path, m.halted)
}

// addTerminal marks as terminal the given states that stay by every action. It does not depend on rewards,
// because terminal states are public; instead it refuses a reward other than 0 in such a state.
func (p *Problem) addTerminal(path string, states []int) error {
	actions := p.Law.Actions()
	known := p.terminals()
	for _, s := range states {
		idle := !known[s]
		for a := range actions {
			outcomes := p.Law.AppendOutcomes(nil, s, a)
			idle = idle && len(outcomes) == 1 && outcomes[0].State == s
		}
		if !idle {
			continue
		}
		own := p.Rewards[0][s*actions : (s+1)*actions]
		for a, r := range own {
			if r != 0 && !math.IsInf(r, -1) {
				return fmt.Errorf("%s: state %s is labelled terminal, but action %s has the reward %v there; remove "+
					"the reward or the label", path, p.States.Of(s), p.Actions.Of(a), r)
			}
		}
		known[s] = true
		clear(own)
		p.Terminal = append(p.Terminal, int32(s))
	}
	slices.Sort(p.Terminal)
	return nil
}

// writeTransitions writes PRISM's files. Terminal states lead back to themselves and have the label deadlock.
func writeTransitions(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("PRISM's explicit format")
	if err != nil {
		return nil, err
	}
	lost = append(p.lostDiscount(), p.lostNames()...)
	choices, outcomes, rewarded := 0, 0, 0
	gaps := false
	for c := range p.choices(model) {
		choices++
		outcomes += len(c.next)
		gaps = gaps || c.number != c.action
		if c.reward != 0 {
			rewarded += len(c.next)
		}
	}
	if gaps {
		lost = append(lost, "the numbers of actions, which are replaced by the numbers of a state's choices")
	}
	lines := func(last int, value func(reward, chance float64) (float64, bool)) func(io.Writer) error {
		return buffered(func(w *bufio.Writer) {
			fmt.Fprintf(w, "%d %d %d\n", model.States(), choices, last)
			var line []byte
			for c := range p.choices(model) {
				for i, n := range c.next {
					v, written := value(c.reward, c.chance[i])
					if !written {
						continue
					}
					line = append(strconv.AppendInt(line[:0], int64(c.state), 10), ' ')
					line = append(strconv.AppendInt(line, int64(c.number), 10), ' ')
					line = append(strconv.AppendInt(line, int64(n), 10), ' ')
					w.Write(append(appendFloat(line, v), '\n'))
				}
			}
		})
	}
	if err := create(path, lines(outcomes, func(_, chance float64) (float64, bool) { return chance, true })); err != nil {
		return nil, err
	}
	beside := func(ending string) string { return withEnding(path, transitionsEnding, ending) }
	if err := create(beside(".trew"), lines(rewarded,
		func(reward, _ float64) (float64, bool) { return reward, reward != 0 })); err != nil {
		return nil, err
	}
	terminal := p.terminals()
	return lost, create(beside(".lab"), buffered(func(w *bufio.Writer) {
		fmt.Fprintf(w, "0=\"init\" 1=\"deadlock\"\n")
		for s := range model.States() {
			switch {
			case s == p.Start && terminal[s]:
				fmt.Fprintf(w, "%d: 0 1\n", s)
			case s == p.Start:
				fmt.Fprintf(w, "%d: 0\n", s)
			case terminal[s]:
				fmt.Fprintf(w, "%d: 1\n", s)
			}
		}
	}))
}
