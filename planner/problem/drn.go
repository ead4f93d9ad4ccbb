package problem

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// errRepeated reports a state that has two actions with the same name.
var errRepeated = errors.New("two actions of one name")

// readDRN reads Storm's direct encoding of an MDP or a chain.
func readDRN(open Open, path string) (*Problem, error) {
	mode := drn{actions: newLabels(false)}
	for {
		d := mode
		err := d.read(open, path)
		switch {
		case errors.Is(err, errNamed):
			mode = drn{actions: newLabels(true)}
		case errors.Is(err, errRepeated):
			mode = drn{byIndex: true, actions: newLabels(false)}
		case err != nil:
			return nil, err
		default:
			return d.problem()
		}
	}
}

// drn reads one file.
type drn struct {
	*text
	byIndex      bool // actions are the numbers of a state's choices
	actions      *labels
	states       int
	models       []string // names of the reward models
	placeholders map[string]float64
	rows         *rows

	state, action int // current state and action; -1 for none
	choices       int // of the state
	stateReward   float64
	reward        float64         // of the state and the action
	outcomes      int             // of the action
	taken         []int           // by action, 1 + the last state that has it
	stateRewards  map[int]float64 // rewards of states, for those without an action
	marks         marks
}

func (d *drn) read(open Open, path string) error {
	t, err := openText(open, path)
	if err != nil {
		return err
	}
	defer t.close()
	d.text, d.states, d.state, d.action = t, -1, -1, -1
	d.rows, d.placeholders = newRows(path), map[string]float64{}
	d.rows.times = t.times
	d.stateRewards = map[int]float64{}
	if err := d.header(); err != nil {
		return err
	}
	if err := d.each(d.modelLine); err != nil {
		return err
	}
	return d.endAction()
}

// meaningful returns the next line that is not empty, without its comment and surrounding blanks.
func (d *drn) meaningful() ([]byte, error) {
	for {
		line, err := d.next()
		if err != nil {
			return nil, err
		}
		if line = bare(line); len(line) > 0 {
			return line, nil
		}
	}
}

// bare removes a comment and surrounding blanks from a line.
func bare(line []byte) []byte {
	if i := bytes.Index(line, []byte("//")); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimSpace(line)
}

// header reads the sections before the model.
func (d *drn) header() error {
	section := ""
	for {
		line, err := d.meaningful()
		if err == io.EOF {
			return d.fail("no section @model; want the whole file that Storm exports")
		}
		if err != nil {
			return err
		}
		if line[0] != '@' {
			if err := d.setting(section, string(line)); err != nil {
				return err
			}
			continue
		}
		name, value, _ := strings.Cut(string(line[1:]), ":")
		section = strings.TrimSpace(name)
		if section == "model" {
			if d.states < 0 {
				return d.fail("no section @nr_states before @model")
			}
			return nil
		}
		if value = strings.TrimSpace(value); value != "" {
			if err := d.setting(section, value); err != nil {
				return err
			}
		}
	}
}

func (d *drn) setting(section, value string) error {
	switch section {
	case "type":
		if kind := strings.ToUpper(value); kind != "MDP" && kind != "DTMC" {
			return d.fail("a model of type %s; want MDP or DTMC", value)
		}
	case "parameters":
		return d.fail("parameters %s; instantiate them first", value)
	case "reward_models":
		d.models = strings.Fields(strings.ReplaceAll(value, ",", " "))
	case "nr_states":
		n, ok := parseNumber([]byte(value))
		if !ok || n < 1 || n > mostStates {
			return d.fail("%q states; want a number from 1", value)
		}
		d.states = n
	case "placeholders":
		name, expression, _ := strings.Cut(value, ":")
		x, ok := parseRatio([]byte(strings.TrimSpace(expression)))
		if !ok {
			return d.fail("placeholder %q; want $name : number", value)
		}
		d.placeholders[strings.TrimSpace(name)] = x
	case "nr_choices", "value_type":
	default:
		return d.fail("section @%s is unknown; want @type, @parameters, @placeholders, @reward_models, @nr_states, "+
			"@nr_choices and @model", section)
	}
	return nil
}

