package problem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// errRepeated reports a state that has two actions with the same name.
var errRepeated = errors.New("two actions of one name")

// readDRN reads Storm's direct encoding of an MDP or a Markov chain, as its DirectEncodingExporter writes it. States
// labelled init and deadlock are starts and terminal states. Actions of one name are one action, unless a state has
// two: then actions are the numbers of a state's choices.
func readDRN(open Open, path string, options Options) (*Problem, error) {
	d := drn{rewardModel: options.RewardModel}
	err := d.read(open, path)
	if errors.Is(err, errRepeated) {
		d = drn{rewardModel: options.RewardModel, byIndex: true}
		err = d.read(open, path)
	}
	if err != nil {
		return nil, err
	}
	return d.problem()
}

// drn reads one file.
type drn struct {
	*text
	rewardModel string // the one to read; empty for the first
	byIndex     bool   // actions are the numbers of a state's choices

	chain           bool
	states, choices int      // as the header states them; -1 if it does not
	models          []string // names of the reward models
	model           int      // index of the one that is read
	placeholders    map[string]float64

	rows                       rows
	actions                    *labels
	state, action              int // current state and action; -1 for none
	stateChoices, totalChoices int // of the current state, and of all states so far
	stateReward                float64
	reward                     float64 // of the state and the action
	outcomes                   int     // of the action
	lastState                  []int   // by action, 1 + the last state that has it
	starts, deadlocks          []int
	otherLabels                bool // there are labels other than init and deadlock
}

func (d *drn) read(open Open, path string) error {
	t, err := openText(open, path)
	if err != nil {
		return err
	}
	defer t.close()
	d.text, d.states, d.choices, d.state, d.action = t, -1, -1, -1, -1
	d.rows, d.placeholders = rows{path: path, tolerance: textTolerance}, map[string]float64{}
	d.actions = newLabels()
	if err := d.header(); err != nil {
		return err
	}
	if err := d.each(d.modelLine); err != nil {
		return err
	}
	return d.endState()
}

// content removes surrounding blanks from a line, and the whole line if it is a comment.
func content(line []byte) []byte {
	if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("//")) {
		return nil
	}
	return line
}

// header reads the sections before the model.
func (d *drn) header() error {
	section := ""
	for {
		line, err := d.next()
		if err == io.EOF {
			return d.fail("no section @model; want the whole file that Storm exports")
		}
		if err != nil {
			return err
		}
		value := string(content(line))
		if strings.HasPrefix(value, "@") {
			section, value, _ = strings.Cut(value[1:], ":")
			section, value = strings.TrimSpace(section), strings.TrimSpace(value)
		}
		if section == "model" {
			return d.endHeader()
		}
		if value != "" {
			if err := d.setting(section, value); err != nil {
				return err
			}
		}
	}
}

// endHeader finds the reward model.
func (d *drn) endHeader() error {
	if d.states < 0 {
		return d.fail("no section @nr_states before @model")
	}
	if d.rewardModel == "" {
		return nil
	}
	if d.model = slices.Index(d.models, d.rewardModel); d.model < 0 {
		return fmt.Errorf("%s: there is no reward model %q; want one of %s", d.path, d.rewardModel,
			strings.Join(d.models, ", "))
	}
	return nil
}

