package problem

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// readGymnasium reads json.dump(env.unwrapped.P): {"state": {"action": [[probability, next, reward, terminated]]}}.
//
// A state that other states enter only by outcomes that end the episode is terminal; its own outcomes, which
// gymnasium never uses, are dropped. Other outcomes that end the episode lead to a terminal state that is added
// at the end.
func readGymnasium(open Open, path string) (*Problem, error) {
	t, err := openText(open, path)
	if err != nil {
		return nil, err
	}
	defer t.close()
	g := newGymnasium(t)
	if err := g.read(); err != nil {
		return nil, err
	}
	return g.problem()
}

// gymnasium reads one dictionary. Until all states are known, an outcome that ends the episode is stored with
// the bitwise complement of its next state.
type gymnasium struct {
	tokens
	rows *rows

	state, action   int // current state and action; -1 for none
	states, actions int
	largest         int    // largest listed state
	farthest        [4]int // the largest next state, and the state, action and line in which it occurs
}

const outcomeShape = "[probability, next, reward, terminated]"

// newGymnasium returns a reader of an open text.
func newGymnasium(t *text) *gymnasium {
	g := &gymnasium{rows: newRows(t.path), state: -1, action: -1, largest: -1, farthest: [4]int{-1}}
	g.tokens = tokens{t, g.where}
	g.rows.times = t.times
	return g
}

func (g *gymnasium) where() string {
	switch {
	case g.action >= 0:
		return fmt.Sprintf("state %d, action %d: ", g.state, g.action)
	case g.state >= 0:
		return fmt.Sprintf("state %d: ", g.state)
	}
	return ""
}

// want reads a character, or reports what is there instead.
func (g *gymnasium) want(mark byte, where string) error {
	found, err := g.peek()
	if err == nil && found != mark {
		err = g.fail("%s instead of the %[3]c of %[2]s; want json.dump(env.unwrapped.P)", g.found(), where, mark)
	}
	g.from++
	return err
}

// each reads a list or a dictionary from its opening to its closing mark, every element by read.
func (g *gymnasium) each(opening, closing byte, what string, read func() error) error {
	err := g.want(opening, what)
	for first := true; err == nil; first = false {
		var found byte
		if found, err = g.peek(); err == nil && found == closing {
			g.from++
			return nil
		}
		if err == nil && !first {
			err = g.want(',', what)
		}
		if err == nil {
			err = read()
		}
	}
	return err
}

// key reads a key of a dictionary, which is a number, and the colon.
func (g *gymnasium) key(what string) (int, error) {
	name, err := g.name()
	if err != nil {
		return 0, err
	}
	n, ok := parseNumber(name)
	if !ok {
		return 0, g.fail("%s is %q; want its number, from 0", what, name)
	}
	return n, g.want(':', what)
}

func (g *gymnasium) read() error {
	if err := g.each('{', '}', "the dictionary of states", g.ofState); err != nil {
		return err
	}
	if _, err := g.skip(); err != io.EOF {
		if err == nil {
			err = g.fail("text follows the dictionary; want one problem per file")
		}
		return err
	}
	return nil
}

// ofState reads a state and the dictionary of its actions.
func (g *gymnasium) ofState() (err error) {
	if g.state, err = g.key("a state"); err != nil {
		return err
	}
	g.states++
	g.largest = max(g.largest, g.state)
	if err := g.each('{', '}', "the dictionary of actions", g.ofAction); err != nil {
		return err
	}
	g.state = -1
	return nil
}

// ofAction reads an action and the list of its outcomes.
func (g *gymnasium) ofAction() (err error) {
	if g.action, err = g.key("an action"); err != nil {
		return err
	}
	if g.action >= mostActions {
		return g.fail("it is too large")
	}
	g.actions = max(g.actions, g.action+1)
	if err := g.each('[', ']', "the list of outcomes", g.outcome); err != nil {
		return err
	}
	g.action = -1
	return nil
}

// outcome is one outcome in the file.
type outcome struct {
	probability, next, reward float64
	ends                      bool
}

func (g *gymnasium) outcome() error {
	left, err := g.ahead()
	if err != nil {
		return err
	}
	if o, end := plainOutcome(left); end > 0 {
		g.from += end
		return g.add(o, g.line)
	}
	var o outcome
	if err := g.want('[', "an outcome"); err != nil {
		return err
	}
	for _, x := range []*float64{&o.probability, &o.next, &o.reward} {
		if *x, err = g.number(); err == errNoNumber {
			err = g.fail("%s in an outcome; want %s", g.found(), outcomeShape)
		}
		if err != nil {
			return err
		}
		if err := g.want(',', "an outcome "+outcomeShape); err != nil {
			return err
		}
	}
	if o.ends, err = g.truth(); err == errNoTruth {
		err = g.fail("%s in an outcome; want [probability, next, reward, true or false]", g.found())
	}
	if err != nil {
		return err
	}
	line := g.line // of the last part; the bracket may be on a later line
	if err := g.want(']', "an outcome "+outcomeShape); err != nil {
		return err
	}
	return g.add(o, line)
}

