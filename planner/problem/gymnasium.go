package problem

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// readGymnasium reads json.dump(env.unwrapped.P): {"state": {"action": [[probability, next, reward, terminated]]}}.
//
// A state that other states enter by ending the episode only is terminal, and its own outcomes, which gymnasium
// never uses, are left out. Where outcomes end the episode in a state that is also gone through, or in the state
// itself, they lead to a terminal state that is added at the end.
func readGymnasium(open Open, path string) (*Problem, error) {
	whole, err := readWhole(open, path)
	if err != nil {
		return nil, err
	}
	if err := checkJSON(path, whole); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(whole))
	g := &gymnasium{path: path, whole: whole, decoder: decoder, line: 1}
	return g.read()
}

// gymnasium reads one dictionary.
type gymnasium struct {
	path    string
	whole   []byte
	decoder *json.Decoder
	counted int // bytes whose lines are counted
	line    int
	where   string // state and action

	steps []step
	most  int // the largest state seen
}

// step is an outcome as the file has it.
type step struct {
	state, action, next, line int32
	probability, reward       float64
	terminated                bool
}

// at returns the line of the decoder.
func (g *gymnasium) at() int {
	to := min(int(g.decoder.InputOffset()), len(g.whole))
	g.line += bytes.Count(g.whole[g.counted:to], []byte{'\n'})
	g.counted = to
	return g.line
}

func (g *gymnasium) fail(problem string, args ...any) error {
	return fmt.Errorf("%s:%d: %s%s", g.path, g.at(), g.where, fmt.Sprintf(problem, args...))
}

func (g *gymnasium) token() (json.Token, error) {
	token, err := g.decoder.Token()
	if err != nil {
		return nil, g.fail("%v; want json.dump(env.unwrapped.P)", err)
	}
	return token, nil
}

// open reads an opening bracket.
func (g *gymnasium) open(bracket json.Delim, what string) error {
	token, err := g.token()
	if err == nil && token != bracket {
		err = g.fail("%v, where %s begins with %v", token, what, bracket)
	}
	return err
}

// key reads the number that is a key of an object.
func (g *gymnasium) key(what string) (int, error) {
	token, err := g.token()
	if err != nil {
		return 0, err
	}
	name, _ := token.(string)
	n, ok := parseNumber([]byte(name))
	if !ok {
		return 0, g.fail("%s is %q; want its number, from 0", what, name)
	}
	return n, nil
}

func (g *gymnasium) read() (*Problem, error) {
	if err := g.open('{', "the dictionary of states"); err != nil {
		return nil, err
	}
	listed := 0
	largest, actions := -1, 0
	for g.decoder.More() {
		g.where = ""
		state, err := g.key("a state")
		if err != nil {
			return nil, err
		}
		listed++
		largest = max(largest, state)
		if err := g.open('{', "the dictionary of actions"); err != nil {
			return nil, err
		}
		for g.decoder.More() {
			g.where = fmt.Sprintf("state %d: ", state)
			action, err := g.key("an action")
			if err != nil {
				return nil, err
			}
			actions = max(actions, action+1)
			g.where = fmt.Sprintf("state %d, action %d: ", state, action)
			if err := g.outcomes(state, action); err != nil {
				return nil, err
			}
		}
		if _, err := g.token(); err != nil {
			return nil, err
		}
	}
	g.where = ""
	if _, err := g.token(); err != nil {
		return nil, err
	}
	if g.decoder.More() {
		return nil, g.fail("something follows the dictionary; want one problem a file")
	}
	if listed != largest+1 {
		return nil, fmt.Errorf("%s: %d states, the largest of them %d; want the states from 0 on", g.path, listed, largest)
	}
	return g.problem(listed, actions)
}