func (d *drn) setting(section, value string) error {
	n, whole := parseNumber([]byte(value))
	switch section {
	case "type":
		kind := strings.ToUpper(value)
		if d.chain = kind == "DTMC"; !d.chain && kind != "MDP" {
			return d.fail("a model of type %s; want MDP or DTMC", value)
		}
	case "parameters":
		return d.fail("parameters %s; instantiate them first", value)
	case "reward_models":
		d.models = append(d.models, strings.Fields(value)...)
	case "nr_states":
		if !whole || n < 1 || n > maxStates {
			return d.fail("%q states; want a number from 1", value)
		}
		d.states = n
	case "nr_choices":
		if !whole {
			return d.fail("%q choices; want a number", value)
		}
		d.choices = n
	case "placeholders":
		name, expression, _ := strings.Cut(value, ":")
		x, ok := parseRatio([]byte(strings.TrimSpace(expression)))
		if !ok {
			return d.fail("placeholder %q; want $name : number", value)
		}
		d.placeholders[strings.TrimSpace(name)] = x
	case "value_type":
		if value != "double" && value != "rational" {
			return d.fail("values of type %s; want double or rational", value)
		}
	default:
		return d.fail("section @%s is unknown; want @type, @value_type, @parameters, @placeholders, @reward_models, "+
			"@nr_states, @nr_choices and @model", section)
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
	line = content(line)
	if len(line) == 0 {
		return nil
	}
	switch word, rest := nextWord(line); string(word) {
	case "state":
		return d.stateLine(rest)
	case "action":
		return d.actionLine(rest)
	}
	return d.outcomeLine(line)
}

func (d *drn) stateLine(line []byte) error {
	if err := d.endState(); err != nil {
		return err
	}
	word, rest := nextWord(line)
	n, ok := parseNumber(word)
	if !ok || n != d.state+1 || n >= d.states {
		return d.fail("want state %d of 0..%d", d.state+1, d.states-1)
	}
	d.state, d.stateChoices = n, 0
	var err error
	if d.stateReward, rest, err = d.rewards(rest); err != nil {
		return err
	}
	return d.labels(rest)
}

// labels reads the labels of a state, which are in quotes if they have blanks.
func (d *drn) labels(line []byte) error {
	for {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			return nil
		}
		var label []byte
		if line[0] == '"' {
			var closed bool
			if label, line, closed = bytes.Cut(line[1:], []byte{'"'}); !closed {
				return d.fail("state %d: a label without its closing quote", d.state)
			}
		} else {
			label, line = nextWord(line)
		}
		switch string(label) {
		case "init":
			d.starts = append(d.starts, d.state)
		case "deadlock":
			d.deadlocks = append(d.deadlocks, d.state)
		default:
			d.otherLabels = true
		}
	}
}

// rewards reads [r1, r2] at the beginning of the rest of a line and returns that of the reward model.
func (d *drn) rewards(line []byte) (reward float64, rest []byte, err error) {
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || line[0] != '[' {
		return 0, line, nil
	}
	inside, rest, closed := bytes.Cut(line[1:], []byte{']'})
	if !closed {
		return 0, nil, d.fail("state %d: rewards without an end; want [1, 2]", d.state)
	}
	if len(bytes.TrimSpace(inside)) == 0 {
		return 0, rest, nil
	}
	count := 0
	for more := true; more; count++ {
		var part []byte
		part, inside, more = bytes.Cut(inside, []byte{','})
		x, ok := d.number(bytes.TrimSpace(part))
		if !ok {
			return 0, nil, d.fail("state %d: reward %q; want a number", d.state, part)
		}
		if count == d.model {
			reward = x
		}
	}
	if count != max(len(d.models), 1) {
		return 0, nil, d.fail("state %d: %d rewards for %d reward models", d.state, count, len(d.models))
	}
	return reward, rest, nil
}

func (d *drn) actionLine(line []byte) error {
	if err := d.endAction(); err != nil {
		return err
	}
	if d.state < 0 {
		return d.fail("an action before the first state")
	}
	name, rest := nextWord(line)
	if len(name) == 0 {
		return d.fail("state %d: an action without a name", d.state)
	}
	reward, rest, err := d.rewards(rest)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return d.fail("state %d: %q after action %s", d.state, rest, name)
	}
	return d.beginAction(name, reward)
}

// beginAction starts an action of the state and numbers it.
func (d *drn) beginAction(name []byte, reward float64) error {
	if d.byIndex {
		name = strconv.AppendInt(nil, int64(d.stateChoices), 10)
	}
	n, err := d.actions.id(name)
	if err != nil {
		return d.fail("%v", err)
	}
	if n >= maxActions {
		return d.fail("state %d: more than %d actions", d.state, maxActions)
	}
	if n >= len(d.lastState) {
		d.lastState = append(d.lastState, make([]int, n+1-len(d.lastState))...)
	}
	if d.lastState[n] == d.state+1 {
		return errRepeated
	}
	d.lastState[n] = d.state + 1
	d.action, d.reward, d.outcomes = n, d.stateReward+reward, 0
	d.stateChoices++
	d.totalChoices++
	return nil
}

