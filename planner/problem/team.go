package problem

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"veilpath/planner/mdp"
)

// team is a file of a team. Paths are relative to it.
type team struct {
	Discount float64 `yaml:"discount,omitempty"`
	Agents   []agent `yaml:"agents"`
	// Rewards names a CSV table of what every agent earns in every joint state: agent,state,action,reward, with
	// the agent's own action. Without one, an agent earns what its problem says of its own state.
	Rewards string `yaml:"rewards,omitempty"`
}

type agent struct {
	Name    string `yaml:"name,omitempty"`
	Problem string `yaml:"problem"`
	Count   int    `yaml:"count,omitempty"` // how many of this kind, 0 for 1
	Start   string `yaml:"start,omitempty"` // state, the problem's own without
}

const (
	largestTeam = 1 << 20 // bytes of a team's file
	mostAgents  = 64
)

// IsTeam reports whether YAML text is a team's and not settings: whether it has agents.
func IsTeam(text []byte) bool {
	var outline struct {
		Agents yaml.Node `yaml:"agents"`
	}
	return yaml.Unmarshal(text, &outline) == nil && outline.Agents.Kind == yaml.SequenceNode
}

// readTeam reads agents who move independently and are planned for together: the joint reward is the mean of theirs
// (arXiv 2309.12476, Section 3). A joint state is terminal where every agent's is.
func readTeam(open Open, path string) (*Problem, error) {
	whole, err := readWhole(open, path)
	if err != nil {
		return nil, err
	}
	if len(whole) > largestTeam {
		return nil, fmt.Errorf("%s: %d bytes; a team's file names its agents' files and takes fewer than %d", path, len(whole), largestTeam)
	}
	var t team
	decoder := yaml.NewDecoder(bytes.NewReader(whole))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t); err != nil {
		return nil, fmt.Errorf("%s: %w; want discount, agents with a problem each, and perhaps rewards", path, err)
	}
	return t.problem(open, path)
}

// member is an agent with its problem.
type member struct {
	name string
	*Problem
	start int
}

func (t *team) problem(open Open, path string) (*Problem, error) {
	members, err := t.members(open, path)
	if err != nil {
		return nil, err
	}
	p := &Problem{Discount: t.Discount}
	var laws []*mdp.Model
	var states, actions []Names
	var start []int
	for _, m := range members {
		laws = append(laws, m.Law.(*mdp.Model))
		p.Members = append(p.Members, Member{m.name, m.Actions})
		states, actions, start = append(states, m.States), append(actions, m.Actions), append(start, m.start)
		if p.Discount == 0 {
			p.Discount = m.Discount
		}
	}
	for _, m := range members {
		if t.Discount == 0 && m.Discount != 0 && m.Discount != p.Discount {
			return nil, fmt.Errorf("%s: agents with discounts %v and %v; give the team one discount", path, p.Discount, m.Discount)
		}
	}
	joint, err := mdp.NewJoint(laws, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Law, p.States, p.Actions, p.Start = joint, joined(states), joined(actions), joint.State(start)
	if t.Rewards == "" {
		p.Rewards = ownRewards(joint, members)
	} else {
		names := make([]string, len(members))
		for i, m := range members {
			names[i] = m.name
		}
		if p.Rewards, err = readJointRewards(open, beside(path, t.Rewards), joint, names, p.States, actions); err != nil {
			return nil, err
		}
	}
	if t.Rewards == "" {
		p.Terminal = jointTerminal(joint, members)
	}
	return p, nil
}

func beside(path, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(path), name)
}