// plainOutcome reads an outcome with one blank between its parts, as json.dump writes it. It returns the length
// of the text read, 0 if there is no such outcome.
func plainOutcome(text []byte) (o outcome, length int) {
	at := 1
	for _, x := range [...]*float64{&o.probability, &o.next, &o.reward} {
		end := at + jsonNumber(text[min(at, len(text)):])
		number, to := numberAt(text[:min(end, len(text))], at)
		if to == at || to != end || len(text) < end+2 || text[end] != ',' || text[end+1] != ' ' {
			return o, 0
		}
		*x, at = number, end+2
	}
	switch {
	case text[0] != '[':
		return o, 0
	case bytes.HasPrefix(text[at:], []byte("false]")):
		return o, at + len("false]")
	case bytes.HasPrefix(text[at:], []byte("true]")):
		o.ends = true
		return o, at + len("true]")
	}
	return o, 0
}

// add checks an outcome that is on a line and adds it.
func (g *gymnasium) add(o outcome, line int) error {
	next := int(o.next)
	switch {
	case !(o.next >= 0 && o.next < mostStates) || o.next != float64(next):
		return g.fail("next state %v; want an integer from 0", o.next)
	case o.probability < 0:
		return g.fail("probability %v; want a number from 0 to 1", o.probability)
	}
	if next > g.farthest[0] {
		g.farthest = [4]int{next, g.state, g.action, line}
	}
	if o.ends {
		next = ^next
	}
	g.rows.add(g.state, g.action, next, o.probability, o.reward, line)
	return nil
}

func (g *gymnasium) problem() (*Problem, error) {
	if g.states > g.largest+1 {
		return nil, fmt.Errorf("%s: it lists %d states, but only 0 to %d; a state occurs twice", g.path, g.states,
			g.largest)
	}
	if g.states < g.largest+1 {
		return nil, fmt.Errorf("%s: %d states, the largest of them %d; want the states from 0 on", g.path, g.states,
			g.largest)
	}
	if f := g.farthest; f[0] >= g.states {
		return nil, fmt.Errorf("%s:%d: state %d, action %d: next state %d is outside 0..%d", g.path, f[3], f[1], f[2], f[0],
			g.states-1)
	}
	added := g.rows.end(g.states)
	p, err := g.rows.problem(Numbered(g.states+added), Numbered(g.actions))
	if err != nil {
		return nil, err
	}
	p.Added = added
	return p, nil
}

// end removes the outcomes of terminal states. Outcomes stored with a complement lead to their next state if it
// is terminal, and otherwise to an added terminal state. It returns the number of added states, 0 or 1.
func (r *rows) end(states int) (added int) {
	terminal := r.terminal(states)
	pieces, to, from := r.pieces[:0], 0, 0
	for _, p := range r.pieces {
		end := p.end
		if !terminal[p.state] {
			for k := from; k < end; k++ {
				next := r.next[k]
				if next < 0 {
					if next = ^next; !terminal[next] {
						next, added = int32(states), 1
					}
				}
				r.next[to], r.chance[to] = next, r.chance[k]
				to++
			}
			p.end = to
			pieces = append(pieces, p)
		}
		from = end
	}
	r.pieces, r.next, r.chance = pieces, r.next[:to], r.chance[:to]
	return added
}

// terminal returns the states that other states enter only by ending the episode, and those without outcomes.
// It does not depend on rewards, because terminal states are public.
func (r *rows) terminal(states int) []bool {
	through, ended, does := make([]bool, states), make([]bool, states), make([]bool, states)
	from := 0
	for _, p := range r.pieces {
		for k := from; k < p.end; k++ {
			ends := r.next[k] < 0
			next := r.next[k]
			if ends {
				next = ^next
			}
			switch {
			case r.chance[k] == 0:
			case next == p.state:
				does[p.state] = true
			case ends:
				does[p.state], ended[next] = true, true
			default:
				does[p.state], through[next] = true, true
			}
		}
		from = p.end
	}
	terminal := make([]bool, states)
	for s := range terminal {
		terminal[s] = !does[s] || ended[s] && !through[s]
	}
	return terminal
}

func writeGymnasium(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("gymnasium's dictionary")
	if err != nil {
		return nil, err
	}
	lost = append(p.lostContext(), p.lostNames()...)
	terminal := p.terminals()
	err = create(path, buffered(func(w *bufio.Writer) {
		w.WriteByte('{')
		for s := range p.listed() {
			if s > 0 {
				w.WriteString(",\n")
			}
			w.WriteString(`"` + strconv.Itoa(s) + `": {`)
			first := true
			for a := range model.Actions() {
				if !p.has(s, a) {
					continue
				}
				if !first {
					w.WriteString(", ")
				}
				first = false
				w.WriteString(`"` + strconv.Itoa(a) + `": [`)
				p.writeSteps(w, s, a, terminal)
				w.WriteByte(']')
			}
			w.WriteByte('}')
		}
		w.WriteString("}\n")
	}))
	return slices.Clip(lost), err
}

// writeSteps writes the outcomes of an action.
func (p *Problem) writeSteps(w *bufio.Writer, state, action int, terminal []bool) {
	reward := p.Rewards[0][state*p.Law.Actions()+action]
	for i, o := range p.Law.AppendOutcomes(nil, state, action) {
		if i > 0 {
			w.WriteString(", ")
		}
		ends := terminal[o.State]
		next := o.State
		if next >= p.listed() { // an added state, which the file does not list
			next = state
		}
		line := append(appendFloat([]byte{'['}, o.Probability), ", "...)
		line = append(strconv.AppendInt(line, int64(next), 10), ", "...)
		line = append(appendFloat(line, reward), ", "...)
		w.Write(append(strconv.AppendBool(line, ends), ']'))
	}
}