func (d *drn) number(word []byte) (float64, bool) {
	if len(word) > 0 && word[0] == '$' {
		x, ok := d.placeholders[string(word)]
		return x, ok
	}
	return parseRatio(word)
}

func (d *drn) modelLine(line []byte) error {
	if next, chance, ok := outcomeOf(line); ok && d.action >= 0 && next < d.states && chance >= 0 {
		d.outcomes++
		d.rows.add(d.state, d.action, next, chance, d.reward, d.line)
		return nil
	}
	if line = bare(line); len(line) == 0 {
		return nil
	}
	c := cursor{line}
	switch word := c.word(); string(word) {
	case "state":
		return d.stateLine(c)
	case "action":
		return d.actionLine(c)
	}
	return d.outcomeLine(line)
}

func (d *drn) stateLine(c cursor) error {
	if err := d.endAction(); err != nil {
		return err
	}
	n, ok := c.number()
	if !ok || n != d.state+1 || n >= d.states {
		return d.fail("want state %d of 0..%d", d.state+1, d.states-1)
	}
	d.state, d.action, d.choices = n, -1, 0
	rewards, rest, err := d.rewards(c.rest)
	if err != nil {
		return err
	}
	d.stateReward = rewards
	if rewards != 0 {
		d.stateRewards[n] = rewards
	}
	c.rest = rest
	for word := c.word(); word != nil; word = c.word() {
		if word[0] == '!' || word[0] == '{' {
			return d.fail("state %d: %s belongs to a model that is not an MDP", n, word)
		}
		d.marks.add(string(word), n)
	}
	return nil
}

// rewards reads [r1, r2] at the beginning of the rest of a line and returns the first reward.
func (d *drn) rewards(rest []byte) (float64, []byte, error) {
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 || rest[0] != '[' {
		return 0, rest, nil
	}
	end := bytes.IndexByte(rest, ']')
	if end < 0 {
		return 0, nil, d.fail("state %d: rewards without an end; want [1, 2]", d.state)
	}
	inside := bytes.TrimSpace(rest[1:end])
	first := 0.0
	for i, more := 0, len(inside) > 0; more; i++ {
		var part []byte
		part, inside, more = bytes.Cut(inside, []byte{','})
		x, ok := d.number(bytes.TrimSpace(part))
		if !ok {
			return 0, nil, d.fail("state %d: reward %q; want a number", d.state, part)
		}
		if i == 0 {
			first = x
		}
	}
	return first, rest[end+1:], nil
}

func (d *drn) actionLine(c cursor) error {
	if err := d.endAction(); err != nil {
		return err
	}
	if d.state < 0 {
		return d.fail("an action before the first state")
	}
	name := bytes.TrimSpace(c.word()) // as every table of names is read
	if len(name) == 0 {
		return d.fail("state %d: an action without a name", d.state)
	}
	reward, _, err := d.rewards(c.rest)
	if err != nil {
		return err
	}
	d.reward, d.outcomes = d.stateReward+reward, 0
	return d.begin(name)
}

// begin starts an action of the state and numbers it.
func (d *drn) begin(name []byte) error {
	if d.byIndex {
		name = strconv.AppendInt(nil, int64(d.choices), 10)
	}
	n, err := d.actions.number(name)
	if err != nil {
		return err
	}
	if n >= mostActions {
		return d.fail("state %d: action %s is too large", d.state, name)
	}
	d.actions.place(n)
	if n >= len(d.taken) {
		d.taken = append(d.taken, make([]int, n+1-len(d.taken))...)
	}
	if d.taken[n] == d.state+1 {
		return errRepeated
	}
	d.taken[n] = d.state + 1
	d.action = n
	d.choices++
	return nil
}

// endAction refuses an action without outcomes.
func (d *drn) endAction() error {
	if d.action >= 0 && d.outcomes == 0 {
		return d.fail("state %d: its last action has no outcome", d.state)
	}
	return nil
}

// outcomeOf reads a line that contains only tabs and "next : probability".
func outcomeOf(line []byte) (next int, chance float64, ok bool) {
	at := 0
	for at < len(line) && line[at] == '\t' {
		at++
	}
	next, at = wholeBefore(line, at, ' ')
	if at < 0 || len(line) < at+2 || line[at] != ':' || line[at+1] != ' ' {
		return 0, 0, false
	}
	chance, ok = lastNumber(line, at+2)
	return next, chance, ok
}