// outcomes reads the list of an action.
func (g *gymnasium) outcomes(state, action int) error {
	if err := g.open('[', "the list of outcomes"); err != nil {
		return err
	}
	for g.decoder.More() {
		if err := g.open('[', "an outcome"); err != nil {
			return err
		}
		s := step{state: int32(state), action: int32(action)}
		numbers := [3]float64{}
		for i := range numbers {
			token, err := g.token()
			if err != nil {
				return err
			}
			n, ok := token.(float64)
			if !ok {
				return g.fail("%v in an outcome; want [probability, next, reward, terminated]", token)
			}
			numbers[i] = n
		}
		token, err := g.token()
		if err != nil {
			return err
		}
		var ok bool
		if s.terminated, ok = token.(bool); !ok {
			return g.fail("%v in an outcome; want [probability, next, reward, true or false]", token)
		}
		if token, err = g.token(); err != nil {
			return err
		} else if token != json.Delim(']') {
			return g.fail("an outcome of more than four parts; want [probability, next, reward, terminated]")
		}
		if n := numbers[1]; !(n >= 0 && n < mostStates) || n != float64(int32(n)) {
			return g.fail("next state %v; want a whole number from 0", n)
		}
		s.probability, s.next, s.reward, s.line = numbers[0], int32(numbers[1]), numbers[2], int32(g.at())
		if s.probability < 0 {
			return g.fail("probability %v; want one from 0 to 1", s.probability)
		}
		g.most = max(g.most, int(s.next))
		g.steps = append(g.steps, s)
	}
	_, err := g.token()
	return err
}

func (g *gymnasium) problem(states, actions int) (*Problem, error) {
	if g.most >= states {
		for _, s := range g.steps {
			if int(s.next) >= states {
				return nil, fmt.Errorf("%s:%d: state %d, action %d: next state %d is outside 0..%d", g.path, s.line, s.state, s.action, s.next, states-1)
			}
		}
	}
	terminal := terminalStates(states, g.steps)
	r := newRows(g.path)
	all, added := states, 0
	for _, s := range g.steps {
		if terminal[s.state] {
			continue
		}
		next := int(s.next)
		if s.terminated && !terminal[next] {
			next, all, added = states, states+1, 1
		}
		r.add(int(s.state), int(s.action), next, s.probability, s.reward, int(s.line))
	}
	p, err := r.problem(Numbered(all), Numbered(actions))
	if err != nil {
		return nil, err
	}
	p.Added = added
	return p, nil
}

// terminalStates returns the states that are entered from others by ending the episode only, and those that have no
// steps. It takes nothing of the rewards: which states are terminal is public.
func terminalStates(states int, steps []step) []bool {
	through, ended, does := make([]bool, states), make([]bool, states), make([]bool, states)
	for _, s := range steps {
		switch {
		case s.probability == 0:
		case s.next == s.state:
			does[s.state] = true
		case s.terminated:
			does[s.state], ended[s.next] = true, true
		default:
			does[s.state], through[s.next] = true, true
		}
	}
	terminal := make([]bool, states)
	for s := range terminal {
		terminal[s] = !does[s] || ended[s] && !through[s]
	}
	return terminal
}

// checkJSON refuses text that is no JSON, before it is read part by part.
func checkJSON(path string, whole []byte) error {
	if json.Valid(whole) {
		return nil
	}
	var all json.RawMessage
	err := json.Unmarshal(whole, &all)
	line := 1
	var wrong *json.SyntaxError
	if errors.As(err, &wrong) {
		line += bytes.Count(whole[:min(int(wrong.Offset), len(whole))], []byte{'\n'})
	}
	return fmt.Errorf("%s:%d: %v; want json.dump(env.unwrapped.P)", path, line, err)
}

func writeGymnasium(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("gymnasium's dictionary")
	if err != nil {
		return nil, err
	}
	lost = p.lostContext()
	for _, names := range []struct {
		what string
		of   Names
	}{{"states", p.States}, {"actions", p.Actions}} {
		if !names.of.plain() {
			lost = append(lost, "the names of "+names.what+", which become numbers from 0")
		}
	}
	terminal := p.terminals()
	err = create(path, buffered(func(w *bufio.Writer) {
		w.WriteByte('{')
		for s := range p.Listed() {
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
		if next >= p.Listed() { // in a state that the file does not have
			next = state
		}
		line := append(appendFloat([]byte{'['}, o.Probability), ", "...)
		line = append(strconv.AppendInt(line, int64(next), 10), ", "...)
		line = append(appendFloat(line, reward), ", "...)
		w.Write(append(strconv.AppendBool(line, ends), ']'))
	}
}
