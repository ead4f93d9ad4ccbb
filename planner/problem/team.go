package problem

import (
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

// team is the content of a team's file. Its paths are relative to it.
type team struct {
	Discount float64 `yaml:"discount,omitempty"`
	Agents   []agent `yaml:"agents"`
	// Rewards names a CSV table of every agent's rewards in every joint state: agent,state,action,reward, with
	// the agent's own action. Without this table, an agent has the rewards of its problem, in its local state.
	Rewards string `yaml:"rewards,omitempty"`
}

type agent struct {
	Name    string `yaml:"name,omitempty"`
	Problem string `yaml:"problem"`
	Count   int    `yaml:"count,omitempty"` // number of agents of this kind, 0 for 1
	Start   string `yaml:"start,omitempty"` // start state; the problem's if empty
}

const (
	maxTeamBytes = 1 << 20 // bytes of a team's file
	maxAgents    = 64
)

// IsTeam reports whether YAML text describes a team and not settings: whether it lists agents.
func IsTeam(text []byte) bool {
	var outline struct {
		Agents yaml.Node `yaml:"agents"`
	}
	return yaml.Unmarshal(text, &outline) == nil && outline.Agents.Kind == yaml.SequenceNode
}

// readTeam reads agents that move independently and are planned for jointly: the joint reward is the mean of
// the agents' rewards (arXiv 2309.12476, Section 3). An agent has ended in the joint states in which its local
// state is terminal.
func readTeam(open Open, path string, options Options) (*Problem, error) {
	whole, err := readWhole(open, path)
	if err != nil {
		return nil, err
	}
	if len(whole) > maxTeamBytes {
		return nil, fmt.Errorf("%s: %d bytes; a team's file only names its agents' files and has fewer than %d", path,
			len(whole), maxTeamBytes)
	}
	var t team
	decoder := yaml.NewDecoder(bytes.NewReader(whole))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t); err != nil {
		return nil, fmt.Errorf("%s: %s; want discount: 0.9, agents: with - problem: FILE each, and optionally "+
			"rewards: FILE", path, teamFault(err))
	}
	return t.problem(open, path, options)
}

// teamFault describes in one line the error in the text of a team.
func teamFault(err error) string {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	for i, e := range wrong.Errors {
		e, _, _ = strings.Cut(e, " in type problem.")
		e, _, _ = strings.Cut(e, " into ")
		wrong.Errors[i] = strings.NewReplacer("cannot unmarshal", "unexpected", "!!", "").Replace(e)
	}
	return strings.Join(wrong.Errors, "; ")
}

// member is an agent with its problem.
type member struct {
	name string
	*Problem
	start int
}

func (t *team) problem(open Open, path string, options Options) (*Problem, error) {
	members, remarks, err := t.members(open, path, options)
	if err != nil {
		return nil, err
	}
	if t.Discount != 0 && mdp.CheckDiscount(t.Discount) != nil {
		return nil, fmt.Errorf("%s: discount %v; want a number above 0 and below 1", path, t.Discount)
	}
	p := &Problem{Discount: t.Discount, startFrom: "the agents' own", rewardsFrom: "the agents' problems"}
	var laws []*mdp.Model
	var states, actions []Names
	var start []int
	for _, m := range members {
		laws = append(laws, m.Law.(*mdp.Model))
		p.Members = append(p.Members, Member{m.name, m.Actions, m.Terminal})
		states, actions, start = append(states, m.States), append(actions, m.Actions), append(start, m.start)
		if p.Discount == 0 {
			p.Discount = m.Discount
		}
	}
	for _, m := range members {
		if t.Discount == 0 && m.Discount != 0 && m.Discount != p.Discount {
			return nil, fmt.Errorf("%s: agents with discounts %v and %v; give the team one discount", path, p.Discount,
				m.Discount)
		}
	}
	joint, err := mdp.NewJoint(laws, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Law, p.States, p.Actions, p.Start = joint, joined(states), joined(actions), joint.State(start)
	p.Remarks = remarks
	if t.Rewards != "" {
		p.rewardsFrom = t.Rewards
	}
	if t.Rewards == "" {
		p.Rewards = ownRewards(joint, members)
	} else if p.Rewards, err = readJointRewards(open, relativeTo(path, t.Rewards), joint, members, p.States); err != nil {
		return nil, err
	}
	if len(members) == 1 {
		p.Terminal = members[0].Terminal
	}
	return p, nil
}

func relativeTo(path, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(path), name)
}