// members reads the agents' problems, every file once.
func (t *team) members(open Open, path string) (members []member, err error) {
	if len(t.Agents) == 0 {
		return nil, fmt.Errorf("%s: no agents; want agents: with a problem each", path)
	}
	read := map[string]*Problem{}
	for i, a := range t.Agents {
		if a.Problem == "" {
			return nil, fmt.Errorf("%s: agent %d has no problem; name its file", path, i)
		}
		if ending := strings.ToLower(filepath.Ext(a.Problem)); ending == ".yaml" || ending == ".yml" {
			return nil, fmt.Errorf("%s: agent %d is a team itself, %s; list its agents here", path, i, a.Problem)
		}
		if a.Count < 0 || len(members)+max(a.Count, 1) > mostAgents {
			return nil, fmt.Errorf("%s: agent %d comes %d times; want at most %d agents in all", path, i, a.Count, mostAgents)
		}
		p := read[a.Problem]
		if p == nil {
			if p, err = Read(open, beside(path, a.Problem)); err != nil {
				return nil, err
			}
			read[a.Problem] = p
		}
		if _, one := p.Law.(*mdp.Model); !one {
			return nil, fmt.Errorf("%s: agent %d: %s is no problem of one agent", path, i, a.Problem)
		}
		m := member{name: a.Name, Problem: p, start: p.Start}
		if a.Start != "" {
			if m.start, err = p.States.Find(a.Start); err != nil {
				return nil, fmt.Errorf("%s: agent %d: start: %w", path, i, err)
			}
		}
		for range max(a.Count, 1) {
			one := m
			if one.name == "" || a.Count > 1 {
				one.name = a.Name + strconv.Itoa(len(members))
			}
			members = append(members, one)
		}
	}
	return members, nil
}

// ownRewards gives every agent the rewards of its own state.
func ownRewards(joint *mdp.Joint, members []member) [][]float64 {
	local := make([]int, len(members))
	tables := make([][]float64, len(members))
	for i, m := range members {
		tables[i] = make([]float64, 0, joint.States()*m.Law.Actions())
	}
	for s := range joint.States() {
		joint.LocalStates(s, local)
		for i, m := range members {
			actions := m.Law.Actions()
			tables[i] = append(tables[i], m.Rewards[0][local[i]*actions:(local[i]+1)*actions]...)
		}
	}
	return tables
}

func jointTerminal(joint *mdp.Joint, members []member) (terminal []int32) {
	ends := make([][]bool, len(members))
	for i, m := range members {
		ends[i] = m.terminals()
	}
	local := make([]int, len(members))
	for s := range joint.States() {
		joint.LocalStates(s, local)
		all := true
		for i := range members {
			all = all && ends[i][local[i]]
		}
		if all {
			terminal = append(terminal, int32(s))
		}
	}
	return terminal
}

// readJointRewards reads agent,state,action,reward for every agent, joint state and action of the agent.
func readJointRewards(open Open, path string, joint *mdp.Joint, names []string, states Names, actions []Names) ([][]float64, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	tables := make([][]float64, len(names))
	for i := range tables {
		tables[i] = make([]float64, joint.States()*joint.Agent(i).Actions())
		for k := range tables[i] {
			tables[i][k] = math.NaN()
		}
	}
	r := csv.NewReader(io.LimitReader(file, largestWhole))
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = 4, true, true
	if header, err := r.Read(); err != nil || strings.ToLower(strings.Join(header, ",")) != "agent,state,action,reward" {
		return nil, errors.Join(fmt.Errorf("%s:1: want the header agent,state,action,reward", path), err)
	}
	finders := newFinders(names, states, actions)
	for {
		cells, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		i, s, a, err := finders.find(cells)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		reward, ok := parseFloat([]byte(strings.TrimSpace(cells[3])))
		if !ok {
			return nil, fmt.Errorf("%s:%d: agent %s, state %s, action %s: reward is %q; want a finite number", path, line, cells[0], cells[1], cells[2], cells[3])
		}
		at := &tables[i][s*joint.Agent(i).Actions()+a]
		if !math.IsNaN(*at) {
			return nil, fmt.Errorf("%s:%d: agent %s, state %s, action %s: twice", path, line, cells[0], cells[1], cells[2])
		}
		*at = reward
	}
	for i, table := range tables {
		for k, r := range table {
			if m := joint.Agent(i).Actions(); math.IsNaN(r) {
				return nil, fmt.Errorf("%s: agent %s, state %s, action %s: no reward; want one for every joint state and each of the agent's actions", path, names[i], states.Of(k/m), actions[i].Of(k%m))
			}
		}
	}
	return tables, nil
}

