package problem

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// readGymnasium reads json.dump(env.unwrapped.P, file, default=int):
// {"state": {"action": [[probability, next, reward, terminated]]}}.
//
// An outcome that ends the episode leads to a terminal state that is added at the end. All listed states keep their
// outcomes: one may be entered by an outcome that ends the episode and be the start of another episode.
func readGymnasium(open Open, path string, _ Options) (*Problem, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReader(&singleBlanks{file: file})
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	g := gymnasium{json: json.NewDecoder(text), rows: rows{path: path, tolerance: textTolerance}, largestState: -1,
		largestNext: outcome{next: -1}}
	if err := g.read(); err != nil {
		return nil, fmt.Errorf("%s: %s%w; want json.dump(env.unwrapped.P, file, default=int)", path, g.position, err)
	}
	return g.problem()
}

// gymnasium reads one dictionary.
type gymnasium struct {
	json            *json.Decoder
	rows            rows
	state           int
	position        string // describes the current position, for errors
	states, actions int
	largestState    int     // largest listed state
	largestNext     outcome // the one with the largest next state
}

// read reads the dictionary state by state: the decoder checks that a state's part is JSON, and readState reads it.
func (g *gymnasium) read() error {
	if token, err := g.json.Token(); err != nil || token != json.Delim('{') {
		return cmp.Or(truncated(err), fmt.Errorf("%v instead of a dictionary of states", token))
	}
	var part json.RawMessage
	for g.json.More() {
		g.position = ""
		token, err := g.json.Token()
		if err != nil {
			return truncated(err)
		}
		name, _ := token.(string)
		if g.state, err = number("a state", []byte(name)); err != nil {
			return err
		}
		g.position = fmt.Sprintf("state %d: ", g.state)
		if err := g.json.Decode(&part); err != nil {
			return truncated(err)
		}
		if err := g.readState(part); err != nil {
			return err
		}
	}
	g.position = ""
	if _, err := g.json.Token(); err != nil {
		return truncated(err)
	}
	if _, err := g.json.Token(); err != io.EOF {
		return errors.New("text follows the dictionary")
	}
	return nil
}

// truncated replaces the error of a file that ends early by a plain one.
func truncated(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends within the dictionary")
	}
	return err
}

// number reads a key.
func number(what string, name []byte) (int, error) {
	n, ok := parseNumber(name)
	if !ok {
		return 0, fmt.Errorf("%s is %.40q instead of its number, from 0", what, name)
	}
	return n, nil
}

// separators are the characters between the parts of a dictionary and of a list. The decoder has checked their places.
const separators = ", :\t\r\n"

// readState reads the dictionary of a state's actions: {"action": [[outcome], [outcome]], "action": ...}.
func (g *gymnasium) readState(text []byte) error {
	g.states++
	g.largestState = max(g.largestState, g.state)
	rest, found := bytes.CutPrefix(text, []byte{'{'})
	if !found {
		return fmt.Errorf("%.40s instead of a dictionary of actions", text)
	}
	for rest = bytes.TrimLeft(rest, separators); rest[0] != '}'; rest = bytes.TrimLeft(rest, separators) {
		name, after, _ := bytes.Cut(rest[1:], []byte{'"'})
		action, err := number("an action", name)
		if err != nil {
			return err
		}
		if action >= maxActions {
			return fmt.Errorf("action %d is too large a number", action)
		}
		g.actions = max(g.actions, action+1)
		if rest, err = g.readAction(action, bytes.TrimLeft(after, separators)); err != nil {
			g.position = fmt.Sprintf("state %d, action %d: ", g.state, action)
			return err
		}
	}
	return nil
}