// members reads the agents' problems, each file once.
func (t *team) members(open Open, path string, options Options) (members []member,
	remarks []string, err error) {
	if len(t.Agents) == 0 {
		return nil, nil, fmt.Errorf("%s: no agents; want agents: with a problem each", path)
	}
	read := map[string]*Problem{}
	for i, a := range t.Agents {
		if a.Problem == "" {
			return nil, nil, fmt.Errorf("%s: agent %d has no problem; name its file", path, i)
		}
		if ending := strings.ToLower(filepath.Ext(a.Problem)); ending == ".yaml" || ending == ".yml" {
			return nil, nil, fmt.Errorf("%s: agent %d is a team itself, %s; list its agents here", path, i, a.Problem)
		}
		if a.Count < 0 || len(members)+max(a.Count, 1) > maxAgents {
			return nil, nil, fmt.Errorf("%s: agent %d has the count %d; want at most %d agents in total", path, i, a.Count,
				maxAgents)
		}
		p := read[a.Problem]
		if p == nil {
			if p, err = Read(open, relativeTo(path, a.Problem), options); err != nil {
				return nil, nil, err
			}
			read[a.Problem] = p
			remarks = append(remarks, p.Remarks...)
		}
		if _, one := p.Law.(*mdp.Model); !one {
			return nil, nil, fmt.Errorf("%s: agent %d: %s is not a problem of one agent", path, i, a.Problem)
		}
		m := member{name: a.Name, Problem: p, start: p.Start}
		if a.Start != "" {
			if m.start, err = p.States.find(a.Start); err != nil {
				return nil, nil, fmt.Errorf("%s: agent %d: start: %w", path, i, err)
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
	return members, remarks, nil
}

// ownRewards gives every agent the rewards of its local state.
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

// jointTable holds the rewards of every agent of a team in every joint state.
type jointTable struct {
	path    string
	joint   *mdp.Joint
	members []member
	states  Names
	rewards [][]float64
}

// readJointRewards reads agent,state,action,reward for every agent, joint state and action that the agent has
// there. The rows of agents that have ended may be missing.
func readJointRewards(open Open, path string, joint *mdp.Joint, members []member, states Names) ([][]float64, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t := &jointTable{path: path, joint: joint, members: members, states: states}
	t.initRewards()
	row := &io.LimitedReader{R: file, N: maxLineBytes} // the CSV reader reads ahead, by at most one buffer
	r := csv.NewReader(row)
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = 4, true, true
	if header, err := r.Read(); err != nil || strings.ToLower(strings.Join(header, ",")) != "agent,state,action,reward" {
		return nil, errors.Join(fmt.Errorf("%s:1: want the header agent,state,action,reward", path), err)
	}
	index := newNameIndex(members, states)
	seen := map[[2]int]bool{}
	for {
		row.N = maxLineBytes
		cells, err := r.Read()
		if row.N <= 0 {
			return nil, fmt.Errorf("%s: a row of more than %d bytes", path, maxLineBytes)
		}
		if err == io.EOF {
			return t.rewards, t.complete()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		agent, state, action, err := index.find(cells)
		if err == nil {
			err = t.add(agent, state, action, cells, seen)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
}

// initRewards fills the table with the rewards that need no row, 0 where an agent has ended and -Inf where it lacks
// an action, and with NaN for all others.
func (t *jointTable) initRewards() {
	t.rewards = ownRewards(t.joint, t.members)
	local := make([]int, len(t.members))
	for i, m := range t.members {
		ended, actions := m.terminals(), m.Law.Actions()
		for k, own := range t.rewards[i] {
			if t.joint.LocalStates(k/actions, local); !ended[local[i]] && !math.IsInf(own, -1) {
				t.rewards[i][k] = math.NaN()
			}
		}
	}
}

// add adds a row. seen records the rows that were added.
func (t *jointTable) add(agent, state, action int, cells []string, seen map[[2]int]bool) error {
	where := fmt.Sprintf("agent %s, state %s, action %s", cells[0], cells[1], cells[2])
	reward, ok := parseFloat([]byte(strings.TrimSpace(cells[3])))
	if !ok {
		return fmt.Errorf("%s: reward is %q; want a finite number", where, cells[3])
	}
	entry := state*t.joint.Agent(agent).Actions() + action
	at := &t.rewards[agent][entry]
	key := [2]int{agent, entry}
	switch needed := math.IsNaN(*at); {
	case seen[key]:
		return fmt.Errorf("%s: twice", where)
	case !needed && math.IsInf(*at, -1):
		return fmt.Errorf("%s: the agent does not have the action there; remove the row, or give it the action in its "+
			"problem", where)
	case !needed && reward != 0:
		return fmt.Errorf("%s: the agent is in a terminal state of its problem, where its reward is 0; remove the "+
			"row, or give the state an action that leads back to it", where)
	}
	seen[key] = true
	*at = reward + 0 // -0 becomes 0
	return nil
}

// complete refuses a table with missing rows.
func (t *jointTable) complete() error {
	for i, table := range t.rewards {
		actions := t.members[i].Actions
		for k, r := range table {
			if math.IsNaN(r) {
				return fmt.Errorf("%s: agent %s, state %s, action %s: no reward; want one for every joint state and every "+
					"action that the agent has there", t.path, t.members[i].name, t.states.Of(k/actions.count),
					actions.Of(k%actions.count))
			}
		}
	}
	return nil
}

// nameIndex finds agents, states and actions by their names.
type nameIndex struct {
	agents, states map[string]int
	actions        []map[string]int
}

func newNameIndex(members []member, states Names) nameIndex {
	f := nameIndex{agents: map[string]int{}, states: map[string]int{}}
	for i, m := range members {
		f.agents[m.name] = i
		own := map[string]int{}
		for a := range m.Actions.count {
			own[m.Actions.Of(a)] = a
		}
		f.actions = append(f.actions, own)
	}
	for s := range states.count {
		f.states[states.Of(s)] = s
	}
	return f
}

func (f nameIndex) find(cells []string) (agent, state, action int, err error) {
	agent, ok := f.agents[cells[0]]
	if !ok {
		return 0, 0, 0, fmt.Errorf("there is no agent %q", cells[0])
	}
	if state, ok = f.states[cells[1]]; !ok {
		return 0, 0, 0, fmt.Errorf("agent %s: there is no joint state %q; want the agents' states joined by |, or its "+
			"number if they are numbers", cells[0], cells[1])
	}
	if action, ok = f.actions[agent][cells[2]]; !ok {
		return 0, 0, 0, fmt.Errorf("agent %s, state %s: there is no action %q", cells[0], cells[1], cells[2])
	}
	return agent, state, action, nil
}