// finders find agents, states and actions by their names.
type finders struct {
	agents, states map[string]int
	actions        []map[string]int
}

func newFinders(names []string, states Names, actions []Names) finders {
	f := finders{agents: map[string]int{}, states: map[string]int{}}
	for i, name := range names {
		f.agents[name] = i
		own := map[string]int{}
		for a := range actions[i].count {
			own[actions[i].Of(a)] = a
		}
		f.actions = append(f.actions, own)
	}
	for s := range states.count {
		f.states[states.Of(s)] = s
	}
	return f
}

func (f finders) find(cells []string) (agent, state, action int, err error) {
	agent, ok := f.agents[cells[0]]
	if !ok {
		return 0, 0, 0, fmt.Errorf("there is no agent %q", cells[0])
	}
	if state, ok = f.states[cells[1]]; !ok {
		return 0, 0, 0, fmt.Errorf("agent %s: there is no joint state %q; want the agents' states joined by |, or the number of it where they are numbers", cells[0], cells[1])
	}
	if action, ok = f.actions[agent][cells[2]]; !ok {
		return 0, 0, 0, fmt.Errorf("agent %s, state %s: there is no action %q", cells[0], cells[1], cells[2])
	}
	return agent, state, action, nil
}

// writeTeam writes a team: its file, a CSV problem an agent, and a table of rewards. Names and terminal states of
// single agents are not known to it.
func writeTeam(p *Problem, create Create, path string) (lost []string, err error) {
	joint, ok := p.Law.(*mdp.Joint)
	if !ok {
		return nil, errors.New("YAML holds teams and this is one agent; write .csv or another format")
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	t := team{Discount: p.Discount, Rewards: filepath.Base(stem) + "-rewards.csv"}
	start := joint.LocalStates(p.Start, make([]int, joint.Agents()))
	numbers := Numbered(joint.States())
	if !p.States.plain() || !p.Actions.plain() {
		lost = append(lost, "the names of states and actions, which become numbers from 0")
	}
	for i := range joint.Agents() {
		law := joint.Agent(i)
		one := &Problem{Law: law, Rewards: [][]float64{make([]float64, law.States()*law.Actions())}, States: Numbered(law.States()), Actions: Numbered(law.Actions())}
		name := fmt.Sprintf("%s-agent-%d.csv", stem, i)
		if _, err := writeCSV(one, create, name); err != nil {
			return nil, err
		}
		t.Agents = append(t.Agents, agent{Name: strconv.Itoa(i), Problem: filepath.Base(name), Start: strconv.Itoa(start[i])})
		for k, r := range p.Rewards[i] {
			if math.IsInf(r, -1) {
				return nil, fmt.Errorf("state %s: agent %d lacks action %d, which a table of rewards cannot say; write the agents' problems", numbers.Of(k/law.Actions()), i, k%law.Actions())
			}
		}
	}
	if len(p.Terminal) > 0 {
		lost = append(lost, fmt.Sprintf("that %d joint states are terminal: they stay and earn 0, but noise is added there", len(p.Terminal)))
	}
	err = create(filepath.Join(filepath.Dir(path), t.Rewards), buffered(func(w *bufio.Writer) {
		w.WriteString("agent,state,action,reward\n")
		for i, table := range p.Rewards {
			m := joint.Agent(i).Actions()
			for k, r := range table {
				fmt.Fprintf(w, "%d,%d,%d,%s\n", i, k/m, k%m, appendFloat(nil, r))
			}
		}
	}))
	if err != nil {
		return nil, err
	}
	return lost, create(path, func(w io.Writer) error {
		encoder := yaml.NewEncoder(w)
		encoder.SetIndent(2)
		return errors.Join(encoder.Encode(t), encoder.Close())
	})
}