// endState ends the last state and its last action.
func (d *drn) endState() error {
	if d.state >= 0 && d.stateChoices == 0 && d.stateReward != 0 {
		return d.fail("state %d has the reward %v and no action; a terminal state has no reward, so give it an action "+
			"that leads back to it", d.state, d.stateReward)
	}
	err := d.endAction()
	d.action = -1
	return err
}

// endAction refuses an action without outcomes.
func (d *drn) endAction() error {
	if d.action >= 0 && d.outcomes == 0 {
		return d.fail("state %d: its last action has no outcome", d.state)
	}
	return nil
}

func (d *drn) outcomeLine(line []byte) error {
	left, right, found := bytes.Cut(line, []byte{':'})
	next, ok := parseNumber(bytes.TrimSpace(left))
	right = bytes.TrimSpace(right)
	probability, valid := d.number(right)
	switch {
	case !found || !ok:
		return d.fail("%q; want state, action, or next : probability", line)
	case d.state < 0:
		return d.fail("an outcome before the first state")
	case next >= d.states:
		return d.fail("state %d: next state %d is outside 0..%d", d.state, next, d.states-1)
	case !valid || probability < 0:
		return d.fail("state %d, next state %d: probability is %q; want a number from 0 to 1", d.state, next, right)
	}
	if d.action < 0 { // a chain without actions
		if err := d.beginAction([]byte{'0'}, 0); err != nil {
			return err
		}
	}
	d.outcomes++
	d.rows.add(outcome{int32(d.state), int32(d.action), int32(next), d.line, probability, d.reward})
	return nil
}

func (d *drn) problem() (*Problem, error) {
	if d.state+1 != d.states {
		return nil, fmt.Errorf("%s: %d states follow @model; @nr_states says %d", d.path, d.state+1, d.states)
	}
	if d.choices >= 0 && d.totalChoices != d.choices && !(d.chain && d.choices == d.states) {
		return nil, fmt.Errorf("%s: %d choices follow @model; @nr_choices says %d", d.path, d.totalChoices, d.choices)
	}
	actions, places := d.actions.ordered()
	d.rows.renumber(nil, places)
	p, err := d.rows.problem(Numbered(d.states), actions)
	if err != nil {
		return nil, err
	}
	p.rewardsFrom = "no model, all 0"
	if len(d.models) > 0 {
		p.rewardsFrom = "model " + d.models[d.model]
	}
	if others := len(d.models) - 1; others > 0 {
		p.rewardsFrom += fmt.Sprintf(", one of %s ({rewards})", strings.Join(d.models, ", "))
	}
	if len(d.starts) > 0 {
		p.Start, p.startFrom = d.starts[0], "labelled init"
	}
	if len(d.starts) > 1 {
		p.startFrom = fmt.Sprintf("the first of %d labelled init", len(d.starts))
	}
	if d.otherLabels {
		p.omitted = append(p.omitted, "labels other than init and deadlock")
	}
	if d.byIndex {
		p.omitted = append(p.omitted, "names of actions, because a state has two of one name: actions are the numbers of "+
			"a state's choices")
	}
	return p, p.addTerminal(d.path, d.deadlocks)
}

// addTerminal marks as terminal those of the given states that stay by every action. It does not depend on rewards,
// because terminal states are public; instead it refuses a reward other than 0 in such a state.
func (p *Problem) addTerminal(path string, states []int) error {
	actions := p.Law.Actions()
	isTerminal, left := p.terminals(), 0
	for _, s := range states {
		if isTerminal[s] {
			continue
		}
		absorbing := true
		for a := range actions {
			outcomes := p.Law.AppendOutcomes(nil, s, a)
			absorbing = absorbing && len(outcomes) == 1 && outcomes[0].State == s
		}
		if !absorbing {
			left++
			continue
		}
		own := p.Rewards[0][s*actions : (s+1)*actions]
		for a, r := range own {
			if r != 0 && !math.IsInf(r, -1) {
				return fmt.Errorf("%s: state %s is labelled deadlock, but action %s has the reward %v there; remove "+
					"the reward or the label", path, p.States.Of(s), p.Actions.Of(a), r)
			}
		}
		clear(own)
		p.Terminal = append(p.Terminal, int32(s))
	}
	slices.Sort(p.Terminal)
	if left > 0 {
		p.omitted = append(p.omitted, "the label deadlock of "+counted(left, "state")+" that an action leaves")
	}
	return nil
}