// readAction reads the list of an action's outcomes, and returns the text after it.
func (g *gymnasium) readAction(action int, text []byte) (rest []byte, err error) {
	rest, found := bytes.CutPrefix(text, []byte{'['})
	if !found {
		return nil, fmt.Errorf("%.40s instead of a list of outcomes", text)
	}
	for rest = bytes.TrimLeft(rest, separators); rest[0] != ']'; rest = bytes.TrimLeft(rest, separators) {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte{']'})
		s, err := parseStep(text)
		if err != nil {
			return nil, err
		}
		o := outcome{int32(g.state), int32(action), int32(s.next), 0, s.probability, s.reward}
		if o.next > g.largestNext.next {
			g.largestNext = o
		}
		if s.ends {
			o.next = ends
		}
		g.rows.add(o)
	}
	return rest[1:], nil
}

// singleBlanks replaces runs of blanks by one: the decoder scans a run again with every part of it that it reads.
type singleBlanks struct {
	file  io.Reader
	blank bool // the last byte was one
}

func (s *singleBlanks) Read(b []byte) (int, error) {
	n, err := s.file.Read(b)
	kept := b[:0]
	for _, c := range b[:n] {
		blank := c == ' ' || c == '\n' || c == '\t' || c == '\r'
		if !blank || !s.blank {
			kept = append(kept, c)
		}
		s.blank = blank
	}
	return len(kept), err
}

// ends is the next state of an outcome that ends the episode, until all states are known.
const ends = -1

// step is an outcome in the file.
type step struct {
	probability, reward float64
	next                int
	ends                bool
}

// parseStep reads [probability, next, reward, terminated, without the closing bracket.
func parseStep(text []byte) (s step, err error) {
	var cells [4][]byte
	rest, complete := bytes.CutPrefix(text, []byte{'['})
	for i := range cells {
		cells[i], rest, _ = bytes.Cut(rest, []byte{','})
		cells[i] = bytes.TrimSpace(cells[i])
		complete = complete && len(cells[i]) > 0
	}
	if !complete || len(rest) > 0 {
		return s, fmt.Errorf("%.60s] instead of [probability, next, reward, terminated]", text)
	}
	var ok [3]bool
	s.probability, ok[0] = parseFloat(cells[0])
	next, whole := parseFloat(cells[1])
	s.reward, ok[1] = parseFloat(cells[2])
	switch string(cells[3]) {
	case "true", "1": // NumPy's booleans are written as integers by default=int
		s.ends, ok[2] = true, true
	case "false", "0":
		ok[2] = true
	}
	s.next = int(next)
	switch {
	case !ok[0] || s.probability < 0:
		return s, fmt.Errorf("probability %.40s instead of a number from 0 to 1", cells[0])
	case !whole || next < 0 || next >= maxStates || next != math.Trunc(next):
		return s, fmt.Errorf("next state %.40s instead of an integer from 0", cells[1])
	case !ok[1]:
		return s, fmt.Errorf("reward %.40s instead of a finite number", cells[2])
	case !ok[2]:
		return s, fmt.Errorf("terminated %.40s instead of true or false", cells[3])
	}
	return s, nil
}

func (g *gymnasium) problem() (*Problem, error) {
	if g.states > g.largestState+1 {
		return nil, fmt.Errorf("%s: it lists %d states, but only 0 to %d; a state occurs twice", g.rows.path, g.states,
			g.largestState)
	}
	if g.states < g.largestState+1 {
		return nil, fmt.Errorf("%s: %d states, the largest of them %d; want the states from 0 on", g.rows.path, g.states,
			g.largestState)
	}
	if f := g.largestNext; int(f.next) >= g.states {
		return nil, fmt.Errorf("%s: state %d, action %d: next state %d is outside 0..%d", g.rows.path, f.state, f.action,
			f.next, g.states-1)
	}
	added := 0
	for o := range g.rows.all {
		if o.next == ends {
			o.next, added = int32(g.states), 1
		}
	}
	p, err := g.rows.problem(Numbered(g.states+added), Numbered(g.actions))
	if err != nil {
		return nil, err
	}
	p.Added, p.rewardsFrom = added, "the outcomes"
	return p, nil
}