func (d *drn) outcomeLine(line []byte) error {
	left, right, found := bytes.Cut(line, []byte{':'})
	next, ok := parseNumber(bytes.TrimSpace(left))
	chance, likely := d.number(bytes.TrimSpace(right))
	switch {
	case !found || !ok:
		return d.fail("%q; want state, action, or next : probability", line)
	case d.state < 0:
		return d.fail("an outcome before the first state")
	case next >= d.states:
		return d.fail("state %d: next state %d is outside 0..%d", d.state, next, d.states-1)
	case !likely || chance < 0:
		return d.fail("state %d, next state %d: probability is %q; want a number from 0 to 1", d.state, next,
			bytes.TrimSpace(right))
	}
	if d.action < 0 { // a chain
		d.reward, d.outcomes = d.stateReward, 0
		if err := d.begin([]byte{'0'}); err != nil {
			return err
		}
	}
	d.outcomes++
	d.rows.add(d.state, d.action, next, chance, d.reward, d.line)
	return nil
}

func (d *drn) problem() (*Problem, error) {
	if d.state+1 != d.states {
		return nil, fmt.Errorf("%s:%d: %d states follow; @nr_states says %d", d.path, d.line, d.state+1, d.states)
	}
	actions, becomes := d.actions.finalize(func(see func(int32)) {
		for i := range d.rows.pieces {
			see(d.rows.pieces[i].action)
		}
	})
	if becomes != nil {
		d.rows.renumber(nil, becomes)
	}
	p, err := d.rows.problem(Numbered(d.states), actions)
	if err != nil {
		return nil, err
	}
	for _, s := range p.Terminal {
		if r := d.stateRewards[int(s)]; r != 0 {
			return nil, fmt.Errorf("%s: state %d has the reward %v and no action; a terminal state has no reward, "+
				"so give it an action that leads back to it", d.path, s, r)
		}
	}
	if err := p.mark(d.path, &d.marks); err != nil {
		return nil, err
	}
	if len(d.models) > 1 {
		p.Remarks = append(p.Remarks, fmt.Sprintf("%s has %d reward models; the first, %s, is used", d.path,
			len(d.models), d.models[0]))
	}
	if d.byIndex {
		p.Remarks = append(p.Remarks, "action names in "+d.path+
			" are ignored, because a state has two actions of one name: actions are the numbers of a state's choices")
	}
	return p, nil
}

func writeDRN(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("Storm's DRN")
	if err != nil {
		return nil, err
	}
	lost = p.lostDiscount()
	if !p.States.fromZero() {
		lost = append(lost, lostStates)
	}
	for _, name := range p.Actions.list {
		if strings.ContainsAny(name, " \t[]") || strings.Contains(name, "//") || name == "" {
			return nil, fmt.Errorf("DRN cannot hold the action's name %q; name actions without blanks and brackets", name)
		}
	}
	terminal := p.terminals()
	choices := 0
	for range p.choices(model) {
		choices++
	}
	return slices.Clip(lost), create(path, buffered(func(w *bufio.Writer) {
		fmt.Fprintf(w, "@type: MDP\n@parameters\n\n@reward_models\nreward\n@nr_states\n%d\n@nr_choices\n%d\n@model\n",
			model.States(), choices)
		var line []byte
		for c := range p.choices(model) {
			if c.number == 0 {
				line = strconv.AppendInt(append(line[:0], "state "...), int64(c.state), 10)
				line = append(line, " [0]"...)
				if c.state == p.Start {
					line = append(line, " init"...)
				}
				if terminal[c.state] {
					line = append(line, " deadlock"...)
				}
				w.Write(append(line, '\n'))
			}
			line = p.Actions.Append(append(line[:0], "\taction "...), c.action)
			w.Write(append(appendFloat(append(line, " ["...), c.reward), "]\n"...))
			for i, n := range c.next {
				line = strconv.AppendInt(append(line[:0], "\t\t"...), int64(n), 10)
				w.Write(append(appendFloat(append(line, " : "...), c.chance[i]), '\n'))
			}
		}
	}))
}
